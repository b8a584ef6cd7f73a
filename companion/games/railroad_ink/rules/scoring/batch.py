"""Scores of very many boards at once: arrays in, arrays out, without the explanation.

A board is a row of 49 route numbers, cell by cell: 0 where nothing is drawn, else one more than the route's
:attr:`~companion.games.railroad_ink.rules.boards.routes.Route.number`. Every figure is exact, on every board.
That
no highway meets a railway is not looked at here; such ends would only count as errors.

This needs numba (``make batch``); everything else goes without.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.core.errors import GameError, NotationError
from companion.games.railroad_ink.rules.boards.position import LONGEST, Longest, Position, WallEnds
from companion.games.railroad_ink.rules.boards.routes import TYPES, VOCABULARY, Piece
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.rulebook import (
    EDITION,
    EXITS,
    GRID,
    NETWORK_VALUES,
    VILLAGE_VALUES,
    Edition,
    EditionName,
)
from companion.sheets.grid import DIRECTIONS, STEPS, opposite

if TYPE_CHECKING:
    from companion.games.railroad_ink.rules.scoring.kernels import Rules

Boards: TypeAlias = NDArray[np.uint8]
Column: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BatchScores:
    """A column for each part of the score; goals and expansion points are not on the board."""

    exits: Column
    highway: Column
    railway: Column
    centre: Column
    villages: Column
    errors: Column  # zero or negative
    total: Column


def encode(positions: Sequence[Position]) -> Boards:
    """Encode positions as rows of an array.

    >>> from companion.games.railroad_ink.rules.boards.position import read_cells
    >>> encode([Position(read_cells({"b1": "NS"}))])[0, :3].tolist()
    [0, 1, 0]
    """
    boards = np.zeros((len(positions), GRID.size), np.uint8)
    for row, position in zip(boards, positions, strict=True):
        for cell, route in position.cells.items():
            row[cell] = route.number + 1
    return boards


def score_batch(
    boards: Boards,
    edition: EditionName = "challenge",
    longest: Longest = "trail",
    walls: Walls = NO_WALLS,
    wall_ends: WallEnds = "error",
    threads: int = 1,
) -> BatchScores:
    """The scores of all ``boards``, divided among so many threads."""
    boards = _checked(boards)
    kernels = _kernels()
    rules = rules_of(EDITION[edition], walls, wall_ends)
    rows = np.zeros((len(boards), 7 + len(EXITS)), np.int64)

    def score_some(some: slice) -> None:
        work = kernels.packed(kernels.Work(reading=LONGEST.index(longest)))
        kernels.score_boards(boards[some], rules, work, rows[some])

    with ThreadPoolExecutor(threads) as pool:
        count = len(boards)
        marks = [count * share // threads for share in range(threads + 1)]
        list(pool.map(score_some, [slice(first, last) for first, last in pairwise(marks)]))
    return BatchScores(*rows.T[:7])


def _checked(boards: Boards) -> Boards:
    if boards.ndim != 2 or boards.shape[1] != GRID.size or boards.dtype != np.uint8:
        found = f"{boards.dtype} in shape {boards.shape}"
        message = f"boards are rows of {GRID.size} route numbers as uint8, found {found}"
        raise NotationError("bad-boards", message)
    if boards.size and boards.max() > len(VOCABULARY):
        message = f"{boards.max()} is no route number: they go up to {len(VOCABULARY)}, 0 is an empty cell"
        raise NotationError("bad-boards", message)
    return np.ascontiguousarray(boards)


def _kernels() -> ModuleType:
    try:
        from companion.games.railroad_ink.rules.scoring import kernels
    except ModuleNotFoundError as missing:
        message = "scoring in batch needs numba: install it with make batch"
        raise GameError("no-numba", message) from missing
    except ImportError as problem:  # what numba says when it does not suit this NumPy
        raise GameError("no-numba", f"numba does not work here: {problem}") from problem
    except RuntimeError as problem:  # what numba says when neither the package nor the home can be written
        message = f"set NUMBA_CACHE_DIR to a folder in which compiled code can be kept ({problem})"
        raise GameError("no-numba-cache", message) from problem
    return kernels


@lru_cache(maxsize=64)
def rules_of(edition: Edition, walls: Walls, wall_ends: WallEnds) -> Rules:
    """The tables that the kernels go by."""
    from companion.games.railroad_ink.rules.scoring.kernels import Rules, packed

    passable = np.array([_sides(cell, walls) for cell in range(GRID.size)], np.int64)
    inside = np.array([_sides(cell, NO_WALLS) for cell in range(GRID.size)], np.int64)
    rules = Rules(
        ends=_by_route([[route.ends[kind] for route in VOCABULARY] for kind in TYPES]),
        second=_by_route([_second(route.pieces) for route in VOCABULARY]),
        bits=np.array([mask.bit_count() for mask in range(16)], np.int64),
        station=_by_route([route.station for route in VOCABULARY]),
        steps=_by_bit([x + y * GRID.columns for x, y in STEPS]),
        back=_by_bit([1 << opposite(direction) for direction in DIRECTIONS]),
        passable=passable,
        counted=passable if wall_ends == "free" else inside,
        centre=_cells(edition.centre),
        village=_cells(edition.village),
        exits=np.array([(exit.cell, 1 << exit.direction, exit.type) for exit in EXITS], np.int64),
        network_values=np.array(NETWORK_VALUES, np.int64),
        village_values=np.array(VILLAGE_VALUES, np.int64),
    )
    return packed(rules)


def _sides(cell: int, walls: Walls) -> int:
    """The directions in which a neighbour can be reached, a bit for each."""
    return sum(
        1 << direction
        for direction in DIRECTIONS
        if GRID.neighbours[cell][direction] >= 0 and (cell, direction) not in walls
    )


def _second(pieces: tuple[Piece, ...]) -> int:
    return pieces[1].highway | pieces[1].railway if len(pieces) > 1 else 0


def _by_route(values: Sequence[Sequence[int]] | Sequence[int]) -> Column:
    """Route numbers begin at 1; an empty cell has nothing."""
    table = np.array(values, np.int64)
    empty = np.zeros((*table.shape[:-1], 1), np.int64)
    return np.concatenate([empty, table], axis=-1)


def _by_bit(values: Sequence[int]) -> Column:
    table = np.zeros(9, np.int64)
    for direction, value in enumerate(values):
        table[1 << direction] = value
    return table


def _cells(cells: frozenset[int]) -> Column:
    return np.array([cell in cells for cell in range(GRID.size)], np.int64)
