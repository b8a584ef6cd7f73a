"""What the box needs when nothing happens, and what a phone loads when it opens a page."""

from __future__ import annotations

import gzip
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from firmware_bridge.simulator import VirtualPort
from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client, Phone
from lab.box.photographs import studio_photograph
from lab.box.players import Players, the_host

PAGES = ("/", "/join", "/play", "/tv", "/host", "/history", "/score", "/help")
_LINKED = re.compile(r'(?:src|href)="(/static/[^"]+)"')
_PHONES = 4
_SOME_ACTIONS = 8
_SETTLES = 6.0  # seconds until the reader has loaded
_MOST_BOARDS, _FRAMES = 6, 40


def idle_report(seconds: float) -> Iterator[str]:
    """Processor and memory of all the service's processes: a match on the table, the reader has read."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as box:
        _played(box)
        phones = [Phone(box.port) for _ in range(_PHONES)]
        for phone in phones:
            phone.start()
        with closing(Client(box.port)) as client:
            client.send("/api/v1/scores/photos", studio_photograph(), "image/jpeg")
        share = box.cpu_share(seconds)
        weights = box.resident()
        for phone in phones:
            phone.stop()
    parts = ", ".join(f"{name} {mb:.0f} MB" for name, mb in weights.items())
    yield f"idle for {seconds:.0f} s with {_PHONES} phones connected: {share:.2f} % of a core"
    yield f"resident, the reader loaded and used: {sum(weights.values()):.0f} MB ({parts})"


def small_report(seconds: float) -> Iterator[str]:
    """What the box takes of a small machine: start, idling, the most memory while six boards are read."""
    with tempfile.TemporaryDirectory() as name:
        pictures = Path(name) / "pictures"
        pictures.mkdir()
        (Path(name) / "settings.toml").write_text(f'[camera]\nname = "{pictures}"\n')
        began = time.monotonic()
        with served(Path(name)) as box:
            status, _, _ = _loaded(box.port, "/", {})
            took, used = time.monotonic() - began, box.processor()
            yield f"to the first page: {took:.1f} s, {used:.1f} s of one core (status {status})"
            yield _idle(box, seconds, "the virtual roller")
            yield from _six_boards(box, pictures)
    with (
        tempfile.TemporaryDirectory() as name,
        VirtualPort() as port,
        served(Path(name), roller_port=Path(port.name)) as box,
    ):
        yield _idle(box, seconds, "a roller at a port")


def _idle(box: BoxProcess, seconds: float, roller: str) -> str:
    time.sleep(_SETTLES)
    share, wakes, written = box.idle(seconds)
    return (
        f"idle for {seconds:.0f} s with {roller}: {share:.2f} % of a core, "
        f"{wakes:.0f} wake-ups a second, {written} bytes written"
    )


def _six_boards(box: BoxProcess, pictures: Path) -> Iterator[str]:
    """One picture of twelve megapixels with all of them, from a phone, and from the box's camera."""
    photo = studio_photograph(_MOST_BOARDS)
    for number in range(_FRAMES):
        (pictures / f"{number:02}.jpg").write_bytes(photo)
    with closing(the_host(box.port, box.pin)) as host:
        host.post(
            "/api/v1/matches",
            {
                "game": "railroad-ink",
                "players": [f"Player {number}" for number in range(1, _MOST_BOARDS + 1)],
            },
        )
        ways: dict[str, Callable[[], Any]] = {
            "sent by a phone": lambda: host.send("/api/v1/scores/photos", photo, "image/jpeg"),
            "taken by the box's camera": lambda: host.post("/api/v1/matches/current/photos/table"),
        }
        for words, work in ways.items():
            with box.peak() as peak:
                told = work()
            boards = len(told["boards"] if isinstance(told, dict) else told)
            yield f"{boards} boards in one picture {words}: {peak.mb:.0f} MB at most, all processes together"


def _played(box: BoxProcess) -> Players:
    """A table in the middle of a match."""
    players = Players(box.port, box.pin, pause=0.02)
    players.start()
    players.play_until(_SOME_ACTIONS)
    return players


def pages_report() -> Iterator[str]:
    """Bytes over the wire, headers and all, the first time a browser opens each page."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as box:
        players = _played(box)
        cookies = {"/play": players.seats[0].cookies, "/host": players.host.cookies}
        for page in PAGES:
            yield _page_line(box.port, page, cookies.get(page, {}))


def _page_line(port: int, page: str, cookies: dict[str, str]) -> str:
    status, size, text = _loaded(port, page, cookies)
    linked = sorted(set(_LINKED.findall(text)))
    parts = [_loaded(port, one, cookies)[1] for one in linked]
    whole = (size + sum(parts)) / 1000
    return (
        f"{page}: {whole:.1f} kB ({size / 1000:.1f} kB of HTML and style, {len(linked)} files more), {status}"
    )


def _loaded(port: int, path: str, cookies: dict[str, str]) -> tuple[int, int, str]:
    """Status, bytes with headers as they came, and the text."""
    line = HTTPConnection("127.0.0.1", port)
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    line.request("GET", path, headers={"Accept-Encoding": "gzip", "Cookie": cookie})
    answer = line.getresponse()
    content = answer.read()
    line.close()
    head = sum(len(f"{name}: {value}\r\n") for name, value in answer.headers.items())
    plain = gzip.decompress(content) if answer.headers.get("Content-Encoding") == "gzip" else content
    return answer.status, head + len(content), plain.decode(errors="replace")
