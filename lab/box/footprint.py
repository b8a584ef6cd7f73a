"""What the box needs when nothing happens, and what a phone loads when it opens a page."""

from __future__ import annotations

import gzip
import re
import tempfile
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client, Phone
from lab.box.photographs import studio_photograph
from lab.box.players import Players

PAGES = ("/", "/join", "/play", "/tv", "/host", "/history", "/score", "/help")
_LINKED = re.compile(r'(?:src|href)="(/static/[^"]+)"')
_PHONES = 4
_SOME_ACTIONS = 8


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
