"""Databases, journals and backups of every released version open in this one, and go on being played."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.running import opened_service
from companion.service.service import Service
from companion.table.backup import automatic_backups, check_backup, restore
from companion.table.events import Actor
from companion.table.folder import DATABASE
from companion.table.replay import verified
from companion.table.table import Accepted

RELEASED = sorted((Path(__file__).parent / "released").glob("*.zip"))
HOST = Actor("host")


@pytest.fixture(params=RELEASED, ids=lambda path: path.stem)
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a table as that version left it."""
    with zipfile.ZipFile(request.param) as parts:
        parts.extractall(tmp_path / "table")
    return tmp_path / "table"


def expected(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "expected.json").read_text())["matches"]
    return told


def everything_is_there(service: Service, folder: Path) -> None:
    for match_id, told in expected(folder).items():
        match = service.table.match(match_id)
        assert match is not None
        assert (match.game.name, match.version) == (told["game"], told["events"])
        assert (match.events[-1].hash, match.finished) == (told["hash"], told["finished"])
        assert verified(match.events, GAMES).fault is None
        stored = service.store.match(match_id)
        assert stored is not None
        assert (stored.finished is not None) == told["finished"]
    assert len(service.history.matches()) == len(expected(folder))


def test_there_is_a_table_of_every_release() -> None:
    log = (Path(__file__).parents[3] / "CHANGELOG.md").read_text()
    released = {line.split("[")[1].split("]")[0] for line in log.splitlines() if line.startswith("## [")}
    assert {path.stem for path in RELEASED} == released - {"Unreleased"}


def test_the_table_opens_and_goes_on(left: Path) -> None:
    with opened_service(left) as service:
        assert list(service.notes) == []
        everything_is_there(service, left)
        for match in expected(left):
            assert service.table.seat_of_token(match, f"north of {match}") == 1
        game = expected(left)["m0"]["game"]
        start = Action("start", data={"game": game, "players": ["North", "East"]})
        again = service.table.submit(start, HOST, f"start-{game}")
        assert isinstance(again, Accepted)
        assert (again.again, again.event.match) == (True, "m0"), "a key that was used then"
        current = service.table.current
        assert current is not None
        assert not current.finished
        answer = service.table.submit(Action("end"), HOST)
        assert isinstance(answer, Accepted)


def test_its_backup_can_be_brought_back(left: Path, tmp_path: Path) -> None:
    (file,) = automatic_backups(left)
    check_backup(file)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    restore(file, elsewhere)
    (elsewhere / "expected.json").write_text((left / "expected.json").read_text())
    with opened_service(elsewhere) as service:
        everything_is_there(service, left)


def test_its_journals_alone_are_enough(left: Path) -> None:
    for file in automatic_backups(left):
        file.unlink()
    (left / DATABASE).write_bytes(b"rubbish")
    with opened_service(left) as service:
        everything_is_there(service, left)
