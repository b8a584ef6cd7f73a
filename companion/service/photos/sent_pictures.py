"""Pictures that a phone on a stand sends from its browser: the newest one, and who sends them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PHONE = "phone"  # the camera's name in the settings
SILENT = 5.0  # seconds without a picture
GONE = 15.0  # seconds after which another phone may take its place


class SentPictures:
    """One picture in memory, from one phone at a time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._sender = ""
        self._data = b""
        self._at = -GONE
        self._is_new = False

    def put(self, sender: str, data: bytes) -> bool:
        """Take a phone's picture; False while another one sends."""
        with self._lock:
            now = self._clock()
            if sender != self._sender and now - self._at < GONE:
                return False
            self._sender, self._data, self._at, self._is_new = sender, data, now, True
            return True

    def leave(self, sender: str) -> None:
        """Hear that a phone sends no more: another one may at once."""
        with self._lock:
            if sender == self._sender:
                self._sender, self._data, self._at = "", b"", -GONE

    def take(self) -> bytes:
        """The newest picture, once; empty where there is none that is new."""
        with self._lock:
            new, self._is_new = self._is_new, False
            return self._data if new else b""

    @property
    def newest(self) -> bytes:
        """The newest picture; empty where it is old."""
        with self._lock:
            return b"" if self._clock() - self._at > SILENT else self._data

    @property
    def is_silent(self) -> bool:
        """Return True if no picture has come for a while."""
        return self._clock() - self._at > SILENT
