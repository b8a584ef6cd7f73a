"""What is drawn in the cells of a grid: every route, nothing or "cannot see", with probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.routes import VOCABULARY
from companion.games.railroad_ink.rulebook import GRID
from vision.readers.nets import scores, shares
from vision.readers.paper import on_white_paper
from vision.rectify import Image

GRID_SIZE, GRID_MARGIN = 40, 8  # pixels a cell, and around the grid
GRID_SIDE = GRID.columns * GRID_SIZE + 2 * GRID_MARGIN
EMPTY_CLASS = len(VOCABULARY)  # routes have their number in the vocabulary
UNSEEN = EMPTY_CLASS + 1
CLASSES = UNSEEN + 1
IGNORED = -1  # in training: nothing is to be learnt from this cell
MODEL = "cells.onnx"


def cell_shares(grids: list[Image]) -> NDArray[np.float64]:
    """For straightened grids, the probability of every class in every cell: (grids, 49, :data:`CLASSES`)."""
    logits = scores(MODEL, np.stack([on_white_paper(grid) for grid in grids]))
    return shares(logits.transpose(0, 2, 3, 1).reshape(len(grids), GRID.size, CLASSES))
