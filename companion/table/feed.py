"""The event feed: each subscriber reads at its own pace, and none can delay the table.

Publishing appends to one shared list of recent events and wakes the readers. A reader is only a position: the
number of events the table has stored so far. One that falls behind the list reads the rest from the store, so
nobody misses anything and nobody's queue grows.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from companion.table.events import Event

KEPT = 256  # some thirty rounds of a full table; older ones are read from the store
Fetch: TypeAlias = Callable[[int, int], list[Event]]


class Feed:
    """The recent events of the table. ``fetch(after, count)`` reads older ones from the store."""

    def __init__(self, stored: int, fetch: Fetch, kept: int = KEPT) -> None:
        self._recent: deque[Event] = deque(maxlen=kept)
        self._stored = stored
        self._fetch = fetch
        self._changed = threading.Condition()

    def publish(self, event: Event) -> None:
        """Hand an event to everybody; takes the same time however many listen."""
        with self._changed:
            self._recent.append(event)
            self._stored += 1
            self._changed.notify_all()

    def subscribe(self) -> Subscription:
        """Subscribe to everything published from now on."""
        return Subscription(self, self._stored)

    def after(self, position: int, timeout: float | None, ended: threading.Event) -> list[Event]:
        """The events behind ``position``; waits for the first until time is up or the reader has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._stored > position or ended.is_set(), timeout)
            missing = self._stored - position
            if missing <= len(self._recent):
                return list(islice(self._recent, len(self._recent) - missing, None))
        return self._fetch(position, KEPT)

    def wake(self) -> None:
        """Wake all subscribers that wait."""
        with self._changed:
            self._changed.notify_all()


class Subscription:
    """One reader's place in the feed."""

    def __init__(self, feed: Feed, position: int) -> None:
        self._feed = feed
        self._position = position
        self._ended = threading.Event()

    def read(self, timeout: float | None = None) -> list[Event]:
        """The events since the last call, in order; waits for one unless ``timeout`` seconds pass."""
        events = self._feed.after(self._position, timeout, self._ended)
        self._position += len(events)
        return events

    def close(self) -> None:
        """End the subscription: a waiting :meth:`read` returns at once, and iteration stops."""
        self._ended.set()
        self._feed.wake()

    def __iter__(self) -> Iterator[Event]:
        while not self._ended.is_set():
            yield from self.read()
