"""What lies where in the table's folder, and who may work in it.

::

    stationmaster.db     the database (with -wal and -shm beside it while it is open)
    lock                 held while a service or a command works here
    journal/             one readable file a match
    photos/              photographs, named by their hash
    backups/             the automatic backups
    aside/               what was damaged or replaced; nothing is ever deleted by itself
"""

from __future__ import annotations

import fcntl
import os
from datetime import datetime
from pathlib import Path

from companion.table.exc import BusyError, translated

DATABASE = "stationmaster.db"
LOCK = "lock"
JOURNAL = "journal"
PHOTOS = "photos"
BACKUPS = "backups"
ASIDE = "aside"
STAGED = "restoring"


class FolderLock:
    """At most one process works in a folder; the lock goes with its holder, even after ``kill -9``."""

    def __init__(self, folder: Path) -> None:
        with translated(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise BusyError(
                "in-use", f"another Stationmaster works in {folder}: stop it, or choose another folder"
            ) from None

    def release(self) -> None:
        """Let the next one in; more than once does no harm."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def sync_folder(folder: Path) -> None:
    """Make new, moved and removed names in ``folder`` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def stamp(now: datetime) -> str:
    """A time as a part of a file's name.

    >>> stamp(datetime(2026, 5, 1, 19, 30, 5))
    '20260501-193005'
    """
    return now.strftime("%Y%m%d-%H%M%S")
