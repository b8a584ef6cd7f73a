"""The map as a sheet: what is printed, read and shown by the same numbers."""

from __future__ import annotations

from functools import lru_cache

from companion.games.empire_builder.printing.map_art import map_drawing
from companion.games.empire_builder.printing.printed import (
    KIND,
    frame_corner,
    map_size,
    slot_quads,
    tag_quads,
)
from companion.games.empire_builder.rules.boards.board import board
from companion.sheets.drawing import rectangle
from companion.sheets.sheet import Sheet, Slot


@lru_cache(maxsize=1)
def map_sheet() -> Sheet:
    """The map, which all share. Its slots are of the kinds ``milepost`` and ``edge``."""
    on, (left, top), (width, height) = board(), frame_corner(), map_size()
    mileposts = set(on.names)
    return Sheet(
        name=KIND,
        edition="map",
        seat=1,
        size=(width, height),
        tags=tag_quads(),
        slots={
            name: Slot(quad, "milepost" if name in mileposts else "edge")
            for name, quad in slot_quads(on).items()
        },
        area=rectangle((left, top), (width - 2 * left, height - 2 * top)),
        draw=lambda: map_drawing(on),
    )
