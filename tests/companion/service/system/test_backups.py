"""Backups that the service makes by itself, in made-up time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.running import opened_service
from companion.service.system.backup_keeper import AFTER_A_FAILURE, AFTER_A_MATCH, WHILE_PLAYING, BackupKeeper
from companion.service.system.doctor import look_at_everything
from companion.table.backup import automatic_backups, check_backup
from companion.table.events import FIRST_HASH, Actor, Event, sealed
from companion.table.exc import FullError
from companion.table.folder import DATABASE
from companion.table.journal import journal_path, line_of
from companion.table.recovery import open_store
from companion.table.store import Store
from companion.table.table import Accepted, Table, settle_finished
from web.app import create_app

HOST = Actor("host")


class Evening:
    """A table, its keeper of backups, and a clock."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = 0.0
        self.table = Table(store, GAMES)
        self.keeper = BackupKeeper(store, self.table, threading.Event(), clock=lambda: self.now)

    def begin(self) -> str:
        data = {"game": "railroad-ink", "players": ["", ""]}
        answer = self.table.submit(Action("start", data=data), HOST)
        assert isinstance(answer, Accepted)
        return answer.event.match

    def end(self) -> None:
        assert isinstance(self.table.submit(Action("end"), HOST), Accepted)

    def made_in(self, seconds: float) -> int:
        """How many backups are made in this time."""
        until, made = self.now + seconds, 0
        while self.now < until:
            self.now += 10.0
            made += self.keeper.look()
        return made


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Store(tmp_path) as store:
        yield Evening(store)


def test_a_finished_match_is_backed_up_soon(evening: Evening) -> None:
    evening.begin()
    evening.made_in(10)
    evening.end()
    assert evening.made_in(AFTER_A_MATCH + 20) == 1
    (file,) = automatic_backups(evening.store.folder)
    assert check_backup(file)
    assert evening.made_in(10 * WHILE_PLAYING) == 0, "nothing new: no backup"


def test_a_match_under_way_is_backed_up_every_half_hour(evening: Evening) -> None:
    evening.begin()
    made = 0
    for name in range(8):
        request = Action("sit", 1, {"name": f"N{name}", "colour": "red", "shape": "circle"})
        assert isinstance(evening.table.submit(request, HOST), Accepted)
        made += evening.made_in(WHILE_PLAYING / 2)
    assert 3 <= made <= 5


def test_what_is_new_is_saved_when_the_service_stops(evening: Evening) -> None:
    evening.begin()
    assert evening.keeper.finish()
    assert not evening.keeper.finish()
    assert len(automatic_backups(evening.store.folder)) == 1


def test_what_a_power_cut_left_without_a_backup_is_saved_after_the_start(evening: Evening) -> None:
    evening.begin()
    after = Evening(evening.store)
    assert after.made_in(AFTER_A_MATCH + 20) == 1
    assert Evening(evening.store).made_in(2 * WHILE_PLAYING) == 0


def test_a_backup_that_fails_is_tried_again(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Store, *_now: object) -> Path:
        raise FullError("disk-full", "no room left")

    with monkeypatch.context() as disk:
        disk.setattr("companion.service.system.backup_keeper.automatic_backup", full)
        evening.begin()
        assert evening.made_in(WHILE_PLAYING + 60) == 0
    assert evening.made_in(AFTER_A_FAILURE) == 1


def test_matches_that_came_back_from_journals_are_over_if_they_were(evening: Evening) -> None:
    over = evening.begin()
    evening.end()
    going_on = evening.begin()
    folder = evening.store.folder
    evening.store.close()
    (folder / DATABASE).write_bytes(b"rubbish")
    store, _ = open_store(folder)
    with store:
        settle_finished(store, GAMES)
        finished = {match.id: match.finished for match in store.matches()}
        assert finished[over] is not None
        assert finished[going_on] is None
        current = Table(store, GAMES).current
        assert current is not None
        assert current.id == going_on


def test_the_current_match_is_the_one_begun_last_whatever_the_clock_says(tmp_path: Path) -> None:
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 5, 1, tzinfo=UTC)
    with Store(tmp_path) as store:
        table = Table(store, GAMES, clock=lambda: now)
        data = {"game": "railroad-ink", "players": [""]}
        for _ in range(3):
            newest = table.submit(Action("start", data=data), HOST)
            now -= timedelta(days=30)
        assert isinstance(newest, Accepted)
        current = Table(store, GAMES).current
        assert current is not None
        assert current.id == newest.event.match


def test_the_doctor_notices_a_changed_journal(evening: Evening) -> None:
    match = evening.begin()
    path = journal_path(evening.store.folder, match)
    text = bytearray(path.read_bytes())
    text[50] ^= 1
    path.write_bytes(text)
    (database,) = [part for part in look_at_everything(evening.store.folder) if part.name == "database"]
    assert database.state == "bad"
    assert f"journal of match {match}" in database.says


@pytest.mark.parametrize("game", ["railroad-ink", "halma"])
def test_a_journal_that_the_rules_cannot_follow_stops_nothing(tmp_path: Path, game: str) -> None:
    """Its chain is whole, its game known or not; dated last, it would be the current match."""
    with opened_service(tmp_path) as service:
        data = {"game": "railroad-ink", "players": [""]}
        begun = service.table.submit(Action("start", data=data), HOST)
        assert isinstance(begun, Accepted)
    opening = {"game": game, "mode": "umpire", "players": [], "setup": {"odd": 1}}
    at = "2099-05-01T19:30:00.000+00:00"
    strange = sealed(Event("zzz", 1, at, "start", opening, None, HOST, None, FIRST_HASH))
    journal_path(tmp_path, "zzz").write_bytes(line_of(strange))
    with opened_service(tmp_path) as service:
        client = create_app(service).test_client()
        pages = ("/", "/tv", "/join", "/history", "/api/v1/export", "/api/v1/matches/current")
        assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
        assert client.get("/api/v1/matches/zzz").status_code == 409
        assert service.table.current is not None
        assert service.table.current.id == begun.event.match
        assert any("left out" in note or "wait until" in note for note in service.notes)
    with opened_service(tmp_path) as service:
        assert [match.id for match in service.history.matches()] == [begun.event.match]
