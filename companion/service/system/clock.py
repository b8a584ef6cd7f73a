"""The time, on a box that may have no clock.

A Raspberry Pi has no clock that goes on without power: until it has heard from the network, it believes what
it last wrote down. Then the first phone of the host's is asked. The order of things never hangs on it:
events, matches and backups have numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

RELEASED = datetime(2026, 1, 1, tzinfo=UTC)  # no box is older than its program
_TOLERATED = 60.0  # seconds
_SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
_MODEL = Path("/proc/device-tree/model")


def system_clock_is_set() -> bool:
    """Return True if the system's clock can be trusted."""
    if time.time() < RELEASED.timestamp():
        return False
    try:
        forgets = b"Raspberry Pi" in _MODEL.read_bytes()
    except OSError:
        forgets = False  # any other machine has a clock with a battery
    return not forgets or _SYNCHRONIZED.exists()


class BoxClock:
    """The system's time, put right by a phone as long as the system's own cannot be believed."""

    def __init__(
        self, system: Callable[[], float] = time.time, is_set: Callable[[], bool] = system_clock_is_set
    ) -> None:
        self._system = system
        self._is_set = is_set
        self._ahead = 0.0
        self._told = False

    @property
    def is_known(self) -> bool:
        """Return True if the time is known, from the network or from a phone."""
        return self._told or self._is_set()

    def now(self) -> datetime:
        """Return the current UTC time, by the host's phone where the system's clock is not set."""
        ahead = self._ahead if self._told and not self._is_set() else 0.0
        return datetime.fromtimestamp(self._system() + ahead, UTC)

    def tell(self, phone: float) -> bool:
        """Take the time (seconds since the epoch) from the host's phone; return False if it is not used."""
        if self._is_set() or not RELEASED.timestamp() <= phone < 4e9:
            return False
        ahead = phone - self._system()
        if not self._told or abs(ahead - self._ahead) > _TOLERATED:
            self._ahead, self._told = ahead, True
        return True
