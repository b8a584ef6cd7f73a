"""Boards and decks of the owner's own: which games can be taught any, and what serves whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.game.packages import find_package
from companion.game.parts import DECK_ENDING, DECK_ORDER, Printables
from companion.game.registry import find_reader, games_with_eyes, games_with_printables, printables_of
from companion.reading.base import Reader
from companion.reading.types import ReadHints

if TYPE_CHECKING:
    from companion.game.parts import Image


def serving(reader: Reader[Any, Any, Any], taught: Sequence[Path]) -> tuple[Path, ...]:
    """The taught files that this reader may use: decks or boards."""
    return tuple(path for path in taught if path.name.endswith(DECK_ENDING) == reader.learns_decks)


def segmented_printables() -> dict[str, Printables]:
    """What is printed of the games whose genuine boards are taught with segments, by the game's name."""
    return {name: printables for name, printables in _all_printables() if printables.described_by}


def games_with_decks() -> dict[str, Printables]:
    """What is printed of the games whose decks can be taught, by the game's name."""
    return {name: printables for name, printables in _all_printables() if DECK_ORDER in printables.parts}


def _all_printables() -> list[tuple[str, Printables]]:
    return [(name, printables_of(name)) for name in games_with_printables()]


def check_is_empty_board(photo: Image, teacher: object) -> None:
    """Refuse a photograph that is to teach a board and shows the sheets or cards of another game.

    What is taught from it would never be found again, and nobody would know why.
    """
    for name in games_with_eyes():
        reader = find_reader(name)
        if type(reader) is not type(teacher) and reader.read(photo, ReadHints()).sheets:
            title = find_package(name).title
            message = m(
                "the photograph shows a table of {title}: teach from one of the empty board",
                title=quoted(title),
            )
            if reader.learns_decks:
                message = m(
                    "the photograph shows cards of {title}, and no empty board: "
                    "a deck of your own is taught with teach-deck",
                    title=quoted(title),
                )
            raise NotationError("not-a-board", message)
