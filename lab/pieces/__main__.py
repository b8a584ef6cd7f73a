"""``python -m lab.pieces``: makes the material, teaches the network that sees pieces, writes it.

It learns from the studio's photographs, and from pieces painted on empty views. ``--begin-with FILE`` teaches
a network further.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.training.installed import need_torch


def main() -> None:
    """Read the options; PyTorch is loaded only when they are."""
    options = _options()
    need_torch()
    from lab.pieces.program import run

    run(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.pieces", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/pieces"), help="where material is kept")
    parser.add_argument("--pictures", type=int, default=240, help="pictures to learn from")
    parser.add_argument("--checks", type=int, default=30, help="pictures to check with")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--begin-with", type=Path, help="a network to teach further, instead of a new one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", type=Path, help="the file to write, instead of the reader's own")
    return parser.parse_args()


if __name__ == "__main__":
    main()
