"""Writes to the database within one transaction, and their checks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from companion.table.events import FIRST_HASH, Event
from companion.table.exc import ConflictError
from companion.table.records import COLUMNS, Answer, Row, good_match_name, row_of
from companion.table.second_copy import CHANGES


@contextmanager
def transaction(writer: sqlite3.Connection) -> Iterator[None]:
    """A context whose statements happen all or not at all."""
    writer.execute("BEGIN IMMEDIATE")
    try:
        yield
        writer.execute("COMMIT")
    except BaseException:
        if writer.in_transaction:  # SQLite has already taken some failures back by itself
            writer.execute("ROLLBACK")
        raise


def _check_order(writer: sqlite3.Connection, event: Event) -> None:
    row = writer.execute(
        "SELECT seq, hash FROM events WHERE match = ? ORDER BY seq DESC LIMIT 1", (event.match,)
    ).fetchone()
    seq, before = row or (0, FIRST_HASH)
    if event.seq != seq + 1:
        raise ConflictError(
            "not-next",
            f"event {event.seq} of match {event.match} cannot follow event {seq}: read the match again",
        )
    if event.prev != before:
        raise ConflictError(
            "not-next",
            f"event {event.seq} of match {event.match} was made for another past: read the match again",
        )


def _check_device(writer: sqlite3.Connection, event: Event) -> None:
    if event.device is None:
        return
    known = writer.execute(
        "SELECT match, seq FROM events WHERE (device_uid, device_boot, device_n) = (?, ?, ?)",
        msgspec.structs.astuple(event.device),
    ).fetchone()
    if known:
        raise ConflictError("device-twice", f"this roll is already event {known[1]} of match {known[0]}")


def insert(writer: sqlite3.Connection, event: Event) -> None:
    """Insert the next event of its match; the first one begins the match."""
    _check_order(writer, event)
    _check_device(writer, event)
    if event.seq == 1:
        writer.execute("INSERT INTO matches VALUES (?, ?, ?, ?, NULL)", _match_row(event))
    writer.execute(f"INSERT INTO events ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", row_of(event))


def insert_answer(writer: sqlite3.Connection, answer: Answer) -> None:
    """Insert what somebody was told, once for each key."""
    known = writer.execute(
        "SELECT match, seq FROM answers WHERE actor = ? AND key = ?", (answer.actor, answer.key)
    ).fetchone()
    if known:
        raise ConflictError("answered", f"this action is already event {known[1]} of match {known[0]}")
    writer.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(answer))


def _match_row(event: Event) -> Row:
    game, mode = event.data.get("game"), event.data.get("mode")
    if not good_match_name(event.match):
        raise ConflictError(
            "bad-match", "a match's name is up to 80 letters, digits, dots, dashes and underscores"
        )
    if not isinstance(game, str) or not isinstance(mode, str):
        raise ConflictError(
            "bad-match", "the first event of a match has to name its game and mode in its data"
        )
    return event.match, game, mode, event.at


def mark_finished(writer: sqlite3.Connection, match: str, at: str | None) -> None:
    """Store since when a match is over; None while it goes on."""
    writer.execute("UPDATE matches SET finished = ?2 WHERE id = ?1 AND finished IS NOT ?2", (match, at))


def count_change(writer: sqlite3.Connection) -> None:
    """Count a change of seats or settings in its transaction; the second copy has the number, too."""
    writer.execute(
        "INSERT INTO settings VALUES (?, '1')"
        " ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)",
        (CHANGES,),
    )
