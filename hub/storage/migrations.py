"""Opening a hub's database: a new one gets its tables, one of an earlier version is migrated to this one.

All steps that are due are one transaction under a lock: several hubs that start together take them once, and
one that is killed in the middle leaves the database as it was.
"""

from __future__ import annotations

import logging
import os
from itertools import chain
from pathlib import Path

from companion.service.parts import Part
from companion.table.exc import TableError
from hub.engines import checked_conninfo
from hub.storage import schema
from hub.storage.database import (
    FILE,
    Database,
    OutdatedHubError,
    PostgresDatabase,
    SqliteDatabase,
    Transaction,
)

log = logging.getLogger(__name__)


def opened_database(address: str, folder: Path) -> Database:
    """PostgreSQL at ``postgresql://...``, with no address SQLite in the folder; of this hub's version."""
    database = _connected(address, folder)
    try:
        migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def _connected(address: str, folder: Path) -> Database:
    if not address:
        return SqliteDatabase(folder)
    if not address.startswith(("postgresql://", "postgres://")):
        raise TableError("bad-database", "a database is written as postgresql://user@host/club")
    database = PostgresDatabase(address)
    checked_conninfo(address)
    return database


def stored_version(database: Database, look: Transaction) -> int:
    """The version of a database; 0 when it has no tables yet."""
    columns = database.columns(look, "clock")
    if "schema_version" not in columns:
        return 1 if columns else 0
    return int(look.rows("SELECT schema_version FROM clock WHERE id = 1")[0][0])


def migrate(database: Database) -> None:
    """Bring a database to this hub's version; one of a newer version is refused and stays as it is."""
    with database.migrating() as change:
        version = stored_version(database, change)
        if version > schema.VERSION:
            raise OutdatedHubError(version)
        if version == schema.VERSION:
            return
        copy = database.copy_aside(version) if version else None
        steps = (schema.STEPS[step] for step in range(version, schema.VERSION))
        for statement in chain.from_iterable(steps) if version else schema.creation():
            change.run(statement)
        change.run("UPDATE clock SET schema_version = ?", (schema.VERSION,))
    if version:
        kept = f"; as it was before, it is in {copy}" if copy else ""
        log.warning("The hub's database was migrated from version %s to %s%s", version, schema.VERSION, kept)


def _can_be_made(folder: Path) -> bool:
    """True if this account may make the folder, or write into it."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), folder)
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def database_part(address: str, folder: Path) -> Part:
    """How the database is, for somebody who is about to start a hub; nothing is made or migrated."""
    if not address and not _can_be_made(folder):
        return Part("database", "bad", f"{folder} cannot be made or written", "choose another --folder")
    if not address and not (folder / FILE).exists():
        return Part("database", "missing", f"there is none in {folder} yet: the hub makes it when it starts")
    try:
        database = _connected(address, folder)
        try:
            with database.reading() as look:
                version = stored_version(database, look)
        finally:
            database.close()
    except TableError as problem:
        do = "docs/club-night.md says how role, password and database are made" if address else ""
        return Part("database", "bad", problem.message, do)
    if version > schema.VERSION:
        return Part("database", "bad", OutdatedHubError(version).message)
    if version == 0:
        return Part("database", "missing", f"{database.name}, empty: the hub makes its tables when it starts")
    says, do = "no migration is due", ""
    if version < schema.VERSION:
        says = f"the hub migrates it to version {schema.VERSION} when it starts"
        says, do = (says, "copy it before, with pg_dump") if address else (f"{says}, after a copy", "")
    return Part("database", "ok", f"{database.name}, version {version}: {says}", do)
