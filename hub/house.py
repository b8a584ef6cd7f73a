"""One hub process: its database, the ledger of the boxes, and who looks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.club.messages import Receipt
from hub.database import AwayError, Database, put_setting, setting, version_now
from hub.ledger import Club, Ledger
from web.limits import Limiter
from web.live import Live, message
from web.replays import Replays

log = logging.getLogger(__name__)

LOOKS_EVERY = 0.2  # seconds: how soon a change that another process took in is seen here
WATCHED_FOR = 30.0  # seconds after somebody looked at a table's page


@dataclass
class HubHouse:
    """What the pages of one process share. ``inbox`` is where checked batches go."""

    database: Database
    club: Club
    ledger: Ledger
    live: Live
    inbox: Callable[[str, str, bytes], Receipt]
    limiter: Limiter = field(default_factory=Limiter)
    replays: Replays = field(default_factory=Replays)
    names: Callable[[], frozenset[str]] = field(default=lambda: frozenset({"localhost"}))
    version: int = 0  # of what is shown, as this process has seen it
    _watched: dict[str, float] = field(default_factory=dict)

    def setting(self, key: str) -> str | None:
        """A setting's text."""
        with self.database.reading() as look:
            return setting(look, key)

    def put_setting(self, key: str, value: str) -> None:
        """Keep a setting."""
        with self.database.writing() as change:
            put_setting(change, key, value)

    def watch(self, box: str) -> None:
        """Somebody looks at this table: its whole position is wanted for a while."""
        self._watched[box] = time.monotonic() + WATCHED_FOR

    def is_watched(self, box: str) -> bool:
        """Does somebody look at this table, as far as this process knows?"""
        return self._watched.get(box, 0.0) > time.monotonic()


class ChangeWatch:
    """A thread that notices changes, by whichever process they were taken in, and tells the open pages."""

    def __init__(self, house: HubHouse, stopping: threading.Event) -> None:
        self._house = house
        self._stopping = stopping
        self._thread = threading.Thread(target=self._run, name="changes", daemon=True)
        self._away = False

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def look(self) -> None:
        """Once."""
        try:
            with self._house.database.reading() as look:
                version = version_now(look)
        except AwayError as problem:
            if not self._away:
                log.warning("%s", problem.message)
            self._away = True
            return
        self._away = False
        if version != self._house.version:
            self._house.version = version
            self._house.live.send(message("changed", {"version": version}))

    def _run(self) -> None:
        while not self._stopping.wait(LOOKS_EVERY):
            self.look()
