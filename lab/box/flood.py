"""Rude neighbours: what an action costs those who play while a stranger keeps the box busy in every way.

The strangers come from other addresses of this machine (127.0.0.66 and others), players from 127.0.0.1.
"""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from typing import TypeAlias

from lab.bench import at_share
from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client
from lab.box.players import seat, the_host

PROMISED = 200.0  # milliseconds for 95 % of the answers
_PATIENCE = 20.0
_UPLOAD = b"\xff\xd8\xff\xe0" + bytes(3 * 2**20)  # begins like a JPEG

Rude: TypeAlias = Callable[[int, threading.Event, Counter[str]], None]


def report(seconds: float) -> Iterator[str]:
    """One line for each way of being rude, and one for a quiet box."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as box:
        host = the_host(box.port, box.pin)
        begun = host.post("/api/v1/matches", {"game": "railroad-ink", "players": ["", ""]})
        with closing(host), closing(seat(box.port, begun["join_code"], 1)) as player:
            player.post("/api/v1/matches/current/roll")
            yield _line("nobody else", _measured(player, seconds), Counter(), box)
            for name, (count, rude) in NEIGHBOURS.items():
                ended, heard = threading.Event(), Counter[str]()
                crowd = [
                    threading.Thread(target=_rude, args=(rude, box.port, ended, heard), daemon=True)
                    for _ in range(count)
                ]
                for one in crowd:
                    one.start()
                times = _measured(player, seconds)
                ended.set()
                for one in crowd:
                    one.join(_PATIENCE)
                yield _line(name, times, heard, box)


def _line(name: str, times: list[float], heard: Counter[str], box: BoxProcess) -> str:
    ordered = sorted(times)
    at = at_share(ordered, 0.95)
    memory = next(iter(box.resident().values()))
    answers = ", ".join(f"{count} x {what}" for what, count in sorted(heard.items()))
    return (
        f"{name}: {len(times)} actions, median {median(ordered):.0f} ms, 95 % under {at:.0f} ms"
        f" ({'kept' if at < PROMISED else 'NOT kept'}), slowest {ordered[-1]:.0f} ms;"
        f" service {memory:.0f} MB{'; strangers: ' + answers if answers else ''}"
    )


def _measured(player: Client, seconds: float) -> list[float]:
    """Draw and take back, again and again."""
    legal = player.told("/api/v1/matches/current/legal")
    step = next(one for one in legal if one["kind"] == "draw")
    draw = {"kind": step["kind"], "data": step["data"]}
    times: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until or len(times) % 2:
        action = {"kind": "undo"} if len(times) % 2 else draw
        began = time.perf_counter()
        player.post("/api/v1/matches/current/actions", action)
        times.append(1000 * (time.perf_counter() - began))
        time.sleep(0.05)
    return times


def _rude(rude: Rude, port: int, ended: threading.Event, heard: Counter[str]) -> None:
    while not ended.is_set():
        with suppress(OSError, HTTPException):
            rude(port, ended, heard)


def _connected(port: int, address: str = "127.0.0.66") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE, source_address=(address, 0))


def silent(port: int, ended: threading.Event, _heard: Counter[str]) -> None:
    """Thirty connections that say nothing."""
    held = [_connected(port) for _ in range(30)]
    ended.wait(5.0)
    for one in held:
        one.close()


def slow(port: int, ended: threading.Event, _heard: Counter[str]) -> None:
    """A request, one letter a second."""
    with _connected(port) as wire:
        for letter in b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"x" * 1000:
            wire.sendall(bytes([letter]))
            if ended.wait(1.0):
                return


def streams(port: int, ended: threading.Event, heard: Counter[str]) -> None:
    """Open fifty live streams and keep them open."""
    held = []
    for _ in range(50):
        wire = _connected(port)
        wire.sendall(b"GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        held.append(wire)
        heard[wire.recv(64).split(b"\r\n")[0].decode()] += 1
        if ended.is_set():
            break
    ended.wait(5.0)
    for one in held:
        one.close()


def uploads(port: int, _ended: threading.Event, heard: Counter[str]) -> None:
    """A photograph that is none, of three megabytes."""
    address = f"127.0.1.{1 + threading.get_ident() // 4096 % 200}"
    _ask(port, "POST", "/api/v1/scores/photos", _UPLOAD, "image/jpeg", address, heard)


def pages(port: int, _ended: threading.Event, heard: Counter[str]) -> None:
    """A page, as fast as they come."""
    _ask(port, "GET", "/", None, "", "127.0.0.66", heard)


def pins(port: int, _ended: threading.Event, heard: Counter[str]) -> None:
    """Guess the host's PIN once."""
    _ask(port, "POST", "/api/v1/host", b'{"pin":"000000"}', "application/json", "127.0.0.66", heard)


def _ask(
    port: int, method: str, path: str, body: bytes | None, kind: str, address: str, heard: Counter[str]
) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE, source_address=(address, 0))
    with closing(connection):
        connection.request(method, path, body, {"Content-Type": kind} if kind else {})
        heard[str(connection.getresponse().status)] += 1


NEIGHBOURS: dict[str, tuple[int, Rude]] = {
    "600 silent connections": (20, silent),
    "200 slow requests": (200, slow),
    "1,000 streams": (20, streams),
    "50 uploads at once": (50, uploads),
    "20 that ask for pages without a pause": (20, pages),
    "100 PINs at once": (100, pins),
}
