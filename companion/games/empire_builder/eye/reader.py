"""How Empire Builder reads photographs: see :class:`companion.games.parts.Reader`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.core.messages import m
from companion.games.contract import Plain
from companion.games.empire_builder.eye.overlay import (
    MapMarks,
    drawn_above,
    laid_over,
    map_above,
    unseen_of,
)
from companion.games.empire_builder.eye.reading import MapPhoto, MapReading, read_map
from companion.games.empire_builder.eye.seats import answer_for_seat
from companion.games.empire_builder.eye.told import KnownMap
from companion.games.empire_builder.rules.state import State
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import usual_advice
from companion.games.kit.joining import joined_photos
from companion.games.parts import Reader
from companion.games.sight import Overlay, SeenSheet, View, Wish
from vision.pieces.colours import usual_name
from vision.rectify import Image

# A reading gets doubtful beyond these: see the measurements in the eye's README.
_FINE_PIXELS, _FINE_LIGHT = 1.2, 0.25


class EmpireBuilderReader(Reader[State, MapReading]):
    """Reads the crayon on the printed map, which all players share."""

    joins_photos = True

    answer = staticmethod(answer_for_seat)
    above = staticmethod(map_above)

    def read(self, photo: bytes | Image, wish: Wish) -> MapPhoto:
        """Find the map in a photograph and read every edge of it."""
        return read_map(photo, _usual_names(wish), wish.corners)

    def view(self, reading: MapPhoto) -> View:
        """Whether the map is in the picture, and how it could be better."""
        sheets = tuple(
            SeenSheet(
                sheet.seat,
                m("The map"),
                tuple((x / reading.width, y / reading.height) for x, y in sheet.corners_px),
                usual_advice(sheet.quality, _FINE_PIXELS, _FINE_LIGHT),
            )
            for sheet in reading.sheets
        )
        return View(sheets, reading.notes)

    def seats(self, state: State) -> Sequence[int]:
        """One map serves everybody: a picture of the whole table is read for the seat to move."""
        return (state.seat,)

    def overlay(self, sheet: MapReading, ruling: Plain) -> Overlay:
        """The edges that are new, in doubt or gone."""
        return laid_over(ruling)

    def drawn(self, above: Image, sheet: MapReading, ruling: Plain | None) -> Image:
        """With what was ruled on it."""
        told = ruling or {"cells": {}, "changed": (), "doubtful": ()}
        marks = MapMarks(told["cells"], set(told["changed"]), set(told["doubtful"]), unseen_of(sheet))
        return drawn_above(above, sheet, marks)

    def joined(self, readings: Sequence[MapPhoto]) -> MapPhoto:
        """Photographs of parts of the map as one; the crayons are those of all of them."""
        whole = joined_photos(readings)
        maps = [sheet for reading in readings for sheet in reading.sheets]
        crayons = {name: code for sheet in maps for name, code in sheet.crayons.items()}
        seats = {name: seat for sheet in maps for name, seat in sheet.seats.items()}
        return replace(
            whole, sheets=tuple(replace(sheet, crayons=crayons, seats=seats) for sheet in whole.sheets)
        )

    def known(self, wish: Wish, rolled: str | None) -> KnownMap:
        """Who draws in which colour; there are no dice."""
        if rolled is not None:
            raise NotationError("no-dice", "Empire Builder has no dice: leave --rolled out")
        return KnownMap(dict(_usual_names(wish)))


def _usual_names(wish: Wish) -> list[tuple[str, int]]:
    """Who draws in which colour, in the words of the reader."""
    return [(usual_name(colour), seat) for colour, seat in wish.players]
