"""Tells the pages when the box has another address, so that the codes on screens lead to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from companion.service.periodic import Periodic

_LOOKS_EVERY = 5.0  # seconds


class AddressWatch(Periodic):
    """A thread that compares the box's links with those of before."""

    def __init__(self, links: Sequence[str], changed: Callable[[], None], stopping: threading.Event) -> None:
        super().__init__("addresses", _LOOKS_EVERY, stopping)
        self._links = links
        self._changed = changed
        self._known = list(links)

    def look(self) -> None:
        """Compare the addresses once, and report if they have changed."""
        now = list(self._links)
        if now != self._known:
            self._known = now
            self._changed()
