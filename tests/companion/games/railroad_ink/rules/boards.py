"""Boards for tests: by random legal play, by any drawing without a clash of types, and from a picture."""

from __future__ import annotations

from random import Random
from typing import get_args

from hypothesis import strategies as st

from companion.games.railroad_ink.rules.boards.position import Position, WallEnds, read_cells
from companion.games.railroad_ink.rules.boards.routes import ROUTES, VOCABULARY, Cells, Route, turned
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, parse_walls
from companion.games.railroad_ink.rules.rulebook import EDITION, EDITIONS, EXIT_AT, GRID, ROUNDS
from companion.sheets.grid import DIRECTIONS, Symmetry, opposite
from lab.railroad_ink.random_play import random_board

ALL_WALLS = sorted(
    f"{GRID.names[cell]}-{GRID.names[other]}"
    for cell in range(GRID.size)
    for other in GRID.neighbours[cell]
    if other > cell
)


def board(**cells: str) -> Position:
    """``board(a1="NS", b1="ew")``: a position of the classic edition."""
    return Position(read_cells(cells), EDITION["classic"])


def everywhere(text: str) -> Position:
    """The same route in every cell (exits of the other type are simply not joined)."""
    return Position(dict.fromkeys(range(GRID.size), ROUTES[text]), EDITION["classic"])


def clashes(cells: Cells, cell: int, route: Route, walls: Walls = NO_WALLS) -> bool:
    """Would an end of ``route`` in ``cell`` face an end or exit of the other type?"""
    for direction in DIRECTIONS:
        exit_here = EXIT_AT.get((cell, direction))
        if exit_here is not None and route.ends[1 - exit_here.type] >> direction & 1:
            return True
        other = cells.get(GRID.neighbours[cell][direction])
        if other is None or (cell, direction) in walls:
            continue
        back = opposite(direction)
        if (route.highway >> direction & other.railway >> back & 1) or (
            route.railway >> direction & other.highway >> back & 1
        ):
            return True
    return False


def without_clashes(drawn: dict[int, Route], walls: Walls = NO_WALLS) -> Cells:
    """The drawings in order, leaving out each that clashes with one before it."""
    cells: Cells = {}
    for cell, route in drawn.items():
        if not clashes(cells, cell, route, walls):
            cells[cell] = route
    return cells


walls = st.one_of(
    st.just(NO_WALLS), st.lists(st.sampled_from(ALL_WALLS), max_size=20, unique=True).map(parse_walls)
)
editions = st.sampled_from(EDITIONS)


@st.composite
def legal_positions(draw: st.DrawFn) -> Position:
    """Boards of random legal play, of any number of rounds; shrinks to fewer rounds."""
    seed = draw(st.integers(0, 2**32))
    return random_board(Random(seed), draw(editions), draw(st.integers(0, ROUNDS)), draw(walls))


@st.composite
def any_positions(draw: st.DrawFn) -> Position:
    """Any drawing in which no highway meets a railway, connected or not; shrinks to fewer cells."""
    found_walls = draw(walls)
    drawn = draw(
        st.dictionaries(st.integers(0, GRID.size - 1), st.sampled_from(VOCABULARY), max_size=GRID.size)
    )
    wall_ends = draw(st.sampled_from(get_args(WallEnds)))
    return Position(
        without_clashes(drawn, found_walls), EDITION[draw(editions)], walls=found_walls, wall_ends=wall_ends
    )


def crowded_board(random: Random, routes: tuple[Route, ...] = VOCABULARY) -> Position:
    """Every cell filled, as long as one of ``routes`` fits there: dense and full of loops."""
    cells: Cells = {}
    for cell in range(GRID.size):
        fitting = [route for route in routes if not clashes(cells, cell, route)]
        if fitting:
            cells[cell] = random.choice(fitting)
    return Position(cells, EDITION["classic"])


def turned_board(cells: Cells, symmetry: Symmetry) -> Cells:
    """The whole board turned or mirrored."""
    return {symmetry.cell(cell, GRID): turned(route, symmetry) for cell, route in cells.items()}


def swapped_types(cells: Cells) -> Cells:
    """The same board with highways and railways exchanged."""
    return {cell: _swapped(route) for cell, route in cells.items()}


def _swapped(route: Route) -> Route:
    return next(
        other
        for other in VOCABULARY
        if [piece.ends[::-1] for piece in route.pieces] == [piece.ends for piece in other.pieces]
        or [piece.ends[::-1] for piece in route.pieces[::-1]] == [piece.ends for piece in other.pieces]
    )
