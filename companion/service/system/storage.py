"""Disks that refuse writes: the message on pages, and the thread that watches for changes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.service.periodic import Periodic
from companion.table.exc import TableError
from companion.table.store import Store

log = logging.getLogger(__name__)

_LOOKS_EVERY = 2.0  # seconds
_TRIES_EVERY = 5  # looks


@dataclass(frozen=True)
class Storage:
    """How the keeping of matches goes: ``trouble`` is why the disk took nothing last, if it did not.

    ``unsaved`` counts the events that are only in memory; None when everything is on the disk.
    """

    trouble: str = ""
    unsaved: int | None = None


def storage_of(store: Store) -> Storage:
    """Return the present state of the store: its write error, if any, and its unsaved events."""
    return Storage(store.trouble, store.unsaved)


class StorageWatch(Periodic):
    """A thread that notifies pages when the disk refuses writes, and saves what is only in memory."""

    def __init__(self, store: Store, stopping: threading.Event, changed: Callable[[], None]) -> None:
        super().__init__("storage", _LOOKS_EVERY, stopping)
        self._store = store
        self._changed = changed
        self._told = (False, False)
        self._looks = 0

    def look(self) -> None:
        """Write unsaved events to the disk if possible, and notify the pages of a change."""
        self._looks += 1
        if self._looks % _TRIES_EVERY == 0:
            self._save()
        now = (bool(self._store.trouble), self._store.unsaved is not None)
        if now != self._told:
            self._told = now
            self._changed()

    def finish(self) -> None:
        """Try once more to write everything to the disk."""
        self._save()

    def _save(self) -> None:
        try:
            if self._store.unsaved is not None and self._store.save_again():
                log.warning("What was only in memory is stored again.")
        except TableError as problem:
            log.warning("What is only in memory cannot be stored yet: %s", problem.message)
