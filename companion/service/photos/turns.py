"""A bounded queue for the reader: one photograph at a time, those of players first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from companion.core.messages import m
from companion.table.exc import TableError

PLAYERS_WAITING, OTHERS_WAITING = 8, 3
BUSY = "reader-busy"


class Turns:
    """A queue for the reader, in which photographs of players come first."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._players: list[object] = []
        self._others: list[object] = []

    @contextmanager
    def turn(self, *, plays: bool) -> Iterator[None]:
        """Wait for one's turn, first come first served; raise a TableError if too many are waiting."""
        with self._changed:
            queue, most = (self._players, PLAYERS_WAITING) if plays else (self._others, OTHERS_WAITING)
            if len(queue) >= most:
                raise TableError(BUSY, m("the box is reading other photographs: try again in a few seconds"))
            ticket = object()
            queue.append(ticket)
            try:
                self._changed.wait_for(lambda: not self._taken and self._next() is ticket)
                self._taken = True
            finally:
                queue.remove(ticket)
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()

    def waiting(self) -> int:
        """Return the number of requests that wait."""
        with self._changed:
            return len(self._players) + len(self._others)

    def _next(self) -> object:
        return (self._players or self._others)[0]
