"""Two weeks on a shelf, in fast motion: matches, backups, power cuts, clock jumps, damage, updates, a card.

After every start everything that was ever accepted is there, in its order, with its hash.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from companion.game.base import Action
from companion.game.bots import any_action
from companion.game.registry import GAMES
from companion.service.system.backup_keeper import BackupKeeper
from companion.service.system.clock import BoxClock
from companion.service.system.sticks import KEPT as KEPT_ON_STICK
from companion.service.system.sticks import PLACE
from companion.table import database
from companion.table.backup import (
    KEPT,
    automatic_backups,
    automatic_backups_in,
    newest_good_backup,
    stage,
)
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.folder import DATABASE
from companion.table.recovery import open_store
from companion.table.store import Store
from companion.table.table import Accepted, Table, settle_finished
from tests.companion.service.system.shelf_updates import Machine, Updater

HOST = Actor("host")
TRUE_START = datetime(2026, 5, 1, 18, tzinfo=UTC)


class Shelf:
    """A box that is switched on every evening; ``true`` is the time, ``told`` what was ever accepted."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.stick = folder / "day0", folder / "stick"
        self.chance, self.seed = Random(seed), seed
        self.true, self.behind = TRUE_START, timedelta()
        self.on_for = 0.0
        self.plugged = False
        self.told: list[tuple[str, int, str]] = []
        self.starts = 0
        self.stick.mkdir()

    @contextmanager
    def on(self) -> Iterator[tuple[Store, Table, BackupKeeper]]:
        """Switched on; everything is there."""
        self.starts += 1
        store, _ = open_store(self.folder, self.true - self.behind)
        with store:
            settle_finished(store, GAMES)
            clock = BoxClock(self.system_time, lambda: not self.behind)
            if self.behind and self.chance.random() < 0.5:
                clock.tell(self.true.timestamp())
            table = Table(store, GAMES, chance=SeededChance(self.seed + self.starts), clock=clock.now)
            assert self.stored(store) == self.told
            keeper = BackupKeeper(
                store,
                table,
                threading.Event(),
                clock=lambda: self.on_for,
                now=clock.now,
                find_sticks=lambda: [self.stick] if self.plugged else [],
            )
            yield store, table, keeper

    def system_time(self) -> float:
        return (self.true - self.behind).timestamp()

    @staticmethod
    def stored(store: Store) -> list[tuple[str, int, str]]:
        return sorted(
            (one.id, event.seq, event.hash) for one in store.matches() for event in store.events(one.id)
        )

    def play(self, table: Table, keeper: BackupKeeper, steps: int) -> None:
        if table.current is None or table.current.finished:
            data = {"game": self.chance.choice(sorted(GAMES)), "players": ["North", "East"]}
            self.submit(table, Action("start", data=data))
        thinking = SeededChance(self.chance.randrange(10**6))
        for _ in range(steps):
            match = table.current
            assert match is not None
            if match.finished:
                return
            for seat in match.players:
                action = any_action(match.game, match.state, seat, thinking)
                if action is not None and self.submit(table, action):
                    break
            else:
                self.submit(table, Action("roll"))
            self.pass_time(keeper, 60)
        if self.chance.random() < 0.6:
            self.submit(table, Action("end"))
        self.pass_time(keeper, 40)

    def submit(self, table: Table, action: Action) -> bool:
        answer = table.submit(action, HOST)
        if isinstance(answer, Accepted):
            self.told.append((answer.event.match, answer.event.seq, answer.event.hash))
            self.told.sort()
        return isinstance(answer, Accepted)

    def pass_time(self, keeper: BackupKeeper, seconds: float) -> None:
        self.on_for += seconds
        self.true += timedelta(seconds=seconds)
        keeper.look()


def power_cut(shelf: Shelf, when: str) -> None:
    """The disk as it is at this moment is what the next start finds."""
    after = shelf.folder.with_name(when)
    shutil.copytree(shelf.folder, after)
    shelf.folder = after


def updated(updater: Updater, day: int) -> None:
    """What the host wishes on this day; two of them are interrupted by the power."""
    machine = updater.machine
    match day:
        case 3:
            updater.update("0.3.0", cut=True)
            assert machine.version in ("0.2.0", "0.3.0")
        case 4:
            assert updater.update("0.4.0").phase == "installed"
        case 6:  # brings the database up, and falls over
            assert updater.update("0.5.0").phase == "taken-back"
            assert (machine.version, machine.made_anew) == ("0.4.0", 1)
        case 8:  # to a version that cannot open what was played on since
            assert updater.back().phase == "installed"
            assert (machine.version < "0.4.0", machine.made_anew) == (True, 2)
        case 10:
            assert updater.back().phase == "installed"
            assert machine.version == "0.4.0"
        case 13:
            updater.update("0.6.0", cut=True)
            assert machine.version in ("0.4.0", "0.6.0")


@pytest.fixture
def this_program_again() -> Iterator[None]:
    yield
    database._wanted.cache_clear()


@pytest.mark.usefixtures("this_program_again")
def test_nothing_is_lost_in_two_weeks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf(tmp_path, 2026)
    machine = Machine(shelf.on, lambda: shelf.folder, lambda: shelf.true, monkeypatch)
    updater = Updater(tmp_path, machine, shelf.chance, lambda: power_cut(shelf, f"update{day}"))
    cuts = 0
    for day in range(1, 15):
        shelf.true = TRUE_START + timedelta(days=day)
        shelf.behind = timedelta(days=shelf.chance.choice([0, 0, 1, 400]))  # a Pi without a network
        shelf.plugged = day % 3 != 0
        with shelf.on() as (store, table, keeper):
            shelf.play(table, keeper, shelf.chance.randrange(4, 14))
            shelf.play(table, keeper, 3)
            if day % 2:
                cuts += 1
                power_cut(shelf, f"day{day}")
            else:
                keeper.finish()
        if day == 9:  # a byte of the card goes bad
            path = shelf.folder / DATABASE
            content = bytearray(path.read_bytes())
            content[4096:4200] = bytes(104)
            path.write_bytes(content)
        if day == 12:  # a new card: the newest backup comes from the stick, onto an empty box
            with shelf.on() as (_, table, keeper):
                shelf.plugged = True
                shelf.play(table, keeper, 2)
                keeper.finish()
            newest = automatic_backups_in(next((shelf.stick / PLACE).iterdir()))[0]
            shelf.folder = tmp_path / "new card"
            store, _ = open_store(shelf.folder)
            with store:
                stage(newest, shelf.folder)
        updated(updater, day)
        made = automatic_backups(shelf.folder)
        assert len(made) <= KEPT
        # After going back the very newest is of a newer version.
        assert not made or newest_good_backup(shelf.folder)[0] is not None
    with shelf.on():
        pass
    assert (cuts, updater.cuts) == (7, 2)
    assert len(shelf.told) > 150
    (kept,) = (shelf.stick / PLACE).iterdir()
    assert 3 <= len(automatic_backups_in(kept)) <= KEPT_ON_STICK
