"""What a service finds at its start and need not keep, and whom its files belong to."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from collections import namedtuple
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.reading.evidence import Outcome, RulingSummary
from companion.reading.types import BoardReading
from companion.service.photos.queries import PhotoRead
from companion.service.photos.shelf import PhotoShelf
from companion.service.service import Service
from companion.table.backup import automatic_backup
from companion.table.events import Actor
from companion.table.exc import FullError, storage_error
from companion.table.folder import DATABASE, JOURNAL, SECOND_COPY
from companion.table.recovery import open_store
from companion.table.store import Store
from companion.table.table import Accepted, Table
from tests.companion.table.chains import begun, following

USED, LEFT = "a" * 64, "b" * 64


def test_photographs_that_no_event_refers_to_are_gone_after_a_restart(tmp_path: Path) -> None:
    shelf = PhotoShelf(tmp_path)
    for digest in (USED, LEFT):
        shelf.keep(digest, b"a picture")
    (tmp_path / "photos" / "cut.half").write_bytes(b"half")
    (tmp_path / "photos" / "note.txt").write_text("the owner's")
    with Store(tmp_path) as store:
        store.append(begun())
        store.append(following(begun(), data={"picture": {"photo": USED}}))
        assert Service(store, Table(store, GAMES)).tidy_photos() == 1
        assert Service(store, Table(store, GAMES)).tidy_photos() == 0
    assert sorted(path.name for path in (tmp_path / "photos").iterdir()) == [f"{USED}.jpg", "note.txt"]


def test_a_photograph_that_somebody_is_asked_about_outlives_a_restart(tmp_path: Path) -> None:
    """Until its match is over: a proposal that is accepted after a power cut has its picture."""
    shelf = PhotoShelf(tmp_path)
    with Store(tmp_path) as store:
        service = Service(store, Table(store, GAMES))
        data = {"game": "spike", "players": ["", ""]}
        assert isinstance(service.table.submit(Action("start", data=data), Actor("host")), Accepted)
        match = service.table.current
        assert match is not None
        outcomes: tuple[tuple[Outcome, int], ...] = (("refused", 1), ("ask", 0), ("accepted", 0))
        for outcome, left in outcomes:
            shelf.keep(LEFT, b"a picture")
            board = BoardReading(LEFT, RulingSummary(outcome, {}), None, ())
            service._loose.keep(match, PhotoRead(LEFT, None, {1: board}))
            assert Service(store, Table(store, GAMES)).tidy_photos() == left
        assert isinstance(service.table.submit(Action("end"), Actor("host")), Accepted)
        assert Service(store, Table(store, GAMES)).tidy_photos() == 1


def test_what_is_kept_is_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    with Store(folder) as store:
        table = Table(store, GAMES)
        data = {"game": "railroad-ink", "players": [""]}
        assert isinstance(table.submit(Action("start", data=data), Actor("host")), Accepted)
        store.put_setting("language", "en")
        automatic_backup(store)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)  # as an earlier version left it
    store, _ = open_store(folder)
    store.close()
    names = [folder, folder / DATABASE, folder / SECOND_COPY, folder / JOURNAL, folder / "backups"]
    assert [stat.S_IMODE(path.stat().st_mode) & 0o077 for path in names] == [0] * len(names)


def test_a_full_disk_at_the_start_is_called_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite speaks of an I/O error when there is no room for the file it keeps beside the database."""
    usage = namedtuple("usage", "total used free")
    problem = sqlite3.OperationalError("disk I/O error")
    problem.sqlite_errorcode = sqlite3.SQLITE_IOERR
    assert not isinstance(storage_error(problem, tmp_path / DATABASE), FullError)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9, 0))
    assert isinstance(storage_error(problem, tmp_path / DATABASE), FullError)
