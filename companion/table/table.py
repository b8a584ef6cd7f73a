"""The table: the single entry point for all actions.

A phone, the dice roller and the camera all hand an action to :meth:`Table.submit`; the rules decide, the
event is stored, everyone is told. Writers take turns; a refused action leaves everything as it was; what was
accepted is on the disk before anybody hears of it.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias

import msgspec

from companion.core.errors import CodedError
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Action, Chance, Fact, Game, Refusal
from companion.table.authority import as_asked, authority_fault
from companion.table.chance import SystemChance
from companion.table.consent import consent_fault, unasked
from companion.table.events import (
    FIRST_HASH,
    Actor,
    Device,
    Event,
    canonical,
    check_holds_no_message_data,
    data_stored,
    sealed,
    stored_of,
)
from companion.table.exc import JournalError, TableError
from companion.table.feed import Feed, Subscription
from companion.table.match import Match, advanced, in_effect, opened
from companion.table.recovery import FINISHED_UNKNOWN
from companion.table.replay import game_of, replayed
from companion.table.requests import decide_in_match, decide_start
from companion.table.seats import new_token, token_digest
from companion.table.snapshots import restored, snapshot_due, snapshot_of
from companion.table.store import Answer, Store

log = logging.getLogger(__name__)

Clock: TypeAlias = Callable[[], datetime]
Asker: TypeAlias = tuple[Actor, str] | str  # somebody with a key; or a claim to one, see `Table.claim`
_SENSELESS = "senseless-matches"
_CLAIMED = "roll"  # whose the keys are that came back from a device as claims
REMEMBERED = 8  # matches; whatever is being watched is asked for all the time, so it stays among them


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Accepted:
    """An accepted action: its stored event and the match's new version; ``again``: a repeated request."""

    event: Event
    version: int
    again: bool = False


@dataclass(frozen=True)
class Refused:
    """A refused action, which changed nothing, and the reason."""

    code: str
    message: str
    detail: JsonObject = field(default_factory=dict)


class Table:
    """The matches of one physical table, on one store."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game[Any]],
        *,
        chance: Chance | None = None,
        clock: Clock = _now,
        new_id: Callable[[], str] = lambda: secrets.token_hex(4),
        chance_for: Callable[[Match, Action], Chance | None] = lambda *_: None,
    ) -> None:
        """``chance_for`` gives the chance of an action that is not left to the table's own ``chance``."""
        self._store = store
        self._games = games
        self._chance = chance or SystemChance()
        self._chance_for = chance_for
        self._clock = clock
        self._new_id = new_id
        self._lock = threading.Lock()
        self._matches: OrderedDict[str, Match] = OrderedDict()  # the one asked for last comes last
        self._feed = Feed(store.stored(), store.stored_after)
        self._current = _newest(store, games)

    @property
    def current(self) -> Match | None:
        """The match that is being played, if any."""
        with self._lock:
            return self._match(self._current) if self._current else None

    def match(self, match_id: str) -> Match | None:
        """Any match of this table; a :class:`TableError` says that its game is not known here."""
        with self._lock:
            return self._match(match_id)

    def subscribe(self) -> Subscription:
        """Every event from now on, in order, at the reader's own pace."""
        return self._feed.subscribe()

    def submit(
        self,
        action: Action,
        actor: Actor,
        key: str | None = None,
        *,
        match: str | None = None,
        device: Device | None = None,
        also_for: Sequence[Asker] = (),
    ) -> Accepted | Refused:
        """Submit an action. The same ``key`` from the same actor, or the same device roll, counts once.

        A key belongs to its match and actor. ``also_for`` are others who asked for the same with keys of
        their own: what happens is the answer to theirs, too.
        """
        try:
            with self._lock:
                return self._submit(as_asked(action, actor), actor, key, match, device, also_for)
        except CodedError as problem:
            return Refused(problem.code, problem.message)

    def _submit(
        self,
        action: Action,
        actor: Actor,
        key: str | None,
        match_id: str | None,
        device: Device | None,
        also_for: Sequence[Asker],
    ) -> Accepted | Refused:
        fault = authority_fault(action, actor)
        if fault is not None:
            return _refused(fault)
        place = "" if action.kind == "start" else match_id or self._current or ""
        earlier = self._earlier(action, actor, key, device, place)
        if earlier is not None:
            return earlier
        match, fact = self._decided(action, actor, match_id)
        if isinstance(fact, Refusal):
            return _refused(fact)
        event = self._event(match, fact, actor, device)
        answers = [_answer(action, actor, key, place, event)] if key else []
        answers += [_answer_also(asker, place, event) for asker in also_for]
        accepted = self._store_and_tell(match, event, answers)
        if event.kind == "hold":
            self._close_questions(event.match)
        return accepted

    def _close_questions(self, match_id: str) -> None:
        """Carry out proposals whose last seat that had not agreed has left.

        A change that cannot be made any more is withdrawn.
        """
        match = self._matches[match_id]
        for proposal in unasked(match):
            actor = Actor("service", name=m("everybody agrees"))
            about = {"seq": proposal.seq}
            fact = decide_in_match(match, Action("agree", proposal.seat, about), actor, self._chance)
            if isinstance(fact, Refusal):
                log.info("Match %s: what event %s asks for is withdrawn: %s", match_id, proposal.seq, fact)
                fact = Fact("object", proposal.seat, about)
            self._store_and_tell(match, self._event(match, fact, actor, None), [])
            match = self._matches[match_id]

    def answered(
        self, action: Action, actor: Actor, key: str | None, match: str
    ) -> Accepted | Refused | None:
        """What this actor was told when this key was used before in the match; None when it is new."""
        with self._lock:
            return self._earlier(as_asked(action, actor), actor, key, None, match)

    def bind(self, action: Action, actor: Actor, key: str, event: Event) -> None:
        """Make this event the answer to a key from now on."""
        with self._lock:
            self._store.put_answer(_answer(as_asked(action, actor), actor, key, event.match, event))

    def claim(self, actor: Actor, key: str, match: str) -> str:
        """A short digest of somebody's key, for a device that repeats it: see ``also_for``."""
        return hashlib.sha256(f"{_actor_key(actor, match)}\n{key}".encode()).hexdigest()[:12]

    def _decided(
        self, action: Action, actor: Actor, match_id: str | None
    ) -> tuple[Match | None, Fact | Refusal]:
        if action.kind == "start":
            return None, decide_start(action, self._games, self._chance)
        match = self._match(match_id or self._current or "")
        if match is None:
            return None, Refusal("no-match", m("there is no such match: the host begins one first"))
        chance = self._chance_for(match, action) or self._chance
        decided = decide_in_match(match, action, actor, chance)
        # Nobody is asked to agree to what is not possible anyway.
        if action.kind == "correct" and not isinstance(decided, Refusal):
            return match, consent_fault(match, in_effect(match.events), action, actor) or decided
        return match, decided

    def _earlier(
        self, action: Action, actor: Actor, key: str | None, device: Device | None, match: str
    ) -> Accepted | Refused | None:
        """The answer to this request if it was made before."""
        if device is not None and (event := self._store.by_device(device)) is not None:
            return Accepted(event, event.seq, again=True)
        answer = self._store.answer(_actor_key(actor, match), key) if key else None
        if answer is None and key:
            answer = self._answer_of_0_2(action, actor, key, match)
        if answer is None and key and action.kind == "roll":
            answer = self._store.answer(_CLAIMED, self.claim(actor, key, match))
        if answer is None:
            return None
        if answer.digest not in ("", _digest(action)):
            return Refused("key-used", m("this idempotency key belongs to another request: use a new one"))
        event = self._store.events(answer.match, after=answer.seq - 1)[0]
        return Accepted(event, event.seq, again=True)

    def _answer_of_0_2(self, action: Action, actor: Actor, key: str, match: str) -> Answer | None:
        """Up to version 0.2.0 a key did not name its match; what was answered then still counts there."""
        answer = self._store.answer(_actor_key(actor, match).partition("/")[2], key)
        here = answer is not None and (action.kind == "start" or answer.match == match)
        return answer if here else None

    def _store_and_tell(self, match: Match | None, event: Event, answers: Sequence[Answer]) -> Accepted:
        after = opened(event, self._games[event.data["game"]]) if match is None else advanced(match, event)
        self._matches.pop(event.match, None)  # if storing fails half-way, the store is asked again
        self._store.append(event, *answers, finished=after.finished)
        if match is None:
            self._current = event.match
        self._remember(after)
        self._feed.publish(event)
        self._keep_head_start(after)
        return Accepted(event, after.version)

    def _keep_head_start(self, match: Match) -> None:
        """Store a snapshot; as it is only a cache, a failure does not refuse the action."""
        if not snapshot_due(match):
            return
        try:
            self._store.put_snapshot(snapshot_of(match))
        except TableError as problem:
            log.warning("No snapshot of match %s after event %s: %s", match.id, match.version, problem)

    def _event(self, match: Match | None, fact: Fact, actor: Actor, device: Device | None) -> Event:
        at = self._clock().isoformat(timespec="milliseconds")
        text = canonical(stored_of(fact.data))  # as it will come back from the disk
        check_holds_no_message_data(fact.data, text)
        data = data_stored(msgspec.json.decode(text), text)
        actor = msgspec.structs.replace(actor, name=str(actor.name))  # text in the journal, and in the hash
        if match is None:
            return sealed(Event(self._new_id(), 1, at, fact.kind, data, None, actor, device, FIRST_HASH))
        last = match.events[-1]
        return sealed(Event(match.id, last.seq + 1, at, fact.kind, data, fact.seat, actor, device, last.hash))

    def _match(self, match_id: str) -> Match | None:
        """A match from memory, or folded from the store, starting from a snapshot if there is one."""
        if match_id not in self._matches:
            events = self._store.events(match_id)
            if not events:
                return None
            game = game_of(events, self._games)
            if match_id in senseless_matches(self._store):
                replayed(events, self._games)  # which says why
            self._remember(restored(events, game, self._store.latest_snapshot(match_id)))
        self._matches.move_to_end(match_id)
        return self._matches[match_id]

    def _remember(self, match: Match) -> None:
        """Cache a match; only a few are kept, so that an evening of many does not fill the memory."""
        self._matches[match.id] = match
        while len(self._matches) > REMEMBERED:
            del self._matches[next(name for name in self._matches if name not in (match.id, self._current))]

    def issue_token(self, match_id: str, seat: int) -> str:
        """A new secret for a seat; the one before stops working."""
        token = new_token()
        self._store.put_token(match_id, seat, token_digest(token))
        return token

    def seat_of_token(self, match_id: str, token: str) -> int | None:
        """The seat a secret belongs to."""
        return self._store.seat_of_token(match_id, token_digest(token))


def _refused(refusal: Refusal) -> Refused:
    return Refused(refusal.code, refusal.message, refusal.detail)


def _actor_key(actor: Actor, match: str) -> str:
    """Return the scope of a key: an actor in a match, or at the table for one who begins a match."""
    who = f"{actor.role}:{actor.seat if actor.seat is not None else actor.name}"
    return f"{match}/{who}"


def _answer(action: Action, actor: Actor, key: str, place: str, event: Event) -> Answer:
    return Answer(_actor_key(actor, place), key, _digest(action), event.match, event.seq)


def _answer_also(asker: Asker, place: str, event: Event) -> Answer:
    if isinstance(asker, str):
        return Answer(_CLAIMED, asker, "", event.match, event.seq)
    actor, key = asker
    return _answer(as_asked(Action(event.kind), actor), actor, key, place, event)


def _digest(action: Action) -> str:
    return hashlib.sha256(canonical(action)).hexdigest()


def settle_finished(store: Store, games: Mapping[str, Game[Any]]) -> None:
    """Find out again which matches are over, and which make no sense, after they came back from journals."""
    if not store.setting(FINISHED_UNKNOWN):
        return
    senseless = []
    for stored in store.matches():
        if stored.finished is None and stored.game in games:
            events = store.events(stored.id)
            try:
                finished = replayed(events, games).finished
            except JournalError as problem:
                log.warning("Match %s is left out: %s", stored.id, problem.message)
                senseless.append(stored.id)
            else:
                if finished:
                    store.set_finished(stored.id, events[-1].at)
    store.put_setting(_SENSELESS, " ".join(senseless))
    store.put_setting(FINISHED_UNKNOWN, "")


def senseless_matches(store: Store) -> list[str]:
    """Matches from somebody's journals that the rules cannot follow: kept, and left out."""
    return (store.setting(_SENSELESS) or "").split()


def _newest(store: Store, games: Mapping[str, Game[Any]]) -> str | None:
    """The newest match whose game is known; those of a game that was taken away wait for it."""
    out = senseless_matches(store)
    played = (match.id for match in reversed(store.matches()) if match.game in games and match.id not in out)
    return next(played, None)
