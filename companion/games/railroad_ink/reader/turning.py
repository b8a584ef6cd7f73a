"""Turns or mirrors pictures, cells and classes of a board by the eight symmetries of the square."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.rules.boards.routes import ROUTES, VOCABULARY, turned
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.sheets.grid import SYMMETRIES
from vision.register.rectify import Image

Number = TypeVar("Number", bound=np.generic)

# By symmetry: where every route goes, and where every cell goes.
ROUTE_TURNED = np.array(
    [[ROUTES[turned(route, symmetry).text].number for route in VOCABULARY] for symmetry in SYMMETRIES]
)
CELL_MOVED = np.array([[symmetry.cell(n, GRID) for n in range(GRID.size)] for symmetry in SYMMETRIES])


def turned_picture(grid: Image, way: int) -> Image:
    """The picture of a grid after one of the eight symmetries."""
    symmetry = SYMMETRIES[way]
    picture = grid[:, ::-1] if symmetry.mirrored else grid
    return np.ascontiguousarray(np.rot90(picture, -symmetry.quarters))


def classes_turned(way: int, classes: int) -> NDArray[np.intp]:
    """The permutation of the classes under a symmetry: routes turn, the others stay."""
    return np.concatenate([ROUTE_TURNED[way], np.arange(len(VOCABULARY), classes)])


def by_place(values: NDArray[Number], way: int) -> NDArray[Number]:
    """Permute values by cell as a symmetry permutes the cells of the board."""
    moved = np.empty_like(values)
    moved[CELL_MOVED[way]] = values
    return moved
