"""``python -m lab.pieces``: makes the material, trains the network that sees pieces, writes it.

It learns from the studio's photographs, and from pieces painted on empty views. ``--begin-with FILE`` trains
a network further.
"""

from __future__ import annotations

from pathlib import Path

from lab.training.starting import start, training_parser


def main() -> None:
    """Read the options and train."""
    parser = training_parser("lab.pieces", __doc__, "build/pieces", threads=2)
    parser.add_argument("--pictures", type=int, default=240, help="pictures to learn from")
    parser.add_argument("--checks", type=int, default=30, help="pictures to check with")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--begin-with", type=Path, help="a network to train further, instead of a new one")
    parser.add_argument("--model", type=Path, help="the file to write, instead of the reader's own")
    start(parser, "lab.pieces.program")


if __name__ == "__main__":
    main()
