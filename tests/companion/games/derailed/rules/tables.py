"""Matches for the tests: begun with known columns and hands, and played on."""

from __future__ import annotations

from typing import Any

from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.state import State
from companion.table.chance import SeededChance

GAME = Derailed()
STRAIGHT = {"a1": "TR", "b1": "LB", "b2": "TB|r", "b3": "TB|l"}  # one card is missing at b4


def begun(seats: int = 2, mode: Any = "umpire", seed: int = 1, **options: Any) -> State:
    data = GAME.setup(MatchRequest(seats, mode, options), SeededChance(seed))
    assert not isinstance(data, Refusal), data
    return GAME.start(data)


def laid_out(starts: str, destinations: str, **options: Any) -> State:
    """A match of paper hands with these columns; the companies sit in the order of the alphabet."""
    options = {"deal": "table", "companies": "".join(sorted(starts)), **options}
    state = begun(len(starts), **options)
    return replaced(state, starts=tuple(starts), destinations=tuple(destinations), swaps=())


def fact(state: State, kind: str, seat: int | None = None, **data: Any) -> Fact:
    decided = GAME.decide(state, Action(kind, seat, data), SeededChance(1))
    assert not isinstance(decided, Refusal), decided
    assert GAME.decide(state, decided, NoChance()) == decided
    return decided


def after(state: State, kind: str, seat: int | None = None, **data: Any) -> State:
    state = GAME.apply(state, fact(state, kind, seat, **data))
    assert GAME.faults(state) == []
    return state


def refusal(state: State, kind: str, seat: int | None = None, **data: Any) -> Refusal:
    before = state
    decided = GAME.decide(state, Action(kind, seat, data), SeededChance(1))
    assert isinstance(decided, Refusal), decided
    assert state == before
    return decided


def lay(state: State, *moves: str) -> State:
    """Cards laid by whoever is on turn: ``a1=TB``, or ``pass``."""
    for move in moves:
        if move == "pass":
            state = after(state, "pass", state.turn)
        else:
            cell, card = move.split("=")
            state = after(state, "place", state.turn, cell=cell, card=card)
    return state


def grid(state: State, **cells: str) -> State:
    """The state with these cards in the area, without asking how they came there."""
    return replaced(state, grid={cell: (face,) for cell, face in cells.items()})


def holding(state: State, seat: int, *cards: str) -> State:
    """The state with these cards in a seat's hand, exchanged with the deck's or another hand's."""
    deck, hand = list(state.deck), list(state.hands[seat])
    deck += hand
    for card in cards:
        deck.remove(card)
    return replaced(state, hands={**state.hands, seat: cards}, deck=tuple(deck))
