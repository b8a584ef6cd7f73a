"""Opening the table's folder, with repairs where it was damaged.

A damaged database is moved aside, never deleted; the newest good backup takes its place; the journals are
played on top of it, as far as they continue what is there; and the owner is told in plain sentences. The same
with no database at all. Half-written lines and lines a journal lacks are set right from the database, without
a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.core.messages import m
from companion.table.backup import finish_restore, newest_good_backup, take_database
from companion.table.checking import check_database
from companion.table.database import VERSION, version_of
from companion.table.events import Event
from companion.table.exc import ConflictError, DamagedError, FullError, ReadOnlyError, StorageError
from companion.table.folder import (
    ASIDE,
    DATABASE,
    JOURNAL,
    SECOND_COPY,
    FolderLock,
    database_files,
    free_name,
    make_private,
    move_aside,
    stamp,
)
from companion.table.journal import Salvage, agrees, journal_path, salvage, tells
from companion.table.records import good_match_name
from companion.table.second_copy import SecondCopy, read_second_copy
from companion.table.store import Store

# A setting, for those who know the rules: something came back from journals, so which matches are over, and
# whether all of them make sense, is to be found out again (companion.table.table.settle_finished).
FINISHED_UNKNOWN = "finished-unknown"


def open_store(folder: Path, now: datetime | None = None) -> tuple[Store, list[str]]:
    """The store in ``folder``, repaired where that was necessary, and what the owner should know about it."""
    now = now or datetime.now(UTC)
    lock = FolderLock(folder)
    try:
        notes = finish_restore(folder, now)
        rest = read_second_copy(folder)  # before the database says anything else
        repairs = _repair_database(folder, now)
        brought_up = _keep_older_version(folder, now)
        store = Store(folder, lock=lock)
    except BaseException:
        lock.release()
        raise
    try:
        journals = _take_up_lifeboat(store, now)
        before = store.stored()
        journals += _settle_journals(store, now, rest.order if rest else ())
        if repairs:
            the_rest = _bring_back_the_rest(store, rest)
        else:
            the_rest = _complete_the_rest(store, rest, store.stored() > before)
        if repairs or journals:
            store.put_setting(FINISHED_UNKNOWN, "1")
        notes += repairs + brought_up + the_rest + journals
        store.copy_the_rest()
        make_private(folder)
        return store, notes
    except BaseException:
        store.close()
        raise


def made_anew(folder: Path, now: datetime | None = None) -> list[str]:
    """Make a database that this program cannot open, a newer one's, anew from the newest good backup and the
    journals; it is kept aside. What the owner should know about it.
    """
    now = now or datetime.now(UTC)
    lock = FolderLock(folder)
    try:
        place = move_aside(folder, database_files(folder), now)
    finally:
        lock.release()
    store, notes = open_store(folder, now)
    store.close()
    return [*([m("The database was moved to {place}.", place=place)] if place else []), *notes]


# The database


def _repair_database(folder: Path, now: datetime) -> list[str]:
    try:
        check_database(folder / DATABASE)
        return []
    except DamagedError as problem:
        fault: str = problem.finding
    except StorageError as problem:
        if problem.code != "nothing-stored":
            raise
        if not any((folder / JOURNAL).glob("*.jsonl")) and not (folder / SECOND_COPY).exists():
            return []  # a new table
        fault = m("There was no database, only journals")
    place = move_aside(folder, database_files(folder), now)
    told = m("{fault}; the file was moved to {place}.", fault=fault, place=place)
    return [told if place else m("{fault}.", fault=fault), *_bring_back_backup(folder)]


def _keep_older_version(folder: Path, now: datetime) -> list[str]:
    """Copy a database of an older version before it is migrated."""
    path = folder / DATABASE
    if version_of(path) >= VERSION:
        return []
    place = free_name(folder / ASIDE / stamp(now))
    place.mkdir(parents=True)
    with Store(folder, read_only=True) as older:
        older.copy_to(place / DATABASE)
    return [
        m("The database was brought up to this version; as it was before, it is in {place}.", place=place)
    ]


def _bring_back_backup(folder: Path) -> list[str]:
    file, notes = newest_good_backup(folder)
    if file is None:
        return [
            *notes,
            m("There was no good backup, so the matches come back from their journals alone."),
        ]
    take_database(file, folder)
    return [
        *notes,
        m("The backup {file} was brought back, and what happened since from the journals.", file=file.name),
    ]


def _bring_back_the_rest(store: Store, rest: SecondCopy | None) -> list[str]:
    """Restore seats, the PIN and settings from their second copy."""
    if rest is not None:
        store.bring_back(rest)
    if rest is not None:
        return [
            m(
                "Seats, the host PIN and settings are as they were, from {file}: phones keep their seats.",
                file=SECOND_COPY,
            )
        ]
    return [
        m(
            "Seats, the host PIN and settings are as in the backup, or gone where there was none: seats need"
            " new QR codes then ({file}, their second copy, was not there or damaged).",
            file=SECOND_COPY,
        )
    ]


def _complete_the_rest(store: Store, rest: SecondCopy | None, events_came_back: bool) -> list[str]:
    """Restore the newest seats and settings that a database lost together with its log.

    SQLite goes back to the last whole entry of a damaged log without a word. The second copy is written after
    the database: one that knows of more changes tells what was lost. Those of versions that did not count are
    believed when events were lost, too.
    """
    known = store.the_rest().changes
    if rest is None or rest.changes < known or (rest.changes == known and not events_came_back):
        return []
    try:
        if not store.bring_back(rest):
            return []
    except (FullError, ReadOnlyError) as problem:  # the table goes on all the same
        return [
            m(
                "The newest seats and settings did not come back from {file}: {why}.",
                file=SECOND_COPY,
                why=problem.message,
            )
        ]
    return [
        m("The newest seats and settings came back from {file}: phones keep their seats.", file=SECOND_COPY)
    ]


# The lifeboat


def _take_up_lifeboat(store: Store, now: datetime) -> list[str]:
    """Store what an earlier service kept in memory while the disk took nothing."""
    try:
        note = store.take_up()
    except (ConflictError, DamagedError) as problem:
        place = store.leave_lifeboat(now)
        return [
            m(
                "What was kept in memory while the disk was full was moved to {place}: {why}.",
                place=place,
                why=problem.message,
            )
        ]
    return [note] if note else []


# The journals


def _settle_journals(store: Store, now: datetime, order: Sequence[str]) -> list[str]:
    """Compare every journal with the database, byte for byte: a second copy that rots is noticed in time."""
    stored = [match.id for match in store.matches()]
    found = {path.stem for path in (store.folder / JOURNAL).glob("*.jsonl")} - set(stored)
    notes = []
    for match in [*stored, *sorted(found, key=lambda match: _place(store, match, order))]:
        path = journal_path(store.folder, match)
        if match in found or not tells(path, store.lines(match)):
            notes += _settle(store, match, path, now)
    return notes


def _place(store: Store, match: str, order: Sequence[str]) -> tuple[int, str, str]:
    """Sort key of a lost match: the order in which matches began, so the last one is being played."""
    first = next(iter(salvage(journal_path(store.folder, match)).events), None)
    return order.index(match) if match in order else -1, first.at if first else "", match


def _settle(store: Store, match: str, path: Path, now: datetime) -> list[str]:
    """Make database and journal tell the same, without losing what only one of them knows."""
    found = salvage(path)
    known = store.events(match)
    fault = _stranger(match, found) or _contradiction(found, known) or _refusal(store, found, known)
    notes = [] if fault else _gain(match, len(found.events) - len(known))
    if fault is None and not found.only_the_end:
        fault = found.fault
    if fault is None and known and found.fault is None and not _same_lines(store, path, found):
        fault = m("it is written in another way than the events in it")
    if fault is not None:
        place = move_aside(store.folder, [path], now)
        notes.append(
            m("The journal {file} was moved to {place}: {why}.", file=path.name, place=place, why=fault)
        )
    if store.last(match) is not None:
        store.complete_journal(match)
    if match in store.journals_behind:
        why = store.journals_behind[match]
        notes.append(m("The journal of match {match} lags behind: {why}.", match=match, why=why))
    return notes


def _same_lines(store: Store, path: Path, found: Salvage) -> bool:
    """True if the whole lines are those that the database would write."""
    return not path.exists() or store.lines(path.stem).startswith(path.read_bytes()[: found.size])


def _stranger(match: str, found: Salvage) -> str | None:
    if not good_match_name(match):
        return m("no match has such a name")
    if found.events and found.events[0].match != match:
        return m("it tells of match {match}", match=found.events[0].match)
    return None


def _contradiction(found: Salvage, stored: list[Event]) -> str | None:
    if agrees(found.events, stored):
        return None
    return m("it differs from the database, which was kept")


def _refusal(store: Store, found: Salvage, known: list[Event]) -> str | None:
    """Store what only the journal has; why the database would not take it, or None."""
    try:
        store.adopt(found.events[len(known) :])
    except ConflictError as problem:
        return problem.message
    return None


def _gain(match: str, count: int) -> list[str]:
    told = m("Match {match}: events brought back from its journal: {count}.", match=match, count=count)
    return [told] if count > 0 else []
