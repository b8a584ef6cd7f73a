"""How well a board is seen, cell by cell and as a whole."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.eye.cells import GRID_MARGIN, GRID_SIZE
from companion.games.railroad_ink.eye.readings import SheetQuality
from companion.games.railroad_ink.paper.printed import cell_quad
from companion.games.railroad_ink.rules.rulebook import GRID
from vision.quality import drowned, outside_shares, picture_quality, places_in
from vision.rectify import Image, Placement, Places

# Where an end of a route lies in its cell, in shares of it: so far from the edge, and across.
_ARM_DEEP, _ARM_ACROSS = 0.36, (0.36, 0.64)


def sheet_quality(grid: Image, glare: float, found_by: str, scale: float) -> SheetQuality:
    """What can be said of a straightened grid."""
    seen = picture_quality(grid)
    return SheetQuality(
        found_by=found_by,
        pixels_per_mm=scale,
        sharpness=seen.sharpness,
        light=seen.light,
        contrast=seen.contrast,
        glare=glare,
    )


def drowned_cells(grid: Image) -> NDArray[np.bool_]:
    """Which pixels of each cell are drowned in light: (rows, columns, GRID_SIZE, GRID_SIZE)."""
    inner = drowned(grid[GRID_MARGIN:-GRID_MARGIN, GRID_MARGIN:-GRID_MARGIN])
    return inner.reshape(GRID.rows, GRID_SIZE, GRID.columns, GRID_SIZE).transpose(0, 2, 1, 3)


def cell_glare(cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By cell, the share of its :func:`drowned_cells`, beyond that of most cells: white paper is no glare."""
    if not cells.any():
        return np.zeros(GRID.size)
    shares = cells.mean(axis=(2, 3)).ravel()
    return np.asarray(np.clip(shares - np.median(shares), 0, 1), np.float64)


def side_glare(cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By cell and side (from north clockwise), the drowned share of where an end would be drawn."""
    if not cells.any():
        return np.zeros((GRID.size, 4))
    deep, low, high = round(_ARM_DEEP * GRID_SIZE), *(round(share * GRID_SIZE) for share in _ARM_ACROSS)
    arms = (
        cells[:, :, :deep, low:high],
        cells[:, :, low:high, -deep:],
        cells[:, :, -deep:, low:high],
        cells[:, :, low:high, :deep],
    )
    shares = np.stack([arm.mean(axis=(2, 3)).ravel() for arm in arms], axis=1)
    return np.asarray(np.clip(shares - np.median(shares), 0, 1), np.float64)


def cells_outside(size: tuple[int, int], placement: Placement) -> NDArray[np.float64]:
    """By cell, how much of it is cut off by the edge of the picture."""
    return outside_shares(size, placement, _cell_places())


@cache
def _cell_places() -> Places:
    """Places spread over every cell, in mm."""
    return np.array([places_in(cell_quad(cell)) for cell in range(GRID.size)])
