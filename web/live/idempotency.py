"""Idempotent POSTs: the same key with the same request is answered once and then told again.

The table remembers actions for ever by itself; this is for everything else, as long as the box runs. A second
request that comes while the first is being answered waits for it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Response

from companion.core.messages import m
from web.exc import WebError

_KEPT = 256  # answers
_MOST_BYTES = 4 * 2**20  # of them together; an answer to a photograph has a picture in it


@dataclass
class _Turn:
    digest: bytes
    lock: threading.Lock = field(default_factory=threading.Lock)
    answer: Response | None = None

    @property
    def size(self) -> int:
        """Bytes of the answer, once there is one."""
        return len(self.answer.get_data()) if self.answer is not None else 0


@dataclass
class IdempotencyCache:
    """The answers given lately, by key."""

    _turns: OrderedDict[str, _Turn] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def once(self, key: str, digest: bytes, make: Callable[[], Response]) -> Response:
        """The answer made by ``make``, or the one it made before for this key."""
        with self._lock:
            turn = self._turns.setdefault(key, _Turn(digest))
            while len(self._turns) > _KEPT or self._bytes() > _MOST_BYTES:
                self._turns.popitem(last=False)
        if turn.digest != digest:
            raise WebError(
                409, "key-used", m("this idempotency key belongs to another request: use a new one")
            )
        with turn.lock:
            if turn.answer is None:
                turn.answer = make()  # a problem is raised, not kept: the next try may go better
            return Response(turn.answer.get_data(), turn.answer.status_code, list(turn.answer.headers))

    def _bytes(self) -> int:
        return sum(turn.size for turn in self._turns.values())
