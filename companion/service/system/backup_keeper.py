"""Automatic backups: made by the service itself, when a match is over, while one is being played, and each
day on which a setting or a seat was changed; and copied to USB sticks, also to one that is plugged in later.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from companion.service.periodic import Periodic
from companion.service.system.sticks import copy_to_stick, sticks
from companion.table.backup import automatic_backup
from companion.table.exc import TableError
from companion.table.folder import OWNERS_FILES, SECOND_COPY
from companion.table.store import Store
from companion.table.table import Table

log = logging.getLogger(__name__)

WHILE_PLAYING = 1800.0  # seconds between two backups of a match under way
AFTER_A_MATCH = 20.0  # then people look at the result, and the box has time
AFTER_A_FAILURE = 300.0
DAY = 86_400.0
_LOOKS_EVERY = 10.0
_SAVED = "events-backed-up"  # a setting: how many


class BackupKeeper(Periodic):
    """A thread that makes a backup whenever there is something new worth one."""

    def __init__(
        self,
        store: Store,
        table: Table,
        stopping: threading.Event,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        find_sticks: Callable[[], list[Path]] = sticks,
    ) -> None:
        super().__init__("backups", _LOOKS_EVERY, stopping)
        self._store = store
        self._table = table
        self._clock = clock
        self._saved = int(store.setting(_SAVED) or 0)
        self._made_at = clock()
        # What a power cut left without a backup is saved soon after the start.
        self._due = None if store.stored() == self._saved else self._made_at + AFTER_A_MATCH
        self._over = self._is_over()
        self._now = now
        self._find_sticks = find_sticks
        self._sticks: dict[Path, float] = {}  # those that were seen, and when each may be tried again
        self._beside = self._beside_events()
        self._looked_beside = self._made_at
        self.stick_problem = ""  # a sentence, when a stick took no backup the last time

    def look(self) -> bool:
        """Make a backup if one is due; return True if one was made."""
        now, over = self._clock(), self._is_over()
        self._copy_to_new_sticks(now)
        if self._store.stored() == self._saved:
            self._over = over
            return self._is_changed_since_yesterday(now) and self._make(now)
        soon = now + AFTER_A_MATCH
        due = soon if over and not self._over else max(soon, self._made_at + WHILE_PLAYING)
        self._over = over
        self._due = due if self._due is None else min(self._due, due)
        return now >= self._due and self._make(now)

    def finish(self) -> bool:
        """Make a last backup when the service stops, if there is anything new."""
        return self._store.stored() != self._saved and self._make(self._clock())

    def _make(self, now: float) -> bool:
        stored = self._store.stored()
        try:
            automatic_backup(self._store, self._now())
            self._store.put_setting(_SAVED, str(stored))
        except TableError as problem:
            log.warning("No backup could be made: %s", problem.message)
            self._due = now + AFTER_A_FAILURE
            return False
        self._saved, self._due, self._made_at = stored, None, now
        self._beside, self._looked_beside = self._beside_events(), now
        self._sticks.clear()  # all of them lack something now
        self._copy_to_new_sticks(now)
        return True

    def _copy_to_new_sticks(self, now: float) -> None:
        """What has been plugged in since the last look, or lacks the newest backup, gets one."""
        found = self._find_sticks()
        self._sticks = {stick: after for stick, after in self._sticks.items() if stick in found}
        for stick in found:
            if self._sticks.get(stick, now) > now:
                continue
            try:
                copy_to_stick(self._store, stick, self._now())
                self._sticks[stick], self.stick_problem = float("inf"), ""
            except TableError as problem:
                log.warning("No backup on %s: %s", stick, problem.message)
                self._sticks[stick], self.stick_problem = now + AFTER_A_FAILURE, problem.message

    def _is_changed_since_yesterday(self, now: float) -> bool:
        """Once a day, return True if anything other than events (such as settings or seats) has changed."""
        if now - self._looked_beside < DAY:
            return False
        self._looked_beside = now
        return self._beside_events() != self._beside

    def _beside_events(self) -> list[tuple[int, int]]:
        """Sizes and times of the files beside the database that backups have, too."""
        found = [self._store.folder / name for name in (SECOND_COPY, *OWNERS_FILES)]
        stats = [path.stat() for path in found if path.exists()]
        return [(one.st_size, one.st_mtime_ns) for one in stats]

    def _is_over(self) -> bool:
        match = self._table.current
        return match is None or match.finished
