"""The bot in matches with expansions and on larger boards: legal to the end, and better than chance."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action, MatchRequest, Refusal
from companion.games.railroad_ink.bot.player import RailroadInkBot
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State
from lab.railroad_ink.expansion_play import random_match

GAME = RailroadInk()
BOT = RailroadInkBot()
MOST = 1000  # actions of a match
DRAWN_FOR = (
    "forest",
    "canyon",
    "alien-farmer",
    "tentacle",
    "underground",
)  # the bot knows what these are worth
IN_THE_GATE = {*DRAWN_FOR, *tuple(TABLES)[::6]}


def played(seats: int = 1, **options: object) -> State:
    """A match that bots play to its end."""
    chance = SeededChance(4)
    setup = GAME.setup(MatchRequest(seats, "umpire", dict(options)), chance)
    assert not isinstance(setup, Refusal), setup
    state = GAME.start(setup)
    for _ in range(MOST):
        if state.finished:
            return state
        action = next_action(state, chance)
        fact = GAME.decide(state, action, chance)
        assert not isinstance(fact, Refusal), (action, fact)
        state = GAME.apply(state, fact)
    raise AssertionError("the bots do not come to an end")


def next_action(state: State, chance: SeededChance) -> Action:
    if GAME.dice(state):
        return Action("roll", 1)
    found = (BOT.decide(state, seat, chance) for seat in state.boards)
    return next(action for action in found if action is not None)


def points(state: State) -> JsonObject:
    return GAME.score(state)[0]


def by_chance(name: str) -> int:
    *_, (state, _) = random_match(name, Random(4), seats=1)
    return int(points(state)["total"])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_THE_GATE else pytest.mark.slow) for name in TABLES]
)
def test_it_plays_every_expansion_legally_and_better_than_chance(name: str) -> None:
    told = points(played(expansion=name))
    assert told["total"] > by_chance(name)
    if name in DRAWN_FOR:
        assert told["expansion"] >= 5  # it draws their dice where they count


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"size": "giant", "expansion": "lava", "more": ["lake"]},
        {"size": "giant", "must_draw": "most"},
        {"size": "epic", "expansion": "galactic-invaders"},
    ],
)
def test_it_plays_on_larger_boards_to_the_end(options: JsonObject) -> None:
    state = played(2, **options)
    assert state.round == 12
    assert all(len(board.drawings) > 20 for board in state.boards.values())


def test_an_expansion_counted_by_hand_leaves_it_its_search() -> None:
    assert points(played(expansion="other"))["total"] > 30
