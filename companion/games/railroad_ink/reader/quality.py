"""Measures how well a board is seen, cell by cell and as a whole."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.printed import cell_quad
from companion.games.railroad_ink.printing.sheets import board_sheet
from companion.games.railroad_ink.reader.boards import grid_picture
from companion.games.railroad_ink.reader.cells import GRID_MARGIN, GRID_SIZE
from companion.games.railroad_ink.reader.readings import SheetQuality
from companion.games.railroad_ink.rules.rulebook import EDITIONS, GRID
from vision.find.landmarks import MARGIN, print_of
from vision.quality import drowned, outside_shares, picture_quality, places_in
from vision.register.rectify import Image, Placement, Places
from vision.white_paper import paper_field

# Where an end of a route lies in its cell, in shares of it: so far from the edge, and across.
_ARM_DEEP, _ARM_ACROSS = 0.36, (0.36, 0.64)
# Where the printed lines of the grid are looked at: along a side, in shares of it, where no route ends;
# across it, pixels that may be the line (of these so many are), and how many on either side are paper.
_ALONG, _LINE, _LINE_PIXELS, _PAPER = ((0.07, 0.32), (0.68, 0.93)), 3, 2, 4
# Printed lines so much paler than most are under a veil; where most are paler than this, beside the blank
# print, nobody can tell.
_VEILED, _PALEST_GRID = 0.75, 0.15
_LEAST_LEFT = 0.35  # of the contrast: where less is left, noise would grow with the ink


def sheet_quality(grid: Image, glare: float, found_by: str, scale: float) -> SheetQuality:
    """The picture quality of a straightened grid."""
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
    """Mask of the saturated pixels of each cell, (rows, columns, GRID_SIZE, GRID_SIZE)."""
    inner = drowned(grid[GRID_MARGIN:-GRID_MARGIN, GRID_MARGIN:-GRID_MARGIN])
    return inner.reshape(GRID.rows, GRID_SIZE, GRID.columns, GRID_SIZE).transpose(0, 2, 1, 3)


def cell_glare(cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The share of saturated pixels by cell, less that of most cells: white paper is no glare."""
    if not cells.any():
        return np.zeros(GRID.size)
    shares = cells.mean(axis=(2, 3)).ravel()
    return np.asarray(np.clip(shares - np.median(shares), 0, 1), np.float64)


def side_glare(cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By cell and side (from north clockwise), the saturated share of the area of a route's end."""
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


def veiled_cells(grid: Image) -> NDArray[np.bool_]:
    """Mask of cells under a veil of light that would make ink look erased.

    A veil does to the printed grid what it does to ink: its lines are much paler than elsewhere, and the
    paper is brighter. Where ink was wiped the print is as it was.
    """
    strengths = _print_left(grid)
    if strengths is None:
        return np.zeros(GRID.size, np.bool_)
    inner = paper_field(grid).mean(axis=2)[GRID_MARGIN:-GRID_MARGIN, GRID_MARGIN:-GRID_MARGIN]
    paper = np.median(inner.reshape(GRID.rows, GRID_SIZE, GRID.columns, GRID_SIZE), axis=(1, 3))
    veiled = (strengths < _VEILED) & (paper > np.median(paper))
    return np.asarray(veiled.ravel(), np.bool_)


def without_veil(grid: Image, veiled: NDArray[np.bool_]) -> Image:
    """The grid with as much more contrast in veiled cells as their printed lines have lost."""
    strengths = _print_left(grid)
    if strengths is None:
        return grid
    left = np.where(veiled.reshape(strengths.shape), np.clip(strengths, _LEAST_LEFT, 1), 1).astype(np.float32)
    inner = cv2.resize(
        left, (GRID.columns * GRID_SIZE, GRID.rows * GRID_SIZE), interpolation=cv2.INTER_LINEAR
    )
    share = np.pad(np.asarray(inner, np.float32), GRID_MARGIN, mode="edge")[..., None]
    paper = paper_field(grid)
    return np.asarray(np.clip(paper - (paper - grid) / share, 0, 255), np.uint8)


def _print_left(grid: Image) -> NDArray[np.float64] | None:
    """How strong the lines of each cell are beside those of most; nothing where all are too pale."""
    upright, level = _line_strengths(np.asarray(cv2.cvtColor(grid, cv2.COLOR_BGR2GRAY), np.float32))
    usual_upright, usual_level = _printed_strengths()
    upright, level = upright / usual_upright, level / usual_level
    strengths = (upright[:, :-1] + upright[:, 1:] + level[:-1] + level[1:]) / 4
    usual = float(np.median(strengths))
    return None if usual < _PALEST_GRID else np.asarray(strengths / usual, np.float64)


def _line_strengths(grey: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The contrast of each printed grid line to the paper beside it, cell by cell: vertical, horizontal."""
    return _upright_strengths(grey), _upright_strengths(grey.T).T


def _upright_strengths(grey: NDArray[np.float32]) -> NDArray[np.float64]:
    half = _LINE + _PAPER
    found = np.zeros((GRID.rows, GRID.columns + 1))
    steps = np.concatenate([np.arange(*(round(share * GRID_SIZE) for share in part)) for part in _ALONG])
    for row, line in np.ndindex(*found.shape):
        middle = GRID_MARGIN + line * GRID_SIZE
        # The median along the line: no end of a route, no number box counts.
        across = np.median(grey[GRID_MARGIN + row * GRID_SIZE + steps, middle - half : middle + half], axis=0)
        dark = np.sort(across[_PAPER:-_PAPER])[:_LINE_PIXELS].mean()
        found[row, line] = np.concatenate([across[:_PAPER], across[-_PAPER:]]).mean() - dark
    return found


@cache
def _printed_strengths() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The line strengths of the blank print, whose frame and centre have stronger lines."""
    known = print_of(board_sheet(EDITIONS[0], 1))
    to_print = np.diag([known.scale, known.scale, 1.0])
    to_print[:2, 2] = MARGIN - known.scale * np.array(known.rectangle[0])
    blank = grid_picture(known.blank, Placement(to_print), GRID_SIZE, GRID_MARGIN)
    return _line_strengths(np.asarray(blank, np.float32))


def cells_outside(size: tuple[int, int], placement: Placement) -> NDArray[np.float64]:
    """The share of each cell that lies outside the picture."""
    return outside_shares(size, placement, _cell_places())


@cache
def _cell_places() -> Places:
    """A grid of places over every cell, in mm."""
    return np.array([places_in(cell_quad(cell)) for cell in range(GRID.size)])
