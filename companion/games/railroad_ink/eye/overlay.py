"""What was read, drawn on the photograph: for people who want to see it at a glance, and for finding faults.

Highways are orange, railways blue with ties, stations squares: thin lines over the ink, which stays visible
beside and through them. A cell in doubt has a magenta frame and a question mark, one that could not be seen
is crossed out in grey, one that is new has green corners.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.drawing import Point
from companion.games.railroad_ink.eye.boards import SHEET_OUTLINE
from companion.games.railroad_ink.paper.linework import Bend, length_of, spines, walk
from companion.games.railroad_ink.paper.printed import PRINTED, cell_corner
from companion.games.railroad_ink.rules.routes import RAILWAY, Cells, Route
from companion.games.railroad_ink.rules.rulebook import GRID
from vision.rectify import Image, Matrix, Places

_ORANGE, _BLUE, _MAGENTA, _GREEN, _GREY = (
    (0, 128, 255),
    (225, 80, 0),
    (200, 0, 230),
    (60, 170, 0),
    (110, 110, 110),
)
# Of highways and railways: colours, and thickness in mm.
_COLOURS, _THICK = (_ORANGE, _BLUE), (0.7, 0.45)
_HALO = 0.5  # mm: how much broader the light line is that lets a coloured one stand out from dark ink
_WHITE, _MIDDLE = (255, 255, 255), (190, 0, 140)  # stations are between orange and blue: violet
_LARGEST = 2400  # pixels of the longer side of what is written
_LIGHT_COVERS, _COLOUR_COVERS = 0.4, 0.75  # how much the light lines, and those of colour, cover
_SHIFT = 4  # bits after the point in which OpenCV wants places

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class MarkedSheet:
    """A sheet of the photograph and what to draw on it."""

    corners: Sequence[Point]  # of the sheet, clockwise from its own top left
    cells: Cells
    doubtful: Collection[int] = ()
    unseen: Collection[int] = ()
    changed: Collection[int] = ()
    title: str = ""
    bad: bool = False  # against the rules


def overlaid(photo: Image, sheets: Iterable[MarkedSheet]) -> Image:
    """The photograph, smaller if it is big, with everything drawn on it."""
    share = min(1.0, _LARGEST / max(photo.shape[:2]))
    size = (round(photo.shape[1] * share), round(photo.shape[0] * share))
    image = np.asarray(
        cv2.resize(photo, size, interpolation=cv2.INTER_AREA) if share < 1 else photo.copy(), np.uint8
    )
    marked = list(sheets)
    light = image.copy()
    for sheet in marked:
        _Pencil(light, sheet, share).draw_light()
    image = np.asarray(cv2.addWeighted(light, _LIGHT_COVERS, image, 1 - _LIGHT_COVERS, 0), np.uint8)
    drawn = image.copy()
    for sheet in marked:
        _Pencil(drawn, sheet, share).draw()
    return np.asarray(cv2.addWeighted(drawn, _COLOUR_COVERS, image, 1 - _COLOUR_COVERS, 0), np.uint8)


class _Pencil:
    """Draws in mm of one sheet."""

    def __init__(self, image: Image, sheet: MarkedSheet, share: float) -> None:
        self._image, self._sheet = image, sheet
        corners = np.asarray(sheet.corners, np.float32) * np.float32(share)
        self._matrix: Matrix = np.asarray(
            cv2.getPerspectiveTransform(SHEET_OUTLINE.astype(np.float32), corners), np.float64
        )
        self._mm = float(np.hypot(*(corners[1] - corners[0]))) / PRINTED.size[0]

    def draw_light(self) -> None:
        """Under the colours, what lets them stand out."""
        for cell, route in self._sheet.cells.items():
            for piece in route.pieces:
                for spine in spines(piece, Bend(1.0)):
                    self._line(self._in_cell(cell, spine.points), _WHITE, _THICK[spine.kind] + _HALO)
            if route.station:
                self._line(self._station(cell), _WHITE, 0.6 + _HALO)

    def draw(self) -> None:
        """Everything."""
        sheet = self._sheet
        for cell in sheet.changed:
            self._corners(cell, _GREEN, 0.05)
        for cell in sheet.unseen:
            self._cross_out(cell)
        for cell, route in sheet.cells.items():
            self._route(cell, route)
        for cell in sheet.doubtful:
            self._frame(cell, _MAGENTA, 0.1)
            self._text("?", self._in_cell(cell, [(0.12, 0.3)])[0], _MAGENTA, 5.0)
        if sheet.title:
            # Above the grid, where every board has its margin.
            left, top = PRINTED.grid.corner
            place = self._pixels(np.array([(left, top - 7.0)]))[0]
            self._text(sheet.title, place, _MAGENTA if sheet.bad else _GREEN, 6.0)

    # --- what is drawn ---

    def _route(self, cell: int, route: Route) -> None:
        for piece in reversed(route.pieces):  # the highway of an overpass is above
            for spine in spines(piece, Bend(1.0)):
                self._line(self._in_cell(cell, spine.points), _COLOURS[spine.kind], _THICK[spine.kind])
                if spine.kind == RAILWAY:
                    self._ties(cell, spine.points)
        if route.station:
            self._line(self._station(cell), _MIDDLE, 0.6)

    def _station(self, cell: int) -> Places:
        """A square around the middle, closed."""
        low, high = 0.35, 0.65
        return self._in_cell(cell, [(low, low), (high, low), (high, high), (low, high), (low, low)])

    def _ties(self, cell: int, path: Sequence[tuple[float, float]]) -> None:
        length = length_of(tuple(path))
        count = max(2, round(length / 0.25))
        for (x, y), (dx, dy) in walk(tuple(path), [length * (n + 0.5) / count for n in range(count)]):
            ends = [(x - 0.07 * dy, y + 0.07 * dx), (x + 0.07 * dy, y - 0.07 * dx)]
            self._line(self._in_cell(cell, ends), _BLUE, _THICK[RAILWAY])

    def _corners(self, cell: int, colour: Colour, inset: float) -> None:
        """The corners of a frame: they hide no line that leaves the cell."""
        low, high, long = inset, 1 - inset, 0.14
        for x, y in ((low, low), (high, low), (high, high), (low, high)):
            across, down = (long if x == low else -long), (long if y == low else -long)
            self._line(self._in_cell(cell, [(x + across, y), (x, y), (x, y + down)]), colour, 0.5)

    def _frame(self, cell: int, colour: Colour, inset: float) -> None:
        low, high = inset, 1 - inset
        square = [(low, low), (high, low), (high, high), (low, high), (low, low)]
        self._line(self._in_cell(cell, square), colour, 0.8)

    def _cross_out(self, cell: int) -> None:
        for one, other in (((0.15, 0.15), (0.85, 0.85)), ((0.85, 0.15), (0.15, 0.85))):
            self._line(self._in_cell(cell, [one, other]), _GREY, 1.2)

    # --- how it is drawn ---

    def _in_cell(self, cell: int, places: Iterable[tuple[float, float]]) -> Places:
        shares = np.array(list(places), np.float64)
        return self._pixels(np.asarray(cell_corner(cell)) + shares * PRINTED.grid.cell)

    def _pixels(self, places: Places) -> Places:
        return np.asarray(cv2.perspectiveTransform(places[None], self._matrix)[0], np.float64)

    def _thick(self, mm: float) -> int:
        return max(1, round(mm * self._mm))

    def _line(self, points: Places, colour: Colour, mm: float) -> None:
        cv2.polylines(self._image, [_fixed(points)], False, colour, self._thick(mm), cv2.LINE_AA, _SHIFT)

    def _text(self, text: str, place: Places, colour: Colour, mm: float) -> None:
        scale = max(0.35, mm * self._mm / 30)
        at = (round(float(place[0])), round(float(place[1])))
        thin = max(1, round(2 * scale))
        for paint, width in ((_WHITE, 3 * thin), (colour, thin)):
            cv2.putText(self._image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, paint, width, cv2.LINE_AA)


def _fixed(points: Places) -> NDArray[np.int32]:
    """OpenCV's places with a fixed point; it counts from the middle of the first pixel."""
    limited = np.clip(points - 0.5, -(2**15), 2**15)
    return np.asarray(np.rint(limited * 2**_SHIFT), np.int32).reshape(-1, 1, 2)


def marked_cells(names: Iterable[str]) -> frozenset[int]:
    """Cells by their names."""
    return frozenset(GRID.cell(name) for name in names)
