"""Limits that cool down: so many tries a minute, so many more an hour. Nobody is ever banned."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

from web.exc import WebError

GUESSES = ((3, 60.0), (5, 600.0), (10, 3600.0))  # wrong PINs and codes: (how many, in so many seconds)
WORK = ((20, 10.0), (60, 60.0))  # things that cost the box some effort
_MOST_KNOWN = 2000  # addresses remembered; the least recent ones are forgotten first


@dataclass
class Limiter:
    """Counts what somebody did lately, by kind and address."""

    clock: Callable[[], float] = time.monotonic
    _known: OrderedDict[tuple[str, str], deque[float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, kind: str, address: str, limits: tuple[tuple[int, float], ...]) -> float:
        """How many seconds this address has to wait before its next try."""
        with self._lock:
            tries = self._known.get((kind, neighbourhood(address)), deque())
            return max((_wait(tries, most, span, self.clock()) for most, span in limits), default=0.0)

    def count(self, kind: str, address: str) -> None:
        """Note one try."""
        with self._lock:
            key = (kind, neighbourhood(address))
            tries = self._known.setdefault(key, deque(maxlen=64))
            tries.append(self.clock())
            self._known.move_to_end(key)
            while len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    def check(self, kind: str, address: str, limits: tuple[tuple[int, float], ...]) -> None:
        """Refuse for a while after too many tries."""
        seconds = self.wait(kind, address, limits)
        if seconds > 0:
            whole = ceil(seconds)
            message = f"too many tries: wait {_said(whole)} and try again"
            raise WebError(429, "slow-down", message, {"retry_after": whole})


def _wait(tries: deque[float], most: int, span: float, now: float) -> float:
    lately = [one for one in tries if one > now - span]
    return lately[-most] + span - now if len(lately) >= most else 0.0


def _said(seconds: int) -> str:
    """
    >>> _said(40), _said(61)
    ('40 seconds', '2 minutes')
    """
    return f"{seconds} seconds" if seconds <= 60 else f"{-(-seconds // 60)} minutes"


def neighbourhood(address: str) -> str:
    """One household: an IPv4 address, or the /64 in which an IPv6 device may call itself anything.

    >>> neighbourhood("192.168.1.7"), neighbourhood("fd00::1:2:3")
    ('192.168.1.7', 'fd00::/64')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address
