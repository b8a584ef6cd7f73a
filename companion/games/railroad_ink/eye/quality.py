"""How well a sheet is seen: sharpness, light, glare, and what lies outside the picture."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.eye.cells import GRID_MARGIN, GRID_SIZE
from companion.games.railroad_ink.eye.readings import SheetQuality
from companion.games.railroad_ink.paper.printed import PRINTED, cell_corner
from companion.games.railroad_ink.rules.rulebook import GRID
from vision.rectify import Image, Placement, Places

_DROWNED = 250  # a value from which a pixel says nothing
_BRIGHT = 225  # paper as bright as this is near to drowning by itself
_STEPS = 6  # places looked at along each side of a cell


def sheet_quality(grid: Image, glare: float, found_by: str, scale: float) -> SheetQuality:
    """What can be said of a straightened grid."""
    values = np.asarray(cv2.cvtColor(grid, cv2.COLOR_BGR2GRAY), np.uint8)
    grey = values.astype(np.float32)
    fine, coarse = cv2.GaussianBlur(grey, (0, 0), 0.8), cv2.GaussianBlur(grey, (0, 0), 2.5)
    dark, light = level(values, 0.03), level(values, 0.85)
    return SheetQuality(
        found_by=found_by,
        pixels_per_mm=scale,
        sharpness=float(np.std(grey - fine) / max(np.std(grey - coarse), 1.0)),
        light=light / 255,
        contrast=(light - dark) / max(light, 1),
        glare=glare,
    )


def level(values: Image, share: float) -> int:
    """The value below which that share of all values lies (faster than sorting them)."""
    counts = np.bincount(values.ravel(), minlength=256).cumsum()
    return int(np.searchsorted(counts, share * counts[-1]))


def cell_glare(grid: Image) -> NDArray[np.float64]:
    """By cell, the share of pixels drowned in light where the paper around is not."""
    inner = grid[GRID_MARGIN:-GRID_MARGIN, GRID_MARGIN:-GRID_MARGIN]
    blue, green, red = cv2.split(inner)
    least = np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
    if level(least, 0.5) >= _BRIGHT:
        return np.zeros(GRID.size)  # paper that is white everywhere is only well lit
    drowned = least >= _DROWNED
    shares = drowned.reshape(GRID.rows, GRID_SIZE, GRID.columns, GRID_SIZE).mean(axis=(1, 3)).ravel()
    return np.asarray(np.clip(shares - np.median(shares), 0, 1), np.float64)


def outside_shares(size: tuple[int, int], placement: Placement) -> NDArray[np.float64]:
    """By cell, how much of it is cut off by the edge of the picture."""
    places = placement.pixels(_cell_places())
    out = (places < 0) | (places > np.asarray(size, np.float64))
    return np.asarray(out.any(axis=-1).mean(axis=1), np.float64)


@cache
def _cell_places() -> Places:
    """Places spread over every cell, in mm."""
    along = (np.arange(_STEPS) + 0.5) / _STEPS * PRINTED.grid.cell
    steps = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    corners = np.array([cell_corner(cell) for cell in range(GRID.size)])
    places: Places = corners[:, None] + steps
    return places
