"""From what a watching camera sees on a seat's board to events of the match, which it may still change.

Until the dice are thrown again people may go on drawing, and wipe: then the camera corrects what it entered,
or takes it back. What somebody has taken back, corrected or tapped by hand is theirs: it is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.errors import GameError
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Action, Fact, Game, Refusal
from companion.game.pictures import PICTURE
from companion.table.events import Actor, canonical, is_move
from companion.table.match import NO_CHANCE, TABLE_KINDS, Match, in_effect, with_fact
from companion.table.table import Accepted, Refused, Table

DONE = "done"  # of the games in which a seat says that its round is over
_TURN_OVER = (DONE, "finish")  # the same of turns


@dataclass(frozen=True)
class Entered:
    """What the camera has entered for a seat, and may still change: the event, and what it says now."""

    seq: int
    fact: Fact


class Settling:
    """Enters, corrects and takes back what a camera has seen. ``camera`` is what it is called."""

    def __init__(self, table: Table, camera: Callable[[], str]) -> None:
        self._table = table
        self._camera = camera

    @property
    def actor(self) -> Actor:
        """The camera, as it stands beside its events."""
        return Actor("device", name=m("camera {camera}", camera=self._camera()))

    def enter(self, match: Match, seat: int, action: Action, *, shared: bool = False) -> str:
        """Enter what is complete on a seat's board, or correct what was entered before it; why not, or "".

        A game whose seats say that they are done is told so: a complete round is over unless it is changed.
        On a ``shared`` board each entry is a step of its own.
        """
        if belongs_to_people(match, seat, action, shared=shared):
            return ""
        before = None if shared else entered(match, seat)
        if before is None:
            answer = self._table.submit(action, self.actor, match=match.id)
        elif same_entry(before.fact.data, decided(match, seat, action)):
            answer = None
        else:
            wanted = {"seq": before.seq, "data": decided(match, seat, action)}
            answer = self._table.submit(Action("correct", seat, wanted), self.actor, match=match.id)
        if isinstance(answer, Refused):
            return answer.message
        self.say_done(self._table.match(match.id) or match, seat, ends=False)
        return ""

    def say_done(self, match: Match, seat: int, *, ends: bool) -> bool:
        """Say that a seat's round is over, where that can be said; ``ends``: even if the match is over then.

        A round may be changed until the next roll. After the last one there is none: who thinks of one more
        route has to have the time to draw it.
        """
        done = Action(DONE, seat)
        if match.finished or done not in match.game.legal(match.state, seat):
            return False
        after = _after(match.game, match.state, done)
        if not ends and after is not None and match.game.finished(after):
            return False
        return isinstance(self._table.submit(done, self.actor, match=match.id), Accepted)

    def take_back(self, match: Match, seat: int) -> bool:
        """Take back what was entered for a seat whose board is not complete any more."""
        known = entered(match, seat)
        if known is None:
            return False
        after = [
            seq for seq, fact in in_effect(match.events).items() if seq > known.seq and fact.seat == seat
        ]
        for seq in (*reversed(after), known.seq):
            answer = self._table.submit(Action("undo", seat, {"seq": seq}), self.actor, match=match.id)
            if not isinstance(answer, Accepted):
                return False
        return True


def entered(match: Match, seat: int) -> Entered | None:
    """What the camera has entered for a seat since the last roll, if nobody else has changed it since."""
    facts = in_effect(match.events)
    for seq, fact in reversed(facts.items()):
        if match.game.lasting(fact):
            return None
        if fact.seat != seat or not is_move(fact) or fact.kind == DONE:
            continue
        by_camera = match.events[seq - 1].actor.role == "device" and PICTURE in fact.data
        return Entered(seq, fact) if by_camera else None
    return None


def state_under(match: Match, seat: int) -> Any:
    """The state in which a seat's board is read: before what the camera itself has entered for it."""
    known = entered(match, seat)
    if known is None:
        return match.state
    state = match.game.start(match.opening["setup"])
    for seq, fact in in_effect(match.events).items():
        if seq >= known.seq:
            break
        state = with_fact(match.game, state, fact)
    return state


def decided(match: Match, seat: int, action: Action, *, shared: bool = False) -> JsonObject:
    """An action's data as its event would have them; as they are where the rules refuse it."""
    try:
        fact = match.game.decide(match.state if shared else state_under(match, seat), action, NO_CHANCE)
    except (GameError, LookupError):
        return action.data
    return action.data if isinstance(fact, Refusal) else fact.data


def steps_before(match: Match, proposal: Action, move: Action) -> list[Action]:
    """What has to be entered so that a move can be made that takes a proposal for granted.

    The proposal, and that the turn is over where only then the next seat can move; nothing if the move does
    not depend on it, or is the proposed seat's own word about it.
    """
    own = move.seat == proposal.seat
    if move.kind in TABLE_KINDS or (own and move.kind == proposal.kind):
        return []
    if not own and _is_allowed(match.game, match.state, move):
        return []
    for steps in turn_passed(match, proposal):
        if _is_allowed(match.game, steps.state, move):
            return [] if own and len(steps.actions) > 1 else steps.actions
    return []


@dataclass(frozen=True)
class Steps:
    """Actions, and the state after them."""

    actions: list[Action]
    state: Any


def turn_passed(match: Match, proposal: Action) -> Iterator[Steps]:
    """The match after a proposal; and after the seat has said that its turn is over, if it has to."""
    state, actions = match.state, list[Action]()
    for action in (proposal, *(Action(kind, proposal.seat) for kind in _TURN_OVER)):
        after = _after(match.game, state, action)
        if after is not None:
            state, actions = after, [*actions, action]
            yield Steps(actions, state)
        elif action is proposal:
            return


def _after(game: Game[Any], state: Any, action: Action) -> Any | None:
    """The state after an action; None if the rules refuse it, or chance takes part."""
    try:
        fact = game.decide(state, action, NO_CHANCE)
    except (GameError, LookupError):
        return None
    return None if isinstance(fact, Refusal) else game.apply(state, fact)


def _is_allowed(game: Game[Any], state: Any, action: Action) -> bool:
    try:
        return not isinstance(game.decide(state, action, NO_CHANCE), Refusal)
    except GameError:
        return False
    except LookupError:  # only chance is missing
        return True


def belongs_to_people(match: Match, seat: int, action: Action, *, shared: bool = False) -> bool:
    """Return True if somebody took back, or changed, just this entry since the last roll."""
    wanted = decided(match, seat, action, shared=shared)
    known = None if shared else entered(match, seat)
    for event in reversed(match.events):
        if event.kind in ("undo", "correct") and event.seat == seat and event.actor.role != "device":
            changed = match.events[event.data["seq"] - 1]
            said = known.fact.data if changed.kind == DONE and known is not None else changed.data
            if changed.actor.role == "device" and same_entry(said, wanted):
                return True
        elif match.game.lasting(Fact(event.kind, event.seat, event.data)):
            return False
    return False


def same_entry(one: JsonObject, other: JsonObject) -> bool:
    """Return True if two entries say the same, in whatever order and from whatever photograph."""
    return _unordered(one) == _unordered(other)


def _unordered(data: JsonObject) -> dict[str, Any]:
    told = {key: value for key, value in data.items() if key != PICTURE}
    return {
        key: sorted(map(canonical, value)) if isinstance(value, list | tuple) else canonical(value)
        for key, value in told.items()
    }
