"""The twelve basic goals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.railroad_ink.rules.boards.placement import legal_routes
from companion.games.railroad_ink.rules.boards.position import Position, read_position
from companion.games.railroad_ink.rules.boards.routes import SHAPES
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.games.railroad_ink.rules.scoring import goals
from companion.games.railroad_ink.rules.scoring.goals import GOALS, NUMBERS, achieved, find_loop, witness
from companion.games.railroad_ink.rules.scoring.network import all_networks, lay_tracks
from companion.sheets.grid import SYMMETRIES
from tests.companion.games.railroad_ink.rules.boards import any_positions, legal_positions, turned_board


def shown(code: str, **cells: str) -> list[str] | None:
    return witness(read_position({"cells": cells}), code)


def row(number: int, route: str, columns: str = "abcdefg") -> dict[str, str]:
    return {f"{column}{number}": route for column in columns}


def column(letter: str, route: str, rows: str = "1234567") -> dict[str, str]:
    return {f"{letter}{number}": route for number in rows}


def test_there_are_twelve_with_a_sentence_each() -> None:
    assert "".join(GOALS) == "ABCDEFGHIJKL"
    assert GOALS["A"].text == "Draw in 5 Central Spaces"
    assert len({goal.text for goal in GOALS.values()}) == 12


def test_an_unknown_goal_is_said() -> None:
    with pytest.raises(NotationError, match="there is no goal 'M': the codes are A, B"):
        achieved(Position({}), "M")


@settings(max_examples=5)
@given(st.sampled_from(list(GOALS)))
def test_an_empty_board_achieves_nothing(code: str) -> None:
    assert witness(Position({}), code) is None


def test_a_five_central_spaces_need_not_connect() -> None:
    five = {"c3": "NS", "e3": "NS", "c5": "NS", "e5": "ns", "d4": "ns"}
    assert shown("A", **five) == ["c3", "e3", "d4", "c5", "e5"]
    del five["d4"]
    assert shown("A", **five, a1="NS") is None


def test_b_three_villages_activated_by_stations() -> None:
    cells = {"c1": "Ns*", "f2": "N*", "e3": "n*"}
    assert shown("B", **cells) == ["c1", "f2", "e3"]
    assert shown("B", **{**cells, "e3": "ns"}) is None
    assert shown("B", **cells, e6="Ns*") == ["c1", "f2", "e3", "e6"]


def test_b_cannot_be_had_where_no_villages_are() -> None:
    cells = {"c1": "Ns*", "f2": "N*", "e3": "n*"}
    assert witness(read_position({"cells": cells, "edition": "classic"}), "B") is None


def test_c_one_whole_row_or_column_filled() -> None:
    assert shown("C", **row(3, "NS")) == [f"{letter}3" for letter in "abcdefg"]
    assert shown("C", **column("c", "EW")) == [f"c{number}" for number in range(1, 8)]
    assert shown("C", **row(3, "NS", "abcdef")) is None


def test_d_three_of_the_four_corners_filled() -> None:
    assert shown("D", a1="NS", g1="NS", g7="NS") == ["a1", "g1", "g7"]
    assert shown("D", a1="NS", g7="NS", a4="EW") is None


def test_e_a_block_of_three_by_three_filled() -> None:
    block = {f"{letter}{number}": "NS" for letter in "efg" for number in (5, 6, 7)}
    del block["g6"]
    assert shown("E", **block) is None
    assert shown("E", **block, g6="e*") == ["e5", "f5", "g5", "e6", "f6", "g6", "e7", "f7", "g7"]


SQUARE = {"c3": "ES", "d3": "SW", "c4": "NE", "d4": "NW"}


def test_f_a_closed_loop() -> None:
    loop = shown("F", **SQUARE)
    assert loop is not None
    assert sorted(loop) == ["c3", "c4", "d3", "d4"]
    assert shown("F", **{**SQUARE, "d4": "NS"}) is None


def test_f_a_loop_is_found_beside_dead_ends() -> None:
    loop = shown("F", **{**SQUARE, "c3": "NES"}, c2="NES", d2="EW", b1="NS", b4="EW")
    assert loop is not None
    assert sorted(loop) == ["c3", "c4", "d3", "d4"]


def test_f_a_wall_opens_a_loop() -> None:
    assert witness(read_position({"cells": SQUARE, "blueprint": ["c3-d3"]}), "F") is None


def test_f_an_overpass_is_no_corner() -> None:
    """The two ways over d4 do not meet; the ring through it comes back to c4 all the same."""
    crossing = {"d4": "NS|ew", "d3": "NS", "d5": "NS", "c4": "ew", "e4": "ew"}
    assert shown("F", **crossing) is None


def test_f_a_loop_may_pass_a_space_twice_on_two_pieces() -> None:
    """A figure of eight, whose ring is one round through both curves of d4."""
    cells = {
        "d4": "NW|ES", "d3": "SW", "c3": "ES", "c4": "NE", "e4": "SW", "e5": "NW", "d5": "NE",
    }  # fmt: skip
    loop = shown("F", **cells)
    assert loop is not None
    assert sorted(loop) in (["c3", "c4", "d3", "d4"], ["d4", "d5", "e4", "e5"])


MIXED = {"c3": "Es*", "d3": "SW", "c4": "nE*", "d4": "NW"}


def test_f_a_loop_may_change_type_at_stations() -> None:
    assert shown("F", **MIXED) is not None


def test_f_a_loop_of_one_type_when_the_constant_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {name: getattr(NUMBERS, name) for name in NUMBERS.__struct_fields__}
    monkeypatch.setattr(goals, "NUMBERS", type(NUMBERS)(**{**fields, "loop_may_change_type": False}))
    assert shown("F", **MIXED) is None
    assert shown("F", **SQUARE) is not None


def test_g_exits_joined_in_one_network() -> None:
    two = {"b1": "NS", "b2": "NS", "b3": "NS", "b4": "NW", "a4": "EW"}
    assert shown("G", **two) is None
    assert NUMBERS.exits == 3
    three = {**two, "b4": "NSW", "b5": "NS", "b6": "NS", "b7": "NS"}
    assert shown("G", **three) == ["b1", "b2", "b3", "a4", "b4", "b5", "b6", "b7"]


def test_g_exits_of_two_networks_do_not_add_up() -> None:
    two = {"b1": "NS", "b2": "NS", "b3": "NS", "b4": "NW", "a4": "EW"}
    other = {"f1": "NS", "f2": "NS", "f3": "NS", "f4": "NE", "g4": "EW"}
    assert shown("G", **two, **other) is None


def test_h_four_stations_in_one_network() -> None:
    stations = {"d3": "Ns*", "d4": "nS*", "d5": "Ns*", "d6": "nS*"}
    assert shown("H", **stations) == ["d3", "d4", "d5", "d6"]
    assert shown("H", **{**stations, "d6": "ns"}) is None
    assert shown("H", **{name: route for name, route in stations.items() if name != "d5"}, b1="N*") is None


def test_i_a_highway_six_long() -> None:
    assert shown("I", **row(3, "EW", "bcdefg")) == ["g3", "f3", "e3", "d3", "c3", "b3"]
    assert shown("I", **row(3, "EW", "bcdef")) is None
    assert shown("I", **row(3, "ew", "bcdefg")) is None


def test_j_a_railway_six_long() -> None:
    assert shown("J", **row(3, "ew", "bcdefg")) is not None
    assert shown("J", **row(3, "ew", "bcdef")) is None
    assert shown("J", **row(3, "EW", "bcdefg")) is None


def test_k_two_exits_on_opposite_sides_connected() -> None:
    assert shown("K", **column("b", "NS")) in (
        [f"b{number}" for number in range(1, 8)],
        [f"b{number}" for number in range(7, 0, -1)],
    )
    assert shown("K", b1="NS", b2="NS", b3="NS", b4="NW", a4="EW") is None
    assert shown("K", **column("b", "NS", "123567")) is None


def test_k_and_l_may_change_type_at_stations() -> None:
    mixed = {**row(4, "EW"), "c4": "We*", "d4": "ew", "e4": "wE*"}
    assert shown("K", **mixed) is not None
    assert shown("L", **mixed) is not None


def test_l_two_mid_side_exits_connected() -> None:
    corner = {"d1": "ns", "d2": "nS*", "d3": "NS", "d4": "NW", "c4": "EW", "b4": "EW", "a4": "EW"}
    assert shown("L", **corner) in (list(corner), list(corner)[::-1])
    assert shown("L", **column("b", "NS")) is None
    assert shown("L", b1="NS", b2="NS", b3="NS", b4="NW", a4="EW") is None


# --- properties ---

positions = st.one_of(legal_positions(), any_positions())


@settings(max_examples=60, deadline=None)
@given(positions)
def test_a_loop_exists_exactly_where_there_are_as_many_links_as_pieces(position: Position) -> None:
    tracks = lay_tracks(position)
    highways, railways = tracks.links
    links = {node: [*highways.get(node, ()), *railways.get(node, ())] for node in {**highways, **railways}}
    ringed = any(
        sum(len(links[node]) for node in network.nodes) // 2 >= len(network.nodes)
        for network in all_networks(tracks)
    )
    loop = find_loop(links)
    assert (loop is not None) == ringed
    if loop:
        assert len(set(loop)) == len(loop) >= 4
        assert all(other in links[node] for node, other in zip(loop, loop[1:] + loop[:1], strict=True))


@settings(max_examples=40, deadline=None)
@given(positions)
def test_what_is_shown_is_drawn_and_named_once(position: Position) -> None:
    for code in GOALS:
        names = witness(position, code)
        if names is not None:
            assert len(set(names)) == len(names) > 1
            assert all(GRID.cell(name) in position.cells for name in names)


@settings(max_examples=15, deadline=None)
@given(legal_positions(), st.sampled_from(SHAPES))
def test_drawing_never_loses_a_goal(position: Position, shape: str) -> None:
    before = {code for code in GOALS if achieved(position, code)}
    for cell, route in legal_routes(position.cells, position.walls, shape)[:4]:
        after = Position(
            {**position.cells, cell: route},
            position.edition,
            walls=position.walls,
            longest=position.longest,
        )
        assert before <= {code for code in GOALS if achieved(after, code)}


@settings(max_examples=15, deadline=None)
@given(legal_positions())
def test_goals_without_buildings_do_not_change_when_the_board_is_turned(position: Position) -> None:
    """A half turn and its mirrors keep the exits; the exits' types change sides under the others."""
    plain = Position(position.cells, position.edition)
    for symmetry in SYMMETRIES:
        if symmetry.quarters % 2 == 0:
            there = Position(turned_board(position.cells, symmetry), position.edition)
            for code in set(GOALS) - {"B"}:
                assert achieved(there, code) == achieved(plain, code)
