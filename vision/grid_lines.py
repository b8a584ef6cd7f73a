"""A placement made exact on what is printed in the grid: lines, ticks and the bold centre.

The corner tags lie outside the grid; between them a lens bends the picture and paper is not flat. The printed
grid is looked for, patch by patch, where the placement expects it; what was found then bends the placement.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.printed import PRINTED
from companion.games.railroad_ink.printed_art import sheet_drawing
from companion.games.railroad_ink.rulebook import GRID, EditionName
from companion.printing.png import picture
from vision.placing import Match, fitted, misses
from vision.readers.paper import on_white_paper
from vision.rectify import Image, Placement, Places, grid_picture

_SIZE, _MARGIN = 40, 16  # pixels a cell, and around the grid
_HALF = 11  # pixels: half of a patch
REACH, FAR = 6, 13  # pixels: how far a patch is looked for, behind good corner tags and behind poor ones
_ALIKE = 0.45  # correlation from which a patch counts as found
_LEAST_FOUND = 20
_MM = PRINTED.grid.cell / _SIZE


@dataclass(frozen=True)
class GridCheck:
    """A placement after a look at the printed grid, and how much of the grid was found there, 0 to 1."""

    placement: Placement
    alike: float


def on_printed_grid(
    image: Image, placement: Placement, edition: EditionName, tags: Match | None, reach: int = REACH
) -> GridCheck:
    """The placement moved and bent onto the printed grid; as it was where too little of it is seen."""
    found, alike = _found_nodes(image, placement, edition, reach)
    if len(found.places) < _LEAST_FOUND:
        return GridCheck(placement, alike)
    size = image.shape[1], image.shape[0]
    better = _robust(found if tags is None else _weighted(found, tags), size)
    if better is None or _moved(placement, better) > reach * _MM * 1.5:
        return GridCheck(placement, alike)
    return GridCheck(better, alike)


def _weighted(found: Match, tags: Match) -> Match:
    """The tags hold what is outside the grid; all together they count as much as a third of the grid."""
    share = 0.33 * len(found.places) / max(len(tags.places), 1)
    return found.joined(Match(tags.places, tags.pixels, np.full(len(tags.places), share)))


def _robust(match: Match, size: tuple[int, int]) -> Placement | None:
    """Fitted, and fitted again without what does not belong."""
    placement = fitted(match, size, bending=True)
    for _ in range(1):
        if placement is None:
            return None
        away = misses(placement, match)
        kept = away < 3.5 * np.median(away) + 0.3
        if kept.sum() < _LEAST_FOUND:
            return None
        match = match.only(kept)
        placement = fitted(match, size, bending=True)
    return placement


def _moved(before: Placement, after: Placement) -> float:
    """How far the grid moved at most, in mm."""
    places = _nodes()
    return float(np.hypot(*(before.pixels(places) - after.pixels(places)).T).max()) / before.scale


@lru_cache(maxsize=1)
def _nodes() -> Places:
    """The crossings of the grid's lines in mm."""
    columns, rows = np.meshgrid(np.arange(GRID.columns + 1.0), np.arange(GRID.rows + 1.0))
    nodes: Places = np.asarray(PRINTED.grid.corner) + PRINTED.grid.cell * np.stack(
        [columns.ravel(), rows.ravel()], axis=1
    )
    return nodes


@lru_cache(maxsize=4)
def _blank(edition: EditionName) -> Image:
    """The empty grid as it is printed, in grey, as a reader would straighten it."""
    dpi = 150
    sheet = np.ascontiguousarray(np.asarray(picture(sheet_drawing(1, edition), dpi))[:, :, ::-1])
    scale = dpi / 25.4
    return _even(grid_picture(sheet, Placement(np.diag([scale, scale, 1.0])), _SIZE, _MARGIN))


def _even(grid: Image) -> Image:
    return np.asarray(cv2.cvtColor(on_white_paper(grid), cv2.COLOR_BGR2GRAY), np.uint8)


def _found_nodes(image: Image, placement: Placement, edition: EditionName, reach: int) -> tuple[Match, float]:
    """Where the crossings of the printed grid are in the picture, and the share of them that was found."""
    seen = _even(grid_picture(image, placement, _SIZE, _MARGIN))
    nodes = _nodes()
    at = np.rint((nodes - np.asarray(PRINTED.grid.corner)) / _MM + _MARGIN).astype(int)
    moves, alike = np.zeros((len(nodes), 2)), np.zeros(len(nodes))
    for n, (x, y) in enumerate(at):
        moves[n], alike[n] = _move(_blank(edition), seen, (int(x), int(y)), reach)
    kept = alike > _ALIKE
    pixels = placement.pixels(nodes[kept] + moves[kept] * _MM)
    return Match(nodes[kept], pixels, alike[kept] ** 2), float(kept.mean())


def _move(blank: Image, seen: Image, at: tuple[int, int], reach: int) -> tuple[NDArray[np.float64], float]:
    """How far the print around a crossing has moved, in pixels, and how alike it looks there."""
    (x, y), side = at, blank.shape[0]
    left, top = max(x - _HALF, reach), max(y - _HALF, reach)
    right, bottom = min(x + _HALF, side - reach), min(y + _HALF, side - reach)
    around = seen[top - reach : bottom + reach, left - reach : right + reach]
    likeness = cv2.matchTemplate(around, blank[top:bottom, left:right], cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(likeness)
    if not (0 < column < 2 * reach and 0 < row < 2 * reach):
        return np.zeros(2), 0.0  # at the rim of what was searched it may be anything
    move = np.array(
        [_peak(likeness[row, column - 1 : column + 2]), _peak(likeness[row - 1 : row + 2, column])]
    )
    return move + np.array([column - reach, row - reach]), float(best)


def _peak(values: NDArray[Any]) -> float:
    """Where between its neighbours the highest of three values really is."""
    before, middle, after = (float(value) for value in values)
    curve = before - 2 * middle + after
    return 0.0 if curve >= -1e-9 else float(np.clip(0.5 * (before - after) / curve, -0.5, 0.5))
