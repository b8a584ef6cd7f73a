"""Live updates: one thread reads the table's events, makes each message once, and wakes every open stream.

A stream is only a position in the list of recent messages, so a slow phone costs nothing and its queue
cannot grow; one that falls behind the list is told to fetch everything again. The number of streams is
limited: above it the answer is 503 with Retry-After, and the page polls.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from companion.core.jsontext import JsonObject, json_of
from companion.table.events import Event
from companion.table.feed import Subscription
from web.ui.speaking import speaking

KEPT = 64  # messages; a stream further behind fetches everything again
BEAT = 10.0  # seconds between signs of life
LONGEST = 15 * 60.0  # seconds a stream lives; then the browser opens the next one, and threads come free
_STOPS_WITHIN = 0.5  # seconds
POLL_AGAIN = 30  # seconds after which a page without a stream may ask for one

Describe: TypeAlias = Callable[[Event], JsonObject]
Sent: TypeAlias = bytes | Mapping[str, bytes]  # the same for all, or by the language of the stream


def message(kind: str, data: JsonObject) -> bytes:
    """One server-sent event.

    >>> message("beat", {"n": 1})
    b'event: beat\\ndata: {"n":1}\\n\\n'
    """
    return b"event: " + kind.encode() + b"\ndata: " + json_of(data) + b"\n\n"


HELLO = b"retry: 2000\n" + message("hello", {"beat": BEAT})
_BEAT = message("beat", {})
_RESYNC = message("resync", {})
ROOM = message("room", {})  # somebody came, went, or knocks


def _in(sent: Sent, language: str) -> bytes:
    return sent if isinstance(sent, bytes) else sent.get(language, sent["en"])


@dataclass(eq=False)
class Place:
    """One open stream: from where, and whether by somebody who belongs to the table."""

    address: str
    belongs: bool = False
    language: str = "en"  # of what it is told
    ended: bool = False  # somebody who belongs here needed it


class Live:
    """The streams of one table."""

    def __init__(
        self, subscription: Subscription | None, describe: Describe, limit: int, stopping: threading.Event
    ) -> None:
        self._subscription = subscription
        self._describe = describe
        self.limit = limit
        self._places: list[Place] = []
        self._sent = 0
        self._recent: deque[Sent] = deque(maxlen=KEPT)
        self._news = threading.Condition()
        self._stopping = stopping
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)

    def start(self) -> None:
        """Start listening to the table."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended, which it does once the box is stopping."""
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            if self._subscription is None:  # somebody else sends
                self._stopping.wait()
                break
            for event in self._subscription.read(timeout=_STOPS_WITHIN):
                self.send({wanted: self._told(event, wanted) for wanted in self._languages()})
        with self._news:
            self._news.notify_all()

    def _languages(self) -> set[str]:
        """Return the languages of the open streams, and English for streams opened meanwhile."""
        with self._news:
            return {"en", *(place.language for place in self._places)}

    def _told(self, event: Event, wanted: str) -> bytes:
        with speaking(wanted):
            return message("changed", self._describe(event))

    def send(self, sent: Sent) -> None:
        """Hand a message to every stream."""
        with self._news:
            self._recent.append(sent)
            self._sent += 1
            self._news.notify_all()

    @property
    def open(self) -> int:
        """The number of open streams."""
        return len(self._places)

    def take(self, address: str = "", *, belongs: bool = False, language: str = "en") -> Place | None:
        """Reserve a place for a stream, if one is free; :meth:`give_back` it when the stream has ended.

        For somebody who ``belongs`` to the table there is one as long as a watcher has one: that stream, of
        the address that has the most, ends, and its page polls.
        """
        with self._news:
            if self._stopping.is_set():
                return None
            if len(self._places) >= self.limit:
                watchers = [one for one in self._places if not one.belongs and not one.ended]
                if not belongs or not watchers:
                    return None
                held = Counter(one.address for one in watchers)
                max(watchers, key=lambda one: held[one.address]).ended = True
                self._news.notify_all()
            place = Place(address, belongs, language)
            self._places.append(place)
            return place

    def give_back(self, place: Place) -> None:
        """Release the place of a stream that has ended."""
        with self._news:
            if place in self._places:
                self._places.remove(place)

    def stream(
        self, place: Place | None = None, clock: Callable[[], float] = time.monotonic
    ) -> Iterator[bytes]:
        """Yield what one phone is sent: a first line at once, then events and heartbeats."""
        position = self._sent
        end = clock() + LONGEST
        yield HELLO
        place = place or Place("")
        while not self._stopping.is_set() and not place.ended and clock() < end:
            found, position = self._after(position, place)
            yield found

    def _after(self, position: int, place: Place) -> tuple[bytes, int]:
        def news() -> bool:
            return self._sent > position or place.ended or self._stopping.is_set()

        with self._news:
            self._news.wait_for(news, BEAT)
            missing = self._sent - position
            if missing > len(self._recent):
                return _RESYNC, self._sent
            new = islice(self._recent, len(self._recent) - missing, None)
            fresh = b"".join(_in(sent, place.language) for sent in new)
            return fresh or _BEAT, self._sent
