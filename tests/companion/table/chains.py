"""Events for the tests of storage, chains that are right, and a way to spoil them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.table.events import FIRST_HASH, Actor, Device, Event, sealed
from companion.table.folder import DATABASE
from companion.table.store import Store

HOST = Actor("host")


def begun(match: str = "m1") -> Event:
    """The first event of a match."""
    data = {"game": "railroad-ink", "mode": "umpire"}
    return sealed(
        Event(match, 1, "2026-05-01T19:30:00.000+00:00", "start", data, None, HOST, None, FIRST_HASH)
    )


def following(before: Event, **changes: Any) -> Event:
    """The event after ``before``."""
    usual = {
        "seq": before.seq + 1,
        "kind": "note",
        "device": None,
        "data": {"n": before.seq},
        "prev": before.hash,
        "hash": "",
    }
    return sealed(msgspec.structs.replace(before, **{**usual, **changes}))


def chain(match: str = "m1", count: int = 5) -> list[Event]:
    """A match of ``count`` events; every third one is a roll of a device."""
    events = [begun(match)]
    while len(events) < count:
        seq = events[-1].seq + 1
        events.append(following(events[-1], device=Device("roller", match, seq) if seq % 3 == 0 else None))
    return events


def stored(store: Store, events: Iterable[Event]) -> None:
    """Append one after the other."""
    for event in events:
        store.append(event)


def filled(store: Store, events: list[Event]) -> None:
    """The same outcome in one go, where the way there is not what is tested."""
    store.adopt(events)
    store.complete_journal(events[0].match)


def told(store: Store) -> Mapping[str, list[Event]]:
    """Everything a store says about its matches."""
    return {match.id: store.events(match.id) for match in store.matches()}


def edit(folder: Path, statement: str, *values: Any) -> None:
    """What somebody with the sqlite3 shell could do to a table's database."""
    connection = sqlite3.connect(folder / DATABASE, isolation_level=None)
    connection.execute(statement, values)
    connection.close()
