from __future__ import annotations

import time
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.railroad_ink.rules.boards.position import LONGEST, Longest, Position, print_cells
from companion.games.railroad_ink.rules.boards.routes import (
    HIGHWAY,
    RAILWAY,
    TYPES,
    VOCABULARY,
    Route,
    shape_of,
)
from companion.games.railroad_ink.rules.boards.walls import print_walls
from companion.games.railroad_ink.rules.scoring import longest as longest_module
from companion.games.railroad_ink.rules.scoring.longest import longest_route
from companion.games.railroad_ink.rules.scoring.network import Links, cell_of, lay_tracks

from . import slowest
from .boards import any_positions, board, crowded_board, everywhere, legal_positions

readings = st.sampled_from(LONGEST)
DENSE: dict[str, tuple[str, ...]] = {
    "crossings": ("NESW",),
    "junctions": ("NES",),
    "crossings and junctions": ("NES", "NESW"),
    "crossings and curves": ("NESW", "NE|SW", "NE"),
    "stations": ("NESw*", "NEsw*", "Nesw*", "NESW"),
    "everything": tuple(sorted({shape_of(route) for route in VOCABULARY})),
}


def length(position: Position, kind: int, reading: Longest) -> int:
    return longest_route(lay_tracks(position).links[kind], reading).length


def drawings(*shapes: str) -> tuple[Route, ...]:
    return tuple(route for route in VOCABULARY if shape_of(route) in shapes)


@pytest.mark.parametrize("reading", LONGEST)
def test_a_lone_space_counts_one(reading: Longest) -> None:
    assert length(board(c3="NS"), HIGHWAY, reading) == 1
    assert length(board(c3="NS"), RAILWAY, reading) == 0


@pytest.mark.parametrize("reading", LONGEST)
def test_stations_do_not_break_a_route_and_count_for_both_types(reading: Longest) -> None:
    position = board(a1="ES", b1="NEW", c1="Ew*", d1="EW")
    assert length(position, HIGHWAY, reading) == 2
    assert length(board(b1="EW", c1="EsW*", d1="W*", c2="ns"), HIGHWAY, reading) == 3
    assert length(board(b1="EW", c1="EsW*", d1="W*", c2="ns"), RAILWAY, reading) == 2


@pytest.mark.parametrize(("reading", "expected"), [("trail", 8), ("path", 6), ("visits", 9)])
def test_a_route_can_cross_itself(reading: Longest, expected: int) -> None:
    """In from the left, round the loop that hangs on the crossing c3, and out at the top."""
    loop = board(a3="EW", b3="EW", c3="NESW", d3="SW", d4="NW", c4="NE", c2="NS", c1="NS")
    assert length(loop, HIGHWAY, reading) == expected


@pytest.mark.parametrize(("reading", "expected"), [("trail", 4), ("path", 4), ("visits", 5)])
def test_a_ring(reading: Longest, expected: int) -> None:
    assert length(board(a1="es", b1="sw", a2="ne", b2="nw"), RAILWAY, reading) == expected


@pytest.mark.parametrize(("reading", "expected"), [("trail", 8), ("path", 7), ("visits", 9)])
def test_two_curves_in_a_cell_are_two_spaces_but_one_cell(reading: Longest, expected: int) -> None:
    """A ring in the shape of an eight: b2 belongs to both its halves, with a curve each."""
    eight = board(b2="NW|ES", c2="NW", c1="SW", b1="ES", a2="ES", b3="NW", a3="NE")
    assert length(eight, HIGHWAY, reading) == expected


def test_a_wall_divides_a_route() -> None:
    position = Position(board(b3="EW", c3="EW", d3="EW").cells, walls=frozenset({(16, 1), (17, 3)}))
    assert length(position, HIGHWAY, "trail") == 2


def small(position: Position) -> Position:
    """So few cells that every walk can be tried."""
    return Position(dict(list(position.cells.items())[:14]), position.edition, walls=position.walls)


@given(st.one_of(any_positions(), legal_positions()).map(small), readings)
def test_longest_is_the_best_of_all_walks(position: Position, reading: Longest) -> None:
    cells, walls = print_cells(position.cells), frozenset(print_walls(position.walls))
    for kind, letters in zip(TYPES, ("NESW", "nesw"), strict=True):
        assert length(position, kind, reading) == slowest.longest(cells, walls, letters, reading)


@given(st.integers(0, 2**32), st.sampled_from(sorted(DENSE)), readings)
def test_the_cells_named_are_a_walk_of_the_length_named(seed: int, dense: str, reading: Longest) -> None:
    links = lay_tracks(crowded_board(Random(seed), drawings(*DENSE[dense]))).links[HIGHWAY]
    route = longest_route(links, reading)
    assert_walk(links, list(route.nodes))
    cells = [cell_of(node) for node in route.nodes]
    counted = {"visits": len(cells), "trail": len(set(route.nodes)), "path": len(set(cells))}
    assert route.length == counted[reading]
    if reading == "path":
        assert len(cells) == len(set(cells))


def assert_walk(links: Links, walk: list[int]) -> None:
    used = [frozenset(step) for step in pairwise(walk)]
    assert len(used) == len(set(used)), "a link is used twice"
    for one, other in pairwise(walk):
        assert other in links[one]


@given(st.integers(0, 2**32), st.sampled_from(sorted(DENSE)), readings)
def test_the_two_searches_agree(seed: int, dense: str, reading: Longest) -> None:
    """Once with patience for a long search, once with none, so that the frontier decides alone."""
    position = crowded_board(Random(seed), drawings(*DENSE[dense]))
    some = dict(sorted(position.cells.items())[: 14 + seed % 12])
    links = lay_tracks(Position(some)).links[HIGHWAY]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(longest_module, "PATIENCE", 20_000)
        searched = longest_route(links, reading).length
        patch.setattr(longest_module, "PATIENCE", 0)
        assert longest_route(links, reading).length == searched


@pytest.mark.parametrize(("reading", "expected"), [("trail", 49), ("path", 49), ("visits", 75)])
@pytest.mark.parametrize(("text", "kind"), [("NESW", HIGHWAY), ("nesw", RAILWAY)])
def test_a_board_of_nothing_but_crossings(text: str, kind: int, reading: Longest, expected: int) -> None:
    """84 links. Of the 20 pieces with three, 18 must lose one; that takes ten links: two pairs lie apart."""
    started = time.perf_counter()
    assert length(everywhere(text), kind, reading) == expected
    assert time.perf_counter() - started < 5
