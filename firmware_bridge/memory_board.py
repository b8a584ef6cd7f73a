"""A board for the roller's firmware that is only memory: its wire is two buffers."""

from __future__ import annotations

import os
from collections.abc import Callable

from firmware_bridge.firmware.roller.seams import Board


class MemoryBoard(Board):
    """A board in memory, without a button; its user fills ``inbox`` and empties ``outbox``."""

    def __init__(self, uid: str, clock: Callable[[], float]) -> None:
        self.inbox = b""
        self.outbox = b""
        self._uid = uid
        self._clock = clock
        self._last_ms = int(clock() * 1000)

    def lap_ms(self) -> int:
        """Milliseconds since the last call."""
        now = int(self._clock() * 1000)
        passed, self._last_ms = now - self._last_ms, now
        return passed

    def read(self) -> bytes:
        """What the host sent."""
        data, self.inbox = self.inbox, b""
        return data

    def write(self, data: bytes) -> None:
        """Keep what is sent to the host."""
        self.outbox += data

    def random(self, count: int) -> bytes:
        """Random bytes from the system's generator."""
        return os.urandom(count)

    def uid(self) -> str:
        """The serial number that it was given."""
        return self._uid

    def button_down(self) -> bool:
        """Always False: the board has no button."""
        return False

    def feed_watchdog(self) -> None:
        """Do nothing: the board has no watchdog."""
