"""Storing checked batches, many in one transaction.

What is there of their boxes and matches is read at once, the batches are gone through in memory, and what has
changed is written at once: a few exchanges with the database for fifty batches as for one. The clock's row is
locked first, so hubs take turns and every reader of changes sees them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from companion.club.messages import Batch, Head, Record, TableState, link_fault, record_hash
from companion.core.messages import m
from companion.table.events import canonical
from companion.table.exc import TableError
from hub.intake.setting_aside import faults_of
from hub.storage.database import Row, Transaction, locked_version, places, put_version

MOST_RECORDS_OF_A_MATCH = 20_000
MOST_MATCHES_A_DAY = 200  # of one box
_NAMED_TOGETHER = 5000  # matches in one statement: a server takes 65,535 values


class RefusedError(TableError):
    """A batch that does not count, and why."""

    def __init__(self, code: str, message: str, status: int = 403) -> None:
        super().__init__(code, message)
        self.status = status


@dataclass(frozen=True)
class Stored:
    """What a batch has come to. ``wanted``: the match is over, and its last position has not come yet."""

    table: int
    number: int
    heads: dict[str, Head]
    faults: dict[str, str]
    wanted: bool


@dataclass
class HeldMatch:
    """What is stored of a match, and what of that is new."""

    box: str
    match: str
    head: Head = field(default_factory=Head)
    fault: str = ""
    over: bool = False
    state_seq: int = 0
    view_seq: int = 0
    begun: tuple[str, str] | None = None  # of a new one the game, and when it came
    results: tuple[str, str] | None = None  # new, with the journal's hash
    state: str | None = None  # new
    view: str | None = None  # new
    is_changed: bool = False


@dataclass
class HeldBox:
    """What is stored of a box; its ``batch`` is the highest number so far."""

    box: str
    number: int
    batch: int
    help: str
    match: str
    is_changed: bool = False  # for who looks on
    is_newer: bool = False


def held_matches(look: Transaction, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], HeldMatch]:
    """Those of these matches (by box and name) that are stored."""
    held = {}
    for first in range(0, len(wanted), _NAMED_TOGETHER):
        named = wanted[first : first + _NAMED_TOGETHER]
        pairs = ", ".join(["(?, ?)"] * len(named))
        rows = look.rows(
            "SELECT box, match, seq, hash, fault, CASE WHEN results = '' THEN 0 ELSE 1 END,"
            f" state_seq, view_seq FROM matches WHERE (box, match) IN (VALUES {pairs})",
            [text for pair in named for text in pair],
        )
        for box, match, seq, hash_, fault, over, state_seq, view_seq in rows:
            head, seqs = Head(int(seq), hash_), (int(state_seq), int(view_seq))
            held[box, match] = HeldMatch(box, match, head, fault, bool(over), *seqs)
    return held


def store_batches(
    change: Transaction, batches: Sequence[tuple[str, Batch]], clock: Callable[[], str]
) -> list[tuple[str, Batch, Stored] | RefusedError]:
    """Store them in their order; what each has come to, with its box. A refused one changes nothing."""
    version = locked_version(change) + 1
    writer = _BatchWriter(change, batches, clock)
    stored: list[tuple[str, Batch, Stored] | RefusedError] = []
    for box, batch in batches:
        try:
            stored.append((box, batch, writer.take(box, batch)))
        except RefusedError as problem:
            stored.append(problem)
    writer.write(version)
    return stored


class _BatchWriter:
    """The boxes and matches of some batches, in memory for one transaction."""

    def __init__(
        self, change: Transaction, batches: Sequence[tuple[str, Batch]], clock: Callable[[], str]
    ) -> None:
        self._change = change
        self._clock = clock
        keys = list(dict.fromkeys(box for box, _ in batches))
        rows = change.rows(
            f"SELECT box, number, batch, help, match FROM boxes WHERE box IN ({places(keys)})", keys
        )
        self._boxes = {
            key: HeldBox(key, int(number), int(batch), help_, match)
            for key, number, batch, help_, match in rows
        }
        named = dict.fromkeys((box, match) for box, batch in batches for match in _names(batch))
        self._matches = held_matches(change, list(named))
        self._entries = int(change.rows("SELECT coalesce(max(n), 0) FROM log")[0][0])
        faults = change.rows(
            f"SELECT box, match, fault FROM matches WHERE fault <> '' AND box IN ({places(keys)})", keys
        )
        self._faults: dict[str, dict[str, str]] = {key: {} for key in keys}
        for key, match, fault in faults:
            self._faults[key][match] = fault
        for key in keys:
            self._faults[key] |= faults_of(change, key)
        self._records: list[Row] = []

    def take(self, key: str, batch: Batch) -> Stored:
        """Go through a batch."""
        box = self._boxes[key]
        new = dict.fromkeys(one.match for one in batch.records if (key, one.match) not in self._matches)
        for name in self._may_begin(key, list(new)):
            first = next(one for one in batch.records if one.match == name)
            game = str(first.data.get("game", ""))[:40]
            self._matches[key, name] = HeldMatch(key, name, begun=(game, self._clock()), is_changed=True)
        for record in batch.records:
            self._store(self._matches[key, record.match], record)
        shown = self._note(box, batch)
        held = {name: self._matches[key, name] for name in _names(batch) if (key, name) in self._matches}
        return Stored(
            box.number,
            box.batch,
            {name: one.head for name, one in held.items()},
            dict(self._faults[key]),
            shown is not None and shown.over and shown.view_seq < shown.head.seq,
        )

    def _may_begin(self, key: str, names: list[str]) -> list[str]:
        """Return ``names``; raise a RefusedError if a table cannot play so many matches in a day."""
        if names:
            day = self._clock()[:10]
            asked = "SELECT count(*) FROM matches WHERE box = ? AND began >= ?"
            stored = int(self._change.rows(asked, (key, day))[0][0])
            begun = sum(one.box == key and one.begun is not None for one in self._matches.values())
            if stored + begun + len(names) > MOST_MATCHES_A_DAY:
                raise RefusedError("too-many", m("more matches than one table can play in a day"), 429)
        return names

    def _store(self, held: HeldMatch, record: Record) -> None:
        """A record that continues its match; one that contradicts what is stored marks it."""
        if record.seq <= held.head.seq:
            self._mark(held, self._contradiction(held.box, record))
            return
        wrong = link_fault(held.head, record)
        if wrong and record.seq > held.head.seq + 1:
            return  # there is a gap: the box hears where we are, and sends from there
        if record.seq > MOST_RECORDS_OF_A_MATCH:
            wrong = wrong or m("it has more events than a match can have")
        if wrong:
            self._mark(held, wrong)
            return
        body = canonical(record).decode()
        self._records.append((held.box, record.match, record.seq, record.hash, body, self._clock()))
        held.head, held.over, held.is_changed = Head(record.seq, record.hash), bool(record.results), True
        held.results = (canonical(record.results).decode() if record.results else "", record.journal)

    def _mark(self, held: HeldMatch, fault: str) -> None:
        if fault and not held.fault:
            held.fault, held.is_changed = fault, True
            self._faults[held.box][held.match] = fault

    def _contradiction(self, box: str, record: Record) -> str:
        """What is wrong with a record whose number is taken; nothing when it is the same record."""
        asked = "SELECT hash FROM records WHERE box = ? AND match = ? AND seq = ?"
        rows = self._change.rows(asked, (box, record.match, record.seq))
        stored = {str(row[0]) for row in rows}
        stored |= {row[3] for row in self._records if row[:3] == (box, record.match, record.seq)}
        if stored == {record.hash} and record.hash == record_hash(record):
            return ""
        return m("event {seq} came twice, and not the same both times", seq=record.seq)

    def _note(self, box: HeldBox, batch: Batch) -> HeldMatch | None:
        """Who is there and how it stands; an old batch that comes again says nothing about that."""
        state = batch.table
        shown = self._matches.get((box.box, state.match)) if state is not None else None
        if batch.number <= box.batch:
            return shown
        playing = state.match if state is not None else box.match
        box.is_changed |= (batch.help, playing) != (box.help, box.match)
        box.batch, box.help, box.match, box.is_newer = batch.number, batch.help, playing, True
        if state is not None and shown is not None:
            _show(shown, state)
        return shown

    def write(self, version: int) -> None:
        """What has changed; nothing of it when only old news came."""
        matches = [one for one in self._matches.values() if one.is_changed]
        boxes = [one for one in self._boxes.values() if one.is_newer]
        if matches or any(one.is_changed for one in boxes):
            put_version(self._change, version)
        self._write_matches(matches, version)
        self._change.many(
            "INSERT INTO records (box, match, seq, hash, body, received) VALUES (?, ?, ?, ?, ?, ?)",
            self._records,
        )
        now = self._clock()
        self._change.many(
            "UPDATE boxes SET batch = ?, seen = ?, help = ?, match = ? WHERE box = ?",
            [(one.batch, now, one.help, one.match, one.box) for one in boxes],
        )
        self._change.many(
            "UPDATE boxes SET version = ? WHERE box = ?",
            [(version, one.box) for one in boxes if one.is_changed],
        )

    def _write_matches(self, matches: Iterable[HeldMatch], version: int) -> None:
        found, now = list(matches), (version, self._entries)
        self._change.many(
            "INSERT INTO matches (box, match, game, began, seq, hash, fault, results, journal,"
            f" state, state_seq, view, view_seq, version, nth, entries) VALUES ({places(range(16))})",
            [
                (one.box, one.match, *one.begun, 0, Head().hash, "", "", "", "", 0, "", 0, version, *now)
                for one in found
                if one.begun is not None
            ],
        )
        place = "WHERE box = ? AND match = ?"
        self._change.many(
            f"UPDATE matches SET seq = ?, hash = ?, fault = ?, version = ? {place}",
            [(one.head.seq, one.head.hash, one.fault, version, one.box, one.match) for one in found],
        )
        self._change.many(
            f"UPDATE matches SET results = ?, journal = ?, checked = '' {place}",
            [(*one.results, one.box, one.match) for one in found if one.results is not None],
        )
        self._change.many(
            f"UPDATE matches SET state = ?, state_seq = ? {place}",
            [(one.state, one.state_seq, one.box, one.match) for one in found if one.state is not None],
        )
        self._change.many(
            f"UPDATE matches SET view = ?, view_seq = ? {place}",
            [(one.view, one.view_seq, one.box, one.match) for one in found if one.view is not None],
        )


def _names(batch: Batch) -> list[str]:
    """The matches that a batch is about."""
    shown = [batch.table.match] if batch.table is not None else []
    return list(dict.fromkeys([*(one.match for one in batch.records), *batch.asks, *shown]))


def _show(held: HeldMatch, state: TableState) -> None:
    if state.seq > held.state_seq:
        held.state = canonical(msgspec.structs.replace(state, view=None)).decode()
        held.state_seq, held.is_changed = state.seq, True
    if state.view is not None and state.seq >= held.state_seq and state.seq > held.view_seq:
        held.view = canonical(state.view).decode()
        held.view_seq, held.is_changed = state.seq, True
