"""``teach``: a board of the owner's own, from one photograph of it empty."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.options import add_board, photographs


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``teach``."""
    command.add_argument("name", metavar="NAME", help="what to call it in read --taught")
    command.add_argument("photos", metavar="PHOTO", nargs="*")
    command.add_argument("--game", help="whose board it is, where several games have boards to be taught")
    command.add_argument(
        "--slots",
        metavar="FILE",
        type=Path,
        help="where pieces may lie on it; with --game: the owner's board or map as that game reads it",
    )
    command.add_argument(
        "--colours", metavar="RED,BLUE", help="with --slots: which colours the pieces have, and no others"
    )
    command.add_argument(
        "--overlay", metavar="FILE", type=Path, help="draw on the photograph where its places lie"
    )
    add_board(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Learn a board and keep it."""
    code: int = photographs().teach(options)
    return code
