"""Whose turn it is, what is open in it, and how actions, turns and the match end."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.messages import Seat, m
from companion.core.records import replaced
from companion.game.base import Action, Refusal
from companion.games.spike.rules.match.opening_actions import begun
from companion.games.spike.rules.match.state import Player, State, Train, with_player
from companion.games.spike.rules.moves.trains import deliverable, has_nothing_left


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of actions that carry none."""


def turn_refusal(state: State, seat: int | None) -> Refusal | None:
    """Why a seat can do nothing at all now."""
    if state.phase != "play":
        return Refusal("not-now", no_turns(state))
    if seat != state.turn:
        return Refusal("not-your-turn", m("it is the turn of {turn}", turn=Seat(state.turn)))
    return None


def no_turns(state: State) -> str:
    """Why nobody is on turn: before the first one, or after the last."""
    words = _PHASE_WORDS[state.phase]
    return words if state.phase in ("reveal", "over") else m("turns have not begun: {words}", words=words)


_PHASE_WORDS = {
    "declare": m("contracts and market are declared first"),
    "sides": m("everybody chooses the sides of his contracts first"),
    "give": m("the seat that begins gives a card to its right first"),
    "routes": m("everybody keeps one of two routes first"),
    "place": m("the locomotives are placed first"),
    "reveal": m("turns are over: only the route cards are still to be shown"),
    "over": m("the match is over"),
}


def action_refusal(state: State, seat: int | None) -> Refusal | None:
    """Why a seat cannot begin its action."""
    refusal = turn_refusal(state, seat)
    if refusal is None and state.acted:
        doing = m("finish drawing first") if state.drawing else m("a turn has one action")
        return Refusal("acted", m("this turn's action is done: {doing}", doing=doing))
    return refusal


def free_refusal(state: State, seat: int | None) -> Refusal | None:
    """Why a seat cannot load, dump or deliver."""
    refusal = turn_refusal(state, seat)
    if refusal is None and state.drawing:
        return Refusal("drawing", m("finish drawing first: draw on, or stop"))
    return refusal


def player_of(state: State, seat: int | None) -> tuple[Player, Train]:
    """The player and the train, once turns have begun."""
    player = state.players[seat or 0]
    assert player.train is not None, "trains are placed before the first turn"
    return player, player.train


def with_train(state: State, **changes: Any) -> State:
    """The state with fields of the train changed whose turn it is."""
    return with_player(state, state.turn, train=replaced(player_of(state, state.turn)[1], **changes))


# --- the end of an action and of a turn ---


def acted(state: State) -> State:
    """The state after the action of a turn, which ends by itself where nothing can be delivered."""
    state = replaced(state, acted=True, drawing=0)
    return state if deliverable(state, state.player) else next_turn(state)


def next_turn(state: State) -> State:
    """The state at the beginning of the next seat's turn, or at the end of the match."""
    last = state.last_turns
    if last is not None:
        last -= 1
    elif state.turn not in state.out and has_nothing_left(state, state.player):
        last = len(state.players) - 1
    state = replaced(state, last_turns=last)
    if last == 0:
        return over(state)
    seats = sorted(state.players)
    following = seats[(seats.index(state.turn) + 1) % len(seats)]
    return replaced(state, turn=following, moved=False, acted=False, drawing=0)


def over(state: State) -> State:
    """The match ends at once; people's own route cards are still to be shown."""
    state = replaced(state, drawing=0)
    return replaced(state, phase="over", waiting=()) if state.by_box else begun(state, "reveal")


def listed_actions(kind: str, key: str, values: list[str], state: State) -> list[Action]:
    """One action for each value, for the seat whose turn it is."""
    return [Action(kind, state.turn, {key: value}) for value in values]
