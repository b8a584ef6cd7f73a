"""The doctor: what it says of each part, on folders in good and bad order."""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.devices import bluetooth, devices
from companion.service.devices.bluetooth import BluetoothDice
from companion.service.parts import Part
from companion.service.system import access_point, doctor, health, mqtt, updates
from companion.service.system.doctor import look_at_everything, look_beside_a_service
from companion.service.system.updates import updates_of
from companion.table.backup import automatic_backup
from companion.table.events import Actor
from companion.table.folder import DATABASE
from companion.table.store import Store
from companion.table.table import Table
from companion.updates.installing import STATE, Places, State

ROOT = Path(__file__).parents[4]
TOLD_BY = (doctor, health, access_point, updates, mqtt, devices, bluetooth)


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
    assert [one.name for one in found][:11] == [
        "program",
        "games",
        "backups",
        "disk",
        "database",
        "roller",
        "panel",
        "camera",
        "Bluetooth dice",
        "own Wi-Fi",
        "updates",
    ]
    assert "MQTT" in [one.name for one in found]
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
    assert part(look_at_everything(tmp_path), "camera").says.startswith("the box has no camera of its own")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (tmp_path / "settings.toml").write_text(f'[camera]\nname = "{pictures}"\n')
    assert "no new picture" in part(look_at_everything(tmp_path), "camera").says
    cv2.imwrite(str(pictures / "table.png"), np.full((480, 640, 3), 90, np.uint8))
    found = part(look_at_everything(tmp_path), "camera")
    assert (found.state, found.says) == ("ok", f"{pictures} takes pictures of 640 x 480")


def test_bluetooth_dice_are_looked_for_when_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "not looked for" in part(look_at_everything(tmp_path), "Bluetooth dice").says
    (tmp_path / "settings.toml").write_text("[roller]\nbluetooth = true\n")
    program = "import sys; print('Bluetooth dice: Pixels PXL3', flush=True); sys.stdin.read()"
    monkeypatch.setattr(doctor, "BluetoothDice", lambda: BluetoothDice((sys.executable, "-c", program)))
    found = part(look_at_everything(tmp_path), "Bluetooth dice")
    assert (found.state, found.says) == ("ok", "Bluetooth dice: Pixels PXL3")


@pytest.mark.parametrize(
    ("state", "expected", "words"),
    [
        (State(), "ok", "none was installed from the page yet"),
        (State("installed", after="0.3.0", back_to="0.2.0"), "ok", "one tap goes back to 0.2.0"),
        (State("installing", before="0.2.0", after="0.3.0"), "ok", "being installed just now"),
        (State("taken-back", says="0.3.0 was not installed: no room"), "bad", "no room"),
    ],
)
def test_how_the_last_update_went_is_told(tmp_path: Path, state: State, expected: str, words: str) -> None:
    places = Places(tmp_path / "table" / "update", tmp_path / "own")
    assert updates_of(tmp_path / "table", places).part().state == "missing", "no package"
    places.own.mkdir()
    (places.own / STATE).write_text(json.dumps(asdict(state)))
    found = updates_of(tmp_path / "table", places).part()
    assert (found.name, found.state) == ("updates", expected)
    assert words in found.says


def test_a_program_reads_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--folder", str(tmp_path)]) == 0
    told = {one["part"]: one for one in json.loads(capsys.readouterr().out)}
    assert {"program", "camera", "Bluetooth dice", "updates", "network"} <= set(told)
    assert all(list(one) == ["part", "state", "says", "do"] for one in told.values())
    assert told["updates"]["do"] == "update it the way it was installed"


def test_every_part_is_described_for_programs() -> None:
    """Names are a promise: who renames one, or adds one, says so in the document."""
    text = (ROOT / "docs/troubleshooting.md").read_text()
    table = text.partition("| `part` |")[2].partition("\n\n")[0]
    described = {name for line in table.splitlines() for name in re.findall("`([^`]+)`", line.split("|")[1])}
    assert {name for module in TOLD_BY for name in _part_names(Path(module.__file__ or ""))} == described


def _part_names(path: Path) -> set[str]:
    """What the parts made in a module are called: a text, in a message or by a constant's name."""
    tree = ast.parse(path.read_text())
    assigned = [one for one in tree.body if isinstance(one, ast.Assign)]
    known = {ast.unparse(one.targets[0]): one.value for one in assigned}
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and ast.unparse(one.func) == "Part"]
    found = [known.get(ast.unparse(one.args[0]), one.args[0]) for one in calls]
    texts = [one.args[0] if isinstance(one, ast.Call) else one for one in found]
    return {str(one.value) for one in texts if isinstance(one, ast.Constant)}
