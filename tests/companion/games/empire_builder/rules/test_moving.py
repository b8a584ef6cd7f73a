"""Running trains: speed, reversing, red areas, user fees; the search against a slow one."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.empire_builder.rules.match.state import State, with_train, with_turn
from companion.games.empire_builder.rules.moves.moving import followed, half_rate, reachable, starting_cities
from companion.games.empire_builder.rules.rulebook import RULES
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    after,
    begun,
    decided,
    laid,
    refused,
    running,
    struck,
    train_at,
    way,
    with_cash,
)

LINE = way("Chicago", "Denver")


def on_the_line(**changes: object) -> State:
    return train_at(laid(running(), 1, LINE), 1, LINE[0], **changes)


@pytest.mark.parametrize(("kind", "speed"), [("freight", 9), ("heavy", 9), ("fast", 12), ("super", 12)])
def test_move_your_train_up_to_its_maximum_movement(kind: str, speed: int) -> None:
    state = on_the_line(kind=kind)
    assert after(state, "move", 1, path=LINE[1 : speed + 1]).turn.moved == speed
    assert refused(state, "move", 1, path=LINE[1 : speed + 2]).code == "too-far"
    assert max(len(run.mileposts) for run in reachable(state, 1).values()) == speed


def test_a_turns_movement_may_be_made_in_several_runs() -> None:
    state = after(on_the_line(), "move", 1, path=LINE[1:5])
    state = after(state, "move", 1, path=LINE[5:10])
    assert state.turn.moved == 9
    assert refused(state, "move", 1, path=[LINE[10]]).code == "too-far"
    assert reachable(state, 1) == {}


def test_trains_run_on_track_only() -> None:
    state = on_the_line()
    aside = next(
        BOARD.names[there]
        for there, edge in BOARD.ways[BOARD.numbers[LINE[0]]]
        if edge not in state.track and not BOARD.red[edge]
    )
    assert refused(state, "move", 1, path=[aside]).code == "no-track"
    assert refused(state, "move", 1, path=[LINE[5]]).code == "not-neighbours"


def test_trains_may_change_direction_at_any_city_and_nowhere_else() -> None:
    state = after(on_the_line(), "move", 1, path=LINE[1:4])
    assert refused(state, "move", 1, path=[LINE[2]]).code == "no-reversing"
    assert BOARD.numbers[LINE[2]] not in reachable(state, 1)
    next_turn = with_turn(state, moved=0)  # the train remembers the way it faces
    assert refused(next_turn, "move", 1, path=[LINE[2]]).code == "no-reversing"
    short = way("Chicago", "Des Moines")
    there = train_at(laid(running(), 1, short), 1, short[-1], came=BOARD.numbers[short[-2]])
    assert after(there, "move", 1, path=[short[-2]])


def test_red_areas_in_major_cities_are_shared_track() -> None:
    city = BOARD.cities["Chicago"]
    state = train_at(laid(running(), 1, way("Chicago", "Des Moines")), 1, "Chicago")
    outer = [BOARD.names[milepost] for milepost in city.mileposts[1:]]
    for name in outer:
        assert decided(state, "move", 1, path=[name])
        assert not isinstance(decided(state, "move", 1, path=[name]), Refusal)
    free = after(with_cash(state, 1, 0), "move", 1, path=[outer[0]])
    assert free.players[1].cash == 0


def test_pay_4_million_per_opponent_for_using_their_track_before_movement() -> None:
    state = train_at(laid(running(), 2, LINE), 1, LINE[0])
    fact = decided(state, "move", 1, path=LINE[1:4])
    assert not isinstance(fact, Refusal)
    assert fact.data["fees"] == {"2": 4}
    moved = after(state, "move", 1, path=LINE[1:4])
    assert (moved.players[1].cash, moved.players[2].cash) == (46, 54)
    refusal = refused(with_cash(state, 1, 3), "move", 1, path=LINE[1:4])
    assert refusal.code == "no-money"
    assert reachable(with_cash(state, 1, 3), 1).keys() <= set(BOARD.major_mileposts)


def test_one_opponent_is_paid_once_a_turn_and_again_in_the_next() -> None:
    state = train_at(laid(running(), 2, LINE), 1, LINE[0])
    state = after(after(state, "move", 1, path=LINE[1:4]), "move", 1, path=LINE[4:6])
    assert state.players[1].cash == 46
    later = replaced(after(after(state, "done", 1), "done", 2))
    assert after(later, "move", 1, path=LINE[6:8]).players[1].cash == 42


def test_several_opponents_are_paid_each() -> None:
    state = laid(laid(running(3), 2, LINE[:4]), 3, LINE[3:])
    moved = after(train_at(state, 1, LINE[0]), "move", 1, path=LINE[1:8])
    assert [player.cash for player in moved.players.values()] == [42, 54, 54]


def test_moving_on_your_own_track_costs_nothing() -> None:
    assert after(on_the_line(), "move", 1, path=LINE[1:9]).players[1].cash == 50


def test_a_train_begins_in_a_city_of_its_own_track() -> None:
    state = laid(running(), 1, way("Chicago", "Des Moines"))
    assert starting_cities(state, 1) == ["Chicago", "Des Moines"]
    assert refused(state, "move", 1, to="Chicago").code == "not-placed"
    assert refused(state, "place", 1, at="Miami").detail["legal"] == ["Chicago", "Des Moines"]
    placed = after(state, "place", 1, at="Des Moines")
    assert placed.players[1].train.at == BOARD.cities["Des Moines"].middle
    assert refused(placed, "place", 1, at="Chicago").code == "placed"


def test_running_to_a_milepost_takes_the_cheapest_way() -> None:
    state = laid(on_the_line(), 2, way("Chicago", "St. Louis"))
    fact = decided(state, "move", 1, to=LINE[5])
    assert not isinstance(fact, Refusal)
    assert fact.data == {"path": LINE[1:6], "fees": {}}
    assert refused(state, "move", 1, to="Miami").code == "out-of-reach"
    assert refused(state, "move", 1).code == "bad-action"


def test_half_a_speed_is_rounded_up() -> None:
    assert [half_rate(train.speed) for train in RULES.trains.values()] == [5, 6, 5, 6]


# --- the search against a slow one ---


def slow_reach(state: State, seat: int) -> dict[int, int]:
    """The cheapest fees to everywhere, by trying every run step by step through the rules."""
    best: dict[int, int] = {}
    waiting: list[tuple[int, ...]] = [()]
    seen = set()
    while waiting:
        path = waiting.pop()
        run = followed(state, seat, path) if path else None
        if isinstance(run, Refusal):
            continue
        if run is not None:
            best[path[-1]] = min(run.price, best.get(path[-1], run.price))
            key = (path[-1], path[-2:-1], run.fees, len(path))
            if key in seen:
                continue
            seen.add(key)
        here = path[-1] if path else state.players[seat].train.at
        assert here is not None
        waiting += [(*path, there) for there, _ in BOARD.ways[here]]
    at = state.players[seat].train.at
    return {place: price for place, price in best.items() if place != at}


@pytest.mark.parametrize("seed", range(6))
def test_reachable_mileposts_are_those_a_slow_search_finds(seed: int) -> None:
    random = Random(seed)
    cities = random.sample([city.name for city in BOARD.cities.values()], 7)
    state = begun(3)
    for number, (one, other) in enumerate(pairwise(cities)):
        state = laid(state, 1 + number % 3, way(one, other))
    state = replaced(state, round=3)
    state = with_train(state, 1, at=BOARD.cities[cities[1]].middle)
    state = with_turn(with_cash(state, 1, random.choice([3, 4, 8, 50])), moved=3)
    if seed % 2:
        state = struck(state, 2, "event-snow-denver")
    fast = {at: run.price for at, run in reachable(state, 1).items()}
    assert fast == slow_reach(state, 1)
