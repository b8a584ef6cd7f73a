"""Draws the reading of a map on a picture of it.

Every line gets its crayon's colour; new ones are ringed in green, those in doubt in magenta with a question
mark, edges that cannot be seen are thin and grey. Pawns and chips have a ring around them.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from companion.core.messages import m
from companion.games.empire_builder.reader.places import EdgePlaces
from companion.games.empire_builder.reader.posts import KINDS
from companion.games.empire_builder.reader.reading import MapReading
from companion.games.empire_builder.reader.ruling import MapRuling
from companion.reading.annotation import GREEN, GREY, MAGENTA, WHITE, Annotations, Colour, Pencil
from companion.reading.changes import Line, changed_slots_of
from companion.reading.evidence import EMPTY
from companion.reading.types import Overlay
from vision.register.rectify import Image, straightened

RECTIFIED_SCALE = 2.6  # pixels per mm of the map seen from above
_DARK = (40, 40, 40)
_INWARDS = 0.16  # of an edge at both ends: dots stay free
_PAWN, _CHIP = 0.35, 0.6  # of an edge's length: rings around what stands there
_BAND = 0.15  # of an edge's length: the band that shows its colour


def standing_on(sheet: MapReading) -> dict[str, str]:
    """The pawns and chips by milepost."""
    return {
        name: slot.best for name, slot in sheet.slots.items() if slot.best in KINDS and slot.best != EMPTY
    }


def map_above(photo: Image, sheet: MapReading) -> Image:
    """The whole map seen from straight above."""
    printed = sheet.places.sheet
    return straightened(photo, sheet.placement, printed, RECTIFIED_SCALE, 0, printed.outline)


def laid_over(sheet: MapReading, ruling: MapRuling) -> Overlay:
    """The page's overlay on that map: edges that are new, in doubt or gone."""
    return changed_slots_of(
        ruling,
        ruling.vanished,
        partial(_line_above, sheet.places),
        lambda colour: m("the {colour} lines", colour=colour),
    )


def _line_above(places: EdgePlaces, edge: str) -> Line:
    ends = places.spots[list(places.on.edges[places.on.edges_called[edge]])] * RECTIFIED_SCALE
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in ends)


def draw_map(pencil: Pencil, sheet: MapReading, marked: Annotations) -> None:
    """Lines, what stands on mileposts, and what is new, in doubt or unseen."""
    places = sheet.places
    ends = places.spots[places.ends]
    inner = ends + (ends[:, ::-1] - ends) * _INWARDS
    lines = {places.on.edge_names[edge]: inner[n] for n, edge in enumerate(places.edges)}
    length = float(np.median(np.hypot(*(ends[:, 1] - ends[:, 0]).T)))  # mm
    band = _BAND * length
    for name in marked.unseen:
        if name in lines:
            pencil.line(lines[name], GREY, band / 3)
    for name, kind in standing_on(sheet).items():
        for colour, width in ((WHITE, band / 2), (_DARK, band / 4)):
            radius = (_PAWN if kind == "pawn" else _CHIP) * length
            pencil.ring(places.spots[places.posts[name]], radius, colour, width)
    colours = _colours(sheet)
    for name, label in marked.labels.items():
        if name not in lines:
            continue
        ring = MAGENTA if name in marked.uncertain else GREEN if name in marked.changed else _DARK
        pencil.line(lines[name], ring, 2 * band)
        pencil.line(lines[name], colours.get(label, WHITE), band)
    for name in marked.uncertain:
        if name in lines:
            if name not in marked.labels:
                pencil.line(lines[name], MAGENTA, band / 2)
            pencil.text("?", lines[name].mean(axis=0), MAGENTA, length / 2)


def _colours(sheet: MapReading) -> dict[str, Colour]:
    """The colours by label in BGR order, under the colour's name and, if known, the seat's number."""
    found: dict[str, Colour] = {}
    for name, shade in sheet.crayons.items():
        red, green, blue = (int(shade[n : n + 2], 16) for n in (1, 3, 5))
        found[name] = (blue, green, red)
        if name in sheet.seats:
            found[str(sheet.seats[name])] = found[name]
    return found
