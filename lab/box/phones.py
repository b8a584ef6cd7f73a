"""Phones without screens: they do what the pages' script does, and note when things arrive."""

from __future__ import annotations

import gzip
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from typing import Any, TypeAlias

_PATIENCE = 30.0  # seconds without a sign of life; the box gives one every ten
_RETRY, _POLL, _SPREAD = 2.0, 2.0, 0.06  # seconds, as in live.js


@dataclass
class Client:
    """A browser: cookies, one connection that is kept."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    _connection: HTTPConnection | None = None

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and content."""
        return self._send("GET", path, None, headers)

    def post(self, path: str, body: object = None) -> Any:
        """The JSON of an accepted request; anything else is an error."""
        sent = json.dumps({} if body is None else body).encode()
        return self._good("POST", path, sent, {"Content-Type": "application/json"})

    def send(self, path: str, content: bytes, kind: str) -> Any:
        """Send a file and return the answer's JSON."""
        return self._good("POST", path, content, {"Content-Type": kind})

    def told(self, path: str) -> Any:
        """The JSON at an address."""
        return self._good("GET", path, None, {})

    def close(self) -> None:
        """Close the connection to the box."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _good(self, method: str, path: str, sent: bytes | None, headers: dict[str, str]) -> Any:
        status, _, content = self._send(method, path, sent, headers)
        if status >= 300:
            raise HTTPException(f"{method} {path}: {status} {content[:300].decode(errors='replace')}")
        return json.loads(content)

    def _send(
        self, method: str, path: str, sent: bytes | None, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        kept = self._connection is not None
        try:
            answer, content = self._sent(method, path, sent, headers)
        except (RemoteDisconnected, ConnectionError):
            if not kept:
                raise
            answer, content = self._sent(method, path, sent, headers)  # closed meanwhile; browsers do so, too
        for line in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, dict(answer.headers.items()), content

    def _sent(
        self, method: str, path: str, sent: bytes | None, headers: dict[str, str]
    ) -> tuple[HTTPResponse, bytes]:
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self._connection.request(method, path, sent, {"Cookie": cookie, **headers})
            answer = self._connection.getresponse()
            return answer, answer.read()
        except (HTTPException, OSError):
            self.close()
            raise


Heard: TypeAlias = Callable[[dict[str, Any], float], None]


def _nothing(_told: dict[str, Any], _at: float) -> None:
    """A phone in somebody's pocket."""


@dataclass
class Phone:
    """A page in front of somebody: a stream while there is one, polls when there is none."""

    port: int
    heard: Heard = _nothing
    state: str = "away"  # live, polling, away
    version: tuple[str, int] = ("", 0)
    refused: int = 0
    hellos: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)
    _etag: str = ""
    _line: socket.socket | None = None

    @property
    def answers(self) -> int:
        """How often it asked for a stream and the box answered, one way or the other."""
        return self.hellos + self.refused

    def start(self) -> None:
        """Open the page in a thread of its own."""
        self._client = Client(self.port)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the page and wait for the thread."""
        self._ended.set()
        if self._line is not None:
            with suppress(OSError):  # it may be closed already
                self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._listen()
            except (HTTPException, OSError, StopIteration):
                self.state = "away"
                self._ended.wait(_RETRY)
        self._client.close()

    def _listen(self) -> None:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)) as line:
            line.connect()
            self._line = line.sock  # the answer keeps it open, whatever becomes of the connection
            line.request("GET", "/api/v1/stream")
            answer = line.getresponse()
            if answer.status != 200:
                answer.read()
                self._poll_for_a_while()
                return
            for kind, told in _messages(answer):
                self._hear(kind, told)
                if self._ended.is_set():
                    return
        self.state = "away"

    def _hear(self, kind: str, told: dict[str, Any]) -> None:
        if kind == "hello":
            self.hellos += 1
            self.state = "live"
            self._fetch()
        elif kind in ("changed", "resync"):
            self.heard(told, time.perf_counter())
            self._ended.wait(random.random() * _SPREAD)
            self._fetch()

    def _poll_for_a_while(self) -> None:
        self.refused += 1
        self.state = "polling"
        for _ in range(15):
            if self._ended.wait(_POLL):
                return
            self._fetch()

    def _fetch(self) -> None:
        headers = {"If-None-Match": self._etag} if self._etag else {}
        status, told, content = self._client.get(
            "/api/v1/pieces?page=watch", **headers, **{"Accept-Encoding": "gzip"}
        )
        if status == 200:
            self._etag = told.get("ETag", "")
            text = gzip.decompress(content) if told.get("Content-Encoding") == "gzip" else content
            found = json.loads(text)
            self.version = (found["match"], found["version"])


def _messages(answer: HTTPResponse) -> Iterator[tuple[str, dict[str, Any]]]:
    kind = ""
    while line := answer.readline():
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)
