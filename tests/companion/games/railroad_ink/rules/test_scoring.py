"""The score, sentence by sentence of the rules text, on golden boards, and as properties."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.railroad_ink.rules.boards.position import GoalClaim, Position, read_cells, read_position
from companion.games.railroad_ink.rules.boards.routes import ROUTES, turned
from companion.games.railroad_ink.rules.boards.walls import parse_walls
from companion.games.railroad_ink.rules.rulebook import EDITION, EXITS, GRID, NETWORK_VALUES
from companion.games.railroad_ink.rules.scoring.explained import explain
from companion.games.railroad_ink.rules.scoring.network import all_networks, exit_networks, lay_tracks
from companion.games.railroad_ink.rules.scoring.scores import Score, ranking, score, score_json
from companion.sheets.grid import SYMMETRIES, Symmetry

from .boards import (
    any_positions,
    board,
    clashes,
    crowded_board,
    legal_positions,
    swapped_types,
    turned_board,
)


def challenge(**cells: str) -> Score:
    return score(Position(read_cells(cells)))


def classic(**cells: str) -> Score:
    return score(board(**cells))


def errors(scored: Score) -> list[str]:
    return [f"{end.cell} {end.side} {end.type}" for end in scored.errors]


# --- section 6 of the rules text ---


def test_each_network_scores_by_its_number_of_exits() -> None:
    scored = classic(
        b1="NW", a1="ES", a2="New*", b2="ew", c2="ew", d2="nw", d1="ns", f1="NE", g1="SW", g2="Ne*"
    )
    assert [network.exits for network in scored.networks] == [("b1", "d1", "a2"), ("f1", "g2")]
    assert [network.value for network in scored.networks] == [8, 4]


def test_a_network_of_all_twelve_exits_scores_45() -> None:
    cross = dict.fromkeys(GRID.names, "NESW")
    stations = {"d1": "nS*", "d7": "Ns*", "a2": "Ew*", "a6": "Ew*", "g2": "eW*", "g6": "eW*"}
    cells = read_cells({**cross, **stations})
    scored = score(Position(cells, EDITION["classic"]))
    assert len(scored.networks) == 1
    assert len(scored.networks[0].exits) == len(EXITS) == 12
    assert scored.exit_points == NETWORK_VALUES[12] == 45


def test_an_exit_alone_scores_nothing() -> None:
    assert classic(b1="NS").networks == ()
    assert classic(b1="NS").exit_points == 0


def test_the_longest_highway_scores_a_point_a_space() -> None:
    scored = classic(b1="NS", b2="NS", b3="NS", f1="NS")
    assert scored.highway.length == 3
    assert set(scored.highway.cells) == {"b1", "b2", "b3"}


def test_the_longest_route_can_cross_itself() -> None:
    scored = classic(a3="EW", b3="EW", c3="NESW", d3="SW", d4="NW", c4="NE", c2="NS", c1="NS")
    assert scored.highway.length == 8
    assert scored.highway.cells.count("c3") == 2


def test_stations_do_not_break_the_longest_route() -> None:
    assert classic(b1="NS", b2="NeS*", b3="NS").highway.length == 3


def test_the_longest_railway_is_the_same_for_railways() -> None:
    scored = classic(d1="ns", d2="ns", d3="nS*")
    assert (scored.railway.length, scored.highway.length) == (3, 1)


def test_each_central_space_with_any_drawing_scores_a_point() -> None:
    assert classic(c3="NS", d4="NS|ew", b2="NS", e5="n*").centre == ("c3", "d4", "e5")


@pytest.mark.parametrize(("stations", "points"), [((), 0), (("c1",), 2), (("c1", "f2", "e3"), 6)])
def test_villages_score_the_value_of_the_highest_marked_space(stations: tuple[str, ...], points: int) -> None:
    scored = challenge(**dict.fromkeys(stations, "N*"))
    assert scored.villages == stations
    assert scored.village_points == points


def test_a_village_is_activated_by_a_station_only() -> None:
    assert challenge(c1="EW", f2="ne").village_points == 0


def test_the_classic_board_has_no_villages() -> None:
    assert classic(c1="N*", f2="N*").village_points == 0


def test_goals_are_summed() -> None:
    goals = (GoalClaim("A", 4), GoalClaim("B", 2), GoalClaim("C", 1))
    scored = score(Position({}, goals=goals))
    assert scored.goal_points == scored.total == 7


def test_each_unconnected_end_is_an_error_of_one_point() -> None:
    scored = classic(d4="NESW")
    assert errors(scored) == [f"d4 {side} highway" for side in ("top", "right", "bottom", "left")]
    assert score_json(scored)["errors"] == -4


def test_an_end_on_an_exit_or_on_the_edge_is_no_error() -> None:
    assert errors(classic(b1="NE", a1="NW", c1="NW")) == []


def test_an_end_against_a_blank_side_is_an_error() -> None:
    assert errors(classic(c3="NS", d3="W*")) == ["c3 top highway", "c3 bottom highway", "d3 left highway"]


def test_expansion_points_are_added() -> None:
    assert score(Position({}, expansion_points=9)).total == 9


def test_the_total_is_the_sum_of_all() -> None:
    found = score_json(score(read_position({"cells": VECTOR_3, "goals": [{"goal": "A", "points": 4}]})))
    assert found["total"] == sum(
        value for key, value in found.items() if key not in {"total", "networks", "remarks"}
    )


def test_most_points_win_then_fewest_errors_then_shared() -> None:
    rich = score(Position({}, expansion_points=10))
    tidy = score(Position({}, expansion_points=5))
    untidy = score(Position(read_cells({"d4": "N*"}), expansion_points=4))
    assert tidy.total == untidy.total == 5
    assert ranking([untidy, tidy, rich, tidy]) == [4, 2, 1, 2]


def test_networks_are_not_connected_through_a_wall() -> None:
    cells = {"b1": "NW", "a1": "ES", "a2": "Nw*"}
    walled = score(read_position({"cells": cells, "blueprint": ["a1-a2"]}))
    assert walled.networks == ()
    assert errors(walled) == ["a1 bottom highway", "a2 top highway"]


def test_ends_at_walls_are_free_where_the_option_says_so() -> None:
    cells = {"b1": "NW", "a1": "ES", "a2": "Nw*"}
    walled = score(read_position({"cells": cells, "blueprint": ["a1-a2"], "wall_ends": "free"}))
    assert walled.errors == ()
    assert walled.networks == ()


# --- what the facts settle ---


def test_an_overpass_does_not_join_its_two_routes() -> None:
    scored = classic(a2="ew", b1="NS", b2="NS|ew", b3="NW", a3="ES", a4="NW")
    assert [network.exits for network in scored.networks] == [("b1", "a4")]


def test_a_cell_can_serve_two_networks() -> None:
    cells = board(b1="NS", a2="ew", b2="NS|ew", c2="ew", b3="NS").cells
    tracks = lay_tracks(Position(cells))
    assert sorted(len(network.nodes) for network in all_networks(tracks)) == [3, 3]
    assert exit_networks(tracks) == []


def test_two_curves_in_a_cell_are_two_networks() -> None:
    assert len(all_networks(lay_tracks(board(b2="NE|SW")))) == 2


def test_a_station_joins_all_its_ends() -> None:
    assert classic(b1="NS", b2="NEsw*", a2="ew").exit_points == 4


def test_a_blank_side_of_a_terminal_is_no_error() -> None:
    assert errors(classic(b1="N*")) == []


# --- goals as claimed ---


CORNERS = {"a1": "N*", "g1": "N*", "a7": "S*"}  # goal D


@pytest.mark.parametrize(
    ("claim", "points"),
    [("D", 4), ("A", 0), ({"goal": "D", "points": 1}, 1), ({"goal": "A", "points": 2}, 2)],
)
def test_a_goal_counts_what_is_written_or_the_first_value_if_achieved(claim: object, points: int) -> None:
    scored = score(read_position({"cells": CORNERS, "goals": [claim]}))
    assert scored.goal_points == points


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ({"edition": "classic", "cells": {}, "goals": [{"goal": "A", "points": 4}]}, "no-goals"),
        ({"cells": {}, "goals": [{"goal": "A", "points": 4}, "A"]}, "duplicate"),
        ({"cells": {}, "goals": ["Z"]}, "unknown-goal"),
        ({"cells": {}, "goals": [{"goal": "A", "points": 999}]}, "bad-goal-points"),
        ({"cells": {}, "goals": [{"goal": "A", "points": -7}]}, "bad-goal-points"),
        ({"cells": {}, "goals": ["A", "B", "C", "D"]}, "too-many-goals"),
        ({"cells": {}, "goals": [{"goal": "Z", "points": 4}]}, "unknown-goal"),
    ],
)
def test_claims_that_cannot_be_are_refused(position: dict[str, object], code: str) -> None:
    with pytest.raises(NotationError) as refused:
        score(read_position(position))
    assert refused.value.code == code


# --- golden boards ---

# An official demonstration with an expansion's ends that fit either type: once as highways, once as railways.
# The station e2 has three ends of which no drawing of the base game is made; a fourth, to the top, stands in.
EITHER_TYPE = {
    "a1": "ew", "b1": "New*", "c1": "ew", "d1": "nsw", "d2": "ne", "f2": "NW", "f1": "NES",
    "g1": "NE|SW", "g2": "Ne*", "a2": "ew", "b2": "Sw*",
}  # fmt: skip
AS_HIGHWAYS = {"e2": "NESw*", "b3": "NE", "c3": "EW", "d3": "EW", "e3": "NW"}
AS_RAILWAYS = {"e2": "nEsw*", "b3": "Ne*", "c3": "ew", "d3": "ew", "e3": "nw"}


def test_golden_board_1_as_highways() -> None:
    scored = classic(**EITHER_TYPE, **AS_HIGHWAYS)
    assert (scored.exit_points, scored.highway.length) == (16, 10)
    assert errors(scored) == ["e2 top highway"]


def test_golden_board_1_as_railways() -> None:
    scored = classic(**EITHER_TYPE, **AS_RAILWAYS)
    assert (scored.exit_points, scored.railway.length) == (16, 10)
    assert errors(scored) == ["e2 top railway"]


# Golden board 2 comes as a string: die, face, row, column, and turn (from 4 on mirrored first).
FACES = {
    "A0": "nw", "A1": "ns", "A2": "nes", "A3": "NES", "A4": "NS", "A5": "NW",
    "B0": "Ns*", "B1": "Ne*", "B2": "NS|ew", "S1": "Nesw*", "S2": "NESW", "S4": "NesW*",
}  # fmt: skip
BOARD_2 = (
    "A4A12B2B16A1B01A1B23S1B32A1A32B1B44B2A44A4C16A3D15A4D01A5D23A4E20B1F24A2F17A1F01B0G16A5C34A4C43A5C53"
    "A3D50A4D61S4E50A0F51A1F67S2E46B1E31A1F30A2G36A1G41B1G52"
)


def decoded(text: str) -> Position:
    cells = {}
    for face, row, column, turns in re.findall(r"([ABS]\d)([A-G])(\d)(\d)", text):
        cell = GRID.cell("abcdefg"[int(column)] + str("ABCDEFG".index(row) + 1))
        cells[cell] = turned(ROUTES[FACES[face]], Symmetry(int(turns) % 4, turns >= "4"))
    return Position(cells, EDITION["classic"])


def test_golden_board_2() -> None:
    found = score_json(score(decoded(BOARD_2)))
    assert {key: found[key] for key in ("exits", "centre", "errors", "highway", "railway", "total")} == {
        "exits": 32, "centre": 6, "errors": -5, "highway": 8, "railway": 5, "total": 46,
    }  # fmt: skip
    assert sorted(NETWORK_VALUES[len(network)] for network in found["networks"]) == [12, 20]


# Golden board 3: an official first round with a duplicated die and a special route.
VECTOR_3 = {"a1": "E*", "b1": "NSW", "c2": "ESW", "a2": "ew", "b3": "NW|ES", "b2": "NESw*"}


def test_golden_board_3() -> None:
    scored = challenge(**VECTOR_3)
    assert [(network.exits, network.value) for network in scored.networks] == [(("b1", "a2"), 4)]
    assert (scored.highway.length, scored.railway.length, len(scored.errors)) == (4, 2, 5)


# --- how it is told ---


def test_json_has_exactly_the_promised_keys() -> None:
    assert list(score_json(challenge(**VECTOR_3))) == [
        "exits", "highway", "railway", "centre", "villages", "goals", "errors", "expansion", "total",
        "networks",
    ]  # fmt: skip


def test_an_exit_is_named_by_its_cell() -> None:
    assert score_json(challenge(**VECTOR_3))["networks"] == [["b1", "a2"]]


def test_every_point_has_a_line() -> None:
    position = read_position(
        {
            "cells": {**VECTOR_3, "c1": "N*", "d4": "NS"},
            "goals": [{"goal": "A", "points": 4}],
            "expansion": {"points": 3},
        }
    )
    scored = score(position)
    points = [int(line.rsplit(": ", 1)[1]) for line in explain(scored) if line[0] != " "]
    assert sum(points[:-1]) == points[-1] == scored.total


def test_points_for_a_goal_that_is_not_achieved_are_remarked_upon() -> None:
    position = read_position(
        {"cells": CORNERS, "goals": [{"goal": "A", "points": 2}, {"goal": "D", "points": 4}]}
    )
    told = score_json(score(position))
    assert told["remarks"] == ["goal A brings 2, but is not achieved on this board"]
    assert "remarks" not in score_json(score(read_position({"cells": CORNERS, "goals": ["D"]})))


TWICE = {"b1": "NS", "b2": "NS", "c3": "WS", "c4": "NW", "b4": "EN", "a3": "EN"}


@pytest.mark.parametrize(
    ("b3", "reading", "says"),
    [
        ("NE|SW", "trail", "b1 (b3 again: its other curve counts, too): 8"),
        ("NESW", "trail", "b1 (b3 again: it counts once): 7"),
        ("NESW", "visits", "b1 (b3 again: every pass counts): 8"),
    ],
)
def test_a_longest_route_says_how_a_cell_that_comes_again_counts(b3: str, reading: str, says: str) -> None:
    lines = explain(score(read_position({"cells": {**TWICE, "b3": b3}, "longest": reading})))
    assert next(line for line in lines if line.startswith("Longest highway")).endswith(says)


def test_a_goal_says_what_it_asks_for_and_by_which_cells() -> None:
    lines = explain(score(read_position({"cells": CORNERS, "goals": ["D", "A"]})))
    assert "Goal D, Fill 3 of the four corners (a1, g1, a7): 4" in lines
    assert "Goal A, Draw in 5 Central Spaces, not achieved on this board: 0" in lines


def test_several_networks_and_errors_come_with_their_sum_errors_in_board_order() -> None:
    lines = explain(challenge(c7="N*", b1="NS", a2="ew", **{"b2": "ew"}, f1="NE", g1="WS", g2="NE|SW"))
    assert next(line for line in lines if "rror" in line) == f"Errors: -{len(lines_of_errors(lines))}"
    cells = [GRID.cell(line.split()[2].rstrip(":")) for line in lines_of_errors(lines)]
    assert cells == sorted(cells)
    assert len(cells) > 2


def lines_of_errors(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("  Error in")]


def test_an_end_at_a_wall_says_so() -> None:
    lines = explain(score(read_position({"cells": {"b1": "NS", "b2": "NS"}, "blueprint": ["b1-b2"]})))
    assert "  Error in b1: the highway to the bottom stops at the wall to b2: -1" in lines
    assert "  Error in b2: the highway to the bottom leads to nothing: -1" in lines


def test_an_empty_board_scores_nothing() -> None:
    assert explain(challenge()) == ["Total: 0"]


# --- properties ---

positions = st.one_of(legal_positions(), any_positions())


def parts(scored: Score) -> list[int]:
    found = score_json(scored)
    return [found[key] for key in ("exits", "centre", "errors", "highway", "railway", "total")]


@given(positions, st.sampled_from([symmetry for symmetry in SYMMETRIES if not symmetry.quarters % 2]))
def test_a_mirror_and_a_half_turn_change_no_classic_score(position: Position, symmetry: Symmetry) -> None:
    """They map every exit onto one of its own type."""
    before = Position(position.cells, EDITION["classic"])
    after = Position(turned_board(position.cells, symmetry), EDITION["classic"])
    assert parts(score(after)) == parts(score(before))


@given(positions, st.sampled_from([symmetry for symmetry in SYMMETRIES if symmetry.quarters % 2]))
def test_a_quarter_turn_changes_no_classic_score_if_the_types_are_exchanged(
    position: Position, symmetry: Symmetry
) -> None:
    """It maps every exit onto one of the other type, so the two longest routes are exchanged as well."""
    before = parts(score(Position(position.cells, EDITION["classic"])))
    turned_cells = swapped_types(turned_board(position.cells, symmetry))
    exits, centre, loose, highway, railway, total = parts(score(Position(turned_cells, EDITION["classic"])))
    assert [exits, centre, loose, railway, highway, total] == before


@given(positions, st.integers(0, 2**32))
def test_adding_a_route_never_lowers_the_number_of_connected_exits(position: Position, seed: int) -> None:
    random = Random(seed)
    free = [cell for cell in range(GRID.size) if cell not in position.cells]
    fitting = [
        (cell, route)
        for cell in random.sample(free, min(len(free), 5))
        for route in random.sample(sorted(ROUTES.values(), key=str), 10)
        if not clashes(position.cells, cell, route, position.walls)
    ]
    before = connected(position)
    for cell, route in fitting:
        more = Position({**position.cells, cell: route}, position.edition, walls=position.walls)
        assert connected(more) >= before


def connected(position: Position) -> int:
    return sum(len(network.exits) for network in exit_networks(lay_tracks(position)))


@given(positions)
def test_every_piece_is_in_exactly_one_network(position: Position) -> None:
    tracks = lay_tracks(position)
    nodes = [node for network in all_networks(tracks) for node in network.nodes]
    assert len(nodes) == len(set(nodes)) == sum(len(route.pieces) for route in position.cells.values())


@given(st.integers(0, 2**32))
def test_every_end_is_joined_or_at_the_border_or_an_error(seed: int) -> None:
    position = crowded_board(Random(seed))
    tracks = lay_tracks(position)
    ends = sum((route.highway | route.railway).bit_count() for route in position.cells.values())
    joined = sum(len(others) for links in tracks.links for others in links.values())
    border = sum(
        GRID.neighbours[cell][direction] < 0
        for cell, route in position.cells.items()
        for direction in range(4)
        if (route.highway | route.railway) >> direction & 1
    )
    assert ends == joined + border + len(tracks.loose)


def test_walls_are_read_from_both_sides() -> None:
    walls = parse_walls(["b1-b2"])
    joined = board(b1="NS", b2="NS").cells
    assert len(lay_tracks(Position(joined)).loose) == 1
    assert len(lay_tracks(Position(joined, walls=walls)).loose) == 3
