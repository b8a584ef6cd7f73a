"""Whole random matches, a few dozen here; a million moves in the bench."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.chance import SeededChance
from companion.core.jsontext import json_of
from companion.game.base import Action, MatchRequest, NoChance, Refusal
from companion.games.derailed.rules.cards import FACES
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.state import State
from lab.derailed import rules_bench as bench
from tests.companion.games.derailed.rules import slow
from tests.companion.games.derailed.rules.tables import GAME, begun


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_matches_without_an_inconsistency(seats: int) -> None:
    """The invariants hold after every event: no card is lost, and never are there more arrivals before a
    card is laid than leave the round open."""
    random, tally = Random(seats), bench.Tally()
    for _ in range(12):
        state = bench.play(random, tally, seats)
        assert state.phase == "over"
        assert len(state.endings) == 3
    assert tally.arrivals > 30
    assert tally.refused > 25


def test_the_bench_tells_what_it_did() -> None:
    lines = list(bench.report(1500))
    assert "without an inconsistency" in lines[0]
    assert len(lines) == 5


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.integers(2, 6), deal=st.sampled_from(["box", "table"]))
def test_what_is_listed_is_accepted_and_nothing_else_is(seed: int, seats: int, deal: str) -> None:
    random = Random(seed)
    chance = SeededChance(random)
    state = begun(seats, seed=seed, deal=deal)
    for _ in range(random.randrange(25)):
        fact = GAME.decide(state, random.choice(GAME.legal(state, state.turn)), chance)
        assert not isinstance(fact, Refusal)
        state = GAME.apply(state, fact)
        if state.phase not in ("place", "take"):
            return
    _judge_every_placement(state, random)


def _judge_every_placement(state: State, random: Random) -> None:
    listed = {(a.data["cell"], a.data["card"]) for a in GAME.legal(state, state.turn) if a.kind == "place"}
    for cell in grid_of(len(state.starts)).names:
        for face in random.sample(sorted(FACES), 12):
            action = Action("place", state.turn, {"cell": cell, "card": face})
            refused = isinstance(GAME.decide(state, action, NoChance()), Refusal)
            assert refused == ((cell, face) not in listed)
            if not refused:
                lane = state.start_lane(state.turn)
                assert slow.may_lay(state.cells, len(state.starts), lane, cell, face)


def test_an_arrival_during_play_is_proved_by_a_walk() -> None:
    random, proved = Random(7), 0
    state = begun(4, seed=7)
    chance = SeededChance(random)
    tally = bench.Tally()
    while not GAME.finished(state):
        after = bench.step(state, random, chance, tally)
        for arrival in after.arrivals[len(state.arrivals) :]:
            lanes = len(after.starts)
            start, destination = after.start_lane(arrival.seat), after.destination_lane(arrival.seat)
            assert slow.is_walk(after.cells, lanes, list(arrival.path), start, destination)
            assert not slow.arrives(state.cells, lanes, start, destination)
            proved += 1
        state = after
    assert proved > 0


@given(seed=st.integers(0, 10**6), seats=st.integers(2, 6))
def test_a_state_is_plain_data(seed: int, seats: int) -> None:
    random, tally = Random(seed), bench.Tally()
    state = GAME.start(_setup(seats, random))
    for _ in range(20):
        state = bench.step(state, random, SeededChance(random), tally)
    assert msgspec.json.decode(json_of(state), type=State) == state


def _setup(seats: int, random: Random) -> dict[str, object]:
    data = GAME.setup(
        MatchRequest(seats, "umpire", bench.random_options(random, seats)), SeededChance(random)
    )
    assert not isinstance(data, Refusal)
    return data
