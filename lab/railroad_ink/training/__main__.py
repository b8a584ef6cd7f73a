"""``python -m lab.railroad_ink.training``: makes the material, trains both networks, writes them."""

from __future__ import annotations

from pathlib import Path

from lab.training.starting import start, training_parser

MODELS = Path(__file__).parents[3] / "companion" / "games" / "railroad_ink" / "reader"


def main() -> None:
    """Read the options and train."""
    parser = training_parser("lab.railroad_ink.training", __doc__, "build/training", threads=1)
    parser.add_argument("--models", type=Path, default=MODELS, help="where the networks are written")
    parser.add_argument("--boards", type=int, default=9000, help="boards to learn from")
    parser.add_argument("--only", choices=("cells", "signs"), help="one of the two networks")
    parser.add_argument("--steps", type=int, help="no more steps than this in a course: to try things")
    parser.add_argument("--go-on", action="store_true", help="from the networks that are there, gently")
    parser.add_argument("--hold-out", action="store_true", help="never show what the bench calls held out")
    start(parser, "lab.railroad_ink.training.program")


if __name__ == "__main__":
    main()
