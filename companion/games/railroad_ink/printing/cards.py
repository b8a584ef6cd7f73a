"""Blueprint cards: a small board with walls, the boxes that tell them, and corner tags of their own.

A card is laid out as a board and printed smaller, so that a photograph of one is placed as a board's is.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from companion.core.messages import table_text
from companion.games.railroad_ink.printing.grid_art import PlacedGrid, grid_shapes, wall_shapes
from companion.games.railroad_ink.printing.printed import PRINTED, box, tag_corner
from companion.games.railroad_ink.printing.sheets import grid_area
from companion.games.railroad_ink.printing.wall_code import code_shapes
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, print_walls
from companion.games.railroad_ink.rules.rulebook import EDITION, USUAL
from companion.sheets.drawing import (
    Drawing,
    Paragraph,
    Prose,
    RoundedRect,
    Shape,
    Text,
    filled,
    scaled,
    stroked,
)
from companion.sheets.sheet import Sheet
from companion.sheets.tags import CORNERS, tag_number, tag_shapes

CARD = "blueprint"  # in the place of an edition
CARD_SCALE = 0.55  # of a board
_SEAT = 1  # of its tags: a card belongs to nobody
_WALL_WIDTH = 2.6  # mm of a board: nobody draws on a card
_INK = PRINTED.ink
_GRID = PlacedGrid(USUAL, PRINTED.grid.corner, PRINTED.grid.cell)


@cache
def card_sheet() -> Sheet:
    """A card as a sheet; in millimetres of the board as which it is laid out."""
    side = (PRINTED.tag.side, PRINTED.tag.side)
    numbers = [tag_number(f"{PRINTED.name}/{CARD}", _SEAT, corner) for corner in range(len(CORNERS))]
    return Sheet(
        name=PRINTED.name,
        edition=CARD,
        seat=_SEAT,
        size=PRINTED.size,
        tags={number: box(tag_corner(corner), side) for corner, number in enumerate(numbers)},
        slots={},
        area=grid_area(),
        draw=partial(large_card, NO_WALLS, "", ""),
    )


def card_drawing(walls: Walls, name: str, about: str) -> Drawing:
    """A card as it is printed."""
    width, height = PRINTED.size
    shapes = scaled(large_card(walls, name, about).shapes, CARD_SCALE)
    return Drawing((width * CARD_SCALE, height * CARD_SCALE), shapes)


def large_card(walls: Walls, name: str, about: str) -> Drawing:
    """A blueprint card drawn at the size of a board."""
    width, height = PRINTED.size
    none: frozenset[int] = frozenset()
    board = replace(EDITION["challenge"], factory=none, village=none, university=none)
    room = width - 2 * (PRINTED.tag.side + 2 * PRINTED.tag.margin) - 4
    below: Shape = Text((width / 2, 156.0), ", ".join(print_walls(walls)), 4.0, _INK.dark, room=width - 24)
    if about:
        below = Prose((20.0, 150.0), (width - 40.0, 24.0), (Paragraph(table_text(about), 5.0, _INK.dark),))
    shapes: list[Shape] = [
        RoundedRect((0, 0), PRINTED.size, 0, filled("#ffffff")),
        RoundedRect((0.4, 0.4), (width - 0.8, height - 0.8), 3.0, stroked(_INK.middle, 0.4)),
        Text((width / 2, 14.0), name, 7.0, _INK.dark, bold=True, room=room),
        *grid_shapes(_GRID, board),
        *wall_shapes(_GRID, walls, _INK.dark, _WALL_WIDTH),
        *code_shapes(walls),
        below,
    ]
    for corner in range(len(CORNERS)):
        number = tag_number(f"{PRINTED.name}/{CARD}", _SEAT, corner)
        shapes += tag_shapes(number, tag_corner(corner), PRINTED.tag.side)
    return Drawing(PRINTED.size, tuple(shapes))
