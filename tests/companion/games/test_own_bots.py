"""The bots that games bring: what they decide is legal, the same again, and asks nothing that is hidden.

They are asked in the middle of random matches, which people's own moves may have brought anywhere: with every
option and number of seats, as umpire and as scorekeeper.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Game, MatchRequest, Refusal
from companion.game.bots import any_action, best_action, own_bot
from companion.game.registry import GAMES
from lab.spike.planplay import planned_action
from tests.companion.games.spike.rules.test_hidden import exchanged

WITH_BOTS = [name for name, game in GAMES.items() if own_bot(game) is not None]
BOTS_OWN = 6  # actions that bots do before chance has its way again


def begun(game: Game[Any], random: Random, **options: Any) -> tuple[Any, range]:
    """A new match with any options that can be begun and that bots know, and its seats."""
    chance = SeededChance(random)
    while True:
        chosen = {
            option.name: random.choice(option.choices)
            for option in game.options
            if option.choices and random.random() < 0.5
        }
        request = MatchRequest(random.randint(*game.seats), "umpire", {**chosen, **options})
        data = game.setup(request, chance)
        known = game.bots_fault(chosen) is None
        if not isinstance(data, Refusal) and known:
            return game.start(data), range(1, request.seats + 1)


def after(game: Game[Any], state: Any, action: Action, chance: SeededChance) -> Any:
    """The state after an action that has to be legal."""
    fact = game.decide(state, action, chance)
    assert not isinstance(fact, Refusal), (action, fact)
    return game.apply(state, fact)


def anything(game: Game[Any], state: Any, seat: int, chance: SeededChance) -> Action | None:
    """Any legal action; what lies on the table where people deal, as listings do not know it."""
    if game.name == "spike" and state.phase == "declare":
        return planned_action(state, seat, chance)
    return any_action(game, state, seat, chance)


def moments(game: Game[Any], random: Random, count: int, state: Any, seats: range) -> Iterator[Any]:
    """Moments of a match that now chance plays and now the bots do."""
    chance, run = SeededChance(random), 0
    for _ in range(count):
        if game.finished(state):
            return
        yield state
        run = run - 1 if run else random.choice((0, BOTS_OWN))
        think = best_action if run else anything
        found = (
            None if game.dice(state) else _asked(think, game, state, chance, random.sample(seats, len(seats)))
        )
        action = Action("roll") if game.dice(state) else found or _asked(anything, game, state, chance, seats)
        assert action is not None, "somebody can always do something"
        state = after(game, state, action, chance)


def _asked(think: Any, game: Game[Any], state: Any, chance: SeededChance, seats: Any) -> Action | None:
    there = (seat for seat in seats if game.legal(state, seat))
    return next((action for seat in there if (action := think(game, state, seat, chance))), None)


@pytest.mark.parametrize("name", WITH_BOTS)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_bot_decides_is_legal_and_the_same_again(name: str, seed: int) -> None:
    game, random = GAMES[name], Random(f"{name} {seed}")
    bot = own_bot(game)
    assert bot is not None
    decided = 0
    start, seats = begun(game, random)
    for state in moments(game, random, 40, start, seats):
        found = bot.decide(state, seat := random.choice(seats), SeededChance(seed))
        assert found is None or game.legal(state, seat)
        if found is not None:
            decided += 1
            after(game, state, found, SeededChance(seed))
            assert bot.decide(state, seat, SeededChance(seed)) == found
            assert found.kind != "roll"
    assert decided


def hidden_again(state: Any, seat: int, random: Random) -> Any:
    """Another match that looks the same to the seat."""
    if hasattr(state, "shown"):
        return exchanged(state, seat, random)
    changes: JsonObject = {}
    deck = list(getattr(state, "deck", ()))
    if (
        hasattr(state, "discards")
        and isinstance(getattr(state, "hands", None), dict)
        and hasattr(state, "grid")
    ):
        others = {other: len(hand) for other, hand in state.hands.items() if other != seat}
        deck += [card for other in others for card in state.hands[other]]
        random.shuffle(deck)
        changes["hands"] = {
            **state.hands,
            **{other: tuple(deck.pop() for _ in range(n)) for other, n in others.items()},
        }
    random.shuffle(deck)
    return replaced(state, **changes, deck=tuple(deck)) if hasattr(state, "deck") else state


@pytest.mark.parametrize("name", [name for name in WITH_BOTS if name != "railroad-ink"])
def test_what_is_hidden_makes_no_difference(name: str) -> None:
    game, random = GAMES[name], Random(name)
    bot = own_bot(game)
    assert bot is not None
    asked = 0
    start, seats = begun(game, random, deal="box")
    for state in moments(game, random, 60, start, seats):
        for seat in seats:
            if game.legal(state, seat):
                other = hidden_again(state, seat, random)
                found = bot.decide(state, seat, SeededChance(1))
                assert bot.decide(other, seat, SeededChance(1)) == found
                asked += found is not None and other != state
    assert asked


@pytest.mark.parametrize("name", WITH_BOTS)
def test_a_scorekeeper_hears_of_a_bot_only_what_is_legal(name: str) -> None:
    game = GAMES[name]
    data = game.setup(MatchRequest(2, "scorekeeper"), SeededChance(1))
    assert not isinstance(data, Refusal)
    state = game.start(data)
    for seat in (1, 2):
        action = best_action(game, state, seat, SeededChance(1))
        if action is not None:
            after(game, state, action, SeededChance(1))
