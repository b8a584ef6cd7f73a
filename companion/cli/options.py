"""Options shared by several commands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType


def default_folder() -> Path:
    """Where matches are kept unless ``--folder`` or STATIONMASTER_FOLDER says otherwise."""
    named = os.environ.get("STATIONMASTER_FOLDER") or os.environ.get("STATE_DIRECTORY")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(named) if named else Path(data) / "stationmaster"


def add_folder(command: argparse.ArgumentParser, told: str = "where matches are kept") -> None:
    """Add the option ``--folder``."""
    command.add_argument("--folder", type=Path, default=default_folder(), help=told)


def add_positions(command: argparse.ArgumentParser) -> None:
    """A game, and the file of positions or moves that it is asked about."""
    from companion.game.packages import packages

    command.add_argument("game", metavar="GAME", help=f"one of {', '.join(packages())}")
    command.add_argument("file", metavar="FILE", nargs="?", default="-", help="input; - is standard input")
    command.add_argument("--json", action="store_true", help="JSON lines, which is what it prints anyway")


def add_board(command: argparse.ArgumentParser) -> None:
    """A board on a photograph, and where those that were taught are kept."""
    command.add_argument(
        "--corners",
        metavar="X,Y",
        nargs="+",
        help="the grid's four corners in pixels, from its top left clockwise",
    )
    command.add_argument("--edition", default="", help="of a board without tags")
    command.add_argument("--seat", type=int, help="of a board without tags")
    add_folder(command, "where taught boards are kept")
    command.add_argument("--json", action="store_true", help="JSON only")


def photographs() -> ModuleType:
    """Import the module that reads and learns, with one NumPy thread: its products are small here."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from companion.cli import photographs

    return photographs


def number(lowest: int, highest: int) -> Callable[[str], int]:
    """Return an argparse type for numbers within these bounds."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not lowest <= int(text[:9]) <= highest:
            raise argparse.ArgumentTypeError(f"choose a number from {lowest} to {highest}")
        return int(text)

    return read
