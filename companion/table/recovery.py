"""Opening the table's folder, whatever happened to it since.

A damaged database is moved aside, never deleted; the newest good backup takes its place; the journals are
played on top of it, as far as they continue what is there; and the owner is told in plain sentences. The same
with no database at all. Half-written lines and lines a journal lacks are set right from the database, without
a word.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from companion.table.backup import finish_restore, newest_good_backup, take_database
from companion.table.checking import check_database
from companion.table.events import Event
from companion.table.exc import ConflictError, DamagedError, StorageError
from companion.table.folder import (
    DATABASE,
    JOURNAL,
    FolderLock,
    database_files,
    move_aside,
)
from companion.table.journal import Salvage, agrees, is_complete, journal_path, salvage
from companion.table.records import good_match_name
from companion.table.store import Store


def open_store(folder: Path, now: datetime | None = None) -> tuple[Store, list[str]]:
    """The store in ``folder``, repaired where that was necessary, and what the owner should know about it."""
    now = now or datetime.now(UTC)
    lock = FolderLock(folder)
    try:
        notes = finish_restore(folder, now) + _repair_database(folder, now)
        store = Store(folder, lock=lock)
    except BaseException:
        lock.release()
        raise
    try:
        return store, notes + _settle_journals(store, now)
    except BaseException:
        store.close()
        raise


# The database


def _repair_database(folder: Path, now: datetime) -> list[str]:
    try:
        check_database(folder / DATABASE)
        return []
    except DamagedError as problem:
        fault = problem.finding
    except StorageError as problem:
        if problem.code != "nothing-stored":
            raise
        if not any((folder / JOURNAL).glob("*.jsonl")):
            return []  # a new table
        fault = "There was no database, only journals"
    place = move_aside(folder, database_files(folder), now)
    return [f"{fault}{f'; the file was moved to {place}' if place else ''}.", *_bring_back_backup(folder)]


def _bring_back_backup(folder: Path) -> list[str]:
    file, notes = newest_good_backup(folder)
    if file is None:
        return [
            *notes,
            "There was no good backup, so the matches come back from their journals alone:"
            " seats need new QR codes, and settings have to be made again.",
        ]
    take_database(file, folder)
    return [
        *notes,
        f"The backup {file.name} was brought back; seats, settings and snapshots are as they were in it.",
    ]


# The journals


def _settle_journals(store: Store, now: datetime) -> list[str]:
    stored = [match.id for match in store.matches()]
    found = sorted(path.stem for path in (store.folder / JOURNAL).glob("*.jsonl"))
    notes = []
    for match in dict.fromkeys(stored + found):
        last = store.last(match)
        path = journal_path(store.folder, match)
        if last is None or not is_complete(path, last):
            notes += _settle(store, match, path, now)
    return notes


def _settle(store: Store, match: str, path: Path, now: datetime) -> list[str]:
    """Make database and journal tell the same, without losing what only one of them knows."""
    found = salvage(path)
    known = store.events(match)
    fault = _stranger(match, found) or _contradiction(found, known) or _refusal(store, found, known)
    notes = [] if fault else _gain(match, len(found.events) - len(known))
    if fault is None and not found.only_the_end:
        fault = found.fault
    if fault is not None:
        place = move_aside(store.folder, [path], now)
        notes.append(f"The journal {path.name} was moved to {place}: {fault}.")
    if store.last(match) is not None:
        store.complete_journal(match)
    if match in store.journals_behind:
        notes.append(f"The journal of match {match} lags behind: {store.journals_behind[match]}.")
    return notes


def _stranger(match: str, found: Salvage) -> str | None:
    if not good_match_name(match):
        return "no match has such a name"
    if found.events and found.events[0].match != match:
        return f"it tells of match {found.events[0].match}"
    return None


def _contradiction(found: Salvage, stored: list[Event]) -> str | None:
    if agrees(found.events, stored):
        return None
    return "it tells something else than the database, which was kept"


def _refusal(store: Store, found: Salvage, known: list[Event]) -> str | None:
    """Give the database what only the journal has; why it would not take it."""
    try:
        store.adopt(found.events[len(known) :])
    except ConflictError as problem:
        return problem.message
    return None


def _gain(match: str, count: int) -> list[str]:
    return [f"Match {match}: events brought back from its journal: {count}."] if count > 0 else []
