"""The player boards as sheets: what is printed, read and shown by the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from companion.games.railroad_ink.printing.printed import (
    PRINTED,
    check_edition,
    slot_quads,
    sticker_kind,
    tag_quads,
)
from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.rules.rulebook import EDITIONS, GRID
from companion.sheets.drawing import Point, Quad, rectangle
from companion.sheets.sheet import Landmarks, Sheet, Slot
from companion.sheets.tags import CORNERS, SEATS, tag_number

_LANDMARK_PIXELS = 40  # a cell, where readers look for the crossings of the grid's lines


@lru_cache(maxsize=len(EDITIONS) * SEATS)
def board_sheet(edition: str, seat: int) -> Sheet:
    """The player board of a seat.

    Its slots are of the kinds ``cell``, ``round`` (a number in a cell), ``mark`` (a box to tick, a circle to
    fill), ``goal`` (the code of a goal) and ``score``.
    """
    name = check_edition(edition)
    return Sheet(
        name=PRINTED.name,
        edition=name,
        seat=seat,
        size=PRINTED.size,
        tags=tag_quads(name, seat),
        slots={slot: Slot(quad, slot_kind(slot)) for slot, quad in slot_quads(name).items()},
        area=grid_area(),
        draw=partial(sheet_drawing, seat, name),
        stickers=tuple(tag_number(sticker_kind(name), seat, corner) for corner in range(len(CORNERS))),
        landmarks=Landmarks(_crossings(), _LANDMARK_PIXELS / PRINTED.grid.cell),
    )


def board_sheets() -> Sequence[Sheet]:
    """The boards of all editions and seats."""
    return [board_sheet(edition, seat) for edition in EDITIONS for seat in range(1, SEATS + 1)]


def grid_area() -> Quad:
    """The rectangle of the grid on the sheet, in mm."""
    cell = PRINTED.grid.cell
    return rectangle(PRINTED.grid.corner, (GRID.columns * cell, GRID.rows * cell))


def _crossings() -> tuple[Point, ...]:
    """The crossings of the grid's lines, border included, row after row."""
    (left, top), cell = PRINTED.grid.corner, PRINTED.grid.cell
    return tuple(
        (left + column * cell, top + row * cell)
        for row in range(GRID.rows + 1)
        for column in range(GRID.columns + 1)
    )


def slot_kind(slot: str) -> str:
    """What kind of thing can stand in a slot.

    >>> [slot_kind(name) for name in ("a1", "a1-round", "goal-2", "goal-2-4", "special-NESW", "score-total")]
    ['cell', 'round', 'goal', 'mark', 'mark', 'score']
    """
    if "-" not in slot:
        return "cell"
    if slot.endswith("-round"):
        return "round"
    if slot.startswith("score-"):
        return "score"
    return "goal" if slot.startswith("goal-") and slot.count("-") == 1 else "mark"
