"""``python -m lab.railroad_ink.training``: makes the material, teaches both networks, writes them."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.training.installed import need_torch

MODELS = Path(__file__).parents[3] / "companion" / "games" / "railroad_ink" / "eye"


def main() -> None:
    """Read the options; PyTorch is loaded only when they are."""
    options = _options()
    need_torch()
    from lab.railroad_ink.training.program import run

    run(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.railroad_ink.training", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/training"), help="where material is kept")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the networks are written")
    parser.add_argument("--boards", type=int, default=9000, help="boards to learn from")
    parser.add_argument("--only", choices=("cells", "signs"), help="one of the two networks")
    parser.add_argument("--steps", type=int, help="no more steps than this in a course: to try things")
    parser.add_argument("--go-on", action="store_true", help="from the networks that are there, gently")
    parser.add_argument("--hold-out", action="store_true", help="never show what the bench calls held out")
    parser.add_argument("--threads", type=int, default=1, help="more help on an idle machine only")
    return parser.parse_args()


if __name__ == "__main__":
    main()
