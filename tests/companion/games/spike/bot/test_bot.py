"""The bot of SPIKE: it knows what an errand takes, delivers, upgrades, and beats a simpler player."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.chance import SeededChance
from companion.core.records import replaced
from companion.game.base import Action, Chance, Game
from companion.games.spike.bot.errands import cheapest_way, errands, free_hops, turns_left
from companion.games.spike.bot.player import SpikeBot
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.builds import ground_of
from lab.bots_bench import Match, played
from lab.spike.planplay import planned_action
from tests.companion.games.spike.rules.matches import BOARD, begun, playing

BOT = SpikeBot()


def planned(_game: Game[Any], state: State, seat: int, chance: Chance) -> Action | None:
    return planned_action(state, seat, chance)


def test_the_way_that_is_missing_is_counted_in_free_tracks() -> None:
    state = playing("topeka", "tulsa")
    ground = ground_of(state, 1)
    near = free_hops(ground)
    assert near["topeka"] == 0
    for city in ("tulsa", "st-louis", "miami"):
        way = cheapest_way(ground, [city])
        assert len(way) == near[city]
    built = with_player(state, 2, tracks=tuple(cheapest_way(ground, ["tulsa"])[:1]))
    assert free_hops(ground_of(built, 1))["tulsa"] >= near["tulsa"]


def test_errands_are_of_contracts_that_are_open() -> None:
    state = playing("topeka", "tulsa")
    found = errands(state, 1)
    goods = {state.options.pack.contracts[held.name].contract for held in state.players[1].contracts}
    assert {errand.good for errand in found} == goods
    assert all(errand.source in BOARD.suppliers[errand.good] for errand in found)
    assert [errand.rate for errand in found] == sorted((errand.rate for errand in found), reverse=True)
    done = tuple(replaced(held, delivered="miami") for held in state.players[1].contracts)
    assert errands(with_player(state, 1, contracts=done), 1) == []


def test_the_end_comes_nearer_with_the_deck() -> None:
    state = playing("topeka", "tulsa")
    assert turns_left(state) > turns_left(replaced(state, round=2)) > turns_left(replaced(state, round=3)) > 0
    assert turns_left(replaced(state, round=3, deck=())) == 0


def test_nobody_can_say_what_lies_on_the_table_for_it() -> None:
    assert BOT.decide(begun(2, deal="table"), 1, SeededChance(1)) is None


@pytest.mark.parametrize("play", ["basic", "advanced"])
def test_a_whole_match_has_deliveries_and_upgrades(play: str) -> None:
    match, kinds = Match.begun("spike", 2, {"play": play}, seed=7), set()
    while not match.over:
        kinds.add(match.step().kind)
    assert match.state.finished
    assert {"load", "motion", "deliver", "upgrade", "build", "draw", "give", "place"} <= kinds
    assert match.game.faults(match.state) == []


@pytest.mark.parametrize("seats", [2, 3])
def test_it_beats_a_player_with_simpler_plans(seats: int) -> None:
    own, others = 0, 0
    for seed in range(3):
        at = 1 + seed % seats
        totals = played(
            "spike", seats, {}, seed, {seat: planned for seat in range(1, seats + 1) if seat != at}
        ).totals
        own += totals[at]
        others += max(total for seat, total in totals.items() if seat != at)
    assert own > others
