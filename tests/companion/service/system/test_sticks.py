"""Backups on USB sticks: found by how they are attached, filled whenever one lacks something."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.system.backup_keeper import AFTER_A_FAILURE, AFTER_A_MATCH, DAY, BackupKeeper
from companion.service.system.sticks import KEPT, PLACE, Roots, copy_to_stick, stick_backups, sticks
from companion.table.backup import automatic_backups, check_backup
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Accepted, Table

HOST = Actor("host")
NOW = datetime(2026, 5, 1, 19, tzinfo=UTC)


class Machine:
    """Disks of a made-up machine, and a table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.roots = Roots(folder / "mountinfo", folder / "devices")
        self.lines: list[str] = []
        (folder / "mountinfo").touch()
        (folder / "devices").mkdir()

    def plug(self, name: str, number: str = "8:1", bus: str = "usb1") -> Path:
        place = self.folder / name
        place.mkdir(exist_ok=True)
        device = self.folder / "sys" / bus / "block" / number.replace(":", "-")
        device.mkdir(parents=True, exist_ok=True)
        link = self.roots.devices / number
        if not link.exists():
            link.symlink_to(device)
        told = str(place).replace(" ", "\\040")
        self.lines.append(f"40 20 {number} / {told} rw,nosuid - vfat /dev/sda1 rw")
        self.tell()
        return place

    def pull(self) -> None:
        self.lines.clear()
        self.tell()

    def tell(self) -> None:
        self.roots.mounts.write_text("\n".join(self.lines))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def begin(table: Table) -> None:
    answer = table.submit(Action("start", data={"game": next(iter(GAMES)), "players": ["", ""]}), HOST)
    assert isinstance(answer, Accepted)


def test_only_usb_disks_that_can_be_written_are_sticks(machine: Machine) -> None:
    stick = machine.plug("my stick")
    machine.plug("card", "179:2", "mmc0")
    machine.lines.append("41 20 8:1 /sub /nowhere rw - vfat /dev/sda1 rw")
    machine.lines.append("nonsense")
    machine.tell()
    assert sticks(machine.roots) == [stick]
    machine.pull()
    assert sticks(machine.roots) == []
    assert sticks(Roots(Path("/nowhere"), Path("/nowhere"))) == []


def test_a_new_table_leaves_a_stick_with_an_old_ones_backups_alone(machine: Machine, tmp_path: Path) -> None:
    stick = machine.plug("stick")
    with Store(tmp_path / "old") as store:
        begin(Table(store, GAMES))
        old = copy_to_stick(store, stick, NOW)
    assert old is not None
    assert check_backup(old).photos
    with Store(tmp_path / "new") as store:
        assert copy_to_stick(store, stick, NOW) is None
        begin(Table(store, GAMES))
        for day in range(KEPT + 3):
            Table(store, GAMES).submit(Action("undo"), HOST)
            begin(Table(store, GAMES))
            assert copy_to_stick(store, stick, NOW - timedelta(days=day)) is not None
    assert old.exists()
    assert len(stick_backups(machine.roots)) == KEPT + 1


def test_the_keeper_fills_sticks_and_says_when_one_takes_nothing(machine: Machine, tmp_path: Path) -> None:
    now = [0.0]
    with Store(tmp_path / "table") as store:
        table = Table(store, GAMES)
        keeper = BackupKeeper(
            store,
            table,
            threading.Event(),
            clock=lambda: now[0],
            now=lambda: NOW,
            find_sticks=lambda: sticks(machine.roots),
        )
        begin(table)
        stick = machine.plug("stick")
        keeper.look()
        assert len(stick_backups(machine.roots)) == 1, "a stick that is plugged in gets one at once"
        table.submit(Action("end"), HOST)
        for _ in range(int(AFTER_A_MATCH) + 40):
            now[0] += 1
            keeper.look()
        assert len(stick_backups(machine.roots)) == 2, "after the match, and only once"
        machine.pull()
        broken = machine.plug("broken", "8:17")
        (broken / PLACE).write_text("a file where the folder should be")
        keeper.look()
        assert keeper.stick_problem
        (broken / PLACE).unlink()
        keeper.look()
        assert keeper.stick_problem, "not tried again at once"
        now[0] += AFTER_A_FAILURE + 1
        keeper.look()
        assert keeper.stick_problem == ""
        assert (broken / PLACE).is_dir()
        assert (stick / PLACE).is_dir()


def test_settings_and_seats_are_saved_once_a_day(tmp_path: Path) -> None:
    now = [0.0]
    with Store(tmp_path) as store:
        table = Table(store, GAMES)
        begin(table)
        keeper = BackupKeeper(
            store, table, threading.Event(), clock=lambda: now[0], find_sticks=list, now=lambda: NOW
        )
        keeper.finish()
        assert len(automatic_backups(tmp_path)) == 1
        for day in range(1, 4):
            now[0] = day * (DAY + 1)
            assert keeper.look() is False, "nothing has changed"
        store.put_setting("box", "changed")
        assert keeper.look() is False
        now[0] += DAY + 1
        assert keeper.look() is True
        assert keeper.look() is False
