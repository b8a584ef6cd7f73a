"""``python -m lab.taught.training``: makes the material, teaches a network of taught boards, writes it."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.training.installed import need_torch


def main() -> None:
    """Read the options; PyTorch is loaded only when they are."""
    options = _options()
    need_torch()
    from lab.taught.training.program import run

    run(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.taught.training", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/taught"), help="where material is kept")
    parser.add_argument(
        "--boards", type=int, default=140, help="boards to learn from, three pictures of each"
    )
    parser.add_argument("--checks", type=int, default=8, help="boards to calibrate with")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", type=Path, help="the file to write, instead of segments_turned.onnx")
    return parser.parse_args()


if __name__ == "__main__":
    main()
