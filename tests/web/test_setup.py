"""The first switch-on: a PIN from the first phone, for ten minutes, once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from companion.service.running import opened_service
from companion.service.service import Service
from companion.service.system.clock import BoxClock
from companion.service.system.settings import read_settings
from tests.web.houses import begin, small_house
from tests.web.people import get, good, post, problem, seated, the_host
from web import create_app
from web.access.people import is_pin, new_pin
from web.access.setup import NEW, SECONDS, SETUP_SETTING, Setup
from web.site import site_of

ENTRY = {"pin": "481206", "name": "The attic", "language": "de", "time_zone": "Europe/Berlin"}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(app: Flask, house: Service) -> Clock:
    """A new box that has just been started."""
    new_pin(house.store)  # printed where nobody reads it
    house.store.put_setting(SETUP_SETTING, NEW)
    made, setup = Clock(), site_of(app).setup
    setup.clock = made
    setup._until = made.now + SECONDS
    return made


def test_the_first_phone_becomes_the_host(app: Flask, house: Service, clock: Clock) -> None:
    phone, later = app.test_client(), app.test_client()
    assert get(phone, "/setup") == {"state": "open", "minutes_left": 10}
    assert "/setup" in phone.get("/").get_data(as_text=True)
    good(post(phone, "/setup", ENTRY))
    assert is_pin(house.store, "481206")
    assert "New match" in phone.get("/host").get_data(as_text=True)
    assert "The attic" in phone.get("/").get_data(as_text=True)
    box = read_settings(house.store.folder).box
    assert (box.name, box.language, box.time_zone) == ("The attic", "de", "Europe/Berlin")
    problem(post(later, "/setup", {"pin": "999111"}), 403, "setup-closed")
    assert is_pin(house.store, "481206")
    assert "/setup" not in later.get("/").get_data(as_text=True)


def test_after_ten_minutes_it_is_closed_until_the_next_start(
    app: Flask, house: Service, clock: Clock
) -> None:
    clock.now += SECONDS - 1
    assert get(app.test_client(), "/setup")["minutes_left"] == 1
    clock.now += 1
    assert get(app.test_client(), "/setup") == {"state": "closed", "minutes_left": 0}
    problem(post(app.test_client(), "/setup", ENTRY), 403, "setup-closed")
    assert not is_pin(house.store, "481206")
    assert "Too late" in app.test_client().get("/setup").get_data(as_text=True)
    assert Setup(house.store.setting, house.store.put_setting, clock).state == "open"


def test_who_knows_the_printed_pin_ends_it(app: Flask, house: Service, clock: Clock) -> None:
    the_host(app, house)
    problem(post(app.test_client(), "/setup", ENTRY), 403, "setup-closed")
    assert Setup(house.store.setting, house.store.put_setting, clock).state == "done"


def test_a_box_that_was_never_new_is_never_open(app: Flask, house: Service) -> None:
    assert get(app.test_client(), "/setup")["state"] == "done"
    problem(post(app.test_client(), "/setup", ENTRY), 403, "setup-closed")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"pin": "12345"}, "six to twelve digits"),
        ({"pin": "٤٨١٢٠٦"}, "six to twelve digits"),
        ({"pin": "111111"}, "first that others try"),
        ({"pin": "234567"}, "first that others try"),
        ({"time_zone": "Mars/Olympus"}, "no time zone"),
        ({"time_zone": "../../etc/passwd"}, "no time zone"),
        ({"language": "<b>"}, "two letters"),
        ({"name": "a\nb"}, "name of the box"),
    ],
)
def test_a_faulty_entry_is_one_sentence_and_the_page_stays_open(
    app: Flask, house: Service, clock: Clock, wrong: dict[str, str], says: str
) -> None:
    answer = post(app.test_client(), "/setup", {**ENTRY, **wrong})
    assert answer.status_code == 422
    assert says in answer.get_json()["error"]["message"]
    assert get(app.test_client(), "/setup")["state"] == "open"
    assert not (house.store.folder / "settings.toml").exists()
    good(post(app.test_client(), "/setup", ENTRY))


# --- bringing a backup back ---


@pytest.fixture
def stopped(house: Service) -> list[str]:
    told: list[str] = []
    house.power.stop = lambda: told.append("stopped")
    return told


def test_the_first_phone_may_bring_a_backup_back(
    app: Flask, house: Service, clock: Clock, stopped: list[str]
) -> None:
    begin(house)
    content = house.backups.make().read_bytes()
    phone = app.test_client()
    answer = phone.post("/api/v1/setup/upload", data=content, content_type="application/zip")
    assert "comes back" in good(answer)["message"]
    assert stopped == ["stopped"]
    assert house.power.restarting
    assert (house.store.folder / "restoring").is_dir(), "swapped in by the next start"


def test_the_host_chooses_among_those_of_the_box_and_of_sticks(
    app: Flask, house: Service, stopped: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(house)
    host, made = the_host(app, house), house.backups.make()
    on_stick = tmp_path / "table-1" / made.name
    on_stick.parent.mkdir()
    on_stick.write_bytes(made.read_bytes())
    monkeypatch.setattr(house.backups, "on_sticks", lambda: [on_stick])
    assert f"USB stick, table-1: {made.name}" in host.get("/host/box").get_data(as_text=True)
    problem(post(host, "/setup/restore", {"name": "../../etc/passwd"}), 404, "no-backup")
    assert not stopped
    good(post(host, "/setup/restore", {"name": f"USB stick, table-1: {made.name}"}))
    assert stopped == ["stopped"]


def test_a_backup_of_a_stick_is_chosen_in_every_language(
    app: Flask, house: Service, stopped: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(house)
    host, made = the_host(app, house), house.backups.make()
    on_stick = tmp_path / "table-1" / made.name
    on_stick.parent.mkdir()
    on_stick.write_bytes(made.read_bytes())
    monkeypatch.setattr(house.backups, "on_sticks", lambda: [on_stick])
    page = host.get("/host/box", headers={"Accept-Language": "de"}).get_data(as_text=True)
    option = re.search(r'<option(?: value="([^"]*)")?>([^<]*table-1[^<]*)</option>', page)
    assert option is not None
    assert option[2].startswith("USB-Stick")
    good(post(host, "/setup/restore", {"name": option[1] or option[2]}))
    assert stopped == ["stopped"]


def test_nobody_else_brings_anything_back(app: Flask, house: Service, stopped: list[str]) -> None:
    content = house.backups.make().read_bytes()
    stranger = app.test_client()
    problem(post(stranger, "/setup/restore", {"name": house.backups.here()[0].name}), 403, "host-only")
    answer = stranger.post("/api/v1/setup/upload", data=content, content_type="application/zip")
    problem(answer, 403, "host-only")
    problem(post(stranger, "/host/clock", {"now": 2e12}), 403, "host-only")
    assert not stopped


def test_whoever_made_a_backup_is_nobody_on_the_box_that_it_comes_to(
    app: Flask, house: Service, tmp_path: Path
) -> None:
    """The maker's sessions, seats, PIN and commands stay behind; the new box is set up by its own owner."""
    with small_house(tmp_path / "maker") as maker:
        theirs = create_app(maker)
        host = the_host(theirs, maker)
        match = begin(maker)
        seat = seated(theirs, maker, 1, "Maker")
        (maker.store.folder / "settings.toml").write_text('[power]\noff = ["touch", "taken"]\n')
        content = maker.backups.make().read_bytes()
    new_pin(house.store)
    house.store.put_setting(SETUP_SETTING, NEW)
    house.power.stop = lambda: None
    owner = app.test_client()
    answer = owner.post("/api/v1/setup/upload", data=content, content_type="application/zip")
    assert "another box made it" in good(answer)["message"]
    house.store.close()
    with opened_service(house.store.folder) as again:
        anew = create_app(again)
        assert any("not made by this box" in note for note in again.notes)
        for cookies in (host, seat):
            visitor = anew.test_client()
            for name in (
                "stationmaster_host",
                "stationmaster_seat",
                "stationmaster_phone",
                "stationmaster_guest",
            ):
                if (cookie := cookies.get_cookie(name)) is not None:
                    visitor.set_cookie(name, cookie.value)
            me = get(visitor, "/me")
            assert (me["host"], me["seat"]) == (False, None)
            problem(post(visitor, "/host/shutdown"), 403, "host-only")
        assert again.settings.now.power.off == ()
        assert again.table.match(match) is not None, "the matches are there"
        assert site_of(anew).setup.state == "open"
        good(post(anew.test_client(), "/setup", ENTRY))
        assert is_pin(again.store, "481206")


def test_what_is_no_backup_is_a_sentence_and_nothing_stops(
    app: Flask, house: Service, stopped: list[str]
) -> None:
    host = the_host(app, house)
    for content in (b"", b"PK\x03\x04 nonsense", b"\x00" * 100_000):
        answer = host.post("/api/v1/setup/upload", data=content, content_type="application/zip")
        says = problem(answer, 422, "bad-backup")
        assert "/tmp" not in says, "paths of the box are nobody's business"
    assert not stopped
    assert not (house.store.folder / "restoring").exists()


def test_the_phone_tells_the_time_to_a_box_without_a_clock(app: Flask, house: Service, clock: Clock) -> None:
    house.clock = BoxClock(lambda: 1.8e9, lambda: False)
    good(post(app.test_client(), "/setup", {**ENTRY, "now": 1.9e12}))
    assert house.clock.now().timestamp() == pytest.approx(1.9e9)
    host = the_host(app, house)
    house.clock = BoxClock(lambda: 1.8e9, lambda: False)
    assert "unset" in host.get("/host").get_data(as_text=True)
    good(post(host, "/host/clock", {"now": 1.95e12}))
    assert house.clock.now().timestamp() == pytest.approx(1.95e9)
    assert "unset" not in host.get("/host").get_data(as_text=True)
