"""The lifeboat: a database in memory in which matches continue while the disk refuses writes.

It lies in the system's shared memory, so that a service that is killed and started again still finds it; a
power cut is the end of it. When the disk takes something again everything goes home, in one transaction.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import stat
from datetime import datetime
from pathlib import Path

from companion.table.database import open_existing
from companion.table.exc import ConflictError, StorageError, translated
from companion.table.folder import ASIDE, DATABASE, free_name, stamp

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - it has to be found again; `_is_private` sees whose it is
LEAST_MEMORY = 32 * 2**20  # bytes that stay free for everybody else

_HOME = (
    "INSERT INTO matches SELECT * FROM boat.matches WHERE id NOT IN (SELECT id FROM main.matches)",
    "INSERT INTO events SELECT * FROM boat.events"
    " WHERE position > (SELECT coalesce(max(position), 0) FROM main.events)",
    "UPDATE matches SET finished = (SELECT finished FROM boat.matches b WHERE b.id = matches.id)"
    " WHERE id IN (SELECT id FROM boat.matches)",
    "INSERT OR REPLACE INTO answers SELECT * FROM boat.answers",
    "INSERT OR REPLACE INTO seats SELECT * FROM boat.seats",
    "INSERT OR REPLACE INTO settings SELECT * FROM boat.settings",
)
_OTHER_PAST = (
    "SELECT EXISTS (SELECT 1 FROM main.events e WHERE position = (SELECT max(position) FROM main.events)"
    " AND NOT EXISTS (SELECT 1 FROM boat.events b WHERE (b.position, b.hash) = (e.position, e.hash)))"
)


def lifeboat_of(folder: Path) -> Path:
    """The path of the lifeboat of a table's folder, whether it exists or not."""
    name = hashlib.sha256(str(folder.absolute()).encode()).hexdigest()[:16]
    return SHARED_MEMORY / f"stationmaster-{os.getuid()}-{name}"


def manned(folder: Path) -> bool:
    """True if there is a lifeboat with a database of ours in it."""
    place = lifeboat_of(folder)
    return _is_private(place) and (place / DATABASE).exists()


def put_to_sea(folder: Path, reader: sqlite3.Connection) -> None:
    """Copy the database that ``reader`` reads into memory."""
    place = lifeboat_of(folder)
    with translated(place):
        if place.exists() and not _is_private(place):
            raise StorageError("storage", f"{place} is somebody else's: nothing can be kept in memory")
        sink(folder)
        place.mkdir(mode=0o700)
        (size,) = reader.execute(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        ).fetchone()
        if shutil.disk_usage(place).free < size + LEAST_MEMORY:
            sink(folder)
            raise StorageError("storage", "there is not enough memory to play on without saving")
        copy = sqlite3.connect(place / DATABASE, isolation_level=None)
        try:
            reader.backup(copy)
        finally:
            copy.close()


def bring_home(folder: Path, writer: sqlite3.Connection) -> None:
    """Store the lifeboat's events; raise a ConflictError if they follow from another history."""
    place = lifeboat_of(folder) / DATABASE
    open_existing(place).close()  # which says whether it can be read
    writer.execute("ATTACH DATABASE ? AS boat", (str(place),))
    try:
        writer.execute("BEGIN IMMEDIATE")
        try:
            if writer.execute(_OTHER_PAST).fetchone() != (0,):
                raise ConflictError("other-past", "what was kept in memory does not follow what is stored")
            for step in _HOME:
                writer.execute(step)
            writer.execute("COMMIT")
        except BaseException:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            raise
    finally:
        writer.execute("DETACH DATABASE boat")


def sink(folder: Path) -> None:
    """Remove the lifeboat with all that is in it."""
    place = lifeboat_of(folder)
    if _is_private(place):
        shutil.rmtree(place)


def set_aside(folder: Path, now: datetime) -> Path:
    """Move the lifeboat to the ``aside`` folder, or keep it in memory if the disk has no room."""
    place, kept = lifeboat_of(folder), free_name(folder / ASIDE / stamp(now))
    try:
        with translated(kept):
            shutil.copytree(place, kept)
    except StorageError:
        kept = free_name(place.with_name(f"{place.name}-aside"))
        place.rename(kept)
    sink(folder)
    return kept


def _is_private(place: Path) -> bool:
    """True if the folder is ours and nobody else can open it: shared memory is everybody's."""
    try:
        found = place.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
