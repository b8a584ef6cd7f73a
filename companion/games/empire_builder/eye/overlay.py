"""What was read of a map, drawn on the photograph or on the map seen from above.

Every line gets its crayon's colour on a white core; new ones are ringed in green, those in doubt in magenta
with a question mark, edges that cannot be seen are thin and grey. Pawns and chips have a ring around them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.messages import m
from companion.games.contract import Plain
from companion.games.empire_builder.eye.places import edge_places
from companion.games.empire_builder.eye.posts import KINDS
from companion.games.empire_builder.eye.reading import MapReading
from companion.games.kit.colour_owners import COLOUR
from companion.games.kit.evidence import EMPTY
from companion.games.sight import LaidSlot, Overlay
from vision.rectify import Image, Places, straightened

ABOVE_SCALE = 2.6  # pixels per mm of the map seen from above
_MAGENTA, _GREEN, _GREY, _WHITE, _DARK = (
    (200, 0, 230),
    (60, 170, 0),
    (120, 120, 120),
    (255, 255, 255),
    (40, 40, 40),
)
_LARGEST = 3200  # pixels of the longer side of what is written
_BITS = 4  # after the point in which OpenCV wants places
_INWARDS = 0.16  # of an edge at both ends: dots stay free
_PAWN, _CHIP = 0.35, 0.6  # of an edge's length: rings around what stands there
_BAND = 0.075  # of an edge's length: half of the band that shows its colour

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class MapMarks:
    """What to show: marks by edge, and which of them are new or in doubt; edges that cannot be seen."""

    cells: Mapping[str, str]
    changed: Collection[str] = ()
    doubtful: Collection[str] = ()
    unseen: Collection[str] = ()


def marks_of(sheet: MapReading) -> MapMarks:
    """A map as it was read, without any ruling."""
    posts = edge_places().posts
    seen = {name: slot for name, slot in sheet.slots.items() if slot.cannot_see is None and name not in posts}
    return MapMarks(
        {name: slot.best for name, slot in seen.items() if slot.best != EMPTY},
        doubtful=[name for name, slot in seen.items() if slot.doubtful],
        unseen=unseen_of(sheet),
    )


def unseen_of(sheet: MapReading) -> list[str]:
    """The places that are covered, drowned in a reflection or outside the picture."""
    return [name for name, slot in sheet.slots.items() if slot.cannot_see is not None]


def standing_on(sheet: MapReading) -> dict[str, str]:
    """What stands on which milepost: a pawn or a chip."""
    return {
        name: slot.best for name, slot in sheet.slots.items() if slot.best in KINDS and slot.best != EMPTY
    }


def overlaid(photo: Image, sheet: MapReading, marks: MapMarks) -> Image:
    """The photograph, smaller if it is big, with everything drawn on it."""
    share = min(1.0, _LARGEST / max(photo.shape[:2]))
    size = round(photo.shape[1] * share), round(photo.shape[0] * share)
    drawn = np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8).copy()
    placement = sheet.placement.scaled((share, share))
    _draw(drawn, sheet, marks, placement.pixels)
    return drawn


def map_above(photo: Image, sheet: MapReading) -> Image:
    """The whole map seen from straight above."""
    places = edge_places()
    return straightened(photo, sheet.placement, places.sheet, ABOVE_SCALE, 0, places.sheet.outline)


def laid_over(ruling: Plain) -> Overlay:
    """What a page draws on that map: edges that are new, in doubt or gone."""
    new = "wrong" if ruling.get("outcome") == "refused" else "new"
    looks = dict.fromkeys(ruling.get("doubtful", ()), "") | dict.fromkeys(ruling.get("changed", ()), new)
    looks |= dict.fromkeys(ruling.get("vanished", ()), "gone")
    places = edge_places()
    slots = {}
    for name, look in looks.items():
        colour = name.removeprefix(COLOUR)
        if colour != name:  # whose colour it is
            slots[name] = LaidSlot((), "", m("the {colour} lines", colour=colour))
            continue
        ends = places.spots[list(places.on.edges[places.on.edges_called[name]])] * ABOVE_SCALE
        slots[name] = LaidSlot(tuple((round(float(x), 1), round(float(y), 1)) for x, y in ends), look)
    asked = {mark or "" for options in ruling.get("questions", {}).values() for mark, _ in options}
    marks = {*asked, *(ruling.get("cells", {}).get(name, "") for name in looks)}
    return Overlay(slots, {mark: (int(mark),) for mark in marks if mark.isdecimal()})


def drawn_above(above: Image, sheet: MapReading, marks: MapMarks) -> Image:
    """That map with what was read on it."""
    drawn = above.copy()
    _draw(drawn, sheet, marks, lambda places: places * ABOVE_SCALE)
    return drawn


def _draw(image: Image, sheet: MapReading, marks: MapMarks, to_pixels: Callable[[Places], Places]) -> None:
    places = edge_places()
    ends = to_pixels(places.spots[places.ends])
    inner = ends + (ends[:, ::-1] - ends) * _INWARDS
    lines = {places.on.edge_names[edge]: inner[n] for n, edge in enumerate(places.edges)}
    length = float(np.median(np.hypot(*(ends[:, 1] - ends[:, 0]).T)))
    band = max(1, round(2 * _BAND * length))
    for name in marks.unseen:
        if name in lines:
            _line(image, lines[name], _GREY, max(1, band // 3))
    for name, kind in standing_on(sheet).items():
        at = np.rint(to_pixels(places.spots[places.posts[name]][None])[0]).astype(int).tolist()
        radius = round((_PAWN if kind == "pawn" else _CHIP) * length)
        cv2.circle(image, at, radius, _WHITE, max(2, band // 2), cv2.LINE_AA)
        cv2.circle(image, at, radius, _DARK, max(1, band // 4), cv2.LINE_AA)
    colours = _colours(sheet)
    for name, mark in marks.cells.items():
        if name not in lines:
            continue
        ring = _MAGENTA if name in marks.doubtful else _GREEN if name in marks.changed else _DARK
        _line(image, lines[name], ring, 2 * band)
        _line(image, lines[name], colours.get(mark, _WHITE), band)
    for name in marks.doubtful:
        if name in lines:
            if name not in marks.cells:
                _line(image, lines[name], _MAGENTA, max(1, band // 2))
            middle = lines[name].mean(axis=0).round().astype(int).tolist()
            size = max(0.3, length / 60)
            cv2.putText(image, "?", middle, cv2.FONT_HERSHEY_SIMPLEX, size, _MAGENTA, 2, cv2.LINE_AA)


def _colours(sheet: MapReading) -> dict[str, Colour]:
    """By mark, blue first: under the colour's name, and under the seat's number where that is known."""
    found: dict[str, Colour] = {}
    for name, shade in sheet.crayons.items():
        red, green, blue = (int(shade[n : n + 2], 16) for n in (1, 3, 5))
        found[name] = (blue, green, red)
        if name in sheet.seats:
            found[str(sheet.seats[name])] = found[name]
    return found


def _line(image: Image, ends: Places, colour: Colour, width: int) -> None:
    one, other = np.rint(ends * 2**_BITS).astype(int).tolist()
    cv2.line(image, one, other, colour, width, cv2.LINE_AA, _BITS)
