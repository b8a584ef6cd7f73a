"""``read``, ``teach`` and ``teach-deck``: photographs in, what is on them out.

Only the options are here: what does the work needs OpenCV, and no other command should wait for that.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from companion.commands import bulk
from companion.games.registry import games_with_eyes


def add(commands: Any, default_folder: Path) -> None:
    """The subcommands and their options."""
    _add_read(commands, default_folder)
    _add_teach(commands, default_folder)
    _add_teach_deck(commands, default_folder)


def _add_read(commands: Any, default_folder: Path) -> None:
    read = commands.add_parser(
        "read", help="photographs in, one JSON line each: what is drawn on every board"
    )
    games = ", ".join(games_with_eyes())
    read.add_argument("game", metavar="GAME", help=f"one of {games}, or taught: a board taught with --slots")
    read.add_argument("photos", metavar="PHOTO", nargs="*", help="JPEG, HEIC, PNG or WebP")
    read.add_argument("--rolled", metavar="FACES", help="the dice of the round, such as NS,ne,Ns*,NES")
    read.add_argument(
        "--expansion", metavar="NAME", default="", help="the expansion that is played, such as forest"
    )
    read.add_argument(
        "--before", metavar="FILE", type=Path, help="the position before, or an earlier reading"
    )
    read.add_argument(
        "--players", metavar="COLOURS", help="whose pieces or pens they are, such as red=1,blue=2"
    )
    read.add_argument(
        "--join", action="store_true", help="the photographs show parts of one table: read them as one"
    )
    read.add_argument("--overlay", metavar="FILE", type=Path, help="draw what was read on the photograph")
    read.add_argument("--text", action="store_true", help="readable lines instead of JSON")
    _add_board_options(read, default_folder)
    read.add_argument(
        "--taught", metavar="NAME", action="append", default=[], help="a taught board, or deck, to look for"
    )
    bulk.add_options(read)
    read.set_defaults(run=run_read)


def _add_board_options(command: Any, default_folder: Path) -> None:
    command.add_argument(
        "--corners",
        metavar="X,Y",
        nargs="+",
        help="the grid's four corners in pixels, from its top left clockwise",
    )
    command.add_argument("--edition", default="", help="of a board without tags")
    command.add_argument("--seat", type=int, help="of a board without tags")
    command.add_argument("--folder", type=Path, default=default_folder, help="where taught boards are kept")
    command.add_argument("--json", action="store_true", help="JSON only")


def _add_teach(commands: Any, default_folder: Path) -> None:
    parser = commands.add_parser("teach", help="a board of your own, from one photograph of it empty")
    parser.add_argument("name", metavar="NAME", help="what to call it in read --taught")
    parser.add_argument("photos", metavar="PHOTO", nargs="*")
    parser.add_argument("--game", help="whose board it is, where several games have boards to be taught")
    parser.add_argument(
        "--slots", metavar="FILE", type=Path, help="of a board of no game: where pieces may lie on it"
    )
    parser.add_argument(
        "--overlay", metavar="FILE", type=Path, help="draw the places of --slots on the photograph"
    )
    _add_board_options(parser, default_folder)
    parser.set_defaults(run=run_teach)


def _add_teach_deck(commands: Any, default_folder: Path) -> None:
    parser = commands.add_parser(
        "teach-deck", help="a deck of your own, from photographs of its cards in a printed order"
    )
    parser.add_argument("name", metavar="NAME", help="what to call it in read --taught")
    parser.add_argument(
        "photos", metavar="PHOTO", nargs="*", help="in the order of the pages of sheet GAME --part deck-order"
    )
    parser.add_argument("--game", help="whose deck it is, where several games have decks to be taught")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="the first photo is photograph N")
    parser.add_argument("--edition", default="", help="the edition for which the order was printed")
    parser.add_argument(
        "--corners", metavar="X,Y", nargs="+", help="the four corners of the field of cards, where needed"
    )
    parser.add_argument("--folder", type=Path, default=default_folder, help="where taught decks are kept")
    parser.add_argument("--json", action="store_true", help="JSON only")
    parser.set_defaults(run=run_teach_deck)


def run_read(options: argparse.Namespace) -> int:
    """Read every photograph in turn."""
    wish, photographs = bulk.wished(options), _photographs()
    code: int = photographs.read(options) if wish is None else photographs.read_all(options, wish)
    return code


def run_teach(options: argparse.Namespace) -> int:
    """Learn a board and keep it."""
    code: int = _photographs().teach(options)
    return code


def run_teach_deck(options: argparse.Namespace) -> int:
    """Learn a deck and keep it."""
    code: int = _photographs().teach_deck(options)
    return code


def _photographs() -> ModuleType:
    """What does the work; it loads NumPy, whose products are small here: threads would only wait."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from companion.commands import photographs

    return photographs
