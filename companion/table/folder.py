"""The layout of the table's folder, its permissions and its lock.

::

    stationmaster.db     the database (with -wal and -shm beside it while it is open)
    seats-and-settings.json  what else people would miss, for when the database is lost
    lock                 held while a service or a command works here
    journal/             one readable file a match
    photos/              photographs, named by their hash
    recordings/          small pictures of boards under a watching camera, in no backup
    taught/              boards and decks of the owner's own
    settings.toml        what the owner set
    rolls.jsonl          every throw of the dice roller
    rollers.json         keys of dice rollers that come by Wi-Fi, in no backup
    box-key              by which the box knows its own backups, in none of them
    backups/             the automatic backups
    aside/               what was damaged or replaced; nothing is ever deleted by itself
"""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from companion.table.exc import BusyError, translated

SERVICE_FOLDER = Path("/var/lib/stationmaster")  # of the table that the installed package serves
DATABASE = "stationmaster.db"
SECOND_COPY = "seats-and-settings.json"
LOCK = "lock"
JOURNAL = "journal"
PHOTOS = "photos"
BACKUPS = "backups"
TAUGHT = "taught"
RECORDINGS = "recordings"
SETTINGS = "settings.toml"
OWNERS_FILES = (SETTINGS, "rolls.jsonl")  # what the owner set, and the roller's complete log
BOX_KEY = "box-key"  # with which the box seals its backups
ASIDE = "aside"
STAGED = "restoring"  # a checked backup on its way in
UNPACKING = "unpacking"  # a backup that is not checked yet


class FolderLock:
    """At most one process works in a folder; the lock goes with its holder, even after ``kill -9``."""

    def __init__(self, folder: Path) -> None:
        with translated(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise BusyError(
                "in-use", f"another Stationmaster works in {folder}: stop it, or choose another folder"
            ) from None

    def release(self) -> None:
        """Release the lock; safe to call more than once."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def make_private(folder: Path) -> None:
    """Restrict the folder to its owner: it has decks of running matches, join codes and seats."""
    for name in (*(path.name for path in database_files(folder)), SECOND_COPY, *OWNERS_FILES):
        _narrow(folder / name)
    for name in (JOURNAL, PHOTOS, BACKUPS, ASIDE, TAUGHT):
        _narrow(folder / name)


def _narrow(path: Path) -> None:
    if not path.exists() or path.is_symlink():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077 and os.access(path, os.W_OK):
        with suppress(PermissionError):  # somebody else's: then it is for them to say who reads it
            path.chmod(mode & 0o700)


def sync_folder(folder: Path) -> None:
    """Make new, moved and removed names in ``folder`` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def move_aside(folder: Path, paths: list[Path], now: datetime) -> Path | None:
    """Put what is damaged or replaced into a new folder below ``aside``; None when nothing of it is there."""
    present = [path for path in paths if path.exists()]
    if not present:
        return None
    place = free_name(folder / ASIDE / stamp(now))
    place.mkdir(parents=True)
    for path in present:
        path.rename(place / path.name)
        sync_folder(path.parent)
    sync_folder(place)
    return place


def taught_files(folder: Path) -> tuple[Path, ...]:
    """Return the files of taught boards and decks."""
    return tuple(sorted((folder / TAUGHT).glob("*.json")))


def database_files(folder: Path) -> list[Path]:
    """The database and what SQLite keeps beside it: they belong together."""
    return [folder / f"{DATABASE}{ending}" for ending in ("-shm", "-wal", "")]


def free_name(wanted: Path) -> Path:
    """The wanted path, or one with a number if that is taken."""
    names = (wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}") for number in count(2))
    return next(path for path in chain([wanted], names) if not path.exists())


def stamp(now: datetime) -> str:
    """A time in a form that fits into a file's name.

    >>> stamp(datetime(2026, 5, 1, 19, 30, 5))
    '20260501-193005'
    """
    return now.strftime("%Y%m%d-%H%M%S")
