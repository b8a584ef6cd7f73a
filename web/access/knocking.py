"""Requests to be let in, which somebody approves with a tap: a screen, a lost phone, a latecomer.

Whoever asks gets a secret of its own and a number for people to see; whoever may say yes is shown the number
and one button. Nothing of this is stored: after a restart one asks again.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from companion.core.messages import m
from web.exc import WebError

What: TypeAlias = Literal["screen", "seat", "join"]
State: TypeAlias = Literal["waiting", "granted", "refused"]
_SECONDS = 600.0  # a knock is forgotten after so long
_MOST = 12  # at once


@dataclass(frozen=True)
class Knock:
    """A request to become the table's screen, to get a seat back, or to join without the code."""

    number: int
    what: What
    secret: str
    until: float
    match: str = ""
    seat: int = 0
    name: str = ""
    state: State = "waiting"


@dataclass
class Door:
    """All pending requests to be let in."""

    clock: Callable[[], float] = time.monotonic
    _knocks: dict[str, Knock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def knock(self, what: What, *, match: str = "", seat: int = 0, name: str = "") -> Knock:
        """Register a request to be let in; it expires if nobody answers it."""
        with self._lock:
            self._forget_old()
            waiting = [one for one in self._knocks.values() if one.state == "waiting"]
            if len(waiting) >= _MOST:
                raise WebError(409, "crowded", m("too many are waiting to be let in: try again in a while"))
            taken = {one.number for one in self._knocks.values()}
            number = next(n for n in iter(lambda: 100 + secrets.randbelow(900), 0) if n not in taken)
            made = Knock(number, what, secrets.token_urlsafe(16), self.clock() + _SECONDS, match, seat, name)
            self._knocks[made.secret] = made
            return made

    def find(self, secret: str) -> Knock | None:
        """Return the request with this secret; None if it has expired."""
        with self._lock:
            self._forget_old()
            return self._knocks.get(secret)

    def waiting(self) -> list[Knock]:
        """Return the unanswered requests, oldest first."""
        with self._lock:
            self._forget_old()
            return [one for one in self._knocks.values() if one.state == "waiting"]

    def answer(self, number: int, yes: bool) -> Knock | None:
        """Grant or refuse a request; return None if none with this number is waiting."""
        with self._lock:
            self._forget_old()
            found = next(
                (one for one in self._knocks.values() if (one.number, one.state) == (number, "waiting")), None
            )
            if found is not None:
                found = replace(found, state="granted" if yes else "refused")
                self._knocks[found.secret] = found
            return found

    def enter(self, secret: str) -> Knock | None:
        """Use a granted request; possible once."""
        with self._lock:
            found = self._knocks.get(secret)
            if found is None or found.state != "granted":
                return None
            return self._knocks.pop(secret)

    def give_up(self, secret: str) -> None:
        """Withdraw the request with this secret."""
        with self._lock:
            self._knocks.pop(secret, None)

    def _forget_old(self) -> None:
        now = self.clock()
        self._knocks = {secret: one for secret, one in self._knocks.items() if one.until > now}
