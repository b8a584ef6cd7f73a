"""What the network of marks learns from: boards with an expansion's marks, as straightened pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.boards import grid_picture
from companion.games.railroad_ink.reader.mark_classes import CLASS_NUMBER, READ_EXPANSIONS, class_at
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import SheetMarks
from lab.railroad_ink.studio.crops import exposed_board
from lab.railroad_ink.training.arrays import Mode, Shapes, make_arrays, open_arrays
from lab.railroad_ink.training.material import MARGIN, RECIPE, SIDE, SIZE
from lab.railroad_ink.training.painting import open_empty, painted_sheet, route_labels
from lab.training import IGNORED

# The network is asked only where an expansion is played, so it sees only such boards. Drops and cacti are
# small signs beside a route, drawn in many ways, a river drawn with the pen of the roads looks like a road,
# and a canyon like the printed lines: these come more often.
LEARNT = (*READ_EXPANSIONS, *["desert"] * 4, *["river"] * 3, *["canyon"] * 2, "lava")
MARK_RECIPE = replace(RECIPE, scattered=0.55, careless=0.1, anybody=0.5, expansions=LEARNT)
MARK_SEEDS, PAINT_SEEDS = 100_000, 500_000  # the first: the other networks' boards are below


@dataclass(frozen=True)
class MarkMaterial:
    """The arrays; a label of -1 means that nothing is to be learnt."""

    grids: NDArray[np.uint8]  # (boards, SIDE, SIDE, 3)
    labels: NDArray[np.int16]  # (boards, 49): the class of the mark
    routes: NDArray[np.int16]  # (boards, 49): the number of the route, for measuring
    unseen: NDArray[np.float32]  # (boards, 49)
    expansions: NDArray[np.int16]  # (boards,): number in READ_EXPANSIONS


def _shapes(boards: int) -> Shapes:
    return {
        "grids": ((boards, SIDE, SIDE, 3), "uint8"),
        "labels": ((boards, GRID.size), "int16"),
        "routes": ((boards, GRID.size), "int16"),
        "unseen": ((boards, GRID.size), "float32"),
        "expansions": ((boards,), "int16"),
    }


def open_marks(folder: Path, mode: Mode = "r") -> MarkMaterial:
    """Material that was made before."""
    return MarkMaterial(**open_arrays(folder, _shapes(0), mode))


def make_marks(folder: Path, first_seed: int, boards: int, workers: int = 2) -> MarkMaterial:
    """Make the material of so many boards in a folder, or take what is there."""
    make_arrays(folder, _shapes(boards), boards, partial(_make_boards, folder, first_seed), workers)
    return open_marks(folder)


def _make_boards(folder: Path, first_seed: int, numbers: Iterable[int]) -> None:
    material = open_marks(folder, "r+")
    for number in numbers:
        board = exposed_board(first_seed + number, MARK_RECIPE)
        material.grids[number] = grid_picture(board.image, board.placement, SIZE, MARGIN)
        material.labels[number] = mark_labels(board.marks)
        material.routes[number] = board.labels
        material.unseen[number] = board.unseen
        material.expansions[number] = READ_EXPANSIONS.index(board.marks.expansion)


def paint_marks(folder: Path, empty: Path, first_seed: int, boards: int, workers: int = 2) -> MarkMaterial:
    """So many boards painted into the photographs of ``empty``, routes and marks by one hand."""
    make_arrays(folder, _shapes(boards), boards, partial(_paint_boards, folder, empty, first_seed), workers)
    return open_marks(folder)


def _paint_boards(folder: Path, empty: Path, first_seed: int, numbers: Iterable[int]) -> None:
    photographs, material = open_empty(empty), open_marks(folder, "r+")
    for number in numbers:
        rng = np.random.default_rng([first_seed, number])
        name = LEARNT[number % len(LEARNT)]
        material.grids[number], drawn, material.unseen[number] = painted_sheet(
            rng, photographs, recipe=MARK_RECIPE, expansion=name
        )
        material.labels[number] = mark_labels(drawn.marks)
        material.routes[number] = route_labels(drawn.marks)
        material.expansions[number] = READ_EXPANSIONS.index(name)


def mark_labels(marks: SheetMarks) -> NDArray[np.int16]:
    """By cell, the class of the mark; where nobody can say, nothing is to be learnt."""
    found = [class_at(marks.signs, cell, marks.cells.get(cell)) for cell in range(GRID.size)]
    return np.array([IGNORED if name is None else CLASS_NUMBER[name] for name in found], np.int16)
