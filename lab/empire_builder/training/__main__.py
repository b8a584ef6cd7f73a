"""Train the networks of the eye: ``python -m lab.empire_builder.training``, after ``make setup-train``.

Photographs are made by the studio once and kept in the folder; the crayons and styles of ``KEPT_APART`` are
never among them.
"""

from __future__ import annotations

from pathlib import Path

from lab.training.starting import start, training_parser

_NETWORKS = ("glance", "edges", "crayons", "posts")


def main() -> None:
    """Read the options and train."""
    parser = training_parser("lab.empire_builder.training", __doc__, "build/empire-builder", threads=1)
    parser.add_argument("--pictures", type=int, default=211)
    parser.add_argument("--steps", type=int, help="instead of all")
    parser.add_argument("--networks", nargs="+", choices=_NETWORKS, default=_NETWORKS)
    parser.add_argument("--out", type=Path, help="a folder, instead of the eye's own")
    start(parser, "lab.empire_builder.training.program")


if __name__ == "__main__":
    main()
