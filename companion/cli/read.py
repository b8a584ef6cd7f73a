"""``read``: photographs in, what is on them out."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli import bulk
from companion.cli.options import add_board, photographs
from companion.game.packages import packages


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``read``."""
    games = ", ".join(package.name for package in packages().values() if package.reader)
    command.add_argument(
        "game", metavar="GAME", help=f"one of {games}, or taught: a board taught with --slots"
    )
    command.add_argument("photos", metavar="PHOTO", nargs="*", help="JPEG, HEIC, PNG or WebP")
    command.add_argument("--rolled", metavar="FACES", help="the dice of the round, such as NS,ne,Ns*,NES")
    command.add_argument(
        "--expansion", metavar="NAME", default="", help="the expansion that is played, such as forest"
    )
    command.add_argument(
        "--before", metavar="FILE", type=Path, help="the position before, or an earlier reading"
    )
    command.add_argument(
        "--players", metavar="COLOURS", help="whose pieces or pens they are, such as red=1,blue=2"
    )
    command.add_argument(
        "--join", action="store_true", help="the photographs show parts of one table: read them as one"
    )
    command.add_argument("--overlay", metavar="FILE", type=Path, help="draw what was read on the photograph")
    command.add_argument("--text", action="store_true", help="readable lines instead of JSON")
    command.add_argument(
        "--explain",
        action="store_true",
        help="for cards: also the grids that were tried, and every look at every place",
    )
    add_board(command)
    command.add_argument(
        "--taught", metavar="NAME", action="append", default=[], help="a taught board, or deck, to look for"
    )
    bulk.add_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read every photograph in turn, or those of a whole folder side by side."""
    request, work = bulk.wished(options), photographs()
    code: int = work.read(options) if request is None else work.read_all(options, request)
    return code
