"""``python -m lab.derailed.training``: makes the material, trains both networks, writes them."""

from __future__ import annotations

from pathlib import Path

from lab.training.starting import start, training_parser

MODELS = Path(__file__).parents[3] / "companion" / "games" / "derailed" / "reader" / "cards"


def main() -> None:
    """Read the options and train."""
    parser = training_parser("lab.derailed.training", __doc__, "build/derailed", threads=2)
    parser.add_argument("--models", type=Path, default=MODELS, help="where the networks are written")
    parser.add_argument("--pictures", type=int, default=4000, help="pictures to learn from")
    parser.add_argument("--decks", type=int, default=700, help="flat decks to learn from, for reading only")
    parser.add_argument("--check-decks", type=int, default=25, help="flat decks to calibrate with")
    parser.add_argument("--checks", type=int, default=200, help="pictures to calibrate with")
    parser.add_argument("--go-on", action="store_true", help="from the networks as they are")
    parser.add_argument("--only", choices=("find", "read"), help="one of the two networks")
    parser.add_argument("--steps", type=int, default=4000, help="of the network that reads")
    parser.add_argument("--finding-steps", type=int, default=14000, help="of the network that finds")
    start(parser, "lab.derailed.training.program")


if __name__ == "__main__":
    main()
