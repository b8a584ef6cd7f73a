"""The store of a table's matches: a folder with a database and human-readable journals.

Many threads may use one :class:`Store`. Writers take turns; readers have connections of their own, are never
in a writer's way, and get finished lists, so nobody slow can hold anything up. An event counts as accepted
when :meth:`Store.append` has returned: by then it is on the disk, in the database and in the match's journal.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec

from companion.core.messages import m, nm
from companion.table import lifeboat
from companion.table.database import open_reader, open_writer
from companion.table.events import Device, Event
from companion.table.exc import (
    DamagedError,
    FullError,
    ReadOnlyError,
    StorageError,
    translated,
)
from companion.table.folder import DATABASE, FolderLock
from companion.table.journal import Journals
from companion.table.records import (
    COLUMNS,
    Answer,
    Row,
    Snapshot,
    StoredMatch,
    event_of,
    line_of_row,
)
from companion.table.second_copy import MATCHES_KEPT, SecondCopy, write_second_copy
from companion.table.writing import count_change, insert, insert_answer, mark_finished, transaction

T = TypeVar("T")

__all__ = ["Answer", "Snapshot", "Store", "StoredMatch"]

SNAPSHOTS_KEPT = 3
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
READERS_KEPT = 4  # connections; each has a cache of its own


class Store:
    """All matches of one table; use :func:`companion.table.recovery.open_store` to repair first."""

    def __init__(self, folder: Path, *, lock: FolderLock | None = None, read_only: bool = False) -> None:
        self.folder = folder
        self.path = folder / DATABASE
        self.read_only = read_only
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock = threading.Lock()
        self._write_lock = threading.RLock()
        self._journals = Journals(folder, self.events)
        self._closed = False
        self._live = self.path  # the database in use: the disk's, or the lifeboat's
        self._saved = 0  # events on the disk, as far as that matters: while the lifeboat is in use
        self.trouble = ""  # why the disk did not take the last thing it was given; nothing when it did
        self._lock = None if read_only else lock or FolderLock(folder)
        self._writer: sqlite3.Connection | None = None
        try:
            if not read_only:
                self._writer = open_writer(self.path)
            self._idle.append(open_reader(self.path))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close all connections; safe to call more than once."""
        with self._write_lock, self._idle_lock:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            if self._writer is not None:
                self._writer.close()
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self.close()

    # Events

    def append(self, event: Event, *answers: Answer, finished: bool = False) -> None:
        """Store the next event of its match, together with what its senders are told; all of it or nothing.

        The first event of a match names its ``game`` and ``mode`` in its data. ``finished`` says whether the
        match is over with this event (an undo may take that back).
        """
        with self._write_lock:  # kept until the journal has the line: lines stay in order
            with self._writing() as writer:
                insert(writer, event)
                for answer in answers:
                    insert_answer(writer, answer)
                mark_finished(writer, event.match, event.at if finished else None)
            self._journals.write(event)

    def put_answer(self, answer: Answer) -> None:
        """Remember what somebody was told about an event that is stored already."""
        with self._writing() as writer:
            insert_answer(writer, answer)

    def adopt(self, events: list[Event]) -> None:
        """Store events that a journal has and the database lost; all of them or none.

        Whether their matches are over is not known then: see :func:`companion.table.table.settle_finished`.
        """
        with self._writing() as writer:
            for event in events:
                insert(writer, event)
            for match in {event.match for event in events}:
                mark_finished(writer, match, None)

    @property
    def journals_behind(self) -> dict[str, str]:
        """The matches whose journals could not be written lately, and why; the database has their events."""
        return dict(self._journals.behind)

    def complete_journal(self, match: str) -> None:
        """Make the match's journal end like the database; what prevents it is in ``journals_behind``."""
        with self._write_lock:
            self._journals.catch_up(match)

    def events(self, match: str, after: int = 0) -> list[Event]:
        """A match's events in order, those with a ``seq`` above ``after``."""
        return self._events("match = ? AND seq > ? ORDER BY seq", (match, after))

    def lines(self, match: str) -> bytes:
        """The lines of a match's journal, put together from the stored text."""
        rows = self._rows(f"SELECT {COLUMNS} FROM events WHERE match = ? ORDER BY seq", (match,))
        return b"".join(map(line_of_row, rows))

    def named_digests(self) -> set[str]:
        """Every SHA-256 that an event of any match names: those of the photographs that belong to matches."""
        rows = self._rows("SELECT data FROM events WHERE instr(data, '\"photo\"')")
        return {digest for (data,) in rows for digest in _DIGEST.findall(data)}

    def first(self, match: str) -> Event | None:
        """The event that began a match."""
        return _first(self._events("match = ? ORDER BY seq LIMIT 1", (match,)))

    def last(self, match: str) -> Event | None:
        """The newest event of a match."""
        return _first(self._events("match = ? ORDER BY seq DESC LIMIT 1", (match,)))

    def by_device(self, device: Device) -> Event | None:
        """The event, of any match, that stored this fact of a device."""
        wanted = (device.uid, device.boot, device.n)
        return _first(self._events("(device_uid, device_boot, device_n) = (?, ?, ?)", wanted))

    def stored(self) -> int:
        """How many events there are, in all matches together."""
        return int(self._rows("SELECT coalesce(max(position), 0) FROM events")[0][0])

    def stored_after(self, position: int, count: int) -> list[Event]:
        """Up to ``count`` events of any match behind the first ``position``, in the order of storing."""
        return self._events("position > ? ORDER BY position LIMIT ?", (position, count))

    def answer(self, actor: str, key: str) -> Answer | None:
        """What this actor was told when it used this key before."""
        return _first(
            [
                Answer(*row)
                for row in self._rows(
                    "SELECT actor, key, digest, match, seq FROM answers WHERE actor = ? AND key = ?",
                    (actor, key),
                )
            ]
        )

    # While the disk takes nothing

    @property
    def unsaved(self) -> int | None:
        """How many events are only in memory; None while everything goes to the disk, as it should."""
        return None if self._live == self.path else self.stored() - self._saved

    def go_on_in_memory(self) -> None:
        """From now on keep everything in the lifeboat; what was refused can be tried again."""
        with self._write_lock:
            if self._writer is None or self._live != self.path:
                return
            with self._reading() as reader:
                lifeboat.put_to_sea(self.folder, reader)
            self._board()

    def take_up(self) -> str | None:
        """At the start: bring home what an earlier service left in the lifeboat, or go on in it.

        A sentence about it, if there was one; a :class:`ConflictError` when it tells of another past.
        """
        if self._writer is None or not lifeboat.manned(self.folder):
            return None
        before = self.stored()
        with self._write_lock:
            self._board()
            if not self.save_again():
                return nm(
                    "{n} event is only in memory: {why}.",
                    "{n} events are only in memory: {why}.",
                    self.unsaved or 0,
                    why=self.trouble,
                )
        return m("Events that were only in memory have been stored: {count}.", count=self.stored() - before)

    def save_again(self) -> bool:
        """Try to store on the disk what is only in memory; True if nothing is left there."""
        with self._write_lock:
            if self._live == self.path:
                return True
            try:
                writer = self._homeward()
            except (FullError, ReadOnlyError) as problem:
                self.trouble = problem.message
                return False
            self._change_to(self.path, writer)
            lifeboat.sink(self.folder)
            self.trouble = ""
            for match in list(self._journals.behind):
                self._journals.catch_up(match)
            self.copy_the_rest()
            return True

    def leave_lifeboat(self, now: datetime) -> Path:
        """It tells of another past: use the disk's database, and keep the lifeboat's for a person to see."""
        with self._write_lock:
            if self._live != self.path:
                self._change_to(self.path, open_writer(self.path))
        return lifeboat.set_aside(self.folder, now)

    def _homeward(self) -> sqlite3.Connection:
        """A writer of the disk's database, in which everything from the lifeboat is stored."""
        writer = open_writer(self.path)
        try:
            with translated(self.path):
                lifeboat.bring_home(self.folder, writer)
        except BaseException:
            writer.close()
            raise
        return writer

    def _board(self) -> None:
        saved = self.stored()
        place = lifeboat.lifeboat_of(self.folder) / DATABASE
        self._change_to(place, open_writer(place))
        self._saved = saved

    def _change_to(self, path: Path, writer: sqlite3.Connection) -> None:
        """Use this database; readers of the other one end with what they have begun."""
        with self._idle_lock:
            before, self._writer, self._live = self._writer, writer, path
            while self._idle:
                self._idle.pop().close()
        if before is not None:
            before.close()

    # Matches

    def matches(self) -> list[StoredMatch]:
        """Every match in the order in which they were begun, whatever the clock said then."""
        query = (
            "SELECT m.id, m.game, m.mode, m.began, m.finished FROM matches m"
            " LEFT JOIN events e ON e.match = m.id AND e.seq = 1 ORDER BY e.position"
        )
        return [StoredMatch(*row) for row in self._rows(query)]

    def match(self, match: str) -> StoredMatch | None:
        """One match of the list, by its name."""
        return _first(
            [StoredMatch(*row) for row in self._rows("SELECT * FROM matches WHERE id = ?", (match,))]
        )

    # Snapshots: a cache, so that a long match opens quickly

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a state beside the event it follows; only the newest few of a match stay."""
        with self._writing() as writer:
            row = msgspec.structs.astuple(snapshot)
            writer.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", row)
            writer.execute(
                "DELETE FROM snapshots WHERE match = ?1 AND seq NOT IN"
                " (SELECT seq FROM snapshots WHERE match = ?1 ORDER BY seq DESC LIMIT ?2)",
                (snapshot.match, SNAPSHOTS_KEPT),
            )

    def latest_snapshot(self, match: str) -> Snapshot | None:
        """The newest state that still fits the event beside it."""
        rows = self._rows(
            "SELECT match, seq, hash, state FROM snapshots"
            " WHERE match = ? AND EXISTS (SELECT 1 FROM events e"
            " WHERE (e.match, e.seq, e.hash) = (snapshots.match, snapshots.seq, snapshots.hash))"
            " ORDER BY seq DESC LIMIT 1",
            (match,),
        )
        return _first([Snapshot(*row) for row in rows])

    # Seats' secrets

    def put_token(self, match: str, seat: int, digest: str) -> None:
        """Give a seat its secret, known by its digest; the one it had before opens nothing any more."""
        with self._write_lock:
            with self._writing() as writer:
                writer.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?)", (match, seat, digest))
                count_change(writer)
            self.copy_the_rest()

    def seat_of_token(self, match: str, digest: str) -> int | None:
        """The seat of a match whose secret has this digest; None where no seat's has.

        How long the search takes tells a guesser about the digest of the guess, never about a secret.
        """
        rows = self._rows("SELECT seat FROM seats WHERE match = ? AND token = ?", (match, digest))
        return _first([int(seat) for (seat,) in rows])

    # Settings

    def setting(self, key: str) -> str | None:
        """The value of a setting; None where it was never set."""
        return _first(
            [str(value) for (value,) in self._rows("SELECT value FROM settings WHERE key = ?", (key,))]
        )

    def put_setting(self, key: str, value: str) -> None:
        """Store the value of a setting."""
        with self._write_lock:
            with self._writing() as writer:
                writer.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, value))
                count_change(writer)
            self.copy_the_rest()

    # What the journals do not have

    def the_rest(self) -> SecondCopy:
        """Seats, settings and the order of matches as they are now."""
        settings = {str(key): str(value) for key, value in self._rows("SELECT key, value FROM settings")}
        order = [match.id for match in self.matches()][-MATCHES_KEPT:]
        seats = [
            (str(match), int(seat), str(token))
            for match, seat, token in self._rows("SELECT match, seat, token FROM seats ORDER BY match, seat")
            if match in order
        ]
        return SecondCopy(settings, seats, order)

    def copy_the_rest(self) -> None:
        """Write the second copy of seats and settings."""
        write_second_copy(self.folder, self.the_rest())

    def bring_back(self, copy: SecondCopy) -> bool:
        """Restore what a second copy says of the matches that are here; True if it changed anything."""
        before = self.the_rest()
        with self._writing() as writer:
            for key, value in copy.settings.items():
                writer.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, value))
            known = {str(match) for (match,) in writer.execute("SELECT id FROM matches").fetchall()}
            for match, seat, token in copy.seats:
                if match in known:
                    writer.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?)", (match, seat, token))
        return self.the_rest() != before

    def set_finished(self, match: str, at: str) -> None:
        """Store since when a match that came back from its journal is over."""
        with self._writing() as writer:
            mark_finished(writer, match, at)

    # Copies

    def copy_to(self, path: Path) -> None:
        """Write the database as it is at this moment into the new file ``path``, while others go on."""
        with self._reading() as reader:
            reader.execute("VACUUM INTO ?", (str(path),))

    # Connections

    def _events(self, condition: str, values: Row) -> list[Event]:
        rows = self._rows(f"SELECT {COLUMNS} FROM events WHERE {condition}", values)
        try:
            return [event_of(row) for row in rows]
        except msgspec.DecodeError as problem:
            raise DamagedError(self.path, f"an event cannot be read: {problem}") from problem

    def _rows(self, query: str, values: Row = ()) -> list[Row]:
        while True:
            path = self._live
            try:
                with self._reading() as reader:
                    return reader.execute(query, values).fetchall()
            except StorageError:
                if path == self._live:
                    raise  # else the file that was read is gone: what it held is in the other one

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._idle_lock:
            self._check_open()
            reader, path = self._idle.pop() if self._idle else None, self._live
        reader = reader or open_reader(path)
        try:
            with translated(path):
                yield reader
        finally:
            self._put_back(reader, path)

    def _put_back(self, reader: sqlite3.Connection, path: Path) -> None:
        """Keep a connection for the next reader, or close it where a few are kept already."""
        with self._idle_lock:
            if self._closed or path != self._live or len(self._idle) >= READERS_KEPT:
                reader.close()
            else:
                self._idle.append(reader)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self._writer is None:
            raise ReadOnlyError("read-only", f"{self.folder} was opened for reading only")
        with self._write_lock, self._noticing(), translated(self._live):
            self._check_open()
            with transaction(self._writer):
                yield self._writer

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Remember what a disk that takes nothing says; it does not count while the lifeboat is in use."""
        try:
            yield
        except (FullError, ReadOnlyError) as problem:
            self.trouble = problem.message
            raise
        if self._live == self.path:
            self.trouble = ""

    def _check_open(self) -> None:
        if self._closed:
            raise StorageError("closed", f"{self.folder} was closed")


def _first(found: list[T]) -> T | None:
    return found[0] if found else None
