"""People who look at a hub's pages, in a process of their own: what they see, and how long answers take.

``python -m lab.club look ADDRESS`` and ``... watch ADDRESS COUNT STREAMS`` look until their standard input
ends, and print as JSON what they saw. The clock is the machine's, the same for all processes.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

ASKS_EVERY = 10.0  # seconds: a page without a stream


class Looker:
    """Somebody in front of the hub's page: listens to its stream, fetches what it says has changed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.seen: list[tuple[str, int, float]] = []  # match, event, when
        self._latest: Counter[str] = Counter()
        self._noting = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            with suppress(OSError, HTTPException), self._stream() as stream:
                for line in stream:
                    if line.startswith(b"event: changed"):
                        self.look()
            time.sleep(0.5)  # the hub has ended

    def _stream(self) -> Any:
        return urllib.request.urlopen(f"{self.address}api/v1/stream", timeout=60)

    def look(self) -> None:
        """Fetch all tables, and note when each event was first seen, also those that were passed over."""
        with urllib.request.urlopen(f"{self.address}api/v1/tables", timeout=30) as answer:
            told = json.loads(answer.read())
        now = time.monotonic()
        with self._noting:
            for table in told["tables"]:
                match, seq = table["match"], table["seq"]
                self.seen += [(match, number, now) for number in range(self._latest[match] + 1, seq + 1)]
                self._latest[match] = max(seq, self._latest[match])


@dataclass
class Watchers:
    """Phones on the standings: some with a stream, the others ask every ten seconds whether they changed."""

    address: str
    count: int
    streams: int
    took: list[float] = field(default_factory=list)  # of answers
    told: list[float] = field(default_factory=list)  # how long after the first stream each stream heard
    failed: int = 0
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _heard: dict[bytes, float] = field(default_factory=dict)

    async def watch(self) -> None:
        """All of them, until it is enough."""
        phones = [
            asyncio.create_task(self._listening() if number < self.streams else self._asking(number))
            for number in range(self.count)
        ]
        await self.stopping.wait()
        for phone in phones:
            phone.cancel()
        await asyncio.gather(*phones, return_exceptions=True)

    async def _asking(self, number: int) -> None:
        tag = ""
        await asyncio.sleep(ASKS_EVERY * number / self.count)
        while True:
            begun = time.monotonic()
            tag = await self._ask(tag)
            await asyncio.sleep(max(0.0, ASKS_EVERY - (time.monotonic() - begun)))

    async def _ask(self, tag: str) -> str:
        begun = time.monotonic()
        try:
            told = f"If-None-Match: {tag}\r\n" if tag else ""
            head = await self._request("/api/v1/pieces?page=standings", f"{told}Connection: close\r\n")
        except OSError:
            self.failed += 1
            return tag
        self.took.append(time.monotonic() - begun)
        self.failed += head[9:12] not in ("200", "304")
        return next((line[6:] for line in head.split("\r\n") if line.startswith("ETag: ")), tag)

    async def _request(self, path: str, more: str) -> str:
        parts = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        asked = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: gzip\r\n{more}\r\n"
        writer.write(asked.encode())
        head = (await reader.read()).partition(b"\r\n\r\n")[0].decode("latin-1")
        writer.close()
        return head

    async def _listening(self) -> None:
        """Every message of the stream; without a place in it this phone only asks."""
        parts, tag = urlsplit(self.address), ""
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(f"GET /api/v1/stream HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b'data: {"version"'):
                now = time.monotonic()
                self.told.append(now - self._heard.setdefault(line, now))
                tag = await self._ask(tag)
        self.failed += 1


class Elsewhere:
    """One of them in a process of its own, so that nobody waits for the interpreter of the boxes."""

    def __init__(self, *wanted: str) -> None:
        command = [sys.executable, "-m", "lab.club", *wanted]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._process.stdout.readline()  # it looks

    def stop(self) -> Any:
        """Stop looking and return what was seen."""
        return json.loads(self._process.communicate("", timeout=120)[0])


def _say_ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def look(address: str) -> str:
    """Look at all tables until standard input ends."""
    looker = Looker(address)
    looker.look()
    _say_ready()
    sys.stdin.read()
    looker.look()
    return json.dumps(looker.seen)


def watch(address: str, count: int, streams: int) -> str:
    """Watch the standings until standard input ends."""

    async def until_the_end() -> Watchers:
        watchers = Watchers(address, count, streams)
        watching = asyncio.create_task(watchers.watch())
        _say_ready()
        await asyncio.to_thread(sys.stdin.read)
        watchers.stopping.set()
        await watching
        return watchers

    found = asyncio.run(until_the_end())
    return json.dumps({"took": found.took, "told": found.told, "failed": found.failed})
