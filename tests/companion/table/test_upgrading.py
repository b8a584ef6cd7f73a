"""A database of an older version is brought up step by step, wholly or not at all, and kept as it was."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

import companion.table
from companion.cli import main
from companion.table import database, recovery
from companion.table.backup import automatic_backup
from companion.table.exc import DamagedError, NewerVersionError, StorageError
from companion.table.folder import ASIDE, DATABASE
from companion.table.recovery import open_store
from companion.table.store import Store
from tests.companion.table.chains import chain, filled, told

NOW = datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
PLAYED = {"m1": chain("m1", 12)}
ADDED = "CREATE TABLE remarks (match TEXT NOT NULL REFERENCES matches (id), text TEXT NOT NULL) STRICT"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    with Store(tmp_path) as store:
        filled(store, PLAYED["m1"])
        store.put_token("m1", 1, "secret")
    return tmp_path


def next_version(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """A program one version further on, whose tables have been made to fit."""
    tables = files(companion.table).joinpath("schema.sql").read_text(encoding="utf-8")
    marks = f"PRAGMA application_id = {database.APPLICATION_ID}; PRAGMA user_version = 2;"
    monkeypatch.setattr(database, "VERSION", 2)
    monkeypatch.setattr(recovery, "VERSION", 2)
    monkeypatch.setattr(database, "STEPS", {1: step})
    monkeypatch.setattr(database, "_creation", lambda: f"BEGIN IMMEDIATE; {tables} {ADDED}; {marks} COMMIT;")
    database._wanted.cache_clear()


@pytest.fixture(autouse=True)
def this_version_again() -> object:
    yield
    database._wanted.cache_clear()


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def test_an_older_database_is_brought_up_and_kept_as_it_was(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_version(monkeypatch, ADDED)
    store, notes = open_store(older, NOW)
    with store:
        assert told(store) == PLAYED
        assert store.seat_of_token("m1", "secret") == 1
        assert store._rows("SELECT count(*) FROM remarks") == [(0,)]
    assert version(older / DATABASE) == 2
    assert "brought up to this version" in notes[0]
    assert version(older / ASIDE / "20260501-220000" / DATABASE) == 1
    again, nothing = open_store(older, NOW)
    again.close()
    assert nothing == []


def test_a_newer_database_is_made_anew_for_an_older_program_with_all_that_was_played_since(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(older) as store:
        automatic_backup(store, NOW)
    next_version(monkeypatch, ADDED)
    store, _ = open_store(older, NOW)
    with store:
        filled(store, chain("m2", 7))
        store.put_token("m2", 2, "secret of m2")
        automatic_backup(store, NOW)
    monkeypatch.undo()
    database._wanted.cache_clear()
    with pytest.raises(NewerVersionError):
        open_store(older, NOW)
    assert main(["restore", "--journals", "--folder", str(older)]) == 0
    store, notes = open_store(older, NOW)
    with store:
        assert told(store) == {"m1": chain("m1", 12), "m2": chain("m2", 7)}
        assert (store.seat_of_token("m1", "secret"), store.seat_of_token("m2", "secret of m2")) == (1, 2)
    assert notes == []
    assert 2 in [version(path) for path in older.glob(f"{ASIDE}/*/{DATABASE}")]


def test_a_step_that_fails_changes_nothing(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    next_version(monkeypatch, f"{ADDED}; SELECT nothing FROM nowhere")
    with pytest.raises(StorageError):
        open_store(older, NOW)
    assert version(older / DATABASE) == 1
    monkeypatch.undo()
    database._wanted.cache_clear()
    store, _ = open_store(older, NOW)
    with store:
        assert told(store) == PLAYED


def test_every_version_has_its_step() -> None:
    assert sorted(database.STEPS) == list(range(1, database.VERSION))


def test_what_the_schema_should_be_is_what_a_new_database_has(older: Path) -> None:
    connection = database.open_existing(older / DATABASE)
    try:
        assert database.schema_fault(connection) is None
    finally:
        connection.close()
    (older / DATABASE).write_bytes(b"rubbish" * 100)
    with pytest.raises(DamagedError):
        database.open_existing(older / DATABASE)
