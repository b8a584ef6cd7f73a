"""Boards of other prints as if they were ours: their print is taken away, our faint lines are put in.

Ink differs from cell to cell; print repeats. So what most cells show is print, whatever it is: lines, dots,
gaps, tints, boxes for numbers. A fold runs straight across the whole grid and over its frame, as no ink does.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.sheets import board_sheet
from companion.games.railroad_ink.reader.boards import cells_of, grid_picture
from companion.games.railroad_ink.reader.cells import GRID_MARGIN, GRID_SIDE, GRID_SIZE
from companion.games.railroad_ink.rules.rulebook import EDITIONS, GRID
from vision.find.landmarks import MARGIN, print_of
from vision.register.rectify import Image, Placement
from vision.white_paper import on_white_paper

Field = NDArray[np.float32]

_WHITE = 200.0  # what white paper becomes: see :func:`vision.white_paper.on_white_paper`
_DARKEST = 0.3  # of the paper, beyond which nothing is made up for
_FAINT = 0.06  # of the paper: what differs less is no fold
_BROAD, _NARROW = 9, 5  # pixels: of the surroundings of a fold, and of the fold itself
_RUNS = 0.72  # of its way across the board a fold is seen
_LEAST_FOLD = 0.6  # of its way across the margin on either side


def as_our_print(grid: Image) -> Image:
    """A straightened grid with our own print instead of its own."""
    even = on_white_paper(grid).astype(np.float32) / _WHITE
    plain = without_folds(np.asarray(even / np.maximum(_repeated(even), _DARKEST), np.float32))
    ours = np.clip(plain * _our_cells(), 0, 255 / _WHITE) * _WHITE
    return np.asarray(np.rint(ours), np.uint8)


def _repeated(even: Field) -> Field:
    """What is printed in most cells, by the colour they have on a chequered board, as a whole grid."""
    cells = cells_of(np.asarray(even), GRID_SIZE, GRID_MARGIN).reshape(GRID.rows, GRID.columns, -1)
    colour = np.add.outer(np.arange(GRID.rows), np.arange(GRID.columns)) % 2
    side = GRID_SIZE + 2 * GRID_MARGIN
    whole = np.ones_like(even)
    for kind in (0, 1):
        usual = np.median(cells[colour == kind], axis=0).reshape(side, side, 3)
        usual = np.minimum(usual, cv2.erode(usual, np.ones((2, 2)))).astype(np.float32)
        for row, column in np.argwhere(colour == kind):
            _lay(whole, usual, int(row), int(column))
    return whole


def _lay(whole: Field, cell: Field, row: int, column: int) -> None:
    """Put a cell into a grid, with its margin only where there is no other cell."""
    low = [GRID_MARGIN if place else 0 for place in (row, column)]
    last = (GRID.rows - 1, GRID.columns - 1)
    high = [
        GRID_MARGIN + GRID_SIZE + (GRID_MARGIN if place == end else 0)
        for place, end in zip((row, column), last, strict=True)
    ]
    top, left = row * GRID_SIZE, column * GRID_SIZE
    whole[top + low[0] : top + high[0], left + low[1] : left + high[1]] = cell[
        low[0] : high[0], low[1] : high[1]
    ]


def without_folds(plain: Field) -> Field:
    """The grid with folds taken away that run straight across it."""
    upright = _without_upright_folds(plain)
    return np.ascontiguousarray(_without_upright_folds(upright.transpose(1, 0, 2)).transpose(1, 0, 2))


def _without_upright_folds(plain: Field) -> Field:
    grey = np.ascontiguousarray(plain.min(axis=2))
    around = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((1, _BROAD)))
    dark = cv2.dilate((around - grey > _FAINT).astype(np.uint8), np.ones((1, 3)))
    ends = np.minimum(dark[:GRID_MARGIN].mean(axis=0), dark[-GRID_MARGIN:].mean(axis=0))
    columns = (dark.mean(axis=0) > _RUNS) & (ends > _LEAST_FOLD)
    if not columns.any():
        return plain
    fold = cv2.dilate(columns.astype(np.uint8)[None], np.ones((1, _NARROW)))[0].astype(bool)
    kept = np.flatnonzero(~fold)
    places = np.arange(plain.shape[1])
    before = kept[np.clip(np.searchsorted(kept, places, "right") - 1, 0, len(kept) - 1)]
    after = kept[np.clip(np.searchsorted(kept, places), 0, len(kept) - 1)]
    share = ((places - before) / np.maximum(after - before, 1)).astype(np.float32)[None, :, None]
    mended = plain[:, before] * (1 - share) + plain[:, after] * share
    return np.where(fold[None, :, None], np.maximum(plain, mended), plain)


@cache
def _our_cells() -> Field:
    """What our own print has in every cell, as shares of white."""
    known = print_of(board_sheet(EDITIONS[0], 1))
    to_print = np.diag([known.scale, known.scale, 1.0])
    to_print[:2, 2] = MARGIN - known.scale * np.array(known.rectangle[0])
    coloured = np.stack([known.blank] * 3, axis=-1)
    blank = grid_picture(coloured, Placement(to_print), GRID_SIZE, GRID_MARGIN)
    even = on_white_paper(np.asarray(blank, np.uint8)).astype(np.float32) / _WHITE
    assert even.shape[0] == GRID_SIDE
    return _repeated(even)
