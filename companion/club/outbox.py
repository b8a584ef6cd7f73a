"""The outbox: brings the matches that count for the club to its hub, in order, and again until it has them.

Nothing is kept for it. The store has every event for ever, and the hub says how far it has come with each
match; so a hub that was away for a night, or was put back to an old backup, simply gets the rest. An event is
told at once; without news the box looks in every few seconds, to be seen and to hear what it plays next.
"""

from __future__ import annotations

import logging
import math
import random
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from companion.club.dice import CLUB_ACTOR, ClubDice, commitment_of, matches_with
from companion.club.hub_client import HubClient, HubError
from companion.club.keys import public_key, signature
from companion.club.limits import read_batch
from companion.club.membership import KEY_SETTING, Membership, Memberships
from companion.club.messages import (
    MOST_RECORDS,
    Batch,
    Head,
    Receipt,
    Record,
    Seating,
    TableState,
    Untold,
    batch_text,
)
from companion.club.records import RecordBuilder, untold
from companion.core.errors import NotationError
from companion.core.jsontext import builtins_of
from companion.core.messages import m, with_messages
from companion.game.base import Action, Game
from companion.table.events import Event, canonical
from companion.table.match import Match, folded
from companion.table.store import Store
from companion.table.table import Table

log = logging.getLogger(__name__)

LOOKS_IN = 10.0  # seconds between two batches without news
LONGEST_BREAK = 5.0  # seconds between two tries while the hub is away
_ASKS = 2.0  # seconds after which the hub may have stored what it took
_STOPS_WITHIN = 0.5
_TELLS_AGAIN = 60.0  # seconds: a hub that has much to judge asks again
_BUILDERS_KEPT = 4  # matches whose fold is kept; a club night has one

Describe: TypeAlias = Callable[[Match, bool], TableState]


class Outbox:
    """A thread of the box. ``describe`` says how a match stands, with its whole position where asked for."""

    def __init__(
        self,
        store: Store,
        table: Table,
        games: Mapping[str, Game[Any]],
        describe: Describe,
        stopping: threading.Event,
        *,
        connect: Callable[[str], HubClient] = HubClient,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._table = table
        self._games = games
        self._describe = describe
        self._stopping = stopping
        self._connect = connect
        self._changed = changed
        self._events = table.subscribe()
        self.memberships = Memberships(store.setting, store.put_setting)
        self.dice = ClubDice(store.setting, store.put_setting)
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
        self._wish = threading.Event()  # somebody changed something on a page
        self._client: HubClient | None = None
        self._heads: dict[str, Head] = {}  # what the hub has, as it said
        self._builders: dict[str, RecordBuilder] = {}
        self._held: dict[str, list[Record]] = {}  # made, and not yet taken by the hub
        self._looked = False  # which matches there are
        self._number = time.time_ns() // 1_000_000
        self._watched = False
        self._takes_messages = False
        self._done: set[str] = set()  # matches of which the hub has everything
        self.unsettled: set[str] = set()  # those of which it took the last records without having stored them
        self.help = ""
        self.trouble = ""  # why the last batch did not arrive; nothing when it did
        self.faults: dict[str, str] = {}  # matches whose chain the hub could not verify
        self.unsent: dict[str, str] = {}  # matches of which the hub takes no more, and why
        self._shown_less: dict[str, int] = {}  # matches told without their position (1), or not shown (2)
        self._wanted = ""  # a match of which the hub asks what its records left out
        self._told: dict[str, float] = {}  # when, by match
        self.seating: Seating | None = None  # what the club has this table play next

    def start(self) -> None:
        """Start sending in a thread of its own."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()
        self._events.close()

    def wake(self) -> None:
        """Tell the hub at once that something was changed on a page."""
        self._wish.set()

    def call_for_help(self, words: str) -> None:
        """Call the organiser to this table, or (with nothing) say that all is well again."""
        self.help = words
        self.wake()

    @property
    def waiting(self) -> int:
        """How many events of matches that count the hub does not have yet, as far as is known here."""
        membership = self.memberships.now
        return sum(self._lacking(match) for match in membership.matches) if membership else 0

    def _lacking(self, match: str) -> int:
        if match in self._done:
            return 0
        last = self._store.last(match)
        lacking = max(0, (last.seq if last else 0) - self._heads.get(match, Head()).seq)
        if not lacking and match in self._heads:
            self._done.add(match)
        return lacking

    # The thread

    def _run(self) -> None:
        pause, due = 0.0, 0.0
        while not self._stopping.is_set():
            news = self._events.read(timeout=min(_STOPS_WITHIN, max(0.0, due - time.monotonic())))
            self._notice(news)
            asked = self._wish.is_set()
            if not (news or asked or time.monotonic() >= due) or (self.trouble and time.monotonic() < due):
                continue
            self._wish.clear()
            before = (self.trouble, self.seating, self.faults)
            try:
                more = self.send()
                pause, due = 0.0, time.monotonic() + (0.0 if more else _ASKS if self.unsettled else LOOKS_IN)
                self.trouble = ""
            except HubError as problem:
                pause = max(problem.wait, min(LONGEST_BREAK, max(1.0, 2 * pause)))
                due = time.monotonic() + pause * random.uniform(0.75, 1.25)
                self._note_trouble(problem)
            if before != (self.trouble, self.seating, self.faults):
                self._changed()
        if self._client is not None:
            self._client.close()

    def _note_trouble(self, problem: HubError) -> None:
        if self.trouble != problem.message:
            log.warning("Nothing reaches the club's hub: %s", problem.message)
        self.trouble = problem.message
        self._heads.clear()  # whoever answers next may be another hub, or one put back to a backup
        self._held.clear()
        self._builders.clear()
        self._done.clear()
        self.unsettled.clear()
        self.unsent.clear()

    def _notice(self, news: list[Event]) -> None:
        """Count matches that have begun, where the host wants that: also just before the power went away."""
        self._done.difference_update(event.match for event in news)
        if not self._looked or any(event.kind == "start" for event in news):
            self.memberships.count_begun([match.id for match in self._store.matches()])
            self._looked = True

    # One batch

    def send(self) -> bool:
        """Send one batch, if the box is in a club; True when more is waiting to be sent."""
        self._notice(self._events.read(timeout=0))
        membership = self.memberships.now
        if membership is None:
            self.faults, self.seating, self._watched = {}, None, False
            return False
        asks = [match for match in membership.matches if match not in self._heads][:1000]
        records = [] if asks else self._next_records(membership)
        asks += sorted(self.unsettled) if not records else []
        current = self._table.current
        counted = current is not None and current.id in membership.matches
        self._number += 1
        batch = Batch(
            membership.club,
            self._number,
            records,
            asks,
            self._state(current) if counted and current else None,
            self.help,
            list(self.dice.waiting)[:20],
            self._untold(membership),
        )
        try:
            receipt = self._delivered(membership, canonical(batch))
        except HubError as problem:
            if problem.status != 422 or not self._left_out(batch, problem.message):
                raise
            return True
        self._take(membership, receipt, asks)
        wanted = receipt.watched and batch.table is not None and batch.table.view is None
        wanted = wanted and not self._shown_less.get(batch.table.match if batch.table else "")
        wanted = wanted or self._may_tell()
        return wanted or (bool(asks or records) and self._more(membership))

    def _may_tell(self) -> bool:
        """True if the hub asks what records left out, and was not told just now."""
        told = self._told.get(self._wanted, -math.inf)
        return bool(self._wanted) and time.monotonic() > told + _TELLS_AGAIN

    def _untold(self, membership: Membership) -> Untold | None:
        """What the hub has asked for, of a match that is over."""
        match = self._wanted
        if match not in membership.matches or not self._may_tell():
            return None
        self._told[match] = time.monotonic()
        events = self._store.events(match)
        game = self._games[events[0].data["game"]] if events else None
        if game is None or not folded(events, game).finished:
            return None
        return Untold(match, untold(events, game))

    def _left_out(self, batch: Batch, why: str) -> bool:
        """Leave out of the next batch what may have been the reason why this one can never be taken."""
        state = batch.table
        if batch.untold is not None:
            self._told[batch.untold.match] = math.inf
        elif state is not None:
            before = self._shown_less.get(state.match, 0)
            self._shown_less[state.match] = max(before + 1, 1 if state.view is not None else 2)
        elif batch.records:
            match = batch.records[0].match
            self.unsent[match] = why
            self._shown_less.clear()  # it was not the position
        elif batch.help:
            self.help = ""
        else:
            return False
        log.warning("The club's hub cannot take everything of a batch: %s", why)
        return True

    def _state(self, current: Match) -> TableState | None:
        """A hub of an earlier version knows no messages: it gets English text."""
        less = self._shown_less.get(current.id, 0)
        if less > 1:
            return None
        state = self._describe(current, self._watched and not less)
        if self._takes_messages:
            return state
        view = None if state.view is None else builtins_of(with_messages(state.view))
        return msgspec.structs.replace(state, said={}, view=view)

    def _more(self, membership: Membership) -> bool:
        return any(
            match not in self._heads or self._lacking(match) > 0
            for match in membership.matches
            if match not in self.faults and match not in self.unsent
        )

    def _delivered(self, membership: Membership, body: bytes) -> Receipt:
        try:
            read_batch(body)  # as the hub will
        except NotationError as problem:
            raise HubError(422, problem.code, problem.message) from problem
        if self._client is None or self._client.address != membership.hub.rstrip("/"):
            self._client = self._connect(membership.hub)
        key = self._store.setting(KEY_SETTING) or ""
        headers = {
            "Stationmaster-Box": public_key(key),
            "Stationmaster-Signature": signature(key, batch_text(membership.club, body)),
        }
        answer = self._client.post("/api/v1/batches", body, headers)
        try:
            return msgspec.json.decode(answer, type=Receipt)
        except msgspec.DecodeError as problem:
            raise HubError(0, "strange", m("what answers at that address is not a hub")) from problem

    def _take(self, membership: Membership, receipt: Receipt, asks: list[str]) -> None:
        self._number = max(self._number, receipt.number)
        self._heads.update({match: Head() for match in asks} | receipt.heads)
        self._done.difference_update(receipt.heads)
        self.unsettled = (
            self.unsettled | set(receipt.heads) if not receipt.settled else self.unsettled - {*asks}
        )
        self._watched, self._takes_messages = receipt.watched, receipt.messages
        self._wanted = receipt.wants
        self.faults = receipt.faults
        self.seating = receipt.seating
        self._reveal(receipt.opened)
        if (receipt.name, receipt.table) != (membership.name, membership.table):
            self.memberships.change(name=receipt.name, table=receipt.table)

    def _reveal(self, opened: Mapping[str, str]) -> None:
        """Say in the matches that had them what the dice of a round were; the one under way ends first."""
        for commitment in [one for one in self.dice.waiting if one in opened]:
            playing, told = self._table.current, {"commitment": commitment, "seed": opened[commitment]}
            played = matches_with(self._store, commitment)
            is_played = playing is not None and not playing.finished and playing.id in played
            if commitment_of(opened[commitment]) == commitment and not is_played:
                for match in played:
                    self._table.submit(Action("reveal", None, told), CLUB_ACTOR, match=match)
                self.dice.forget(commitment)

    def _next_records(self, membership: Membership) -> list[Record]:
        """The next records to send: of the oldest match of which the hub lacks something."""
        for match in membership.matches:
            if match not in self.faults and match not in self.unsent and self._lacking(match):
                return self._records(match)[:MOST_RECORDS]
        return []

    def _records(self, match: str) -> list[Record]:
        """The records behind the hub's head, or from where the chains part, so that it notices."""
        head = self._heads[match]
        held = [one for one in self._held.get(match, ()) if one.seq > head.seq]
        builder = self._builders.get(match)
        if builder is None or builder.head.seq < head.seq or (held and held[0].seq != head.seq + 1):
            builder, held = self._new_builder(match), []
        if not held and builder.head.seq > head.seq:
            builder = self._new_builder(match)
        found = self._table.match(match)
        events = found.events if found is not None else self._store.events(match)
        made = [*held, *builder.records(events)]
        known = next((one for one in made if one.seq == head.seq), None)
        new = [one for one in made if one.seq > head.seq]
        self._held[match] = new
        return [known, *new] if known is not None and known.hash != head.hash else new

    def _new_builder(self, match: str) -> RecordBuilder:
        first = self._store.events(match)[0]
        while len(self._builders) >= _BUILDERS_KEPT:
            gone = next(iter(self._builders))
            del self._builders[gone]
            self._held.pop(gone, None)
        self._builders[match] = RecordBuilder(self._games[first.data["game"]])
        return self._builders[match]
