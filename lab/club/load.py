"""Load: boxes with the real outbox, a hub process, watchers; what is lost, and how late it is seen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hub.intake.ledger import CODE
from hub.storage.database import Database, setting
from hub.storage.migrations import opened_database
from lab.bench import at_share as quantile
from lab.club.boxes import PlayingBox, play, playing_boxes
from lab.club.comparing import Comparison, compared
from lab.club.engines import Postgres, running, seconds_of
from lab.club.looking import Elsewhere
from lab.processes import kilobytes

MOST_STREAMS = 90  # of the hub's hundred


@dataclass(frozen=True)
class LoadPlan:
    """The options of one run."""

    boxes: int
    seconds: float
    every: float  # seconds between two events of a box
    watchers: int = 0
    attackers: int = 0
    postgres: bool = False


@dataclass
class HubProcess:
    """A hub that runs on its own."""

    address: str
    process: subprocess.Popen[str]
    database: Database

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        return seconds_of(self.process.pid)

    @property
    def memory(self) -> float:
        """The resident memory of the process, in MB."""
        return kilobytes(self.process.pid) / 1000


@contextmanager
def hub_process(
    folder: Path, database: str = "", stream: str = "", streams: int = 100
) -> Iterator[HubProcess]:
    """A hub on a port of its own."""
    command = [sys.executable, "-m", "companion", "hub", "--host", "127.0.0.1", "--port", "0", "--json"]
    command += ["--folder", str(folder), "--streams", str(streams)]
    command += ["--database", database] if database else []
    command += ["--stream", stream] if stream else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["links"][0]
        opened = opened_database(database, folder)
        yield HubProcess(address, process, opened)
        opened.close()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()


@dataclass(frozen=True)
class Figures:
    """What came of one run."""

    boxes: int
    seconds: float
    database: str
    events: int
    again: int  # batches that were sent again
    told: Comparison
    unseen: int  # events that never were on the page
    late: list[float]  # seconds until an event was on the page, sorted
    hub: float  # cores
    engine: float  # cores of PostgreSQL
    own: float  # cores of all boxes
    memory: float  # MB of the hub
    stored: float  # bytes an event in the database
    load: float  # average of the machine
    watchers: int
    asked: list[float]  # seconds until watchers were answered, sorted
    heard: list[float]  # seconds until streams heard what the first of them had, sorted
    failed: int
    attacks: dict[str, int]  # how often attackers were told what

    def lines(self) -> Iterator[str]:
        """The figures as lines of the report."""
        yield (
            f"{self.boxes} boxes, {self.events} events in {self.seconds:.0f} s on {self.database}:"
            f" {self.told.lost} lost, {self.told.doubled} doubled, {self.told.broken} chains broken,"
            f" {self.again} batches sent again"
        )
        middle, most = quantile(self.late, 0.5), quantile(self.late, 0.99)
        yield (
            f"visible after (s): median {middle:.2f}, 99 % {most:.2f}, worst {self.late[-1]:.2f};"
            f" never: {self.unseen}"
        )
        yield (
            f"hub: {self.hub:.2f} cores, {self.memory:.0f} MB; PostgreSQL: {self.engine:.2f} cores;"
            f" boxes (all of them): {self.own:.2f} cores; {self.stored:.0f} bytes stored an event;"
            f" load average of the machine {self.load:.1f} on {os.cpu_count()} cores"
        )
        if self.asked:
            yield (
                f"{self.watchers} watchers: {len(self.asked)} answers, {self.failed} failed;"
                f" median {quantile(self.asked, 0.5):.3f} s, 99 % {quantile(self.asked, 0.99):.3f} s,"
                f" worst {self.asked[-1]:.3f} s;"
                f" streams hear 99 % {quantile(self.heard or [0.0], 0.99):.3f} s after the first of them"
            )
        if self.attacks:
            told = ", ".join(f"{what} {times}" for what, times in sorted(self.attacks.items()))
            yield f"attackers were told: {told}"


def measured(request: LoadPlan) -> Figures:
    """Run a hub with its boxes and watchers, and return what was measured."""
    with tempfile.TemporaryDirectory(prefix="club-load-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = Postgres(folder / "postgres", safe=True) if request.postgres else None
        with running(*([server] if server else [])):
            if server is not None:
                server.wait()
            address = server.database("club") if server else ""
            with hub_process(folder / "hub", address) as hub, playing_boxes(request.boxes) as made:
                return _one_run(hub, server, made, request)


def _one_run(hub: HubProcess, server: Postgres | None, boxes: list[PlayingBox], request: LoadPlan) -> Figures:
    with hub.database.reading() as look:
        code = setting(look, CODE) or ""
    for box in boxes:
        box.join(hub.database, hub.address)
    looker = Elsewhere("look", hub.address)
    phones = Elsewhere(
        "watch", hub.address, str(request.watchers), str(min(request.watchers // 20, MOST_STREAMS))
    )
    attackers = Elsewhere("attack", hub.address, code, str(request.attackers))
    time.sleep(2.0)
    engine = server.cpu if server else 0.0
    cpu, own, begun, stored = hub.cpu, time.process_time(), time.monotonic(), _size(hub.database)
    events, again = play(boxes, request.every, request.seconds)
    took = time.monotonic() - begun
    cpu, own = hub.cpu - cpu, time.process_time() - own
    engine = (server.cpu if server else 0.0) - engine
    for box in boxes:
        while box.outbox.waiting:
            box.deliver()
    time.sleep(1.0)
    attacks = attackers.stop()
    load, memory, asked = os.getloadavg()[1], hub.memory, phones.stop()
    seen = {(match, number): at for match, number, at in looker.stop()}
    sent = {place: at for box in boxes for place, at in box.submitted.items()}
    late = sorted(seen[place] - at for place, at in sent.items() if place in seen)
    return Figures(
        len(boxes),
        took,
        hub.database.name,
        events,
        again,
        compared(hub.database, boxes),
        len(sent) - len(late),
        late,
        cpu / took,
        engine / took,
        own / took,
        memory,
        (_size(hub.database) - stored) / max(events, 1),
        load,
        request.watchers,
        sorted(asked["took"]),
        sorted(asked["told"]),
        asked["failed"],
        attacks,
    )


def _size(database: Database) -> int:
    """How many bytes it has."""
    asked = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    if database.name == "PostgreSQL":
        asked = "SELECT pg_database_size(current_database())"
    with database.reading() as look:
        return int(look.rows(asked)[0][0])
