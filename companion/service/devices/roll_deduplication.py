"""Merges simultaneous requests for a roll: a second roll could not be undone and would cost a round."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.game.base import Action
from companion.table.authority import authority_fault
from companion.table.events import Actor, Event
from companion.table.match import Match, in_effect
from companion.table.table import Accepted, Refused, Table

AT_ONCE = 5.0  # seconds within which somebody else's press means the roll that was just thrown


@dataclass
class RollDeduplication:
    """Answers with the roll that whoever asks has not seen yet, instead of throwing another one."""

    table: Table
    clock: Callable[[], float] = time.monotonic
    _latest: dict[str, tuple[float, Actor, int]] = field(default_factory=dict)  # by match
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def throw(
        self,
        match: Match,
        actor: Actor,
        key: str | None,
        seen: int | None,
        thrown: Callable[[], Accepted | Refused],
    ) -> Accepted | Refused:
        """``seen`` is the version of the match that the caller looks at; without it the time decides."""
        action = Action("roll", actor.seat)
        fault = authority_fault(action, actor)
        if fault is not None:
            return Refused(fault.code, fault.message)
        earlier = self.table.answered(action, actor, key, match.id)
        if earlier is not None:
            return earlier
        event = self._unseen(match, seen) if seen is not None else self._just_thrown(match, actor)
        if event is not None:
            if key:
                self.table.bind(action, actor, key, event)
            return Accepted(event, match.version, again=True)
        answer = thrown()
        if isinstance(answer, Accepted) and not answer.again:
            with self._lock:
                self._latest[match.id] = (self.clock(), actor, answer.event.seq)
        return answer

    def _unseen(self, match: Match, seen: int) -> Event | None:
        facts = in_effect(match.events)
        later = [event for event in match.events[seen:] if event.kind == "roll" and event.seq in facts]
        return later[-1] if later else None

    def _just_thrown(self, match: Match, actor: Actor) -> Event | None:
        """Return somebody else's roll of a moment ago, if nothing has happened since."""
        at, who, seq = self._latest.get(match.id, (-AT_ONCE, actor, 0))
        if who == actor or self.clock() - at >= AT_ONCE or match.version != seq:
            return None
        if not match.game.dice(match.state):
            return None  # the rules refuse a second one themselves
        return match.events[-1]
