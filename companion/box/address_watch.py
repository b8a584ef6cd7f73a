"""Tells the pages when the box has another address, so that the codes on screens lead to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

_LOOKS_EVERY = 5.0  # seconds


class AddressWatch:
    """A thread that compares the box's links with those of before."""

    def __init__(self, links: Sequence[str], changed: Callable[[], None], stopping: threading.Event) -> None:
        self._links = links
        self._changed = changed
        self._stopping = stopping
        self._known = list(links)
        self._thread = threading.Thread(target=self._run, name="addresses", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def look(self) -> None:
        """Compare once."""
        now = list(self._links)
        if now != self._known:
            self._known = now
            self._changed()

    def _run(self) -> None:
        while not self._stopping.wait(_LOOKS_EVERY):
            self.look()
