"""Rectifies boards and cells from a photograph, for training and for reading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.printing.sheets import board_sheet, board_sheets, grid_area
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID
from vision.register.rectify import Image, Placement, Places, straightened
from vision.taught.boards import TaughtBoard
from vision.taught.boards import teach as teach_sheet

# All boards are alike in what is measured here.
_ANY = board_sheet(next(iter(EDITION)), 1)
SHEET_OUTLINE: Places = np.array(_ANY.outline)  # clockwise from the top left


def grid_corners() -> Places:
    """The corners of the grid, in mm on the sheet, clockwise from the top left."""
    return np.array(grid_area())


def grid_picture(image: Image, placement: Placement, size: int, margin: int) -> Image:
    """The 7 x 7 grid rectified, with ``size`` pixels a cell and a margin of ``margin`` pixels."""
    return straightened(image, placement, _ANY, size / PRINTED.grid.cell, margin)


def cells_of(grid: Image, size: int, margin: int) -> Image:
    """Cut a grid picture into cells, (49, size + 2 margin, ...), each overlapping its neighbours."""
    whole = size + 2 * margin
    return np.stack(
        [
            grid[row * size : row * size + whole, column * size : column * size + whole]
            for row in range(GRID.rows)
            for column in range(GRID.columns)
        ]
    )


def cell_views(image: Image, placement: Placement, size: int, margin: int) -> Image:
    """The cells of a sheet in a picture one by one."""
    return cells_of(grid_picture(image, placement, size, margin), size, margin)


def teach(
    name: str,
    image: Image,
    corners: Sequence[tuple[float, float]],
    seat: int = 1,
    edition: str = "challenge",
) -> TaughtBoard:
    """Teach an empty board from a photograph and the corners of its grid in it."""
    return teach_sheet(name, image, corners, board_sheet(edition, seat), board_sheets())
