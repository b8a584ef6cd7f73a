"""One hub process: its database, the ledger of the boxes, and who looks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.club.messages import Receipt, Untold
from companion.service.periodic import Periodic
from hub.box_player import BoxPlayer
from hub.foreign.drawing import Drawings, drawn_here
from hub.intake.ledger import Club, Ledger
from hub.response_cache import ResponseCache
from hub.state import TABLE_DIGITS, HubState, number_in
from hub.storage.database import AwayError, Database, put_setting, setting
from web.access.limits import Allowance, Limiter
from web.live.idempotency import IdempotencyCache
from web.live.streams import Live, message

log = logging.getLogger(__name__)

# Seconds: how soon a change that another process took in is seen here; and from one to the next.
LOOKS_EVERY = 0.3
_MOST_UNTOLD = 10
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
    # Bytes of records that a box may have stored: a season at once, and an evening's several times an hour.
    space: Allowance = field(default_factory=lambda: Allowance(50_000_000, 10_000))
    replays: IdempotencyCache = field(default_factory=IdempotencyCache)
    names: Callable[[], frozenset[str]] = field(default=lambda: frozenset({"localhost"}))
    # Of every table and language how the first page shows it, with the version that shows.
    cards: dict[tuple[int, str], tuple[int, str]] = field(default_factory=dict)
    news: threading.Event = field(default_factory=threading.Event)  # this process has stored something
    drawings: Drawings = field(default_factory=lambda: Drawings(drawn_here))
    # What boxes told beside their records, by box and match, for the thread that has results checked.
    untold: dict[tuple[str, str], Untold] = field(default_factory=dict)
    box_player: BoxPlayer = field(default_factory=BoxPlayer)
    secret: bytes = b""  # from which the codes of people's cards are made
    _watched: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = HubState(self.database)
        self.response_cache = ResponseCache(self._mark)

    def _mark(self, page: str, table: str) -> int:
        """The number of the last change of what a page shows."""
        if page in ("standings", "round"):
            return self.state.results_version + self.box_player.played
        number = number_in(table, TABLE_DIGITS) if page == "table" else None
        box = None if number is None else self.state.table(number)
        return self.state.version if box is None else self.state.version_of(box)

    def wanted_of(self, box: str) -> str:
        """A match of which a box is asked what its records left out; empty when there is none."""
        if len(self.untold) >= _MOST_UNTOLD:
            return ""
        claims = list(self.state.claims.get(box, ()))
        return next((match for match in claims if (box, match) not in self.untold), "")

    def hear(self, box: str, untold: Untold | None) -> None:
        """Keep for a moment what a box tells beside its records; what does not fit is asked for again."""
        if untold is None or untold.match not in self.state.claims.get(box, ()):
            return
        if len(self.untold) < _MOST_UNTOLD:
            self.untold[box, untold.match] = untold

    def setting(self, key: str) -> str | None:
        """The value of a setting; None where it was never set."""
        with self.database.reading() as look:
            return setting(look, key)

    def put_setting(self, key: str, value: str) -> None:
        """Store the value of a setting."""
        with self.database.writing() as change:
            put_setting(change, key, value)

    def watch(self, box: str) -> None:
        """Ask the box of a table that somebody looks at for its whole position, for a while."""
        self._watched[box] = time.monotonic() + WATCHED_FOR

    def is_watched(self, box: str) -> bool:
        """True if somebody looks at this table, as far as this process knows."""
        return self._watched.get(box, 0.0) > time.monotonic()


class ChangeWatch(Periodic):
    """A thread that notices changes, by whichever process they were taken in, and tells the open pages.

    What this process stores is told at once; what comes in the moment after that is told together.
    """

    def __init__(self, house: HubHouse, stopping: threading.Event) -> None:
        super().__init__("changes", LOOKS_EVERY, stopping)
        self._house = house
        self._told = house.state.version
        self._away = False

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._house.news.clear()
            if self.look():
                self._stopping.wait(self.between)
            else:
                self._house.news.wait(self.between)

    def look(self) -> bool:
        """Look once for changes; True if there was something to tell."""
        try:
            version = self._house.state.refresh()
        except AwayError as problem:
            if not self._away:
                log.warning("%s", problem.message)
            self._away = True
            return False
        self._away = False
        if version == self._told:
            return False
        self._told = version
        self._house.live.send(message("changed", {"version": version}))
        return True
