"""The canvas on which invented prints are drawn, in cells of the grid."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.prints import Colour, Print
from lab.studio.strokes import Points, as_points

CELL = PRINTED.grid.cell  # mm
SIDE = GRID.columns
_SHIFT = 4  # bits of a pixel


class Canvas:
    """Pixels on which is drawn in cells, counted from the grid's top left corner."""

    def __init__(self, print_: Print, size: tuple[int, int], cell: float) -> None:
        self.print, self.look, self.cell = print_, print_.look, cell
        self.pixels = np.full((size[1], size[0], 3), print_.paper, np.uint8)
        self.rng = np.random.default_rng([print_.seed, 7])

    def at(self, points: Points) -> np.ndarray:
        """Cells as OpenCV's fixed-point pixels."""
        there = (points + self.print.rims[:2]) * self.cell - 0.5
        if self.look.by_hand:
            there = there + self.rng.normal(0, 0.008 * self.cell, there.shape)
        return np.asarray(np.rint(there * 2**_SHIFT), np.int32)

    def line(self, points: Points, colour: Colour, width: float) -> None:
        """A line so many mm wide."""
        thick = max(1, round(width / CELL * self.cell))
        if self.look.by_hand and len(points) == 2:
            share = np.linspace(0, 1, 6)[:, None]
            points = points[0] * (1 - share) + points[1] * share
        cv2.polylines(self.pixels, [self.at(points)], False, colour, thick, cv2.LINE_AA, _SHIFT)

    def area(self, points: Points, colour: Colour) -> None:
        """A filled polygon."""
        cv2.fillPoly(self.pixels, [self.at(points)], colour, cv2.LINE_AA, _SHIFT)

    def box(self, low: tuple[float, float], high: tuple[float, float], colour: Colour, width: float) -> None:
        """The outline of an upright rectangle."""
        (left, top), (right, bottom) = low, high
        self.line(
            as_points([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]),
            colour,
            width,
        )

    def text(self, words: str, at: tuple[float, float], height: float, colour: Colour) -> None:
        """Words whose first letter begins at a place."""
        (x, y) = (np.array(at) + self.print.rims[:2]) * self.cell
        size = height * self.cell / 22
        thick = max(1, round(size * 2))
        where = (int(x), int(y))
        cv2.putText(self.pixels, words, where, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)

    def shade(self, share: float) -> Colour:
        """Between paper and the strong colour."""
        r, g, b = (
            round((1 - share) * a + share * b)
            for a, b in zip(self.print.paper, self.print.strong, strict=True)
        )
        return r, g, b
