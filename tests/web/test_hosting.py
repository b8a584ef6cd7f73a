"""The host's page and API: the PIN, seats, parts, backups, switching off."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient
from gpiozero import Device as GpioDevice
from gpiozero.pins.mock import MockFactory

from companion.service.devices.devices import Devices
from companion.service.parts import Part
from companion.service.service import Service
from companion.service.system.settings import Settings
from companion.table.backup import check_backup
from firmware_bridge.panel import PanelSettings
from tests.web.houses import begin
from tests.web.people import get, good, post, problem, seated, the_host
from web import create_app
from web.access.people import is_pin, new_pin
from web.site import site_of


def test_the_pin_opens_the_host_page_and_only_that_browser(app: Flask, house: Service) -> None:
    host, other = the_host(app, house), app.test_client()
    assert "New match" in host.get("/host").get_data(as_text=True)
    assert "New match" not in other.get("/host").get_data(as_text=True)
    problem(other.get("/api/v1/host"), 403, "host-only")
    assert get(host, "/me")["host"] is True


def test_a_session_outlives_a_restart_and_ends_with_a_new_pin(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    cookie = host.get_cookie("stationmaster_host")
    assert cookie is not None
    again = create_app(house).test_client()
    again.set_cookie("stationmaster_host", cookie.value)
    assert get(again, "/me")["host"] is True
    new_pin(house.store)
    assert get(again, "/me")["host"] is False


def test_leaving_the_host_page_ends_the_session(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    cookie = host.get_cookie("stationmaster_host")
    assert cookie is not None
    good(host.delete("/api/v1/host"))
    host.set_cookie("stationmaster_host", cookie.value)
    assert get(host, "/me")["host"] is False


def test_wrong_pins_cool_down_and_the_owner_still_gets_in(app: Flask, house: Service) -> None:
    pin = new_pin(house.store)
    now = [0.0]
    site_of(app).limiter.clock = lambda: now[0]
    guesser = app.test_client()
    for _ in range(20):
        answer = post(guesser, "/host", {"pin": "wrong"})
        assert answer.status_code in (403, 429)
    problem(post(guesser, "/host", {"pin": pin}), 429, "slow-down")
    now[0] = 61
    assert good(post(guesser, "/host", {"pin": pin}))


def test_the_pin_is_not_kept_as_it_is(house: Service) -> None:
    pin = new_pin(house.store)
    assert is_pin(house.store, pin)
    assert not is_pin(house.store, "")
    assert pin not in (house.store.setting("host-pin") or "")


def test_without_a_pin_nobody_is_host(client: FlaskClient) -> None:
    problem(post(client, "/host", {"pin": ":"}), 403, "bad-pin")


def test_the_table_screen_shows_the_code_once_the_pin_was_entered_there(app: Flask, house: Service) -> None:
    begin(house, "", "")
    screen = app.test_client()
    assert "/j/" not in screen.get("/tv").get_data(as_text=True)
    good(post(screen, "/host", {"pin": new_pin(house.store), "role": "screen"}))
    page = screen.get("/tv").get_data(as_text=True)
    assert "http://192.168.1.20:8080/j/" in page
    assert "<svg" in page
    assert get(screen, "/me")["host"] is False
    problem(post(screen, "/matches", {"game": "railroad-ink", "players": ["", ""]}), 403, "host-only")


def test_the_host_sees_every_part_and_every_seat(app: Flask, house: Service) -> None:
    begin(house, "East", "")
    told = get(the_host(app, house), "/host")
    assert [one["taken"] for one in told["seats"]] == [False, False]
    assert {"camera", "database", "disk"} <= {part["name"] for part in told["parts"]}
    assert all(part["says"] for part in told["parts"])
    assert len(told["join_code"]) == 5


def test_a_backup_is_made_listed_and_given_out_by_its_exact_name(app: Flask, house: Service) -> None:
    begin(house)
    host = the_host(app, house)
    made = good(post(host, "/host/backups", key="b1"))
    assert good(post(host, "/host/backups", key="b1")) == made
    assert get(host, "/host")["backups"] == [made["name"]]
    file = host.get(f"/api/v1/host/backups/{made['name']}")
    assert file.status_code == 200
    content = file.data
    file.close()
    assert len(content) == made["bytes"]
    assert zipfile.ZipFile(BytesIO(content)).testzip() is None
    assert check_backup(house.backups.here()[0]).photos is False
    for name in ("..%2fstationmaster.db", "stationmaster.db", "%2e%2e", "x.zip"):
        assert host.get(f"/api/v1/host/backups/{name}").status_code == 404
    problem(app.test_client().get(f"/api/v1/host/backups/{made['name']}"), 403, "host-only")


def test_switching_off_asks_the_house(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    problem(post(host, "/host/shutdown"), 409, "cannot-shut-down")
    stopped: list[str] = []
    house.power.stop = lambda: stopped.append("stopped")
    problem(post(app.test_client(), "/host/shutdown"), 403, "host-only")
    assert stopped == []
    assert good(post(host, "/host/shutdown"))
    assert stopped == ["stopped"]
    assert house.power.switched_off


@pytest.mark.parametrize("path", ["/matches", "/host/backups", "/host/shutdown"])
def test_a_foreign_page_cannot_use_the_hosts_cookie(app: Flask, house: Service, path: str) -> None:
    host = the_host(app, house)
    answer = post(host, path, {}, **{"Origin": "http://evil.example"})
    problem(answer, 403, "foreign-origin")


def test_the_host_says_where_rolls_come_from(app: Flask, house: Service) -> None:
    begin(house, "", "")
    host, east = the_host(app, house), seated(app, house, 1, "East")
    problem(post(east, "/host/dice", {"source": "hand"}), 403, "host-only")
    good(post(host, "/host/dice", {"source": "hand"}))
    assert get(host, "/host")["dice"] == "hand"
    assert "by hand" in problem(post(east, "/matches/current/roll"), 409, "hand-dice")
    problem(post(east, "/matches/current/actions", {"kind": "roll", "seat": 1}), 409, "hand-dice")
    good(post(host, "/host/dice", {"source": "virtual"}))
    assert good(post(east, "/matches/current/roll"))["kind"] == "roll"
    problem(post(host, "/host/dice", {"source": "magic"}), 422, "bad-shape")


# --- lamps ---

PINS = PanelSettings()


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setattr(GpioDevice, "pin_factory", factory)
    yield factory
    factory.reset()


def with_panel(house: Service, panel: PanelSettings) -> Devices:
    devices = Devices(
        house.table, house.store.folder, Settings(panel=panel), house.dice.policy, ports=lambda: []
    )
    house.attach(devices)
    return devices


def shining(pins: MockFactory) -> list[bool]:
    return [bool(pins.pin(number).state) for number in (PINS.left_lamp, PINS.right_lamp)]


def test_the_host_lights_the_table(app: Flask, house: Service, pins: MockFactory) -> None:
    devices = with_panel(house, PINS)
    host = the_host(app, house)
    told = get(host, "/host")
    assert (told["lamps"], told["lit"]) == (["left", "right"], "off")
    for request, expected in (
        ("left", [True, False]),
        ("both", [True, True]),
        ("right", [False, True]),
        ("off", [False, False]),
    ):
        assert "lit" in good(post(host, "/host/lamps", {"lit": request}))["message"] or request == "off"
        assert shining(pins) == expected
        assert get(host, "/host")["lit"] == request
        page = host.get("/host/box").get_data(as_text=True)
        assert f'<option value="{request}" selected>' in page
    problem(post(host, "/host/lamps", {"lit": "brightly"}), 422, "bad-shape")
    problem(post(app.test_client(), "/host/lamps", {"lit": "both"}), 403, "host-only")
    assert shining(pins) == [False, False]
    devices.stop()


def test_a_lamp_that_is_not_there_is_not_offered_and_said_to_be_missing(
    app: Flask, house: Service, pins: MockFactory
) -> None:
    devices = with_panel(house, PanelSettings(right_lamp=None))
    host = the_host(app, house)
    assert get(host, "/host")["lamps"] == ["left"]
    assert "no right lamp" in problem(post(host, "/host/lamps", {"lit": "both"}), 409, "no-lamp")
    assert not pins.pin(PINS.left_lamp).state
    page = host.get("/host/box").get_data(as_text=True)
    assert '<option value="left">' in page
    assert '<option value="both">' not in page
    good(post(host, "/host/lamps", {"lit": "left"}))
    assert pins.pin(PINS.left_lamp).state
    devices.stop()


def test_without_a_panel_the_page_offers_no_lamps(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    assert "/host/lamps" not in host.get("/host/box").get_data(as_text=True)
    assert "no panel" in problem(post(host, "/host/lamps", {"lit": "left"}), 409, "no-panel")
    assert get(host, "/host")["lamps"] == []


def test_not_there_is_said_of_what_was_there_once_and_of_nothing_else(app: Flask, house: Service) -> None:
    """Nobody has to have a camera; whose camera is gone wants to know it."""
    host = the_host(app, house)

    def told() -> tuple[str, str]:
        page = host.get("/host/box").get_data(as_text=True)
        now, _, never = page.partition('id="more-parts"')
        return now, never.partition("</details>")[0]

    now, never = told()
    assert "not there" not in now
    assert "<b>camera</b>" in never
    house.camera.usual = "studio"
    assert "<b>camera</b>" in told()[0]
    house.camera.usual = ""
    now, never = told()
    assert '<b>camera</b> <span class="state">not there</span>' in now
    assert "<b>camera</b>" not in never


def test_the_hosts_page_tells_of_the_box_only_what_needs_help(
    app: Flask, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = the_host(app, house)
    assert "needs a stick" not in host.get("/host").get_data(as_text=True)
    troubled = [*house.parts(), Part("USB stick", "bad", "it needs a stick")]
    monkeypatch.setattr(house, "parts", lambda: troubled)
    page = host.get("/host").get_data(as_text=True)
    assert "needs a stick" in page
    assert "<b>camera</b>" not in page


def test_games_are_chosen_by_their_pictures_players_and_minutes(app: Flask, house: Service) -> None:
    page = the_host(app, house).get("/host").get_data(as_text=True)
    for game in house.games.values():
        card = page.partition(f'value="{game.name}" data-least')[0].rpartition("<label")[2]
        assert f"/static/{game.name}/cover.svg" in card
    assert "2 to 6 players<br>30 to 45 minutes" in page
