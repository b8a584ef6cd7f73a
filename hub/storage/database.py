"""The hub's database: SQLite in a folder of its own, or PostgreSQL; the same SQL for both.

Statements are written with ``?`` for values. Connections are kept in a small pool; one that failed is thrown
away, so a server that was restarted is simply found again.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from companion.table.exc import TableError, translated
from companion.table.folder import free_name, sync_folder
from hub.storage import schema

Row: TypeAlias = tuple[Any, ...]
_KEPT = 8  # idle connections
_PATIENCE = 5  # seconds to wait for another process that writes, or for a server that is to take a connection
_AGAIN = 0.05  # seconds between two tries
_MIGRATION = 1800  # seconds that a migration, or waiting for another hub's, may take
_CLOCK = "version, schema_version"
FILE = "hub.db"
_SQLITE_REFUSES = (sqlite3.DataError, sqlite3.IntegrityError, OverflowError, UnicodeEncodeError)


class AwayError(TableError):
    """The database does not answer just now; nothing was changed."""


class UnstorableError(TableError):
    """The database is there and refuses what it was given; nothing was changed."""

    def __init__(self, problem: Exception) -> None:
        super().__init__("unstorable", f"the database refuses it: {str(problem)[:200]}")


class OutdatedHubError(AwayError):
    """A newer hub has migrated the database, perhaps while this one ran; nothing was changed."""

    def __init__(self, version: int) -> None:
        super().__init__(
            "newer-version",
            f"the hub's database has version {version}, made by a newer hub,"
            f" and this one knows version {schema.VERSION}: update this hub",
        )


class Transaction(Protocol):
    """Statements that happen together or not at all."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows that a query finds."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement that changes rows; how many it changed."""

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run one statement with the values of each row."""


class Database(Protocol):
    """Where a hub keeps everything."""

    name: str

    def reading(self) -> AbstractContextManager[Transaction]:
        """A context with a :class:`Transaction` that only looks."""

    def writing(self) -> AbstractContextManager[Transaction]:
        """A context with a :class:`Transaction`; what it did is on the disk when the context ends."""

    def migrating(self) -> AbstractContextManager[Transaction]:
        """A writing context for migrations: one hub at a time, without a time limit for statements."""

    def columns(self, look: Transaction, table: str) -> set[str]:
        """The names of a table's columns; none when there is no such table."""

    def copy_aside(self, version: int) -> Path | None:
        """Copy the database as it is before a migration; None where its owner has to do that."""

    def close(self) -> None:
        """Close all connections to the database."""


class _Pool:
    """Idle connections of either kind."""

    def __init__(self) -> None:
        self._idle: list[Any] = []
        self._lock = threading.Lock()

    def take(self) -> Any | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def give_back(self, connection: Any) -> None:
        with self._lock:
            if len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._connection.execute(statement, tuple(values)).fetchall()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        return self._connection.execute(statement, tuple(values)).rowcount

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        self._connection.executemany(statement, rows)


def _switched_to_wal(connection: sqlite3.Connection) -> None:
    """SQLite fails at once, whatever its time-out, while another process switches the same new file."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_AGAIN)


class SqliteDatabase:
    """The embedded one: a file that one process serves."""

    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / FILE
        self._pool = _Pool()
        self._writer = self._connect()
        self._write_lock = threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            _switched_to_wal(connection)
            for pragma in ("synchronous = FULL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {pragma}")
        except sqlite3.Error as problem:
            raise AwayError("hub-storage", f"{self._path} cannot be opened: {problem}") from problem
        return connection

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Only looks: one moment of the database, whatever others write meanwhile."""
        connection = self._pool.take() or self._connect()
        try:
            connection.execute("BEGIN")
            yield _SqliteTransaction(connection)
            connection.execute("COMMIT")
        except sqlite3.Error as problem:
            connection.close()
            raise AwayError("hub-storage", f"{self._path} cannot be read: {problem}") from problem
        except BaseException:
            connection.execute("ROLLBACK")
            self._pool.give_back(connection)
            raise
        self._pool.give_back(connection)

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Writes: one writer at a time, and wholly on the disk at the end."""
        with self._write_lock:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield _SqliteTransaction(self._writer)
                self._writer.execute("COMMIT")
            except BaseException as problem:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                if isinstance(problem, _SQLITE_REFUSES):
                    raise UnstorableError(problem) from problem
                if isinstance(problem, sqlite3.Error):
                    message = f"{self._path} takes nothing: {problem}"
                    raise AwayError("hub-storage", message) from problem
                raise

    @contextmanager
    def migrating(self) -> Iterator[Transaction]:
        """Writes with more patience for other hubs that migrate."""
        self._writer.execute(f"PRAGMA busy_timeout = {1000 * _MIGRATION}")
        try:
            with self.writing() as change:
                yield change
        finally:
            self._writer.execute(f"PRAGMA busy_timeout = {1000 * _PATIENCE}")

    def columns(self, look: Transaction, table: str) -> set[str]:
        """The names of a table's columns, from SQLite's own list."""
        return {str(name) for (name,) in look.rows("SELECT name FROM pragma_table_info(?)", (table,))}

    def copy_aside(self, version: int) -> Path:
        """See :class:`Database`. It is whole on the disk before it has its name."""
        place = free_name(self._path.with_name(f"{self._path.stem}-version-{version}.db"))
        part = place.with_suffix(".part")
        reader = self._connect()  # a transaction that writes cannot copy, but keeps others from writing
        try:
            with translated(place):
                part.unlink(missing_ok=True)
                reader.execute("VACUUM INTO ?", (str(part),))
                with part.open("rb") as file:
                    os.fsync(file.fileno())
                part.rename(place)
                sync_folder(place.parent)
        finally:
            reader.close()
        return place

    def close(self) -> None:
        """Close the pool and the connection that writes."""
        self._pool.close()
        with self._write_lock:
            self._writer.close()


class _PostgresTransaction:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        found: list[Row] = self._connection.execute(statement.replace("?", "%s"), tuple(values)).fetchall()
        return found

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        return int(self._connection.execute(statement.replace("?", "%s"), tuple(values)).rowcount)

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:  # sent together, without waiting for each answer
            with self._connection.cursor() as cursor:
                cursor.executemany(statement.replace("?", "%s"), rows)


def _refuses(problem: Exception, connection: Any) -> bool:
    """True for an error of what was to be stored; False for one of the server, or of the way to it."""
    state = getattr(problem, "sqlstate", None)
    if state is None:  # the library's own: too many values, text that has no bytes
        return not connection.broken
    return str(state)[:2] in ("22", "23", "54")  # data, constraints, and what exceeds the server's limits


class PostgresDatabase:
    """A PostgreSQL database that any number of hub processes share."""

    name = "PostgreSQL"

    def __init__(self, address: str) -> None:
        if find_spec("psycopg") is None:
            raise TableError(
                "no-postgres", "PostgreSQL needs psycopg, an extra of the hub: in a checkout, make hub"
            )
        self._address = address
        self._pool = _Pool()

    def _connect(self) -> Any:
        import psycopg

        connection = psycopg.connect(self._address, connect_timeout=_PATIENCE)
        # A server that went away without a word is given up after seconds, not after hours.
        connection.execute("SET statement_timeout = '10s'")
        connection.commit()
        return connection

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Writes: wholly on the server's disk at the end."""
        import psycopg

        connection = self._pool.take()
        try:
            if connection is None or connection.closed:
                connection = self._connect()
            yield _PostgresTransaction(connection)
            connection.commit()
        except (psycopg.Error, UnicodeEncodeError) as problem:
            if connection is not None and _refuses(problem, connection):
                connection.rollback()
                self._pool.give_back(connection)
                raise UnstorableError(problem) from problem
            if connection is not None:
                connection.close()
            self._pool.close()  # the others were of the same server
            raise AwayError("hub-storage", f"the hub's database does not answer: {problem}") from problem
        except BaseException:
            if connection is not None:
                connection.rollback()
                self._pool.give_back(connection)
            raise
        self._pool.give_back(connection)

    reading = writing

    @contextmanager
    def migrating(self) -> Iterator[Transaction]:
        """See :class:`Database`. Several hubs may start at the same moment: the others wait for the first."""
        with self.writing() as change:
            change.run(f"SET LOCAL statement_timeout = '{_MIGRATION}s'")
            change.rows("SELECT pg_advisory_xact_lock(7291)")
            yield change

    def columns(self, look: Transaction, table: str) -> set[str]:
        """The names of a table's columns, from PostgreSQL's catalogue."""
        asked = (
            "SELECT attname FROM pg_attribute"
            " WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped"
        )
        return {str(name) for (name,) in look.rows(asked, (table,))}

    def copy_aside(self, version: int) -> None:
        """See :class:`Database`; ``pg_dump`` does it."""

    def close(self) -> None:
        """Close the pool of connections."""
        self._pool.close()


# Small things that every part of the hub keeps


def setting(look: Transaction, key: str) -> str | None:
    """The value of a setting; None where it was never set."""
    found = look.rows("SELECT value FROM settings WHERE key = ?", (key,))
    return str(found[0][0]) if found else None


def put_setting(change: Transaction, key: str, value: str) -> None:
    """Store the value of a setting."""
    change.run(
        "INSERT INTO settings (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def next_version(change: Transaction) -> int:
    """The number of this change.

    The row stays locked until the transaction ends: changes get their numbers in the order in which they can
    be seen, and whoever has seen version N never misses one before it.
    """
    return _clock(change, f"UPDATE clock SET version = version + 1 WHERE id = 1 RETURNING {_CLOCK}")


def locked_version(change: Transaction) -> int:
    """The number of the last change; nobody else makes one until this transaction ends."""
    return _clock(change, f"UPDATE clock SET version = version WHERE id = 1 RETURNING {_CLOCK}")


def put_version(change: Transaction, version: int) -> None:
    """Store the number of this change; the clock has been locked before."""
    change.run("UPDATE clock SET version = ? WHERE id = 1", (version,))


def places(values: Collection[object]) -> str:
    """Placeholders for so many values."""
    return ", ".join("?" * len(values))


def version_now(look: Transaction) -> int:
    """The number of the last change."""
    return _clock(look, f"SELECT {_CLOCK} FROM clock WHERE id = 1")


def _clock(look: Transaction, statement: str) -> int:
    """The clock's number; an error once a newer hub has migrated the database under this one."""
    version, schema_version = look.rows(statement)[0]
    if schema_version > schema.VERSION:
        raise OutdatedHubError(int(schema_version))
    return int(version)
