"""The organiser's log: what was decided, in order, each entry bound to the one before by its hash.

Corrections, rounds, people, replaced boxes: everything that is not a box's word is an entry here, with who
said so. Nothing is ever edited; what counts follows from the whole log (:mod:`hub.evening`).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from companion.core.jsontext import JsonObject
from companion.table.events import FIRST_HASH, canonical, content_hash
from hub.storage.database import Transaction, next_version

Role: TypeAlias = Literal["organiser", "helper", "hub"]


class Entry(msgspec.Struct, frozen=True):
    """One decision in the organiser's log."""

    n: int
    at: str
    who: str
    kind: str
    data: JsonObject
    prev: str
    hash: str = ""


def entry_hash(entry: Entry) -> str:
    """The hash that an entry has to have."""
    return content_hash(entry)


def append(change: Transaction, at: str, who: Role, kind: str, data: JsonObject) -> Entry:
    """Add an entry; writers take turns at the clock's row, so numbers have no gaps."""
    next_version(change)
    found = change.rows("SELECT n, hash FROM log ORDER BY n DESC LIMIT 1")
    n, before = found[0] if found else (0, FIRST_HASH)
    entry = Entry(int(n) + 1, at, who, kind, data, before)
    entry = msgspec.structs.replace(entry, hash=entry_hash(entry))
    row = (entry.n, entry.at, entry.who, entry.kind, canonical(entry.data).decode(), entry.prev, entry.hash)
    change.run("INSERT INTO log (n, at, who, kind, data, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return entry


def entries(look: Transaction, after: int = 0) -> list[Entry]:
    """The entries of the log behind a number."""
    rows = look.rows("SELECT n, at, who, kind, data, prev, hash FROM log WHERE n > ? ORDER BY n", (after,))
    return [
        Entry(int(n), at, who, kind, msgspec.json.decode(data), prev, hash_)
        for n, at, who, kind, data, prev, hash_ in rows
    ]


def log_fault(log: list[Entry]) -> str | None:
    """The first place where the log is broken; None when it is whole."""
    before = FIRST_HASH
    for expected, entry in enumerate(log, start=1):
        if (entry.n, entry.prev, entry.hash) != (expected, before, entry_hash(entry)):
            return f"entry {expected} of the organiser's log was changed or is missing"
        before = entry.hash
    return None
