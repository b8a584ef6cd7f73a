"""Bots: a game's own one is asked, any other game is played by the greedy one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.chance import SeededChance
from companion.game import bots
from companion.game.base import Action, Chance, MatchRequest, Refusal
from companion.game.bots import at_mixed_levels, best_action, greedy_action, own_bot
from companion.game.packages import packages
from companion.game.registry import GAMES

GAME = GAMES["railroad-ink"]


def begun() -> Any:
    """A match of one seat with the first dice."""
    chance = SeededChance(1)
    data = GAME.setup(MatchRequest(1), chance)
    assert not isinstance(data, Refusal)
    state = GAME.start(data)
    fact = GAME.decide(state, Action("roll"), chance)
    assert not isinstance(fact, Refusal)
    return GAME.apply(state, fact)


class Sleeper:
    """A bot that always says it is done."""

    def decide(self, state: Any, seat: int, chance: Chance) -> Action | None:
        return Action("done", seat)


SLEEPER = Sleeper


def test_a_games_own_bot_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    package = replace(packages()["railroad-ink"], bot=f"{__name__}:SLEEPER")
    monkeypatch.setattr(bots, "packages", lambda: {"railroad-ink": package})
    assert best_action(GAME, begun(), 1, SeededChance(1)) == Action("done", 1)


def test_a_game_without_a_bot_is_played_by_the_greedy_one(monkeypatch: pytest.MonkeyPatch) -> None:
    package = replace(packages()["railroad-ink"], bot="")
    monkeypatch.setattr(bots, "packages", lambda: {"railroad-ink": package})
    assert own_bot(GAME) is None
    found = best_action(GAME, begun(), 1, SeededChance(1))
    assert found == greedy_action(GAME, begun(), 1, SeededChance(1))
    assert found is not None
    assert not isinstance(GAME.decide(begun(), found, SeededChance(1)), Refusal)


def test_neighbours_play_at_different_levels_where_there_are_any() -> None:
    state = begun()
    levels = [at_mixed_levels(GAME, state, seat).options.bots for seat in (1, 2, 3, 4)]
    assert levels[0] == state.options.bots
    assert len(set(levels)) == 4
    other = GAMES["derailed"]
    assert at_mixed_levels(other, state, 2) is state
