"""Integrity checks of a database: its pages, its references, and every match's hash chain."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec

from companion.table.database import open_existing, schema_fault
from companion.table.events import chain_fault
from companion.table.exc import DamagedError, translated
from companion.table.records import COLUMNS, event_of


def check_database(path: Path) -> None:
    """Nothing when all is well; :class:`DamagedError` when not.

    Foreign files, newer versions and disks that cannot be read are errors of their own: those are not damage.
    """
    with translated(path):
        connection = open_existing(path)
        try:
            fault = _fault(connection)
        finally:
            connection.close()
    if fault is not None:
        raise DamagedError(path, fault)


def _fault(connection: sqlite3.Connection) -> str | None:
    fault = schema_fault(connection)
    if fault is not None:
        return fault
    # quick_check would pass over an index that has lost a row, and an index decides whether a roll is new.
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        return str(verdict).splitlines()[-1]
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        return "something in it refers to an event or a match that is gone"
    return _broken_match(connection)


def _broken_match(connection: sqlite3.Connection) -> str | None:
    for match, game, mode in connection.execute("SELECT id, game, mode FROM matches").fetchall():
        rows = connection.execute(f"SELECT {COLUMNS} FROM events WHERE match = ? ORDER BY seq", (match,))
        try:
            events = [event_of(row) for row in rows]
        except msgspec.DecodeError as problem:
            return f"in match {match} an event cannot be read ({problem})"
        fault = chain_fault(events)
        if fault is not None:
            return f"in match {match} {fault}"
        if not events or (events[0].data.get("game"), events[0].data.get("mode")) != (game, mode):
            return f"match {match} is listed as something else than its first event says"
    return None
