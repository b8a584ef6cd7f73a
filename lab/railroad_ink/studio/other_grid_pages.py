"""A square sheet to draw grids on that are no boards, and what many of them have in common.

Whatever stands in many cells is laid down as one array: pages have to come by the thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.darkroom import Codes

SIDE = 840  # pixels of a sheet
OUT = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])  # away from each side, from the upper one clockwise
Rng = np.random.Generator
Shade = tuple[int, int, int]
Mask = NDArray[np.bool_]
Place = Sequence[float] | NDArray[np.float64]


@dataclass
class Page:
    """A sheet to draw on: its pixels, paper and ink, and the random numbers that choose."""

    rng: Rng
    pixels: Codes
    paper: Shade
    ink: Shade

    def colour(self) -> Shade:
        """Any colour that tells against the paper, more or less."""
        red, green, blue = (int(one) for one in self.rng.integers(20, 235, 3))
        return red, green, blue

    def between(self, share: float) -> Shade:
        """So much of the ink on the paper."""
        red, green, blue = (
            int((1 - share) * paper + share * ink) for paper, ink in zip(self.paper, self.ink, strict=True)
        )
        return red, green, blue

    def text(self, words: str, at: tuple[float, float], size: float, colour: Shade | None = None) -> None:
        """Words with the left end of their foot at a place; ``size``: pixels of a capital's height."""
        thick = max(1, round(size / 9))
        place = (round(at[0]), round(at[1]))
        face = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(self.pixels, words, place, face, size / 22, colour or self.ink, thick, cv2.LINE_AA)

    def line(self, start: Place, end: Place, colour: Shade, wide: int) -> None:
        """A straight line."""
        (x, y), (far, foot) = start, end
        cv2.line(self.pixels, (int(x), int(y)), (int(far), int(foot)), colour, wide, cv2.LINE_AA)


@dataclass(frozen=True)
class Grid:
    """Where a grid lies on a page: its corner, the size of its cells (across, down), columns and rows."""

    left: float
    top: float
    step: tuple[float, float]
    columns: int
    rows: int

    def xs(self) -> NDArray[np.intp]:
        """Where its upright lines are."""
        return np.asarray(np.rint(self.left + np.arange(self.columns + 1) * self.step[0]), np.intp)

    def ys(self) -> NDArray[np.intp]:
        """Where its level lines are."""
        return np.asarray(np.rint(self.top + np.arange(self.rows + 1) * self.step[1]), np.intp)

    def middle(self, column: float, row: float) -> tuple[float, float]:
        """The middle of a cell."""
        return self.left + (column + 0.5) * self.step[0], self.top + (row + 0.5) * self.step[1]


def blank_page(rng: Rng) -> Page:
    """Paper of any shade, mostly white, with dark ink; now and then the other way round."""
    paper = int(rng.integers(185, 256)) + rng.integers(-18, 1, 3)
    ink = int(rng.integers(0, 120)) + rng.integers(0, 30, 3)
    if rng.random() < 0.1:
        paper, ink = ink, paper
    shades = [tuple(int(one) for one in np.clip(shade, 0, 255)) for shade in (paper, ink)]
    (pr, pg, pb), (ir, ig, ib) = shades
    return Page(rng, np.full((SIDE, SIDE, 3), (pr, pg, pb), np.uint8), (pr, pg, pb), (ir, ig, ib))


def grid_on(rng: Rng, columns: int, rows: int, square: bool = True) -> Grid:
    """A grid of so many cells somewhere on a page, with a rim around it."""
    rim = float(rng.integers(50, 190))
    across, down = (SIDE - 2 * rim) / columns, (SIDE - 2 * rim) / rows
    if square:
        across = down = min(across, down)
    left, top = SIDE / 2 - columns * across / 2, SIDE / 2 - rows * down / 2
    return Grid(left, top, (across, down), columns, rows)


# --- what many kinds have ---


def ruled(page: Page, grid: Grid, heavy: int = 0) -> None:
    """The lines of a grid; every so many of them are heavy, and mostly the frame is."""
    thin, frame = int(page.rng.integers(1, 4)), page.rng.random() < 0.6
    ink = page.between(float(page.rng.uniform(0.3, 1.0)))
    xs, ys = grid.xs(), grid.ys()
    for places, upright in ((xs, True), (ys, False)):
        for n, place in enumerate(places):
            wide = thin + 3 * bool(heavy and n % heavy == 0) + 2 * (frame and n in (0, len(places) - 1))
            ends = ((place, ys[0]), (place, ys[-1])) if upright else ((xs[0], place), (xs[-1], place))
            page.line(ends[0], ends[1], ink, wide)


def tinted(page: Page, grid: Grid, cells: Mask, colour: Shade, inset: float = 0.0) -> None:
    """Fill these cells, less a share of them at each side."""
    xs, ys = grid.xs(), grid.ys()
    columns = np.arange(xs[0], xs[-1])
    rows = np.arange(ys[0], ys[-1])
    across = np.clip(np.searchsorted(xs, columns, "right") - 1, 0, grid.columns - 1)
    down = np.clip(np.searchsorted(ys, rows, "right") - 1, 0, grid.rows - 1)
    mask = cells[down[:, None], across]
    if inset:
        inside = [
            (np.abs((places - edges[which] + 0.5) / np.diff(edges)[which] - 0.5) < 0.5 - inset)
            for places, edges, which in ((rows, ys, down), (columns, xs, across))
        ]
        mask = mask & inside[0][:, None] & inside[1]
    page.pixels[ys[0] : ys[-1], xs[0] : xs[-1]][mask] = colour


def written(page: Page, grid: Grid, words: Sequence[str], share: float, size: float = 0.45) -> None:
    """Words in this share of the cells, at the same place of each."""
    height = size * min(grid.step)
    low = (0.22, 0.75) if size > 0.3 else (0.08, 0.35)
    for row, column in np.argwhere(page.rng.random((grid.rows, grid.columns)) < share):
        place = (grid.left + (column + low[0]) * grid.step[0], grid.top + (row + low[1]) * grid.step[1])
        page.text(words[int(page.rng.integers(len(words)))], place, height)


def around(page: Page, grid: Grid, share: float) -> Iterator[tuple[tuple[float, float], int, int]]:
    """Places beside this share of the rows and columns, on some sides; with each its side and number."""
    away = 0.85 if page.rng.random() < 0.8 else 1.0
    for side in np.flatnonzero(page.rng.random(4) < 0.7):
        count = grid.rows if side % 2 else grid.columns
        for n in map(int, np.flatnonzero(page.rng.random(count) < share)):
            beyond = (-away, grid.columns - 1 + away, grid.rows - 1 + away, -away)[side]
            yield grid.middle(beyond, n) if side % 2 else grid.middle(n, beyond), int(side), n


def labels(page: Page, grid: Grid, words: Sequence[str], share: float) -> None:
    """Letters or numbers beside rows and columns."""
    size = 0.35 * min(grid.step)
    for (x, y), _, n in around(page, grid, share):
        page.text(words[n % len(words)], (x - size / 2, y + size / 2), size)


def arrows(page: Page, grid: Grid, share: float) -> None:
    """Arrows that point at rows and columns."""
    hollow = page.rng.random() < 0.5
    size = float(page.rng.uniform(0.12, 0.25)) * min(grid.step)
    for at, side, _ in around(page, grid, share):
        out, along = OUT[side], OUT[(side + 1) % 4]
        corners = np.rint([at - size * out, at + size * (out + along), at + size * (out - along)])
        cv2.polylines(page.pixels, [corners.astype(np.int32)], True, page.ink, 2, cv2.LINE_AA)
        if not hollow:
            cv2.fillPoly(page.pixels, [corners.astype(np.int32)], page.ink, cv2.LINE_AA)


def discs(page: Page, grid: Grid, cells: Mask, colour: Shade, radius: float = 0.38) -> None:
    """Round pieces in these cells."""
    for row, column in np.argwhere(cells):
        x, y = grid.middle(column, row)
        size = max(2, round(radius * min(grid.step)))
        cv2.circle(page.pixels, (round(x), round(y)), size, colour, -1, cv2.LINE_AA)
        cv2.circle(page.pixels, (round(x), round(y)), size, page.ink, 1, cv2.LINE_AA)


def some(page: Page, grid: Grid, share: float) -> Mask:
    """This share of the cells, by chance."""
    return np.asarray(page.rng.random((grid.rows, grid.columns)) < share, np.bool_)


def chequered(grid: Grid) -> Mask:
    """Every other cell."""
    return np.asarray(np.add.outer(np.arange(grid.rows), np.arange(grid.columns)) % 2 == 1, np.bool_)
