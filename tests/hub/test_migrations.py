"""A hub opens what earlier ones wrote, migrates it once, wholly or not at all, and leaves newer ones."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.club.hub_client import HubError
from companion.service.service import Service
from companion.table.exc import StorageError
from hub.storage import schema
from hub.storage.database import FILE, AwayError, Database, OutdatedHubError, SqliteDatabase
from hub.storage.migrations import opened_database
from lab.club.engines import Postgres
from tests.hub.houses import Night, needs_signing, sent_all
from tests.hub.opening import ADDED
from tests.hub.recording import PIN, TABLES, record, told
from tests.hub.test_outbox import count, the_box

pytestmark = needs_signing
RELEASED = Path(__file__).parent / "released"
VERSIONS = sorted(int(file.stem.partition("-")[2]) for file in RELEASED.glob("version-*.sql"))
_ENTRIES = next(step for step in schema.STEPS[2] if step.startswith("UPDATE matches SET entries"))
PAGES = ("/", "/standings", "/standings?season=0", "/screen", "/table/1", "/table/2", "/table/3", "/round/1")


def written(version: int) -> str:
    """The database of a club as a hub of that version left it."""
    return (RELEASED / f"version-{version}.sql").read_text(encoding="utf-8")


def put_into(address: str, folder: Path, text: str) -> None:
    """Run SQL in an empty database."""
    if address:
        import psycopg

        with psycopg.connect(address) as server:
            for statement in text.split(";\n"):
                if statement.strip():
                    server.execute(statement)  # type: ignore[call-overload, unused-ignore]
        return
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / FILE)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.executescript(f"BEGIN; {text} COMMIT;")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "hub"


@pytest.fixture
def older(address: str, folder: Path) -> None:
    """A club's database of the first version."""
    put_into(address, folder, written(1))


@contextmanager
def hub_on(address: str, folder: Path) -> Iterator[Night]:
    night = Night(opened_database(address, folder))
    try:
        yield night
    finally:
        night.stop()


def rows(address: str, folder: Path) -> dict[str, list[Any]]:
    """Everything in the database, whatever version it has, without this house's means."""
    statements = {
        table: f"SELECT * FROM {table} ORDER BY {key}"
        for table, key in TABLES.items()
        if table != "set_aside"  # of version 3
    }
    if address:
        import psycopg

        with psycopg.connect(address) as server:
            return {
                table: server.execute(asked).fetchall()  # type: ignore[call-overload, unused-ignore]
                for table, asked in statements.items()
            }
    with closing(sqlite3.connect(folder / FILE)) as file:
        return {table: file.execute(asked).fetchall() for table, asked in statements.items()}


def next_version(monkeypatch: pytest.MonkeyPatch, *step: str) -> None:
    """From now on hubs are one version further."""
    monkeypatch.setattr(schema, "STEPS", {**schema.STEPS, schema.VERSION: step})
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)


def shape(database: Database) -> dict[str, list[Any]]:
    """Columns, keys and indexes of all tables, in no order."""
    with database.reading() as look:
        if isinstance(database, SqliteDatabase):
            asked = (
                'SELECT c.name, c.type, c."notnull", c.dflt_value, c.pk FROM pragma_table_info(?) c',
                'SELECT f."from", f."table", f."to" FROM pragma_foreign_key_list(?) f',
                'SELECT i.name, i."unique", c.name FROM pragma_index_list(?) i, pragma_index_info(i.name) c',
            )
        else:
            asked = (
                "SELECT column_name, data_type, is_nullable, column_default"
                " FROM information_schema.columns WHERE table_name = ?",
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = to_regclass(?)",
                "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ?",
            )
        return {table: [sorted(look.rows(one, (table,)), key=repr) for one in asked] for table in TABLES}


def test_what_every_version_wrote_is_here_and_has_its_step() -> None:
    assert list(range(1, schema.VERSION)) == VERSIONS
    assert list(schema.STEPS) == VERSIONS


def test_what_this_hub_writes_can_be_recorded_for_later_ones(tmp_path: Path, postgres: Postgres) -> None:
    record(tmp_path)
    text, expected = (next(tmp_path.glob(f"*.{kind}")).read_text() for kind in ("sql", "json"))
    for address in ("", postgres.database("recorded")):
        put_into(address, tmp_path / "hub", text)
        with hub_on(address, tmp_path / "hub") as night:
            assert told(night) == json.loads(expected)


def by_these_rules(expected: dict[str, Any]) -> dict[str, Any]:
    """What was recorded of a round that no table played to its end: its boards ranked then, nobody alone."""
    expected["round"].setdefault("box", None)
    for board in expected["round"]["boards"]:
        board |= {"place": None, "why": board.get("why", "not all dice of the round were rolled there")}
    return expected


@pytest.mark.parametrize("version", VERSIONS)
def test_what_an_earlier_hub_wrote_says_the_same(address: str, folder: Path, version: int) -> None:
    put_into(address, folder, written(version))
    expected = by_these_rules(json.loads((RELEASED / f"version-{version}.json").read_text(encoding="utf-8")))
    with hub_on(address, folder) as night:
        assert told(night) == expected
        assert night.rows("SELECT schema_version FROM clock") == [(schema.VERSION,)]
    with hub_on(address, folder) as night:
        assert told(night) == expected


@pytest.mark.parametrize("version", VERSIONS)
def test_its_pages_are_those_of_a_new_database_with_the_same_rows(
    address: str, folder: Path, tmp_path: Path, version: int
) -> None:
    put_into(address, folder, written(version))
    content = written(version).partition("\nINSERT ")[1:]
    opened_database("", tmp_path / "new").close()
    with closing(sqlite3.connect(tmp_path / "new" / FILE)) as file:
        file.executescript(
            f"DELETE FROM clock; {''.join(content)} {_ENTRIES};"
            f" UPDATE clock SET schema_version = {schema.VERSION};"
        )
    with hub_on(address, folder) as night, hub_on("", tmp_path / "new") as new:
        clients = night.client, new.client
        for client in clients:
            assert client.post("/api/v1/organiser/session", json={"pin": PIN}).status_code == 200
        for page in (*PAGES, "/organise"):
            migrated, made = (client.get(page) for client in clients)
            assert (migrated.status_code, migrated.text) == (200, made.text)


def test_a_migrated_hub_goes_on(
    address: str, folder: Path, older: None, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_on(address, folder) as night:
        outbox = night.joined(house, night.wire(), monkeypatch)
        match = count(house, outbox)
        sent_all(outbox)
        asked = "SELECT seq FROM matches WHERE box = ? AND match = ?"
        assert night.rows(asked, the_box(outbox), match) == [(1,)]
        assert night.rows("SELECT count(*), max(number) FROM boxes") == [(4, 4)]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_migrated_database_has_the_tables_of_a_new_one(
    database: Database,
    address: str,
    folder: Path,
    tmp_path: Path,
    version: int,
    request: pytest.FixtureRequest,
) -> None:
    new = shape(database)
    assert all(columns for columns, *_ in new.values())
    other = request.getfixturevalue("postgres").database(f"migrated{version}") if address else ""
    put_into(other, tmp_path / "older", written(version))
    with closing(opened_database(other, tmp_path / "older")) as migrated:
        assert shape(migrated) == new


def test_sqlite_is_copied_before_and_the_copy_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_into("", tmp_path, written(1))
    before = rows("", tmp_path)
    opened_database("", tmp_path).close()
    opened_database("", tmp_path).close()
    assert {file.name for file in tmp_path.iterdir()} == {FILE, "hub-version-1.db"}
    copied = tmp_path / "copied"
    copied.mkdir()
    (tmp_path / "hub-version-1.db").rename(copied / FILE)
    assert rows("", copied) == before
    (tmp_path / FILE).unlink()
    (tmp_path / "hub-version-1.db").write_text("an earlier copy")
    (copied / FILE).rename(tmp_path / FILE)
    opened_database("", tmp_path).close()
    assert (tmp_path / "hub-version-1.db").read_text() == "an earlier copy"
    assert (tmp_path / "hub-version-1-2.db").exists()


def test_without_a_copy_nothing_is_migrated(tmp_path: Path) -> None:
    put_into("", tmp_path, written(1))
    before = rows("", tmp_path)
    (tmp_path / "hub-version-1.part").mkdir()
    with pytest.raises(StorageError):
        opened_database("", tmp_path)
    assert rows("", tmp_path) == before


def test_a_step_that_fails_changes_nothing(
    address: str, folder: Path, older: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(address, folder)
    with monkeypatch.context() as patched:
        next_version(patched, "CREATE TABLE remarks (text TEXT)", "DELETE FROM log", "SELECT x FROM nowhere")
        with pytest.raises(AwayError):
            opened_database(address, folder)
    assert rows(address, folder) == before
    with hub_on(address, folder) as night:
        assert night.rows("SELECT schema_version FROM clock") == [(schema.VERSION,)]
        with night.database.reading() as look:
            assert night.database.columns(look, "remarks") == set()


def started(address: str, folder: Path, *how: str) -> subprocess.Popen[str]:
    """A hub of the next version that is about to open the database."""
    command = [sys.executable, "-m", "tests.hub.opening", address, str(folder), *how]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_one_that_is_killed_in_the_middle_changes_nothing(address: str, folder: Path, older: None) -> None:
    before = rows(address, folder)
    killed = started(address, folder, "killed")
    assert killed.communicate("go\n", timeout=60) == ("", "")
    assert killed.returncode == -9
    assert rows(address, folder) == before
    again = started(address, folder)
    _, complaints = again.communicate("go\n", timeout=60)
    assert again.returncode == 0, complaints
    ((_, clock, version),) = rows(address, folder)["clock"]
    assert (clock, version) == (before["clock"][0][1] + ADDED, schema.VERSION + 1)


@pytest.mark.parametrize("is_new", [False, True], ids=["migrated", "new"])
def test_hubs_that_start_together_migrate_once(address: str, folder: Path, is_new: bool) -> None:
    if not is_new:
        put_into(address, folder, written(1))
    before = 0 if is_new else rows(address, folder)["clock"][0][1] + ADDED
    hubs = [started(address, folder) for _ in range(4)]
    for one in hubs:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    told_of_it = 0
    for one in hubs:
        _, complaints = one.communicate(timeout=60)
        assert one.returncode == 0, complaints
        told_of_it += complaints.count("was migrated")
    assert rows(address, folder)["clock"] == [(1, before, schema.VERSION + 1)]
    assert told_of_it == (0 if is_new else 1)
    assert len(list(folder.glob("hub-version-*"))) == (0 if is_new or address else 1)


def test_a_newer_database_is_refused_and_left_as_it_is(
    address: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        next_version(patched, "SELECT 1")
        opened_database(address, folder).close()
        put_newer = "UPDATE clock SET schema_version = ?"
        with closing(opened_database(address, folder)) as database, database.writing() as change:
            change.run(put_newer, (schema.VERSION,))
    before = rows(address, folder)
    bytes_before = b"" if address else (folder / FILE).read_bytes()
    with pytest.raises(OutdatedHubError, match="update this hub"):
        opened_database(address, folder)
    assert main(["hub", "--folder", str(folder), "--database", address, "--port", "0"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert f"version {schema.VERSION + 1}, made by a newer hub" in printed.err
    assert rows(address, folder) == before
    assert address or (folder / FILE).read_bytes() == bytes_before


def test_a_hub_under_which_the_database_is_migrated_stores_nothing_more(
    address: str, folder: Path, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked again, and by then a newer hub may answer: nothing is lost."""
    with hub_on(address, folder) as night:
        outbox = night.joined(house, night.wire(), monkeypatch)
        match = count(house, outbox)
        with monkeypatch.context() as patched:
            next_version(patched, "CREATE TABLE remarks (text TEXT)")
            opened_database(address, folder).close()
        with pytest.raises(HubError) as problem:
            outbox.send()
        assert (problem.value.status, problem.value.code) == (503, "newer-version")
        with pytest.raises(OutdatedHubError):
            night.house.state.refresh()
        assert night.rows("SELECT count(*) FROM matches") == [(0,)]
        next_version(monkeypatch)
        with hub_on(address, folder) as newer:
            outbox._client = newer.wire()
            sent_all(outbox)
            assert newer.rows("SELECT match FROM matches") == [(match,)]


# --- stationmaster hub --check ---


def checked(address: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["hub", "--check", "--json", "--database", address, "--folder", str(folder)])
    parts = {one["part"]: one for one in json.loads(capsys.readouterr().out)}
    assert parts["signatures"]["state"] == "ok"
    return code, parts["database"]["state"], f"{parts['database']['says']} -> {parts['database']['do']}"


def test_the_check_says_what_will_happen_and_does_nothing(
    address: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, state, says = checked(address, folder, capsys)
    assert (code, state) == (0, "missing")
    assert "when it starts" in says
    assert not folder.exists()

    put_into(address, folder, written(1))
    before = rows(address, folder)
    code, state, says = checked(address, folder, capsys)
    assert (code, state) == (0, "ok")
    assert f"version 1: the hub migrates it to version {schema.VERSION} when it starts" in says
    assert ("pg_dump" in says) == bool(address)
    assert rows(address, folder) == before

    opened_database(address, folder).close()
    code, state, says = checked(address, folder, capsys)
    assert (code, state) == (0, "ok")
    assert f"version {schema.VERSION}: no migration is due" in says

    monkeypatch.setattr(schema, "VERSION", schema.VERSION - 1)
    code, state, says = checked(address, folder, capsys)
    assert (code, state) == (1, "bad")
    assert "update this hub" in says


def test_the_check_says_when_a_database_cannot_be_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_bytes(b"rubbish" * 1000)
    assert checked("", tmp_path, capsys)[:2] == (1, "bad")
    assert checked("mysql://club", tmp_path, capsys)[:2] == (1, "bad")
    pytest.importorskip("psycopg", reason="psycopg (the extra postgres of the hub) is not installed")
    code, state, says = checked(f"postgresql:///club?host={tmp_path}", tmp_path, capsys)
    assert (code, state) == (1, "bad")
    assert "does not answer" in says
