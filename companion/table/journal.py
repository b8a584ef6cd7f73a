"""Journals: one file a match, one event a line, for people to read, mail and replay.

The database is the truth and written first. A journal is its second copy: each line is the event as canonical
JSON with its hash, on the disk before the event counts as accepted. ``stationmaster replay`` reads the same.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import LONGEST_TEXT, read_object, shaped
from companion.core.messages import m
from companion.table.events import FIRST_HASH, Event, canonical, data_stored, event_hash, stored_of
from companion.table.exc import JournalError, StorageError, translated
from companion.table.folder import JOURNAL, sync_folder

_log = logging.getLogger(__name__)


def journal_path(folder: Path, match: str) -> Path:
    """The path of a match's journal."""
    return folder / JOURNAL / f"{match}.jsonl"


def line_of(event: Event) -> bytes:
    """The line of a journal that holds this event."""
    return canonical(stored_of(event)) + b"\n"


# Reading


def read_journal(path: Path) -> list[Event]:
    """A recorded match, complete and in order; its hashes are not looked at (see ``chain_fault``)."""
    try:
        with path.open("rb") as file:
            return journal_events(file, path.name)
    except OSError as problem:
        raise JournalError("no-journal", f"{path} cannot be read: {problem.strerror}") from problem


def journal_events(file: BinaryIO, name: str) -> list[Event]:
    """Read a match's events from an open journal file; error messages call it ``name``."""
    events = [line.event for line in _lines(file, name)]
    if not events:
        raise JournalError("empty", f"{name} is empty: a recorded match has one event a line")
    return events


@dataclass(frozen=True)
class _Line:
    event: Event
    size: int
    ended: bool


def _lines(file: BinaryIO, name: str) -> Iterator[_Line]:
    """Every line of one match, from event 1 on without a gap."""
    match = None
    for number, text in enumerate(iter(lambda: file.readline(LONGEST_TEXT), b""), start=1):
        event = _read_line(text, f"line {number} of {name}")
        if event.seq != number:
            raise JournalError(
                "missing-event",
                f"line {number} of {name} is event {event.seq}, but event {number} belongs there",
            )
        if match not in (None, event.match):
            raise JournalError(
                "two-matches", f"line {number} of {name} is from another match ({event.match}, not {match})"
            )
        match = event.match
        yield _Line(event, len(text), text.endswith(b"\n"))


def _read_line(text: bytes, place: str) -> Event:
    if not text.strip():
        raise JournalError("empty-line", f"{place} is empty: every line is one event")
    try:
        event = shaped(read_object(text), Event)
        return msgspec.structs.replace(event, data=data_stored(event.data, text))
    except NotationError as problem:
        if not text.endswith(b"\n") and len(text) < LONGEST_TEXT:
            raise JournalError("cut-off", f"{place} is cut off: the end of the file is missing") from problem
        raise JournalError(problem.code, f"{place} is no event: {problem.message}") from problem


# Repairing


@dataclass(frozen=True)
class Salvage:
    """What a journal still says for certain: whole events whose hashes form a chain, from the first on.

    The first ``lines`` of them fill the first ``size`` bytes with ended lines. ``fault`` says why reading
    stopped; ``only_the_end`` that no more than a half-written last line is behind it.
    """

    events: list[Event]
    lines: int = 0
    size: int = 0
    fault: str | None = None
    only_the_end: bool = True


def salvage(path: Path) -> Salvage:
    """Everything in a journal that can be trusted; nothing when there is no such file."""
    if not path.exists():
        return Salvage([])
    with translated(path), path.open("rb") as file:
        found: list[_Line] = []
        fault = None
        try:
            for line in _lines(file, path.name):
                fault = _link_fault(found[-1].event if found else None, line.event)
                if fault:
                    break
                found.append(line)
        except JournalError as problem:
            fault = problem.message
        ended = [line for line in found if line.ended]
        size = sum(line.size for line in ended)
        file.seek(size)
        return Salvage([line.event for line in found], len(ended), size, fault, b"\n" not in file.read())


def _link_fault(before: Event | None, event: Event) -> str | None:
    if event.prev != (before.hash if before else FIRST_HASH):
        return m("event {seq} does not follow the one before", seq=event.seq)
    if event.hash != event_hash(event):
        return m("event {seq} was changed after it was written", seq=event.seq)
    return None


def agrees(journal: list[Event], stored: list[Event]) -> bool:
    """True if two chains agree as far as both go: their last common hash covers all before."""
    common = min(len(journal), len(stored))
    return common == 0 or journal[common - 1].hash == stored[common - 1].hash


def complete(path: Path, found: Salvage, stored: list[Event]) -> None:
    """Cut a half-written end off and add what is missing."""
    with translated(path):
        if path.exists():
            os.truncate(path, found.size)
        _add(path, b"".join(map(line_of, stored[found.lines :])))


def tells(path: Path, lines: bytes) -> bool:
    """True if the journal has exactly these bytes."""
    with translated(path):
        return path.exists() and path.stat().st_size == len(lines) and path.read_bytes() == lines


# Writing


class Journals:
    """Writes each stored event into its match's journal.

    By then the event is safe in the database, so a journal that cannot be written refuses nobody: it is noted
    in ``behind``, tried again with the match's next event, and completed at the next start at the latest.
    """

    def __init__(self, folder: Path, stored: Callable[[str], list[Event]]) -> None:
        self._folder = folder
        self._stored = stored
        self.behind: dict[str, str] = {}  # match: why

    def write(self, event: Event) -> None:
        """Append one line and sync it to the disk."""
        if event.match in self.behind:
            self.catch_up(event.match)
            return
        path = journal_path(self._folder, event.match)
        with self._noting(event.match), translated(path):
            _add(path, line_of(event))

    def catch_up(self, match: str) -> None:
        """Add all lines that are missing, and cut off what is half written."""
        path = journal_path(self._folder, match)
        with self._noting(match):
            found, stored = salvage(path), self._stored(match)
            if not found.only_the_end or not agrees(found.events, stored):
                raise JournalError(
                    "not-ours", f"{path} was changed by somebody: it is set right at the next start"
                )
            complete(path, found, stored)

    @contextmanager
    def _noting(self, match: str) -> Iterator[None]:
        try:
            yield
        except (StorageError, JournalError) as problem:
            if match not in self.behind:
                _log.warning("The journal of match %s lags behind: %s", match, problem)
            self.behind[match] = problem.message
        else:
            self.behind.pop(match, None)


def _add(path: Path, text: bytes) -> None:
    """Append and sync: when this returns, a power cut cannot take it back."""
    is_new = not path.exists()
    path.parent.mkdir(exist_ok=True)
    with path.open("ab", buffering=0) as file:
        left = memoryview(text)
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    if is_new:
        sync_folder(path.parent)
