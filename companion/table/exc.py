"""Errors of the table, apart from refusals by the rules.

:mod:`companion.core.errors` draws the tree of all errors.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.core.errors import CodedError
from companion.core.messages import m


class TableError(CodedError):
    """Base of everything the table raises."""


class StorageError(TableError, OSError):
    """The folder or the disk did not do what was asked; nothing was half stored."""


class FullError(StorageError):
    """No room left on the disk."""


class ReadOnlyError(StorageError):
    """The folder or its disk does not take anything new."""


class BusyError(StorageError):
    """Another program holds the folder or the database."""


class DamagedError(StorageError):
    """What is stored cannot be trusted any more; ``finding`` says only that, the message also what to do."""

    def __init__(self, place: Path, detail: str = "") -> None:
        self.finding = m("{place} is damaged{detail}", place=place, detail=_why(detail))
        super().__init__(
            "damaged",
            m("{finding}: start again to have it repaired from backups and journals", finding=self.finding),
        )


class NewerVersionError(StorageError):
    """A newer Stationmaster wrote this; this one would only spoil it."""


class ForeignError(StorageError):
    """The file belongs to another program."""


class ConflictError(TableError, ValueError):
    """An event that does not continue what is stored; nothing was changed."""


class JournalError(TableError, ValueError):
    """A recorded match that cannot be read."""


class BackupError(TableError, ValueError):
    """A backup that cannot be made, trusted or brought back; what was there is untouched."""


@contextmanager
def translated(place: Path) -> Iterator[None]:
    """What SQLite and the operating system complain about, as one sentence that names ``place``."""
    try:
        yield
    except StorageError:
        raise
    except (sqlite3.Error, OSError) as problem:
        raise storage_error(problem, place) from problem
    except UnicodeDecodeError as problem:  # a flipped bit in the text of a database's own tables
        raise DamagedError(
            place, m("a text in it cannot be read: {reason}", reason=problem.reason)
        ) from problem
    except OverflowError as problem:
        raise StorageError(
            "too-large", m("a number is too large to be stored in {place}: nothing changed", place=place)
        ) from problem


def storage_error(problem: sqlite3.Error | OSError, place: Path) -> StorageError:
    """The :class:`StorageError` that fits what SQLite or the operating system raised."""
    if isinstance(problem, OSError):
        place = Path(problem.filename) if isinstance(problem.filename, str) else place
        return _KINDS[_OS_KINDS.get(problem.errno or 0, "")](place, problem.strerror or str(problem))
    kind = _SQLITE_KINDS.get(getattr(problem, "sqlite_errorcode", 0) & 0xFF, "")
    if "decode to UTF-8" in str(problem):  # the one kind of damage that Python finds, not SQLite
        kind = "damaged"
    if kind == "" and _no_room(place):  # SQLite calls it an I/O error where a helper file found no room
        kind = "full"
    return _KINDS[kind](place, str(problem))


def _no_room(place: Path) -> bool:
    there = next((path for path in (place, *place.parents) if path.exists()), None)
    return there is not None and shutil.disk_usage(there).free < _LEAST_ROOM


def full(place: Path, detail: str = "") -> FullError:
    """The sentence for a full disk."""
    return FullError(
        "disk-full",
        m(
            "no room left for {place}{detail}: free some space and try again",
            place=place,
            detail=_why(detail),
        ),
    )


def read_only(place: Path, detail: str = "") -> ReadOnlyError:
    """The sentence for a place that cannot be written."""
    return ReadOnlyError(
        "read-only",
        m(
            "{place} cannot be written{detail}: check its permissions and the disk's lock",
            place=place,
            detail=_why(detail),
        ),
    )


def busy(place: Path, detail: str = "") -> BusyError:
    """The sentence for a database that another program holds."""
    return BusyError(
        "in-use",
        m(
            "{place} is held by another program{detail}: close that one and try again",
            place=place,
            detail=_why(detail),
        ),
    )


def missing(place: Path, _detail: str = "") -> StorageError:
    """The sentence for a file or folder that is not there."""
    return StorageError("missing", m("there is no {place}: check the name", place=place))


def failed(place: Path, detail: str = "") -> StorageError:
    """The sentence for any other failure of a disk."""
    return StorageError(
        "storage",
        m("{place} cannot be read or written{detail}: check the disk", place=place, detail=_why(detail)),
    )


def _why(detail: str) -> str:
    return f" ({detail})" if detail else ""


_KINDS: dict[str, Callable[[Path, str], StorageError]] = {
    "": failed,
    "full": full,
    "read-only": read_only,
    "busy": busy,
    "damaged": DamagedError,
    "missing": missing,
}
_SQLITE_KINDS = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_CANTOPEN: "read-only",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_ERROR: "damaged",  # our own queries are right, so a table they name is gone or changed
}
_LEAST_ROOM = 64 * 1024  # bytes: one of SQLite's helper files needs half of it
_OS_KINDS = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.ENOENT: "missing",
}
