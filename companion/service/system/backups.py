"""Backups as the host's page has them: the box's own, those on USB sticks, and bringing one back."""

from __future__ import annotations

from pathlib import Path

from companion.core.messages import m
from companion.service.system.clock import BoxClock
from companion.service.system.power import Power
from companion.service.system.sticks import stick_backups
from companion.table.backup import Staged, automatic_backup, automatic_backups, stage
from companion.table.exc import TableError
from companion.table.store import Store


class Backups:
    """The backups that can be brought back from a page."""

    def __init__(self, store: Store, clock: BoxClock, power: Power) -> None:
        self._store = store
        self._clock = clock
        self._power = power

    def here(self) -> list[Path]:
        """Return the box's own backups, newest first."""
        return automatic_backups(self._store.folder)

    def on_sticks(self) -> list[Path]:
        """Return the backups on USB sticks, for each table the newest first."""
        return stick_backups()

    def make(self) -> Path:
        """Make another automatic backup and return its path."""
        return automatic_backup(self._store, self._clock.now())

    def bring_back(self, backup: Path) -> Staged:
        """Check a backup, prepare its restoration, and restart the service to restore it."""
        if self._power.stop is None:
            raise TableError(
                "cannot-restart", m("this box was not started as a service: use stationmaster restore")
            )
        staged = stage(backup, self._store.folder)
        self._power.restart()
        return staged
