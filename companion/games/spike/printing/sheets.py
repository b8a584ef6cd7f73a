"""The boards as sheets: what is printed, read and shown by the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from companion.games.spike.printing.board_art import board_drawing
from companion.games.spike.printing.printed import KIND, slot_quads, tag_quads
from companion.games.spike.rules.boards.board import SHIPPED, board_called
from companion.sheets.drawing import rectangle
from companion.sheets.sheet import Sheet, Slot


@lru_cache(maxsize=4)
def board_sheet(name: str) -> Sheet:
    """A board by its name, or by the whole text of an owner's own.

    Its slots are of the kinds ``track``, ``city``, ``market``, ``space`` and ``time``.
    """
    board = board_called(name)
    return Sheet(
        name=KIND,
        edition=name if name in SHIPPED else board.heading.board,
        seat=1,
        size=board.heading.size,
        tags=tag_quads(board),
        slots={slot: Slot(quad, _kind(slot)) for slot, quad in slot_quads(board).items()},
        area=rectangle((0.0, 0.0), board.heading.size),
        draw=partial(board_drawing, name),
    )


def _kind(slot: str) -> str:
    """Tracks go by their own names, everything else has its kind before a colon."""
    return slot.split(":", maxsplit=1)[0] if ":" in slot else "track"


def board_sheets() -> Sequence[Sheet]:
    """The boards that are shipped."""
    return [board_sheet(name) for name in SHIPPED]
