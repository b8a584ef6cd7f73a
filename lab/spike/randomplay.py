"""Players who know nothing but what is legal, for tests, records and the bench."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game.base import Action, Chance, Fact, MatchRequest, Refusal, drawn
from companion.games.spike.rules.match.actions import apply, decide
from companion.games.spike.rules.match.dealing import setup, start
from companion.games.spike.rules.match.opening_actions import legal_before
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.match.turn import LEGAL


def random_action(state: State, chance: Chance) -> Action:
    """Some legal action of some seat: every kind of action that is open is as likely as the others."""
    if state.phase != "play":
        seats = drawn(sorted(state.players), len(state.players), chance)
        return next(drawn(legal, 1, chance)[0] for seat in seats if (legal := legal_before(state, seat)))
    kinds = drawn(list(LEGAL), len(LEGAL), chance)
    return next(drawn(legal, 1, chance)[0] for kind in kinds if (legal := LEGAL[kind](state)))


def random_start(wishes: MatchRequest, chance: Chance) -> State:
    """A new match with a random setup."""
    data = setup(wishes, chance)
    if isinstance(data, Refusal):
        raise ValueError(data.message)
    return start(data)


def random_match(state: State, chance: Chance) -> Iterator[tuple[Fact, State]]:
    """Every fact of a match to its end, each with the state after it."""
    while not state.finished:
        fact = decide(state, random_action(state, chance), chance)
        if isinstance(fact, Refusal):
            raise ValueError(f"a legal action was refused: {fact.message}")
        state = apply(state, fact)
        yield fact, state
