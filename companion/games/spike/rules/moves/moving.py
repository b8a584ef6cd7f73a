"""The free movement, setting a train in motion, and the movement boost."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.core.jsontext import shaped
from companion.core.messages import m, nm
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.spike.rules.boards.board import on_track
from companion.games.spike.rules.match.flow import acted, action_refusal, player_of, turn_refusal, with_train
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.trains import in_city, reachable


class To(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The destination of a train: a track or a city."""

    to: str


def moves(state: State) -> list[str]:
    """The tracks and cities in reach of the free movement."""
    _, train = player_of(state, state.turn)
    if state.moved or state.acted or in_city(state.options.on, train):
        return []
    return list(reachable(state.options, state.player, train.speed))


def motions(state: State) -> list[str]:
    """The tracks and cities in reach of a train in a city that is set in motion."""
    _, train = player_of(state, state.turn)
    if not in_city(state.options.on, train):
        return []
    return list(reachable(state.options, state.player, train.speed))


def boosts(state: State) -> list[str]:
    """The tracks and cities one space away, for the movement boost."""
    _, train = player_of(state, state.turn)
    return [] if in_city(state.options.on, train) else list(reachable(state.options, state.player, 1))


def _where(state: State, to: str) -> str:
    board = state.options.on
    return to if to in board.cities else board.find_track(to)


def _movement(
    state: State, action: Action, refusal: Refusal | None, open_to: Callable[[State], list[str]]
) -> Fact | Refusal:
    to = _where(state, shaped(action.data, To, "bad-action").to)
    if refusal is not None:
        return refusal
    places = open_to(state)
    if to in places:
        return Fact(action.kind, action.seat, {"to": to})
    _, train = player_of(state, state.turn)
    standing = in_city(state.options.on, train) is not None
    if standing != (action.kind == "motion"):
        where = m("in {at}", at=train.at) if standing else on_track(train.at)
        message = {
            "motion": m("the train is {where}: only a train in a city is set in motion", where=where),
            "move": m("the train is {where}: it has to be set in motion, which is an action", where=where),
            "boost": m("the train is {where}: a boost is for a train on a track", where=where),
        }[action.kind]
        return Refusal("standing" if standing else "moving", message)
    if action.kind == "move" and state.moved:
        return Refusal("moved", m("the free movement of this turn is over"))
    steps = 1 if action.kind == "boost" else train.speed
    message = m(
        "{to} is not to be reached from {at} on your own tracks in {spaces}",
        to=to,
        at=train.at,
        spaces=nm("{n} space", "{n} spaces", steps),
    )
    return Refusal("too-far", message, {"places": places})


def decide_move(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Move a train that is on a track, before the action."""
    refusal = turn_refusal(state, action.seat)
    if refusal is None and state.acted:
        refusal = Refusal("acted", m("the free movement comes before the action"))
    return _movement(state, action, refusal, moves)


def apply_move(state: State, fact: Fact) -> State:
    """The state with the train at its new place and the free movement used up."""
    return replaced(with_train(state, at=fact.data["to"]), moved=True)


def decide_motion(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Set a train in a city in motion as the action."""
    return _movement(state, action, action_refusal(state, action.seat), motions)


def decide_boost(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Move a train on a track by one space as the action."""
    return _movement(state, action, action_refusal(state, action.seat), boosts)


def apply_movement(state: State, fact: Fact) -> State:
    """The state with the train at its new place and the action done."""
    return acted(with_train(state, at=fact.data["to"]))
