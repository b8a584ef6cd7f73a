"""A club's database as the hub of today writes it, as SQL text: ``python -m tests.hub.recording FOLDER``.

Run once for every version of the database, before a step leads on from it. The text is never changed again:
later hubs have to open what earlier ones wrote.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.club.messages import Batch, Record, record_hash
from companion.game.base import Action
from hub.intake.ledger import chain_fault, stored_records
from hub.people import PINS
from hub.results import results, table_of
from hub.storage.database import FILE, Transaction
from hub.storage.log import entries, log_fault
from hub.storage.schema import VERSION
from tests.hub.houses import Night, embedded, sent_all
from tests.hub.test_attacks import resigned
from tests.hub.test_duplicate import At
from tests.hub.test_outbox import the_box
from tests.web.houses import accepted, begin, play_rounds, play_steps, small_house
from web.access.people import kept_pin

PIN = "481206"
PEOPLE = ["Ada", "Ben O'Neill", "Cleo; -- Dora", "Zoë \\ ?%s"]  # as SQL text has to stand them
TABLES = {  # each after those that it refers to, with its key
    "settings": "key",
    "clock": "id",
    "boxes": "box",
    "matches": "box, match",
    "records": "box, match, seq",
    "log": "n",
    "set_aside": "box, match",
}


def an_evening(night: Night, tables: list[At]) -> None:
    """Something in every table and nearly every column."""
    one, two, three = tables
    organiser = night.client
    night.house.put_setting(PINS["organiser"], kept_pin(PIN))
    night.house.put_setting(PINS["helper"], kept_pin("730518"))

    def decide(what: str, **body: Any) -> None:
        night.house.state.refresh()
        answer = organiser.post(f"/api/v1/organiser/{what}", json=body)
        assert answer.status_code < 300, answer.text

    # A round with the same dice at two tables.
    decide("session", pin=PIN)
    decide("people", names=PEOPLE)
    decide("rounds", game="railroad-ink", least=2, most=2, duplicate=True)
    decide("rounds/1/begin", word="seventeen trains")
    for seed, table in enumerate((one, two)):
        table.begin()
        _end(table, seed)
    decide("rounds/1/open")
    first = one.house.table.current
    assert first is not None
    decide(
        "corrections", box=the_box(one.outbox), match=first.id, totals={"1": 33}, reason="it wasn't counted"
    )

    # Another season, counted otherwise; one of its matches is left out.
    decide("season", name="Spring")
    decide("scheme", points="ratio", ties=["total", "wins"], bye="none")
    over = begin(two.house, *PEOPLE[:3])
    _end(two, 3)
    decide("counts", box=the_box(two.outbox), match=over, counts=False, reason="a trial")
    begin(one.house, *PEOPLE[1:])
    _end(one, 9)

    # A match that is played, with its position, and a table that calls for help; one that contradicts itself.
    accepted(three.house, Action("start", data={"game": "derailed", "players": PEOPLE[:2]}))
    play_steps(three.house, 6)
    sent_all(three.outbox)
    assert night.client.get("/table/3").status_code == 200  # somebody looks: the box sends the position
    three.outbox.send()
    three.outbox.call_for_help("a marker is dry")
    sent_all(three.outbox)
    lying = begin(two.house, *PEOPLE[:2])
    sent_all(two.outbox)
    with night.database.reading() as look:
        true = stored_records(look, the_box(two.outbox), lying)[0]
    lie = _changed(true, {**true.data, "players": ["Eve"]})
    body, headers = resigned(two.outbox, Batch(night.house.club.id, 10**6, [lie]))
    two.wire.post("/api/v1/batches", body, headers)


def _end(table: At, seed: int) -> None:
    play_rounds(table.house, 1, seed=seed)
    accepted(table.house, Action("end"))
    sent_all(table.outbox)


def _changed(record: Record, data: dict[str, Any]) -> Record:
    changed = msgspec.structs.replace(record, data=data)
    return msgspec.structs.replace(changed, hash=record_hash(changed))


def told(night: Night) -> dict[str, Any]:
    """What the hub makes of its database, without the words and looks of pages."""
    state = night.house.state
    state.refresh()
    with night.database.reading() as look:
        log = entries(look)
        chains = {f"{box}/{match}": _chain(look, box, match) for box, match in sorted(state.matches)}
    seasons = range(1 + len(state.evening.seasons))
    found = {
        "tables": (night.client.get("/api/v1/tables").json or {})["tables"],
        "round": night.client.get("/api/v1/rounds/1").json,
        "standings": [
            [[line.person, line.points, line.played, line.place] for line in table_of(state, number)]
            for number in seasons
        ],
        "results": [
            [
                one.played.match,
                [[seat.name, seat.total, seat.place] for seat in one.seats],
                one.counts,
                one.why,
            ]
            for one in results(state)
        ],
        "records": chains,
        "log": [len(log), log[-1].hash, log_fault(log)],
    }
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


def _chain(look: Transaction, box: str, match: str) -> list[Any]:
    stored = stored_records(look, box, match)
    return [len(stored), stored[-1].hash if stored else "", chain_fault(stored)]


def dumped(connection: sqlite3.Connection) -> Iterator[str]:
    """Every row as a statement, in lines that SQLite and PostgreSQL read alike."""
    for table, key in TABLES.items():
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        quoted = " || ', ' || ".join(f"quote({column})" for column in columns)
        for (values,) in connection.execute(f"SELECT {quoted} FROM {table} ORDER BY {key}"):
            assert "\n" not in values
            yield f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values});"


def record(into: Path) -> None:
    """Play, and write ``version-N.sql`` and what the hub makes of it."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as ended, pytest.MonkeyPatch.context() as patched:
        folder = Path(name)
        night = embedded(folder / "hub")
        ended.callback(night.stop)
        tables = []
        for number in (1, 2, 3):
            house = ended.enter_context(small_house(folder / f"box{number}", number))
            wire = night.wire()
            tables.append(At(house, night.joined(house, wire, patched), wire))
        an_evening(night, tables)
        expected = told(night)
        connection = ended.enter_context(closing(sqlite3.connect(folder / "hub" / FILE)))
        made = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
        lines = [*(re.sub(" +\n", "\n", f"{text};") for (text,) in made), *dumped(connection)]
    (into / f"version-{VERSION}.sql").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (into / f"version-{VERSION}.json").write_text(
        json.dumps(expected, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    record(Path(sys.argv[1]))
