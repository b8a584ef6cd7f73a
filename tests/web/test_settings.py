"""Every setting is on the host's page, in the documents, and kept in the owner's file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from companion.service.service import Service
from companion.service.system.settings import (
    MqttSettings,
    PowerSettings,
    Settings,
    as_toml,
    changed,
    plain_of,
    read_settings,
)
from companion.service.system.settings_form import settings_form
from companion.table.exc import TableError
from tests.web.houses import begin
from tests.web.people import get, good, post, problem, the_host

ROOT = Path(__file__).parents[2]
OTHER = {
    "box": {"name": 'Löwe "7" \\', "names": ["trains.home"], "time_zone": "Europe/Berlin"},
    "panel": {"on": True, "shutter": None, "roll": 17, "hold_seconds": 1.5},
    "camera": {"name": "usb:1"},
}


def test_every_setting_is_documented_and_on_the_page(app: Flask, house: Service) -> None:
    document = (ROOT / "docs/settings.md").read_text()
    page = the_host(app, house).get("/host/settings").get_data(as_text=True)
    for section in settings_form(Settings()):
        chapter = re.split(r"^## ", document, flags=re.MULTILINE)
        own = next(one for one in chapter if one.startswith(section.name))
        assert ("(at once)" in own.splitlines()[0]) == section.at_once
        for field in section.fields:
            assert f"| `{field.name}` |" in own, f"{section.name}.{field.name}"
            assert f'name="settings.{section.name}.{field.name}"' in page


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    own = Settings(power=PowerSettings(off=("systemctl", "poweroff")))
    settings = changed(own, OTHER)
    (tmp_path / "settings.toml").write_text(as_toml(settings))
    assert read_settings(tmp_path) == settings
    switched_off = changed(settings, {"panel": {"on": False}})
    (tmp_path / "settings.toml").write_text(as_toml(switched_off))
    assert read_settings(tmp_path) == switched_off


def test_the_host_changes_settings_and_nobody_else(app: Flask, house: Service) -> None:
    problem(post(app.test_client(), "/host/settings", {"settings": OTHER}), 403, "host-only")
    host = the_host(app, house)
    good(post(host, "/host/settings", {"settings": {"camera": {"name": "usb:1"}}}))
    assert house.camera.name == "usb:1"
    assert get(host, "/host/settings")["restart"] is False
    assert "started again" in good(post(host, "/host/settings", {"settings": OTHER}))["message"]
    assert get(host, "/host/settings")["restart"] is True
    assert "Start again now" in host.get("/host/settings").get_data(as_text=True)
    assert plain_of(read_settings(house.store.folder)) == plain_of(house.settings.now)
    assert (house.store.folder / "settings-before.toml").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"panel": {"roll": 40}},
        {"panel": {"roll": 5}},
        {"panel": {"handle": 3}},
        {"panel": {"settle_seconds": -1}},
        {"roller": {"ports": "/dev/x"}},
        {"box": {"names": ["trains home"]}},
        {"nothing": {"at": "all"}},
        {"camera": {"name": 5}},
        {"camera": {"name": "/home/anna/pictures"}},
        {"camera": {"name": "../pictures"}},
        {"camera": {"name": "/dev/video/../../home"}},
        {"camera": {"name": "/dev/shm/pictures"}},
        {"power": {"off": ["sh", "-c", "id"]}},
        {"power": {}},
        {"camera": {"name": "pi"}, "power": {"off": []}},
    ],
)
def test_wrong_settings_are_a_sentence_and_change_nothing(
    app: Flask, house: Service, wrong: dict[str, object]
) -> None:
    problem(post(the_host(app, house), "/host/settings", {"settings": wrong}), 422, "bad-settings")
    assert house.settings.now == Settings()
    assert not (house.store.folder / "settings.toml").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"box": {"time_zone": "X/Y"}},
        {"box": {"name": ""}},
        {"box": {"names": ["trains home"]}},
        {"camera": {"rotation": 5}},
        {"network": {"password": "short"}},
        {"panel": {"roll": 99}},
    ],
)
@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
def test_a_wrong_setting_is_told_in_every_language(
    app: Flask, house: Service, wrong: dict[str, object], language: str
) -> None:
    told = []
    for asked in ("en", language):
        answer = the_host(app, house).post(
            "/api/v1/host/settings", json={"settings": wrong}, headers={"Accept-Language": asked}
        )
        told.append(problem(answer, 422, "bad-settings"))
    assert "$" not in told[0]  # where in the file is nothing to a page
    assert told[0] != told[1]


@pytest.mark.parametrize("text", [b"[box]\nname = 5\n", b"\xff\xfe", b"[" * 5000, b"[panel]\nroll = 99\n"])
def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "settings.toml").write_bytes(text)
    with pytest.raises(TableError, match=r"settings\.toml: ."):
        read_settings(tmp_path)


def test_times_are_those_of_the_owners_zone(app: Flask, house: Service) -> None:
    match = begin(house)
    began = house.table.match(match)
    assert began is not None
    house.settings.change({"box": {"time_zone": "Pacific/Kiritimati"}})
    there = app.jinja_env.filters["here"](began.events[0].at)
    assert there.endswith("+14:00")
    assert there[:16].replace("T", " ") in app.test_client().get("/history").get_data(as_text=True)


def test_a_box_that_is_no_service_says_that_it_cannot_start_again(app: Flask, house: Service) -> None:
    problem(post(the_host(app, house), "/host/restart"), 409, "cannot-restart")


def test_a_command_is_neither_shown_nor_changed_by_a_page(app: Flask, house: Service) -> None:
    house.settings.now = Settings(power=PowerSettings(off=("/usr/bin/touch", "switched-off")))
    host = the_host(app, house)
    says = problem(
        post(host, "/host/settings", {"settings": {"power": {"off": ["id"]}}}), 422, "bad-settings"
    )
    assert "only in the file settings.toml" in says
    assert "switched-off" not in host.get("/host/settings").get_data(as_text=True)
    assert "switched-off" not in host.get("/api/v1/host/settings").get_data(as_text=True)
    good(post(host, "/host/settings", {"settings": {"camera": {"name": "pi"}}}))
    assert read_settings(house.store.folder).power.off == ("/usr/bin/touch", "switched-off"), "it stays"


def test_who_is_told_how_matches_stand_is_neither_shown_nor_changed_by_a_page(
    app: Flask, house: Service
) -> None:
    house.settings.now = Settings(mqtt=MqttSettings("mqtt://box:secret@10.0.0.5"))
    host = the_host(app, house)
    wanted = {"settings": {"mqtt": {"broker": "mqtt://evil.example"}}}
    assert "only in the file settings.toml" in problem(
        post(host, "/host/settings", wanted), 422, "bad-settings"
    )
    for page in ("/host/settings", "/api/v1/host/settings", "/host/box", "/api/v1/host"):
        assert "secret" not in host.get(page).get_data(as_text=True)
    good(post(host, "/host/settings", {"settings": {"camera": {"name": "pi"}}}))
    assert read_settings(house.store.folder).mqtt.broker == "mqtt://box:secret@10.0.0.5", "it stays"
