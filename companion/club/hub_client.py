"""Talking to a hub over HTTP: one connection that stays open, and every way it can fail as one error."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

import msgspec

from companion.core.messages import m
from companion.table.exc import TableError

TIMEOUT = 10.0  # seconds
_LARGEST_ANSWER = 4_000_000


class HubError(TableError):
    """The hub is away, or says no. ``status`` is 0 when it was not reached; ``wait`` is what it asks for."""

    def __init__(self, status: int, code: str, message: str, wait: float = 0.0) -> None:
        super().__init__(code, message)
        self.status = status
        self.wait = wait


class HubClient:
    """A hub at ``http://host:port``, in short ``host:port``, or behind a proxy at ``https://host/path``."""

    def __init__(self, address: str) -> None:
        is_whole = "://" in address or not any(sign in address for sign in ".:")
        self.address = (address if is_whole else f"http://{address}").rstrip("/")
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise TableError("bad-hub", m("the address of a hub is written as http://192.168.1.5:8090"))
        try:
            port = parts.port
        except ValueError:
            raise TableError(
                "bad-hub", m("the address of a hub is written as http://192.168.1.5:8090")
            ) from None
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, port, timeout=TIMEOUT)
        self._path = parts.path

    def post(self, path: str, body: bytes, headers: dict[str, str] | None = None) -> bytes:
        """The body of a good answer; else a :class:`HubError`."""
        told = {"Content-Type": "application/json", **(headers or {})}
        try:
            self._connection.request("POST", self._path + path, body, told)
            answer = self._connection.getresponse()
            content = answer.read(_LARGEST_ANSWER)
        except (OSError, http.client.HTTPException) as problem:
            self._connection.close()
            raise HubError(0, "hub-away", m("the club's hub cannot be reached")) from problem
        if answer.status < 300:
            return content
        raise _refusal(answer.status, content, answer.getheader("Retry-After", ""))

    def close(self) -> None:
        """Close the connection to the hub."""
        self._connection.close()


class _Problem(msgspec.Struct):
    code: str
    message: str


class _Answer(msgspec.Struct):
    error: _Problem


def _refusal(status: int, content: bytes, wait: str) -> HubError:
    try:
        problem = msgspec.json.decode(content, type=_Answer).error
    except msgspec.DecodeError:
        problem = _Problem("strange", m("what answers at that address is not a hub"))
    seconds = float(wait) if wait.isascii() and wait.isdigit() else 0.0
    return HubError(status, problem.code, problem.message, seconds)
