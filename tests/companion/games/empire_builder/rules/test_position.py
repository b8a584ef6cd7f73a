"""Positions written, read and scored; move lists; two positions and the builds between them."""

from __future__ import annotations

from itertools import pairwise, permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.empire_builder.rules.boards.difference import changes, cheapest_arrivals, problems
from companion.games.empire_builder.rules.boards.position import (
    explain_position,
    path_edges,
    print_track,
    read_track,
    score_position,
)
from companion.games.empire_builder.rules.boards.tracks import edges_of, linked_from, searched_groups
from companion.games.empire_builder.rules.match.check import check_moves
from tests.companion.games.empire_builder.rules.tables import BOARD, laid, running, way
from tests.companion.games.empire_builder.rules.test_turns import TREE

SIX = [" ".join(way(one, other)) for one, other in TREE]


# --- written and read ---


@given(st.sets(st.integers(0, len(BOARD.edges) - 1), max_size=60))
@settings(max_examples=60, deadline=None)
def test_track_is_read_back_as_it_was_written(edges: set[int]) -> None:
    edges = {edge for edge in edges if not BOARD.red[edge]}
    lines = print_track(BOARD, edges)
    assert set(read_track(BOARD, {1: lines})) == edges
    assert print_track(BOARD, sorted(edges, reverse=True)) == lines


def test_a_line_without_branches_stays_whole() -> None:
    line = way("Chicago", "Denver")
    (written,) = print_track(BOARD, path_edges(BOARD, " ".join(line)))
    assert written.split() in (line, line[::-1])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "track"),
        ({"track": {"7": ["ao38 ao36"]}}, "no seat 7"),
        ({"track": {"x": []}}, "expected a whole number"),
        ({"track": {"1": ["ao38"]}}, "two mileposts at least"),
        ({"track": {"1": ["ao38 bo104"]}}, "no milepost"),
        ({"track": {"1": ["Chicago Denver"]}}, "no track can lie between"),
        ({"track": {"1": SIX[:1], "2": SIX[:1]}}, "belongs to seat 1 and to seat 2"),
        ({"track": {}, "cash": {"1": -4}}, "cannot have -4"),
        ({"track": {}, "trains": {"1": {"loads": ["gold"]}}}, "no load 'gold'"),
        ({"track": {}, "trains": {"1": {"loads": ["oil", "oil", "oil"]}}}, "carries 2 loads"),
        ({"track": {}, "colour": "red"}, "is not known here"),
    ],
)
def test_what_is_no_position_is_one_sentence(value: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        score_position(value)


# --- scored ---


def test_a_position_is_scored_by_cash_and_connected_majors() -> None:
    answer = score_position({"track": {"1": SIX, "2": []}, "cash": {"1": 251, "2": 300}})
    assert answer["winner"] == 1
    first = answer["scores"][0]
    assert (first["seat"], first["total"], len(first["majors"])) == (1, 251, 6)
    assert answer["problems"] == []


def test_a_tie_has_no_winner() -> None:
    one = [" ".join(way("Seattle", "Los Angeles"))]
    two = [" ".join(way("Chicago", "Atlanta"))]
    answer = score_position({"track": {"1": one, "2": two}, "cash": {"1": 260, "2": 260}, "goal": 250})
    assert (answer["winner"], answer["tie"]) == (None, [])
    lines = explain_position({"track": {"1": SIX}, "cash": {"1": 250}})
    assert lines[-1] == "seat 1 wins"


def test_too_many_builders_in_a_city_are_named() -> None:
    fargo = BOARD.cities["Fargo"].middle
    ends = [BOARD.names[near] for near, _ in BOARD.ways[fargo]][:3]
    track = {str(seat): [f"{name} {BOARD.names[fargo]}"] for seat, name in enumerate(ends, start=1)}
    (problem,) = score_position({"track": track})["problems"]
    assert problem == "3 players have built into Fargo, a small city: 2 may"


# --- move lists ---


def test_legal_moves_are_valid() -> None:
    line = way("Chicago", "Des Moines")
    moves = {
        "track": {"1": [" ".join(line)]},
        "trains": {"1": {"at": line[0], "loads": ["coal"]}},
        "moves": [
            {"move": " ".join(line[1:])},
            {"pickup": "corn"},
            {"drop": "coal"},
            {"build": [], "to": "Omaha"},
            {"done": True},
            {"seat": 2, "upgrade": "fast"},
        ],
    }
    assert check_moves(moves) == {"valid": True}


def test_the_first_illegal_move_is_named_with_its_reason() -> None:
    line = " ".join(way("Chicago", "Denver"))
    answer = check_moves({"round": 1, "moves": [{"build": " ".join(line.split()[:3])}, {"build": line}]})
    assert (answer["valid"], answer["at"], answer["code"]) == (False, 1, "turn-limit")
    assert answer["detail"]["legal"][0] == line.split()[0]
    wrong = check_moves({"moves": [{"seat": 2, "done": True}]})
    assert (wrong["at"], wrong["code"]) == (0, "not-your-turn")


def test_deliveries_events_and_hands_may_be_written() -> None:
    state = running()
    card, demand = next((card, demand) for card in state.cards.values() for demand in card.demands)
    given_moves = {
        "track": {},
        "hands": {"1": [card.card]},
        "trains": {"1": {"at": demand.city, "loads": [demand.load]}},
        "moves": [{"deliver": demand.load, "card": card.card}],
    }
    assert check_moves(given_moves) == {"valid": True}
    strike = {
        **given_moves,
        "events": ["event-strike-coast"],
        "trains": {"1": {"at": "Miami", "loads": ["oil"]}},
    }
    assert check_moves({**strike, "moves": [{"deliver": "oil"}]})["code"] == "event"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"moves": [{"dance": 1}]}, "a move has one of"),
        ({"moves": [{"build": "ao38", "move": "ao38"}]}, "a move has one of"),
        ({"moves": [{"pickup": 4}]}, "expected a text"),
        ({"order": [1, 1]}, "each of the seats"),
        ({"round": 0}, "rounds begin with 1"),
        ({"hands": {"1": ["999"]}}, "no card '999'"),
        ({"hands": {"1": ["5"], "2": ["5"]}}, "two places"),
        ({"moves": 3}, "expected a list"),
    ],
)
def test_what_is_no_move_list_is_one_sentence(value: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        check_moves(value)


# --- two positions ---


def price_of(builds: tuple[tuple[int, int], ...]) -> int:
    return sum(BOARD.price[b] + BOARD.surcharge[BOARD.edge_numbers[a, b]] for a, b in builds)


def test_a_difference_is_explained_by_builds_in_a_legal_order() -> None:
    before = laid(running(), 1, way("Chicago", "Des Moines")).track
    after = laid(running(), 1, way("Chicago", "Des Moines"), way("Des Moines", "Omaha")).track
    (change,) = changes(BOARD, before, after)
    assert {BOARD.edge_numbers[arc] for arc in change.builds} == set(after) - set(before)
    assert change.price == price_of(change.builds)
    assert (change.turns, change.gone, change.loose) == (1, (), ())
    answer = check_moves(
        {
            "track": {"1": print_track(BOARD, before)},
            "after": {"1": print_track(BOARD, after)},
        }
    )
    assert answer["valid"]
    assert answer["changes"][0]["price"] == change.price


def test_loose_track_and_track_that_is_gone_are_named() -> None:
    line = way("Denver", "Cheyenne")
    loose = laid(running(), 1, line).track
    (change,) = changes(BOARD, {}, loose)
    assert set(change.loose) == set(loose)
    assert "joined to no major city" in problems(BOARD, {}, loose)[0]
    assert check_moves({"after": {"1": print_track(BOARD, loose)}})["code"] == "not-built"
    (gone,) = changes(BOARD, loose, {})
    assert set(gone.gone) == set(loose)


def slowest_price(before: set[int], edges: list[int], outs: int) -> int | None:
    """The cheapest legal order and direction by trying all of them."""
    reached = {end for edge in before for end in BOARD.edges[edge]} | set(BOARD.major_mileposts)
    best = None
    for order in permutations(edges):
        for turned in product((False, True), repeat=len(edges)):
            known, price, used = set(reached), 0, 0
            for edge, turn in zip(order, turned, strict=True):
                one, other = BOARD.edges[edge][::-1] if turn else BOARD.edges[edge]
                if one not in known:
                    break
                known.add(other)
                price += BOARD.price[other] + BOARD.surcharge[edge]
                used += BOARD.major_at[one] is not None
            else:
                if used <= outs and (best is None or price < best):
                    best = price
    return best


@pytest.mark.parametrize("seed", range(25))
def test_the_explanation_is_the_cheapest_there_is(seed: int) -> None:
    random = Random(seed)
    start = random.choice(BOARD.major_mileposts)
    near = sorted(BOARD.around(start, 2))
    candidates = [
        edge for edge, ends in enumerate(BOARD.edges) if not BOARD.red[edge] and set(ends) <= set(near)
    ]
    edges = random.sample(candidates, min(5, len(candidates)))
    best = slowest_price(set(), edges, 2)
    found = changes(BOARD, {}, dict.fromkeys(edges, 1))
    if best is None:
        assert found[0].loose or found[0].out_of_majors > 2
    else:
        assert (found[0].price, found[0].loose) == (best, ())
        assert found[0].price == price_of(found[0].builds)
        assert found[0].out_of_majors <= 2
        known = set(BOARD.major_mileposts)
        for one, other in found[0].builds:
            assert one in known
            known.add(other)


@given(
    st.integers(2, 5).flatmap(
        lambda count: st.tuples(
            st.just(count),
            st.dictionaries(
                st.tuples(st.integers(-1, count - 1), st.integers(0, count - 1)).filter(
                    lambda a: a[0] != a[1]
                ),
                st.integers(0, 4),
                max_size=14,
            ),
        )
    )
)
@settings(max_examples=150, deadline=None)
def test_cheapest_arrivals_against_every_choice_of_arrivals(
    case: tuple[int, dict[tuple[int, int], int]],
) -> None:
    count, costs = case
    into = [[one for one, other in costs if other == place] for place in range(count)]
    best = None
    for starts in product(*into):
        known: set[int] = {-1}
        for _ in range(count):
            known |= {place for place in range(count) if starts[place] in known}
        if len(known) == count + 1:
            price = sum(costs[start, place] for place, start in enumerate(starts))
            best = price if best is None else min(best, price)
    found = cheapest_arrivals(set(range(count)), costs)
    assert (found is None) == (best is None)
    if found is not None:
        assert sum(costs[start, place] for place, start in found.items()) == best


def test_a_line_of_a_thousand_places_has_its_arrivals() -> None:
    back_and_forth = {arc: 0 for one in range(999) for arc in ((one, one + 1), (one + 1, one))}
    found = cheapest_arrivals(set(range(1000)), {**back_and_forth, (-1, 0): 5, (-1, 999): 6})
    assert found == {place: place - 1 for place in range(1000)}


# --- what hangs together ---


@given(
    st.sets(st.sampled_from(sorted(BOARD.around(BOARD.cities["Atlanta"].middle, 3))), max_size=25),
    st.randoms(),
)
@settings(max_examples=60, deadline=None)
def test_groups_kept_up_edge_by_edge_are_those_of_a_search(places: set[int], random: Random) -> None:
    edges = [edge for edge, ends in enumerate(BOARD.edges) if set(ends) <= places and not BOARD.red[edge]]
    random.shuffle(edges)
    linked = linked_from(BOARD, edges)
    by_group: dict[int, set[int]] = {}
    for place, group in linked.items():
        by_group.setdefault(group, set()).add(place)
    assert {frozenset(group) for group in by_group.values()} == searched_groups(BOARD, edges)


def test_lines_of_a_tree_are_lines_of_neighbours() -> None:
    for line in SIX:
        assert all(
            BOARD.edge_between(BOARD.numbers[a], BOARD.numbers[b]) is not None
            for a, b in pairwise(line.split())
        )
    assert edges_of(laid(running(), 1, way("Chicago", "Omaha")).track, 2) == []
