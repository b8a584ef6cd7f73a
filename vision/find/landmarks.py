"""The landmarks of a sheet's print: templates from the blank drawing to be found in a picture.

A sheet may name its landmarks. For a sheet that names none (a map) corners are chosen from its drawing: in
every tile the place whose surroundings fix a position best (Shi and Tomasi), if nothing near by looks alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Drawing, Point, Prose, Quad, Shape, Text, outline, rectangle
from companion.sheets.printing.png import MM_PER_INCH, picture
from companion.sheets.sheet import Sheet
from companion.sheets.tags import SIDE
from vision.register.rectify import Image, Placement, Places, straightened

MARGIN = 16  # pixels that are shown around a sheet's area
HALF = 11  # pixels: half of a patch
REACH_OF_ALL = 13  # pixels: no patch is ever looked for farther away
# Times as fine as needed is the drawing painted: where landmarks are named, and where they are chosen.
_FINER, _FINER_WHOLE = 60 / MM_PER_INCH, 1.2
_LONGEST, _FINEST = 720, 2.5  # where landmarks are chosen: pixels of a sheet's longer side; pixels per mm
_TILE = 56  # pixels: one landmark in each such square
_LEAST_CORNER = 2e-4  # of the smaller eigenvalue: below it there is no corner
_SHUNNED = 0.1  # what a corner under a piece is worth beside another
_OTHERWISE = 4  # pixels: what looks alike and is farther away is a different place
_MOST_ALIKE = 0.7  # correlation with such a place

Patch = tuple[Image, tuple[slice, slice]]  # of the blank print, and where in a straightened picture to look


@dataclass(frozen=True, eq=False)
class Print:
    """A rectangle of a sheet's blank drawing in grey, with its landmarks in mm and in its own pixels."""

    rectangle: Quad
    blank: Image
    scale: float  # pixels per mm
    places: Places
    pixels: NDArray[np.int64]
    _patches: dict[int, list[Patch]] = field(default_factory=dict)

    def patches(self, reach: int) -> list[Patch]:
        """Every landmark's template with its search window, ``reach`` pixels to each side."""
        if reach not in self._patches:
            self._patches[reach] = [_patch(self.blank, x, y, reach) for x, y in self.pixels.tolist()]
        return self._patches[reach]


@lru_cache(maxsize=24)
def print_of(sheet: Sheet) -> Print:
    """The print to look for: the sheet's area if it names landmarks, otherwise the whole sheet."""
    if sheet.landmarks is not None:
        places, scale = np.array(sheet.landmarks.points, np.float64), sheet.landmarks.scale
        blank = _blank(sheet, sheet.area, scale, _FINER)
        pixels = np.rint((places - np.asarray(sheet.area[0])) * scale + MARGIN).astype(np.int64)
        return Print(sheet.area, blank, scale, places, pixels)
    scale = min(_FINEST, _LONGEST / max(sheet.size))
    blank = _blank(sheet, sheet.outline, scale, _FINER_WHOLE)
    pixels = corners_of(blank)
    places = np.asarray((pixels + 0.5 - MARGIN) / scale, np.float64)
    kept = ~_on_tags(sheet, places)
    return Print(sheet.outline, blank, scale, places[kept], pixels[kept])


def _patch(blank: Image, x: int, y: int, reach: int) -> Patch:
    height, width = blank.shape
    left, top = max(x - HALF, reach), max(y - HALF, reach)
    right, bottom = min(x + HALF, width - reach), min(y + HALF, height - reach)
    around = slice(top - reach, bottom + reach), slice(left - reach, right + reach)
    return blank[top:bottom, left:right], around


# --- landmarks that nobody named ---


def corners_of(
    blank: Image, shunned: NDArray[np.bool_] | None = None, least: float = _LEAST_CORNER
) -> NDArray[np.int64]:
    """The distinctive corners of a picture (Shi-Tomasi), spread over it, (n, 2) in pixels.

    ``shunned``: mask of where things may lie on the print; corners there are the last to be chosen.
    """
    strength = cv2.cornerMinEigenVal(cv2.GaussianBlur(blank, (0, 0), 1.0), 2 * HALF + 1)
    if shunned is not None:
        strength = np.where(shunned, strength * np.float32(_SHUNNED), strength)
    room = HALF + REACH_OF_ALL  # so that patches are whole wherever they are looked for
    inside = strength[room:-room, room:-room]
    corners: list[tuple[int, int]] = []
    for y in range(0, inside.shape[0], _TILE):
        for x in range(0, inside.shape[1], _TILE):
            tile = inside[y : y + _TILE, x : x + _TILE]
            down, across = np.unravel_index(int(tile.argmax()), tile.shape)
            corner = room + x + int(across), room + y + int(down)
            if tile.max() > least and _is_unique(blank, *corner):
                corners.append(corner)
    return np.array(corners, np.int64).reshape(-1, 2)


def _on_tags(sheet: Sheet, places: Places) -> NDArray[np.bool_]:
    """Mask (n,) of places in a tag or its white margin: they add nothing to what the tag proves."""
    quads = np.array(list(sheet.tags.values()), np.float64).reshape(-1, 4, 2)
    low, high = quads.min(axis=1), quads.max(axis=1)
    rim = (high - low) / SIDE
    inside = (places[:, None] >= low - rim) & (places[:, None] <= high + rim)
    return np.asarray(inside.all(axis=2).any(axis=1), np.bool_)


def _is_unique(blank: Image, x: int, y: int) -> bool:
    """Return True if no other place within reach correlates with this pixel's surroundings."""
    patch, around = _patch(blank, x, y, REACH_OF_ALL)
    alike = cv2.matchTemplate(blank[around], patch, cv2.TM_CCOEFF_NORMED)
    own = slice(REACH_OF_ALL - _OTHERWISE, REACH_OF_ALL + _OTHERWISE + 1)
    alike[own, own] = 0
    return float(alike.max()) < _MOST_ALIKE


# --- the blank print ---


def _blank(sheet: Sheet, rectangle: Quad, scale: float, finer: float) -> Image:
    """A rectangle of the sheet's drawing rendered in grey, as a straightened photograph would show it."""
    drawing, dpi = _only_within(sheet, rectangle, MARGIN / scale), scale * finer * MM_PER_INCH
    to_pixels = Placement(np.diag([dpi / MM_PER_INCH, dpi / MM_PER_INCH, 1.0]))
    straight = straightened(_painted(drawing, dpi), to_pixels, sheet, scale, MARGIN, rectangle)
    return np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), np.uint8)


@lru_cache(maxsize=2)
def _painted(drawing: Drawing, dpi: float) -> Image:
    return np.ascontiguousarray(np.asarray(picture(drawing, dpi))[:, :, ::-1])


def _only_within(sheet: Sheet, rectangle: Quad, rim: float) -> Drawing:
    """The shapes inside the rectangle only, so that sheets alike there share one rendering."""
    (left, top), _, (right, bottom), _ = rectangle
    low, high = (left - rim, top - rim), (right + rim, bottom + rim)
    return Drawing(sheet.size, tuple(shape for shape in sheet.blank.shapes if _touches(shape, low, high)))


def _touches(shape: Shape, low: Point, high: Point) -> bool:
    if isinstance(shape, Text):  # hardly any letter is wider than high
        (x, y), room = shape.at, shape.size * max(len(shape.words), 1)
        points: tuple[Point, ...] = ((x - room, y - room), (x + room, y + shape.size))
        thick = 0.0
    elif isinstance(shape, Prose):
        points, thick = rectangle(shape.corner, shape.size), 0.0
    else:
        points, thick = outline(shape), shape.style.width
    xs, ys = zip(*points, strict=True)
    beside = min(xs) - thick > high[0] or max(xs) + thick < low[0]
    return not beside and min(ys) - thick <= high[1] and max(ys) + thick >= low[1]
