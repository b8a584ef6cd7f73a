"""A disk that takes nothing: everybody reads so, the host lets the table play on, and it is stored later."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.service import Service
from companion.service.system.storage import StorageWatch
from companion.table import lifeboat
from companion.table.exc import FullError
from companion.table.store import Store
from tests.web.houses import begin
from tests.web.people import get, good, post, problem, the_host
from tests.web.test_matches import draw, east, roll

SENTENCE = "no room left: free some space and try again"
assert east  # a fixture
PAGES = ("/", "/tv", "/play", "/host")


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "memory"
    place.mkdir()
    monkeypatch.setattr(lifeboat, "SHARED_MEMORY", place)


class Disk:
    """The disk of a store, full or not."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        insert, bring_home = Store._noticing, lifeboat.bring_home

        def noticing(this: Store) -> object:
            if self.full and this.unsaved is None:
                this.trouble = SENTENCE
                raise FullError("disk-full", SENTENCE)
            return insert(this)

        def home(*places: object) -> None:
            if self.full:
                raise FullError("disk-full", SENTENCE)
            bring_home(*places)  # type: ignore[arg-type]

        monkeypatch.setattr(Store, "_noticing", noticing)
        monkeypatch.setattr(lifeboat, "bring_home", home)


@pytest.fixture
def disk(house: Service, monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(house.store, monkeypatch)


def test_nothing_is_said_of_a_disk_that_works(app: Flask, house: Service, east: FlaskClient) -> None:
    host = the_host(app, house)
    for page in PAGES:
        assert "notice alarm" not in host.get(page).get_data(as_text=True)
    assert get(host, "/host")["storage"] == {"trouble": "", "unsaved": None}
    problem(post(host, "/host/storage", {"where": "memory"}), 409, "disk-fine")
    good(post(host, "/host/storage", {"where": "disk"}))


def test_an_evening_on_a_full_disk(app: Flask, house: Service, east: FlaskClient, disk: Disk) -> None:
    host = the_host(app, house)
    roll(house)
    disk.full = True
    before = get(east, "/matches/current")["version"]
    problem(draw(east), 503, "disk-full")
    assert get(east, "/matches/current")["version"] == before
    for page, client in zip(PAGES, (east, east, east, host), strict=True):
        assert "was not stored" in client.get(page).get_data(as_text=True), page
    assert "Play on without saving" in host.get("/host").get_data(as_text=True)
    problem(post(east, "/host/storage", {"where": "memory"}), 403, "host-only")

    good(post(host, "/host/storage", {"where": "memory"}))
    good(draw(east))
    assert get(host, "/host")["storage"]["unsaved"] == 1
    for page, client in zip(PAGES, (east, east, east, host), strict=True):
        assert "Playing without saving" in client.get(page).get_data(as_text=True), page
    assert next(one for one in get(host, "/host")["parts"] if one["name"] == "database")["state"] == "bad"
    assert SENTENCE in problem(post(host, "/host/storage", {"where": "disk"}), 503, "disk-full")

    disk.full = False
    good(post(host, "/host/storage", {"where": "disk"}))
    assert get(host, "/host")["storage"] == {"trouble": "", "unsaved": None}
    with Store(house.store.folder, read_only=True) as stored:
        assert stored.stored() == house.store.stored()


def test_the_watch_tells_pages_once_and_brings_everything_home(house: Service, disk: Disk) -> None:
    begin(house)
    told: list[bool] = []
    stopping = threading.Event()
    watch = StorageWatch(house.store, stopping, lambda: told.append(house.storage.unsaved is not None))
    disk.full = True
    with pytest.raises(FullError):
        house.store.put_setting("name", "ours")
    watch.look()
    house.store.go_on_in_memory()
    house.store.put_setting("name", "ours")
    for _ in range(12):
        watch.look()
    assert told == [False, True]
    disk.full = False
    stopping.set()
    watch.start()
    watch.join()
    assert house.storage.unsaved is None
    watch.look()
    assert told == [False, True, False]
    assert house.store.setting("name") == "ours"
