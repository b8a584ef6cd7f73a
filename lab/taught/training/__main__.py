"""``python -m lab.taught.training``: makes the material, trains the network for taught boards, writes it."""

from __future__ import annotations

from pathlib import Path

from lab.training.starting import start, training_parser


def main() -> None:
    """Read the options and train."""
    parser = training_parser("lab.taught.training", __doc__, "build/taught", threads=2)
    parser.add_argument(
        "--boards", type=int, default=140, help="boards to learn from, three pictures of each"
    )
    parser.add_argument("--checks", type=int, default=8, help="boards to calibrate with")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--model", type=Path, help="the file to write, instead of segments_turned.onnx")
    start(parser, "lab.taught.training.program")


if __name__ == "__main__":
    main()
