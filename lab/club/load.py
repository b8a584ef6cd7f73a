"""Load: boxes with the real outbox, a hub process, watchers; what is lost, and how late it is seen."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from hub.database import Database, opened_database, setting
from hub.ledger import CODE
from lab.club.boxes import PlayingBox, play, playing_boxes
from lab.club.comparing import compared
from lab.club.engines import Postgres, running
from lab.quantiles import at_share as quantile

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class HubProcess:
    """A hub that runs on its own."""

    address: str
    process: subprocess.Popen[str]
    database: Database

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def memory(self) -> float:
        """Megabytes in memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


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


class Looker:
    """Somebody in front of the hub's page: listens to its stream, fetches what it says has changed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.seen: dict[tuple[str, int], float] = {}
        self._stopping = threading.Event()
        self._latest: dict[str, int] = {}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with urllib.request.urlopen(f"{self.address}api/v1/stream", timeout=60) as stream:
            for line in stream:
                if self._stopping.is_set():
                    return
                if line.startswith(b"event: changed"):
                    self.look()

    def look(self) -> None:
        """Fetch all tables, and note when each event was first seen, also those that were passed over."""
        with urllib.request.urlopen(f"{self.address}api/v1/tables", timeout=30) as answer:
            told = json.loads(answer.read())
        now = time.monotonic()
        for table in told["tables"]:
            match, seq = table["match"], table["seq"]
            for number in range(self._latest.get(match, 0) + 1, seq + 1):
                self.seen[match, number] = now
            self._latest[match] = max(seq, self._latest.get(match, 0))

    def stop(self) -> None:
        """Look away."""
        self._stopping.set()


@dataclass
class Watchers:
    """Phones that ask every ten seconds whether the standings have changed, as pages without a stream do."""

    address: str
    count: int
    took: list[float] = field(default_factory=list)
    failed: int = 0
    _stopping: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._all()), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stopping.set()
        self._thread.join()

    async def _all(self) -> None:
        await asyncio.gather(*(self._one(number) for number in range(self.count)))

    async def _one(self, number: int) -> None:
        parts = urlsplit(self.address)
        tag = ""
        await asyncio.sleep(10 * number / self.count)
        while not self._stopping.is_set():
            begun = time.monotonic()
            try:
                reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
                told = f"If-None-Match: {tag}\r\n" if tag else ""
                writer.write(
                    f"GET /api/v1/pieces?page=standings HTTP/1.1\r\nHost: {parts.netloc}\r\n"
                    f"Accept-Encoding: gzip\r\n{told}Connection: close\r\n\r\n".encode()
                )
                head = (await reader.read()).partition(b"\r\n\r\n")[0].decode("latin-1")
                writer.close()
                tag = next((line[6:] for line in head.split("\r\n") if line.startswith("ETag: ")), tag)
                self.failed += head[9:12] not in ("200", "304")
                self.took.append(time.monotonic() - begun)
            except OSError:
                self.failed += 1
            rest = 10 - (time.monotonic() - begun)
            for _ in range(max(1, int(rest))):
                if self._stopping.is_set():
                    return
                await asyncio.sleep(rest / max(1, int(rest)))


def measured(boxes: int, seconds: float, every: float, watchers: int, postgres: bool) -> Iterator[str]:
    """One run, as lines to print."""
    with tempfile.TemporaryDirectory(prefix="club-load-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = Postgres(folder / "postgres", safe=True) if postgres else None
        with running(*([server] if server else [])):
            if server is not None:
                server.wait()
            address = server.database("club") if server else ""
            with hub_process(folder / "hub", address) as hub, playing_boxes(boxes) as made:
                yield from _one_run(hub, made, seconds, every, watchers)


def _one_run(
    hub: HubProcess, boxes: list[PlayingBox], seconds: float, every: float, watchers: int
) -> Iterator[str]:
    with hub.database.reading() as look:
        code = setting(look, CODE) or ""
    for box in boxes:
        box.pair(hub.address, code)
    looker, phones = Looker(hub.address), Watchers(hub.address, watchers)
    if watchers:
        phones.start()
    cpu, own, begun = hub.cpu, time.process_time(), time.monotonic()
    events, refused = play(boxes, every, seconds)
    took = time.monotonic() - begun
    cpu, own = hub.cpu - cpu, time.process_time() - own
    for box in boxes:
        while box.outbox.waiting:
            box.deliver()
    time.sleep(1.0)
    looker.look()
    looker.stop()
    if watchers:
        phones.stop()
    sent = {place: at for box in boxes for place, at in box.submitted.items()}
    late = sorted(looker.seen[place] - at for place, at in sent.items() if place in looker.seen)
    told = compared(hub.database, boxes)
    yield (
        f"{len(boxes)} boxes, {events} events in {took:.0f} s on {hub.database.name}: {told.lost} lost,"
        f" {told.doubled} doubled, {told.broken} chains broken, {refused} batches sent again"
    )
    middle, most = quantile(late, 0.5), quantile(late, 0.99)
    yield f"visible after (s): median {middle:.2f}, 99 % {most:.2f}, worst {late[-1]:.2f}"
    yield f"hub: {cpu / took:.2f} cores, {hub.memory:.0f} MB; boxes (all of them): {own / took:.2f} cores"
    if phones.took:
        asked = sorted(phones.took)
        yield (
            f"{watchers} watchers: {len(asked)} answers, {phones.failed} failed;"
            f" median {quantile(asked, 0.5):.3f} s, 99 % {quantile(asked, 0.99):.3f} s,"
            f" worst {asked[-1]:.3f} s"
        )
