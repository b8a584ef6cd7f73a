"""Seats that nobody plays: what they would have to choose is chosen for them, and their turns pass.

Their track, train and contracts stay on the board. Before the first turn a seat that was left keeps its
contracts as they lie, gives its first card away, keeps the first of its routes, and stands in the first city,
so that it can be taken again at any time.
"""

from __future__ import annotations

from companion.core.records import replaced
from companion.game.base import Fact
from companion.games.spike.rules.match.flow import next_turn
from companion.games.spike.rules.match.opening_actions import (
    apply_give,
    apply_place,
    apply_route,
    apply_sides,
    with_all_declared,
)
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.rail_cards import suits_of

_CHOOSING = ("declare", "sides", "routes", "reveal")


def leave(state: State, seat: int) -> State:
    """Nobody waits for this seat any more."""
    if seat in state.out or state.finished:
        return state
    return going_on(replaced(state, out=tuple(sorted((*state.out, seat)))))


def come_back(state: State, seat: int) -> State:
    """The seat has turns again; in a scorekeeper's match it is asked for its end again."""
    if seat not in state.out:
        return state
    state = replaced(state, out=tuple(other for other in state.out if other != seat))
    if state.mode == "scorekeeper" and seat not in state.waiting:
        state = replaced(state, waiting=tuple(sorted((*state.waiting, seat))))
    return going_on(state)


def going_on(state: State) -> State:
    """The state in which the next thing is up to somebody who plays; unchanged where everybody has left."""
    while not state.finished and len(state.out) < len(state.players):
        seat = _next_absent(state)
        if seat is None:
            return state
        state = _without_asking(state, seat)
    return state


def _next_absent(state: State) -> int | None:
    """The seat without a player that would have to act now."""
    if state.mode == "scorekeeper" or state.phase in _CHOOSING:
        return next((seat for seat in state.waiting if seat in state.out), None)
    return state.turn if state.turn in state.out else None


def _without_asking(state: State, seat: int) -> State:
    """The state after what has to be done for a seat that was left."""
    player = state.players[seat]
    if state.mode == "scorekeeper" or state.phase in ("declare", "reveal"):
        waiting = tuple(other for other in state.waiting if other != seat)
        over = not waiting and (state.mode == "scorekeeper" or state.phase == "reveal")
        state = replaced(state, waiting=waiting, phase="over" if over else state.phase)
        return with_all_declared(state) if state.phase == "declare" and not waiting else state
    if state.phase == "sides":
        return apply_sides(state, Fact("sides", seat, {"turned": []}))
    if state.phase == "routes":
        return apply_route(state, Fact("route", seat, {"card": player.offered[0]}))
    if state.phase == "give":
        suit = next(suit for suit, count in zip(suits_of(state), player.hand, strict=True) if count)
        return apply_give(state, Fact("give", seat, {"card": suit}))
    if state.phase == "place":
        return apply_place(state, Fact("place", seat, {"city": next(iter(state.options.on.cities))}))
    return next_turn(state)
