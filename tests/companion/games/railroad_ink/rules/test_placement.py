"""Where routes may be drawn."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.facing import facing_at
from companion.games.railroad_ink.rules.boards.placement import (
    all_facing,
    legal_routes,
    may_draw,
    placement_refusal,
)
from companion.games.railroad_ink.rules.boards.position import (
    Position,
    print_cells,
    read_cells,
    refuse_meeting_types,
)
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, RAILWAY, SHAPES, VOCABULARY, parse_route
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, parse_walls, print_walls
from companion.games.railroad_ink.rules.rulebook import GRID
from tests.companion.games.railroad_ink.rules import naive
from tests.companion.games.railroad_ink.rules.boards import any_positions, legal_positions
from tests.companion.games.railroad_ink.rules.neighbours import joined_by, may_stand_together


def refusal(cells: dict[str, str], cell: str, route: str, *walls: str) -> Refusal | None:
    return placement_refusal(read_cells(cells), parse_walls(walls), GRID.cell(cell), parse_route(route))


def code(cells: dict[str, str], cell: str, route: str, *walls: str) -> str | None:
    found = refusal(cells, cell, route, *walls)
    return found.code if found else None


def test_each_route_must_connect_to_an_exit_or_preexisting_route() -> None:
    assert code({}, "b1", "NS") is None
    assert code({}, "d4", "NS") == "not-connected"
    assert code({"d3": "NS"}, "d4", "NS") is None


def test_railways_and_highways_cannot_directly_connect_without_a_station() -> None:
    assert code({"d2": "ns"}, "d3", "NS") == "types-meet"
    assert code({"d2": "ns"}, "d3", "nS*") is None


def test_routes_may_be_rotated_or_reversed() -> None:
    turned = {route.text for cell, route in legal_routes({}, NO_WALLS, "Ne*") if cell == GRID.cell("b1")}
    assert turned == {"Ne*", "Nw*"}


def test_what_if_i_cant_connect_a_route_you_cannot_draw_it() -> None:
    found = refusal({}, "d4", "NES")
    assert found is not None
    assert found.message == (
        "the highway T (top, right, bottom) at d4 would join nothing: "
        "one of its ends has to meet an exit or the end of a route of the same type"
    )


def test_can_i_connect_through_a_wall_no() -> None:
    found = refusal({"d3": "NS"}, "d4", "NS", "d3-d4")
    assert found is not None
    assert found.code == "not-connected"
    assert "the wall between d4 and d3 keeps them apart" in found.message


def test_routes_on_either_side_of_a_wall_may_be_of_unlike_type() -> None:
    assert code({"d2": "ns", "c3": "EW"}, "d3", "NW", "d2-d3") is None


def test_one_joined_piece_of_two_is_enough() -> None:
    assert code({}, "b1", "NE|SW") is None
    assert code({"d2": "ns"}, "d3", "EW|ns") is None


def test_a_taken_cell_is_named() -> None:
    found = refusal({"b1": "NS"}, "b1", "NE")
    assert found == Refusal(
        "occupied", "b1 is taken: the straight highway (top, bottom) is drawn there", {"cell": "b1"}
    )


def test_the_meeting_ends_are_named() -> None:
    found = refusal({"d2": "ns", "c3": "EW"}, "d3", "NW")
    assert found is not None
    assert found.message == "the highway of d3 would meet the railway of d2: they join only in a station"
    assert found.detail == {"cell": "d3", "with": "d2"}


@pytest.mark.parametrize(
    ("cell", "route", "said"),
    [
        ("b1", "ns", "the railway of b1 would meet the highway exit on its top"),
        ("g2", "EW", "the highway of g2 would meet the railway exit on its right"),
        ("f7", "ns", "the railway of f7 would meet the highway exit on its bottom"),
        ("a6", "NEW", "the highway of a6 would meet the railway exit on its left"),
    ],
)
def test_an_exit_of_the_other_type_is_named(cell: str, route: str, said: str) -> None:
    found = refusal({}, cell, route)
    assert found is not None
    assert found.message == f"{said}: they join only in a station"


@pytest.mark.parametrize(
    ("cells", "cell", "route"),
    [
        ({"b1": "NS"}, "a1", "NS"),  # a1 joins nothing, b1 is blank on that side
        ({"b1": "NES"}, "c1", "NS"),  # an end of b1 against the blank side of c1: nothing joined either
    ],
)
def test_a_blank_side_joins_nothing(cells: dict[str, str], cell: str, route: str) -> None:
    assert code(cells, cell, route) == "not-connected"


def test_an_end_against_a_blank_side_is_legal() -> None:
    assert code({"d1": "ns"}, "d2", "nes") is None
    assert code({"d1": "ns", "d2": "ns", "c2": "new"}, "d3", "nw") is None
    assert code({"b1": "NS", "b2": "NES"}, "c2", "EW") is None
    assert code({"b1": "NS", "b2": "NES", "d1": "ns"}, "c1", "w*") == "not-connected"


def test_an_end_at_the_border_is_legal() -> None:
    assert code({"b1": "NE"}, "c1", "NW") is None


def test_joined_cells() -> None:
    cells = read_cells({"d4": "NSe*", "d3": "NS", "e4": "ew", "c4": "ns", "d5": "ew"})
    d4, d3, e4, c4, d5 = (GRID.cell(name) for name in ("d4", "d3", "e4", "c4", "d5"))
    assert joined_by(cells, NO_WALLS, d4, d3) == joined_by(cells, NO_WALLS, d3, d4) == HIGHWAY
    assert joined_by(cells, NO_WALLS, d4, e4) == RAILWAY
    assert joined_by(cells, parse_walls(["d4-e4"]), d4, e4) is None
    assert joined_by(cells, NO_WALLS, d4, c4) is None
    assert joined_by(cells, NO_WALLS, d3, d5) is None
    assert joined_by(cells, NO_WALLS, d4, GRID.cell("a1")) is None


def test_standing_together() -> None:
    cells = read_cells({"d3": "NS", "d4": "ns", "e4": "NS"})
    d3, d4, e4 = (GRID.cell(name) for name in ("d3", "d4", "e4"))
    assert not may_stand_together(cells, NO_WALLS, d3, d4)
    assert may_stand_together(cells, parse_walls(["d3-d4"]), d3, d4)
    assert may_stand_together(cells, NO_WALLS, d4, e4)
    assert not may_stand_together(cells, NO_WALLS, d3, e4)


@settings(max_examples=60, deadline=None)
@given(st.one_of(legal_positions(), any_positions()))
def test_the_legal_list_equals_a_slow_enumeration(position: Position) -> None:
    listed = {
        (GRID.names[cell], route.text)
        for shape in SHAPES
        for cell, route in legal_routes(position.cells, position.walls, shape)
    }
    assert listed == naive.all_legal(print_cells(position.cells), print_walls(position.walls))


@settings(max_examples=60, deadline=None)
@given(any_positions(), st.sampled_from(range(GRID.size)))
def test_a_reason_is_given_exactly_when_drawing_is_not_allowed(position: Position, cell: int) -> None:
    for drawn in VOCABULARY:
        allowed = may_draw(position.cells, position.walls, cell, drawn)
        assert allowed == (placement_refusal(position.cells, position.walls, cell, drawn) is None)


@settings(max_examples=60, deadline=None)
@given(any_positions())
def test_asking_changes_nothing(position: Position) -> None:
    before = deepcopy(position.cells)
    for route in VOCABULARY:
        placement_refusal(position.cells, position.walls, 24, route)
        legal_routes(position.cells, position.walls, "NES")
    assert position.cells == before


@settings(max_examples=60, deadline=None)
@given(legal_positions(), st.sampled_from(SHAPES))
def test_a_legal_drawing_leaves_a_board_without_clashes(position: Position, shape: str) -> None:
    for cell, route in legal_routes(position.cells, position.walls, shape):
        refuse_meeting_types({**position.cells, cell: route}, position.walls)


@settings(max_examples=60, deadline=None)
@given(any_positions())
def test_the_masks_of_the_board_are_those_of_its_cells(position: Position) -> None:
    facing = all_facing(position.cells, position.walls)
    for cell in range(GRID.size):
        expected = 0 if cell in position.cells else facing_at(position.cells, position.walls, cell)
        assert facing[cell] == expected
