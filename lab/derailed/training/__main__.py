"""``python -m lab.derailed.training``: makes the material, teaches both networks, writes them."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.training.installed import need_torch

MODELS = Path(__file__).parents[3] / "companion" / "games" / "derailed" / "eye" / "cards"


def main() -> None:
    """Read the options; PyTorch is loaded only when they are."""
    options = _options()
    need_torch()
    from lab.derailed.training.program import run

    run(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.derailed.training", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/derailed"), help="where material is kept")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the networks are written")
    parser.add_argument("--pictures", type=int, default=4000, help="pictures to learn from")
    parser.add_argument("--checks", type=int, default=200, help="pictures to calibrate with")
    parser.add_argument("--go-on", action="store_true", help="from the networks as they are")
    parser.add_argument("--only", choices=("find", "read"), help="one of the two networks")
    parser.add_argument("--steps", type=int, default=4000, help="of the network that reads")
    parser.add_argument("--finding-steps", type=int, default=14000, help="of the network that finds")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
