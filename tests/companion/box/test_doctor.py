"""The doctor: what it says of each part, on folders in good and bad order."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.box import doctor
from companion.box.doctor import look_at_everything, look_beside_a_service
from companion.box.parts import Part
from companion.games.contract import Action
from companion.games.registry import GAMES
from companion.table.backup import automatic_backup
from companion.table.events import Actor
from companion.table.folder import DATABASE
from companion.table.store import Store
from companion.table.table import Table


def part(parts: list[Part], name: str) -> Part:
    (found,) = (one for one in parts if one.name == name)
    return found


def a_match(folder: Path) -> None:
    with Store(folder) as store:
        data = {"game": next(iter(GAMES)), "players": ["", ""]}
        Table(store, GAMES).submit(Action("start", data=data), Actor("host"))
        automatic_backup(store)


def test_an_empty_folder_has_nothing_bad(tmp_path: Path) -> None:
    found = look_at_everything(tmp_path)
    assert [one.name for one in found][:8] == [
        "program",
        "games",
        "backups",
        "disk",
        "database",
        "roller",
        "panel",
        "camera",
    ]
    assert not [one for one in found if one.state == "bad"]
    assert (part(found, "database").state, part(found, "backups").state) == ("missing", "missing")
    assert all(one.do for one in found if one.state == "missing")


def test_a_game_that_does_not_load_is_bad_and_why_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert part(look_beside_a_service(tmp_path), "games").says.startswith("Railroad Ink")
    monkeypatch.setattr(doctor, "left_out", lambda: ["halma: no rules"])
    games = part(look_beside_a_service(tmp_path), "games")
    assert (games.state, games.says) == ("bad", "halma: no rules")


def test_what_is_kept_is_counted(tmp_path: Path) -> None:
    a_match(tmp_path)
    found = look_at_everything(tmp_path)
    assert part(found, "database").says.startswith("1 matches in")
    assert part(found, "backups").says.startswith("1, the newest is")


def test_a_damaged_database_is_bad_and_what_to_do_is_said(tmp_path: Path) -> None:
    a_match(tmp_path)
    path = tmp_path / DATABASE
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\x00" * (len(content) - 100))
    found = part(look_at_everything(tmp_path), "database")
    assert (found.state, found.do) == ("bad", "start the service: it repairs from backup and journals")


@pytest.mark.parametrize(
    ("free", "state", "words"),
    [(100 * 2**20, "bad", "make room now"), (300 * 2**20, "bad", "photographs"), (2**40, "ok", "")],
)
def test_little_room_on_the_disk_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str, words: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    found = part(look_beside_a_service(tmp_path), "disk")
    assert found.state == state
    assert words in found.do


def test_beside_a_service_the_devices_are_left_alone(tmp_path: Path) -> None:
    assert [one.name for one in look_beside_a_service(tmp_path)] == ["program", "games", "backups", "disk"]


def test_a_camera_is_tried(tmp_path: Path) -> None:
    assert part(look_at_everything(tmp_path), "camera").says.startswith("no camera of the box's own")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (tmp_path / "settings.toml").write_text(f'[camera]\nname = "{pictures}"\n')
    assert "no new picture" in part(look_at_everything(tmp_path), "camera").says
    cv2.imwrite(str(pictures / "table.png"), np.full((480, 640, 3), 90, np.uint8))
    found = part(look_at_everything(tmp_path), "camera")
    assert (found.state, found.says) == ("ok", f"{pictures} takes pictures of 640 x 480")
