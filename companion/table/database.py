"""SQLite connections to the table's database, and the check that a file is such a database at all."""

from __future__ import annotations

import os
import sqlite3
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from companion.table.exc import DamagedError, ForeignError, NewerVersionError, StorageError, translated

APPLICATION_ID = int.from_bytes(b"Stmr")
VERSION = 1
OLDEST_SQLITE = (3, 37, 0)  # the first with STRICT tables
STEPS: dict[int, str] = {}  # the SQL that brings a database of this version to the next one
PATIENCE = 2.0  # seconds to wait for a person's sqlite3 shell to let go


def open_writer(path: Path) -> sqlite3.Connection:
    """The one connection that writes; a new file gets its tables."""
    with translated(path):
        connection = _connect(path, "rwc")
        try:
            if not is_ours(connection, path):
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(_creation())
            _bring_up(connection)
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {pragma}")
            # Whoever has read the log in time tidies it away when closing, even if nothing gets written.
            connection.execute("SELECT 1 FROM events LIMIT 1").fetchone()
        except BaseException:
            connection.close()
            raise
    return connection


def _bring_up(connection: sqlite3.Connection) -> None:
    """Migrate a database of an older version step by step; each step happens wholly or not at all."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for step in range(version, VERSION):
        connection.executescript(f"BEGIN IMMEDIATE; {STEPS[step]}; PRAGMA user_version = {step + 1}; COMMIT;")


def version_of(path: Path) -> int:
    """The version of a database of ours; the newest when there is none, or nothing in it yet."""
    with translated(path):
        try:
            connection = open_existing(path)
        except StorageError as problem:
            if problem.code == "nothing-stored":
                return VERSION
            raise
        try:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
        finally:
            connection.close()


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, never waits for the writer and never makes it wait."""
    # Reading needs helper files beside the database; without them only where nobody can be writing.
    return _open_ours(path, "ro&immutable=1" if _nobody_writes(path) else "ro")


def open_existing(path: Path) -> sqlite3.Connection:
    """Open a database that is there: a killed process's log may be replayed, nothing new is made."""
    return _open_ours(path, "rw")


def _nobody_writes(path: Path) -> bool:
    """True if the disk is read-only without a log, or the folder is another's with no log in use."""
    log = path.with_name(f"{path.name}-wal")
    if path.exists() and os.statvfs(path).f_flag & os.ST_RDONLY:
        return not log.exists() or log.stat().st_size == 0
    return not os.access(path.parent, os.W_OK) and not log.exists()


def _open_ours(path: Path, mode: str) -> sqlite3.Connection:
    if not path.exists():
        raise StorageError("nothing-stored", f"no matches are stored in {path.parent}")
    with translated(path):
        connection = _connect(path, mode)
        try:
            if not is_ours(connection, path):
                raise StorageError("nothing-stored", f"no matches are stored in {path.parent}")
        except BaseException:
            connection.close()
            raise
    return connection


def is_ours(connection: sqlite3.Connection, path: Path) -> bool:
    """False for an empty database; an error for a foreign one and for one from a newer version."""
    application, version, tables = (
        connection.execute(question).fetchone()[0]
        for question in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT count(*) FROM sqlite_schema",
        )
    )
    if (application, version, tables) == (0, 0, 0):
        return False
    if application != APPLICATION_ID:
        if _has_our_tables(connection):
            raise DamagedError(path, "the mark of Stationmaster in it is gone")
        raise ForeignError("foreign", f"{path} is another program's database: choose another folder")
    if version < VERSION and version not in STEPS:
        raise DamagedError(path, f"no format has the number {version}")
    if version > VERSION:
        raise NewerVersionError(
            "newer-version",
            f"{path} was written by a newer Stationmaster: update this one"
            f" (the file's format is {version}, the newest known here is {VERSION})",
        )
    return True


def _has_our_tables(connection: sqlite3.Connection) -> bool:
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return {"matches", "events", "answers", "seats"} <= names


def schema_fault(connection: sqlite3.Connection) -> str | None:
    """What is missing of our own tables, or was put beside them; older versions are brought up first."""
    if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        return None
    found = _objects(connection)
    for name, (kind, made) in _wanted().items():
        if name not in found:
            return f"its {kind} {name!r} is gone"
        if found[name] != (kind, made):
            return f"its {kind} {name!r} was changed"
    strange = sorted(name for name, (kind, _) in found.items() if kind in ("trigger", "view"))
    return f"it has a {found[strange[0]][0]} of somebody else's, {strange[0]!r}" if strange else None


def _objects(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    rows = connection.execute("SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {str(name): (str(kind), str(made)) for name, kind, made in rows}


@cache
def _wanted() -> dict[str, tuple[str, str]]:
    empty = sqlite3.connect(":memory:", isolation_level=None)
    try:
        empty.executescript(_creation())
        return _objects(empty)
    finally:
        empty.close()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StorageError(
            "old-sqlite", f"SQLite {sqlite3.sqlite_version} is too old: 3.37 or later is needed"
        )
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(
        address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA trusted_schema = OFF")
    # Each connection would keep two megabytes of pages that the system keeps anyway.
    connection.execute("PRAGMA cache_size = -256")
    connection.execute("PRAGMA cell_size_check = ON")  # notice a damaged page before acting on it
    return connection


def _creation() -> str:
    tables = files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
    marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
    return f"BEGIN IMMEDIATE; {tables} {marks} COMMIT;"
