"""Rate limits over several periods (tries per minute, per hour); nobody is ever banned.

A try is counted before it is judged, so a hundred at the same moment are no more than one after the other.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import TypeAlias

from companion.core.messages import Message, m, nm
from web.exc import WebError

Limits: TypeAlias = tuple[tuple[int, float], ...]  # how many, in so many seconds

GUESSES: Limits = ((3, 60.0), (5, 600.0), (10, 3600.0))  # wrong PINs and codes of one address
PINS_TOGETHER: Limits = ((10, 60.0), (60, 3600.0))  # of all addresses: a million PINs last for years
CODES_TOGETHER: Limits = (
    (60, 60.0),
    (600, 3600.0),
)  # a whole party may mistype; 33 million codes last for years
WORK: Limits = ((20, 10.0), (60, 60.0))  # things that cost the box some effort
EVERYBODY = "everybody"  # the place at which tries of all addresses are counted together
_MOST_KNOWN = 2000  # addresses remembered; the least recent ones are forgotten first


@dataclass
class Limiter:
    """Counts recent attempts by kind and address."""

    clock: Callable[[], float] = time.monotonic
    _known: OrderedDict[tuple[str, str], deque[float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, kind: str, address: str, limits: Limits) -> float:
        """How many seconds this address has to wait before its next try."""
        with self._lock:
            return self._waiting(kind, address, limits)

    def count(self, kind: str, address: str, limits: Limits = WORK) -> None:
        """Count one attempt from this address."""
        with self._lock:
            self._note(kind, address, limits)

    def check(self, kind: str, address: str, limits: Limits) -> None:
        """Refuse for a while after too many tries."""
        _refuse_for(self.wait(kind, address, limits))

    def take(self, kind: str, address: str, limits: Limits, together: Limits = ()) -> None:
        """Check and count in one step. ``together`` limits all addresses that have no place of their own."""
        with self._lock:
            seconds = self._waiting(kind, address, limits)
            if together:
                seconds = max(seconds, self._waiting(kind, EVERYBODY, together))
            if seconds <= 0:
                self._note(kind, address, limits)
                if together:
                    self._note(kind, EVERYBODY, together)
        _refuse_for(seconds)

    def forgive(self, kind: str, address: str, together: bool) -> None:
        """Take back a counted attempt that turned out to be legitimate."""
        with self._lock:
            for place in (address, EVERYBODY) if together else (address,):
                tries = self._known.get((kind, neighbourhood(place)))
                if tries:
                    tries.pop()

    def lately(self, kind: str, seconds: float) -> int:
        """How many tries of all addresses together were counted in the last so many seconds."""
        with self._lock:
            since = self.clock() - seconds
            return sum(one > since for one in self._known.get((kind, EVERYBODY), ()))

    def _waiting(self, kind: str, address: str, limits: Limits) -> float:
        tries = self._known.get((kind, neighbourhood(address)), deque())
        return max((_wait(tries, most, span, self.clock()) for most, span in limits), default=0.0)

    def _note(self, kind: str, address: str, limits: Limits) -> None:
        key = (kind, neighbourhood(address))
        tries = self._known.setdefault(key, deque(maxlen=max(most for most, _ in limits)))
        tries.append(self.clock())
        self._known.move_to_end(key)
        while len(self._known) > _MOST_KNOWN:
            oldest = next(place for place in self._known if place[1] != EVERYBODY)
            del self._known[oldest]


class Allowance:
    """An amount of something for each of many: ``most`` at once, of which ``flow`` a second comes back.

    >>> now = [0.0]
    >>> seconds = Allowance(most=2.0, flow=0.1, clock=lambda: now[0])
    >>> seconds.spend("one", 2.5)
    >>> round(seconds.wait("one"), 6), seconds.wait("another")
    (5.0, 0.0)
    """

    def __init__(self, most: float, flow: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._flow = flow
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how much, and when it was so
        self._lock = threading.Lock()

    def take(self, of: str, amount: float) -> None:
        """Spend it, or refuse until something is there again."""
        _refuse_for(self.wait(of))
        self.spend(of, amount)

    def wait(self, of: str) -> float:
        """How many seconds until there is something again."""
        with self._lock:
            return max(0.0, -self._now(of) / self._flow)

    def spend(self, of: str, amount: float) -> None:
        """Take what was used, which may be more than there was."""
        with self._lock:
            self._left[of] = self._now(of) - amount, self._clock()
            self._left.move_to_end(of)
            while len(self._left) > _MOST_KNOWN:
                self._left.popitem(last=False)

    def forget(self) -> None:
        """Everybody has everything again."""
        with self._lock:
            self._left.clear()

    def _now(self, of: str) -> float:
        left, since = self._left.get(of, (self._most, 0.0))
        return min(self._most, left + (self._clock() - since) * self._flow)


def _refuse_for(seconds: float) -> None:
    if seconds > 0:
        whole = ceil(seconds)
        message = m("too many tries: wait {whole} and try again", whole=_said(whole))
        raise WebError(429, "slow-down", message, {"retry_after": whole})


def _wait(tries: deque[float], most: int, span: float, now: float) -> float:
    lately = [one for one in tries if one > now - span]
    return lately[-most] + span - now if len(lately) >= most else 0.0


def _said(seconds: int) -> Message:
    """
    >>> _said(40), _said(61)
    ('40 seconds', '2 minutes')
    """
    if seconds <= 60:
        return nm("{n} second", "{n} seconds", seconds)
    return nm("{n} minute", "{n} minutes", -(-seconds // 60))


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
