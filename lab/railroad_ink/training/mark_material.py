"""What the network of marks learns from: boards with an expansion's marks, as straightened pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.eye.boards import grid_picture
from companion.games.railroad_ink.eye.mark_classes import CLASS_NUMBER, READ_EXPANSIONS, class_at
from companion.games.railroad_ink.rules.routes import VOCABULARY
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import SheetMarks
from lab.railroad_ink.studio.crops import EMPTY, exposed_board
from lab.railroad_ink.studio.mark_boards import marks_beside
from lab.railroad_ink.studio.mark_strokes import mark_layers
from lab.railroad_ink.studio.strangers import wide_hand
from lab.railroad_ink.training.arrays import Mode, Shapes, make_arrays, open_arrays
from lab.railroad_ink.training.material import MARGIN, RECIPE, SIDE, SIZE, open_material
from lab.railroad_ink.training.painting import light_left
from lab.training import IGNORED

# The network is asked only where an expansion is played, so it sees only such boards. Water, lava and trails
# look most alike among themselves and have most ways to turn: they come twice.
LEARNT = (*READ_EXPANSIONS, "trail", "river", "lake", "lava")
MARK_RECIPE = replace(RECIPE, scattered=0.55, careless=0.1, anybody=0.5, expansions=LEARNT)
COPIES = 2  # of each board that marks are painted into
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


def paint_marks(folder: Path, plain: Path, first_seed: int, copies: int, workers: int = 2) -> MarkMaterial:
    """The boards of ``plain`` (without an expansion), each so many times with the marks of one painted in.

    Far cheaper than whole photographs; routes, paper, lamps and things stay as they were.
    """
    count = copies * len(open_material(plain).grids)
    make_arrays(folder, _shapes(count), count, partial(_paint_boards, folder, plain, first_seed), workers)
    return open_marks(folder)


def _paint_boards(folder: Path, plain: Path, first_seed: int, numbers: Iterable[int]) -> None:
    boards, material = open_material(plain), open_marks(folder, "r+")
    for number in numbers:
        at = number % len(boards.grids)
        rng = np.random.default_rng(first_seed + number)
        name = LEARNT[number % len(LEARNT)]
        routes = np.asarray(boards.labels[at])
        material.grids[number], material.labels[number] = _painted(rng, boards.grids[at], routes, name)
        material.routes[number], material.unseen[number] = routes, boards.unseen[at]
        material.expansions[number] = READ_EXPANSIONS.index(name)


def _painted(
    rng: np.random.Generator, grid: NDArray[np.uint8], routes: NDArray[np.int16], expansion: str
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """A straightened board with marks of somebody's, with the pen of its routes or with another."""
    cells = {cell: VOCABULARY[number] for cell, number in enumerate(routes.tolist()) if number < EMPTY}
    signs = marks_beside(rng, expansion, cells)
    # Nobody knows how the routes were drawn: what might look like one is drawn with another pen only.
    hand = replace(wide_hand(rng), highway="single", railway="double", inks=(_ink_of(grid),) * 3)
    layers = mark_layers(int(rng.integers(2**62)), hand, cells, signs, strange=False)
    share = light_left(layers, float(rng.uniform(0.4, 1.3)))
    marks = SheetMarks("challenge", cells, {}, expansion=expansion, signs=signs)
    return (grid * share + 0.5).astype(np.uint8), mark_labels(marks)


def _ink_of(grid: NDArray[np.uint8]) -> str:
    """The colour of the darkest lines, as it would be on white paper."""
    pixels = grid.reshape(-1, 3).astype(np.float64)
    bright = pixels.sum(axis=1)
    paper = pixels[bright > np.quantile(bright, 0.7)].mean(axis=0)
    dark = pixels[bright < np.quantile(bright, 0.02)].mean(axis=0)
    return "#" + "".join(f"{int(np.clip(255 * share, 0, 235)):02x}" for share in (dark / paper)[::-1])


def mark_labels(marks: SheetMarks) -> NDArray[np.int16]:
    """By cell, the class of the mark; where nobody can say, nothing is to be learnt."""
    found = [class_at(marks.signs, cell, marks.cells.get(cell)) for cell in range(GRID.size)]
    return np.array([IGNORED if name is None else CLASS_NUMBER[name] for name in found], np.int16)
