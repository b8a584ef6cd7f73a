"""Shuttle as a game of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.game.base import Action, Chance, Fact, Game, MatchRequest, Mode, Refusal

from .line import DICE, FACES, ROUNDS, STOPS, lines, offered, worth

Stop = Annotated[int, msgspec.Meta(ge=1, le=STOPS)]
Pips = Annotated[int, msgspec.Meta(ge=1, le=len(FACES))]


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match: the stops that every seat has served, and who is done with this round."""

    mode: Mode
    served: dict[int, tuple[int, ...]]
    round: int = 1
    dice: tuple[int, ...] = ()
    done: tuple[int, ...] = ()

    @property
    def finished(self) -> bool:
        """Has the last round been played?"""
        return self.round > ROUNDS


class _Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: Mode
    seats: int


class _Roll(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    faces: tuple[str, ...] = ()
    source: JsonObject = msgspec.field(default_factory=lambda: {"kind": "hand"})


class _Serve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stop: Stop
    picture: JsonObject = {}


class _Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stops: tuple[Stop, ...]
    picture: JsonObject = {}


class Position(msgspec.Struct, frozen=True):
    """A line in the game's notation."""

    stops: tuple[Stop, ...]


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dice: tuple[Pips, Pips]
    stop: Stop


class _Moves(msgspec.Struct, frozen=True):
    moves: tuple[_Move, ...]


def _decide_roll(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    asked = shaped(action.data, _Roll, "bad-action")
    if state.dice:
        return Refusal("already-rolled", f"the dice of round {state.round} lie already")
    if not asked.faces:
        faces = [FACES[chance.below(len(FACES))] for _ in DICE]
        return Fact("roll", None, {"faces": faces, "source": chance.source})
    if len(asked.faces) != len(DICE) or not set(asked.faces) <= set(FACES):
        return Refusal("bad-roll", f"a throw is {len(DICE)} dice, each from 1 to {len(FACES)}")
    return Fact("roll", None, {"faces": list(asked.faces), "source": asked.source})


def _decide_serve(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    asked = shaped(action.data, _Serve, "bad-action")
    stops = offered(state.dice, state.served[action.seat or 0])
    if asked.stop not in stops:
        others = ", ".join(map(str, stops)) or "none: pass"
        return Refusal("not-offered", f"stop {asked.stop} cannot be served now; these can: {others}")
    return action


def _decide_pass(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    stops = offered(state.dice, state.served[action.seat or 0])
    if stops:
        return Refusal("can-serve", f"you can serve stop {' or '.join(map(str, stops))}")
    return action


def _decide_report(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    asked = shaped(action.data, _Report, "bad-action")
    if len(set(asked.stops)) != len(asked.stops):
        return Refusal("twice", "a stop is named twice")
    return action


_IN_TURN: Mapping[str, Callable[[State, Action, Chance], Fact | Refusal]] = {
    "serve": _decide_serve,
    "pass": _decide_pass,
}


class Shuttle(Game[State]):
    """The rules, for one to six."""

    name = "shuttle"
    title = "Shuttle"
    seats = (1, 6)
    die_faces: Mapping[str, tuple[str, ...]] = {"die": FACES}
    state_type = State

    def setup(self, request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
        """Nothing is drawn."""
        if request.options:
            return Refusal("bad-option", "Shuttle has no options")
        return {"mode": request.mode, "seats": request.seats}

    def setup_fault(self, data: JsonObject, request: MatchRequest) -> Refusal | None:
        """Another mode or another number of seats."""
        fine = shaped(data, _Setup) == _Setup(request.mode, request.seats)
        return None if fine else Refusal("bad-setup", "the setup is for another match")

    def start(self, data: JsonObject) -> State:
        """Empty lines."""
        setup = shaped(data, _Setup)
        return State(setup.mode, dict.fromkeys(range(1, setup.seats + 1), ()))

    def decide(self, state: State, action: Action, chance: Chance) -> Fact | Refusal:
        if action.kind == "roll":
            return _decide_roll(state, action, chance)
        if action.kind == "report" and state.mode == "scorekeeper":
            return _decide_report(state, action, chance)
        decide = _IN_TURN.get(action.kind)
        if decide is None or state.mode == "scorekeeper":
            return Refusal("unknown-action", "one can roll, serve a stop, pass, or (as scorekeeper) report")
        if not state.dice:
            return Refusal("not-rolled", f"first the dice of round {state.round} are thrown")
        if action.seat in state.done:
            return Refusal("done", f"seat {action.seat} has served in round {state.round}")
        return decide(state, action, chance)

    def apply(self, state: State, fact: Fact) -> State:
        """The state after a fact; once everybody has served, the next round begins."""
        if fact.kind == "roll":
            state = msgspec.structs.replace(state, dice=tuple(map(int, fact.data["faces"])))
            return self._next_round(state) if state.mode == "scorekeeper" else state
        seat = fact.seat or 0
        if fact.kind == "report":
            return msgspec.structs.replace(state, served={**state.served, seat: tuple(fact.data["stops"])})
        served = (*state.served[seat], *([fact.data["stop"]] if fact.kind == "serve" else []))
        done = (*state.done, seat)
        after = msgspec.structs.replace(state, served={**state.served, seat: served}, done=done)
        return self._next_round(after) if len(done) == len(state.served) else after

    @staticmethod
    def _next_round(state: State) -> State:
        return msgspec.structs.replace(state, round=state.round + 1, dice=(), done=())

    def lasting(self, fact: Fact) -> bool:
        """What was thrown stays."""
        return fact.kind == "roll"

    def legal(self, state: State, seat: int) -> list[Action]:
        if state.finished:
            return []
        if not state.dice:
            return [Action("roll")]
        if seat in state.done:
            return []
        stops = offered(state.dice, state.served[seat])
        return [Action("serve", seat, {"stop": stop}) for stop in stops] or [Action("pass", seat)]

    def score(self, state: State) -> list[JsonObject]:
        totals = {seat: worth(served) for seat, served in state.served.items()}
        return [
            {
                "seat": seat,
                "place": 1 + sum(other > total for other in totals.values()),
                "total": total,
                "lines": lines(state.served[seat]),
            }
            for seat, total in sorted(totals.items(), key=lambda one: (-one[1], one[0]))
        ]

    def view(self, state: State, seat: int | None) -> JsonObject:
        """Everything is open."""
        return {
            "mode": state.mode,
            "round": min(state.round, ROUNDS),
            "dice": list(state.dice),
            "served": {str(seat): sorted(served) for seat, served in state.served.items()},
            "done": list(state.done),
            "finished": state.finished,
            "scores": self.score(state),
            "you": seat,
        }

    def seen(self, state: State, fact: Fact, seat: int | None) -> Fact:
        """Everything is open."""
        return fact

    def finished(self, state: State) -> bool:
        return state.finished

    def dice(self, state: State) -> tuple[str, ...]:
        """Two dice at the beginning of a round."""
        return () if state.dice or state.finished else DICE

    def score_position(self, position: JsonObject) -> JsonObject:
        served = _line(position)
        return {"total": worth(served), "runs": len(lines(served))}

    def explain_position(self, position: JsonObject) -> list[str]:
        served = _line(position)
        return [*lines(served), f"Total: {worth(served)}"]

    def check_moves(self, moves: JsonObject) -> JsonObject:
        served: set[int] = set()
        for place, move in enumerate(shaped(moves, _Moves).moves):
            if move.stop not in offered(move.dice, served):
                message = f"stop {move.stop} is served already, or not what {move.dice} show"
                return {"valid": False, "at": place, "code": "not-offered", "message": message}
            served.add(move.stop)
        return {"valid": True}

    def faults(self, state: State) -> list[str]:
        """A stop served twice, or more stops than rounds."""
        return [
            f"seat {seat} has served {served}"
            for seat, served in state.served.items()
            if len(set(served)) != len(served) or (state.mode == "umpire" and len(served) > ROUNDS)
        ]


def _line(position: JsonObject) -> tuple[int, ...]:
    served = shaped(position, Position).stops
    if len(set(served)) != len(served):
        raise NotationError("twice", "a stop is named twice")
    return served
