"""Classifies the cells of a grid: every route, empty or "cannot see", with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.joins import told_by_neighbours
from companion.games.railroad_ink.reader.turning import CELL_MOVED, classes_turned, turned_picture
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from companion.games.railroad_ink.rules.rulebook import GRID
from vision.nets import scores, shares
from vision.register.rectify import Image
from vision.white_paper import on_white_paper

GRID_SIZE, GRID_MARGIN = 40, 8  # pixels a cell, and around the grid
GRID_SIDE = GRID.columns * GRID_SIZE + 2 * GRID_MARGIN
EMPTY_CLASS = len(VOCABULARY)  # routes have their number in the vocabulary
UNSEEN = EMPTY_CLASS + 1
CLASSES = UNSEEN + 1
MODEL = Path(__file__).with_name("cells.onnx")

_UPRIGHT = (0,)  # how a grid is turned before it is classified
# A board with a cell less sure than this, after its neighbours were asked, is classified again, turned in
# these ways; not for the sake of cells that may be hidden with more than this probability: nothing is won.
_AGAIN: tuple[tuple[float, tuple[int, ...]], ...] = ((0.95, (1,)), (0.8, (2,)))
_HIDDEN = 0.1
_GUESSED = 0.5  # how much a look that shows what another does not counts, as a power of its probabilities
_LEAST = 1e-9  # a share that is never undercut, as its logarithm counts

Shares = NDArray[np.float64]


def cell_shares(grids: Sequence[Image]) -> Shares:
    """The class probabilities of all cells in rectified grids, (grids, 49, :data:`CLASSES`).

    Test-time augmentation where it is not sure: the picture is turned and classified again. The mean of
    the log probabilities is wrong a third less often.
    """
    pictures = [on_white_paper(grid) for grid in grids]
    seen = [_looked_at(picture, _UPRIGHT) for picture in pictures]
    found = np.stack([_together(ways) for ways in seen])
    for sure, ways in _AGAIN:
        # The grids with a visible cell that cannot be read with confidence
        marks = found[:, :, :UNSEEN] / found[:, :, :UNSEEN].sum(axis=2, keepdims=True)
        surest = np.stack([told_by_neighbours(board).max(axis=1) for board in marks])
        doubtful = (surest < sure) & (found[:, :, UNSEEN] < _HIDDEN)
        for n in np.flatnonzero(doubtful.any(axis=1)):
            seen[n] = np.concatenate([seen[n], _looked_at(pictures[n], ways)])
            found[n] = _together(seen[n])
    return found


def seen_again(first: Shares, again: Shares) -> Shares:
    """The class probabilities of cells after a second look with another contrast, (cells, classes).

    What only the second look makes out is a guess, and nobody is to take it for sure.
    """
    once, twice = (np.log(np.maximum(look, _LEAST)).astype(np.float32) for look in (first, again))
    both = shares(np.asarray((once + twice) / 2, np.float32))
    guessed = shares(np.asarray(_GUESSED * twice, np.float32))
    hidden, made_out = first[:, UNSEEN] >= 0.5, again[:, UNSEEN] < 0.5
    return np.where(hidden[:, None], np.where(made_out[:, None], guessed, first), both)


def _looked_at(picture: Image, ways: Sequence[int]) -> Shares:
    """The class probabilities under each symmetry of the grid, (ways, cells, classes)."""
    logits = scores(MODEL, np.stack([turned_picture(picture, way) for way in ways]))
    found = shares(logits.transpose(0, 2, 3, 1).reshape(len(ways), GRID.size, CLASSES))
    for place, way in enumerate(ways):
        found[place] = found[place, CELL_MOVED[way]][:, classes_turned(way, CLASSES)]
    return found


def _together(ways: Shares) -> Shares:
    """Combine the probabilities under all symmetries by their normalised geometric mean, (cells, classes)."""
    return shares(np.log(np.maximum(ways, _LEAST)).mean(axis=0))
