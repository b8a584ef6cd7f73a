"""Live updates: one thread reads the table's events, makes each message once, and wakes every open stream.

A stream is only a position in the list of recent messages, so a slow phone costs nothing and its queue
cannot grow; one that falls behind the list is told to fetch everything again. The number of streams is
limited: above it the answer is 503 with Retry-After, and the page polls.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

import msgspec

from companion.games.contract import Plain
from companion.table.events import Event
from companion.table.feed import Subscription

KEPT = 64  # messages; a stream further behind fetches everything again
BEAT = 10.0  # seconds between signs of life
LONGEST = 15 * 60.0  # seconds a stream lives; then the browser opens the next one, and threads come free
_STOPS_WITHIN = 0.5  # seconds
POLL_AGAIN = 30  # seconds after which a page without a stream may ask for one

Describe: TypeAlias = Callable[[Event], Plain]


def message(kind: str, data: Plain) -> bytes:
    """One server-sent event.

    >>> message("beat", {"n": 1})
    b'event: beat\\ndata: {"n":1}\\n\\n'
    """
    return b"event: " + kind.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


HELLO = b"retry: 2000\n" + message("hello", {"beat": BEAT})
_BEAT = message("beat", {})
_RESYNC = message("resync", {})
ROOM = message("room", {})  # somebody came, went, or knocks


class Live:
    """The streams of one table."""

    def __init__(
        self, subscription: Subscription, describe: Describe, limit: int, stopping: threading.Event
    ) -> None:
        self._subscription = subscription
        self._describe = describe
        self.limit = limit
        self.open = 0
        self._sent = 0
        self._recent: deque[bytes] = deque(maxlen=KEPT)
        self._news = threading.Condition()
        self._stopping = stopping
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)

    def start(self) -> None:
        """Begin to listen to the table."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended, which it does once the box is stopping."""
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            for event in self._subscription.read(timeout=_STOPS_WITHIN):
                self.send(message("changed", self._describe(event)))
        with self._news:
            self._news.notify_all()

    def send(self, sent: bytes) -> None:
        """Hand a message to every stream."""
        with self._news:
            self._recent.append(sent)
            self._sent += 1
            self._news.notify_all()

    def take(self) -> bool:
        """A place for one more stream, if there is one; :meth:`give_back` it when the stream has ended."""
        with self._news:
            free = self.open < self.limit and not self._stopping.is_set()
            self.open += free
            return free

    def give_back(self) -> None:
        """A stream has ended."""
        with self._news:
            self.open -= 1

    def stream(self, clock: Callable[[], float] = time.monotonic) -> Iterator[bytes]:
        """What one phone is sent: a first line at once, then whatever happens, and signs of life."""
        position = self._sent
        end = clock() + LONGEST
        yield HELLO
        while not self._stopping.is_set() and clock() < end:
            found, position = self._after(position)
            yield found

    def _after(self, position: int) -> tuple[bytes, int]:
        with self._news:
            self._news.wait_for(lambda: self._sent > position or self._stopping.is_set(), BEAT)
            missing = self._sent - position
            if missing > len(self._recent):
                return _RESYNC, self._sent
            fresh = b"".join(islice(self._recent, len(self._recent) - missing, None))
            return fresh or _BEAT, self._sent
