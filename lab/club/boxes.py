"""Boxes that play: a real table with a real match and the real outbox; only the people are made up."""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.club.hub_client import HubError
from companion.club.keys import new_key, public_key, signature
from companion.club.membership import KEY_SETTING, Membership
from companion.club.messages import PairingRequest, pairing_text
from companion.club.outbox import LOOKS_IN, Outbox
from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.game.bots import any_action
from companion.game.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Accepted, Table
from hub.intake.ledger import CODE, Ledger, found_club
from hub.storage.database import Database, setting
from web.live.club_night import table_state

GAME = "derailed"  # short events, and every one of them is a person's
LONGEST = 40  # events; then the host ends the match, so that there are results to compare


class PlayingBox:
    """One table with four seats."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.store = Store(folder)
        self.chance = SeededChance(seed)
        self.table = Table(self.store, GAMES, chance=self.chance, new_id=lambda: f"b{seed}-{self._next()}")
        self.seed = seed
        self.outbox = Outbox(self.store, self.table, GAMES, table_state, threading.Event())
        self._sending = threading.Lock()
        self.due = 0.0
        self.looks_in = 0.0
        self.submitted: dict[tuple[str, int], float] = {}  # by match and event, when it happened here

    def _next(self) -> int:
        return len(self.store.matches()) + 1

    def join(self, database: Database, hub: str) -> None:
        """Belong to the club at once: hubs let only so many boxes join in a minute."""
        key = self.store.setting(KEY_SETTING) or new_key()
        self.store.put_setting(KEY_SETTING, key)
        with database.reading() as look:
            code = setting(look, CODE) or ""
        box = public_key(key)
        wish = PairingRequest(code, box, f"Box {self.seed}", signature(key, pairing_text(code, box)))
        paired = Ledger(database, found_club(database)).pair(wish)
        joined = Membership(paired.club, paired.name, hub.rstrip("/"), paired.table, looked_at="")
        self.outbox.memberships.set(joined)

    def event(self) -> tuple[str, int]:
        """Somebody does something: a legal action, or another match begins; its match and number."""
        match = self.table.current
        if match is None or match.finished:
            people = [f"P{self.seed}-{number}" for number in range(1, 5)]
            told: JsonObject = {"game": GAME, "players": people}
            answer = self.table.submit(Action("start", data=told), Actor("host"))
        elif match.version >= LONGEST:
            answer = self.table.submit(Action("end"), Actor("host"))
        else:
            wanted = (any_action(match.game, match.state, seat, self.chance) for seat in match.players)
            action = next(one for one in wanted if one is not None)
            answer = self.table.submit(action, Actor("host"))
        assert isinstance(answer, Accepted), answer
        place = (answer.event.match, answer.event.seq)
        self.submitted[place] = time.monotonic()
        return place

    def deliver(self) -> bool:
        """Send until nothing is left; False when the hub did not take it."""
        with self._sending:  # as the outbox's own thread does: one batch after the other
            try:
                while self.outbox.send():
                    pass
            except HubError as problem:
                self.outbox._note_trouble(problem)
                return False
        self.looks_in = time.monotonic() + LOOKS_IN * random.uniform(0.8, 1.2)
        return True

    def close(self) -> None:
        """Hang up, and close its store."""
        if self.outbox._client is not None:
            self.outbox._client.close()
        self.store.close()


@contextmanager
def playing_boxes(count: int) -> Iterator[list[PlayingBox]]:
    """So many boxes, in memory where that can be: their disks are not what is measured."""
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
    folder = Path(tempfile.mkdtemp(prefix="club-boxes-", dir=place))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        boxes = []
        for number in range(1, 1 + count):
            box = PlayingBox(folder / str(number), number)
            stack.callback(box.close)
            boxes.append(box)
        yield boxes


def play(boxes: list[PlayingBox], every: float, seconds: float) -> tuple[int, int]:
    """An event every so many seconds at each box, in the middle; how many there were, and refused batches."""
    begun = time.monotonic()
    for box in boxes:
        box.due = begun + random.uniform(0, every)
        box.looks_in = box.due + LOOKS_IN
    events = refused = 0
    lock = threading.Lock()

    def work(box: PlayingBox, acts: bool) -> None:
        nonlocal events, refused
        if acts:
            box.event()
        arrived = box.deliver()
        with lock:
            events += acts
            refused += not arrived

    with ThreadPoolExecutor(8) as workers:
        waiting = []
        while (now := time.monotonic()) < begun + seconds:
            for box in boxes:
                if now >= box.due:
                    box.due += every
                    waiting.append(workers.submit(work, box, True))
                elif now >= box.looks_in:
                    box.looks_in = now + LOOKS_IN
                    waiting.append(workers.submit(work, box, False))
            waiting = [one for one in waiting if not one.done() or one.result()]
            time.sleep(0.01)
        for one in waiting:
            one.result()
    return events, refused
