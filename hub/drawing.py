"""Positions that boxes sent, drawn in a process of its own, within limits of time, memory and size.

A position is whatever a member's box, newer, broken or hostile, has put into it, and the games' code that
draws it trusts its own. So it is drawn where it can be stopped: what takes too long, too much or fails costs
its own table the boards, and no other page anything. A box whose positions are slow or fail waits before the
next one is tried; until then its last good drawing stays.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

import msgspec

from companion.club.messages import TableState
from companion.core.jsontext import json_of
from hub.state import Played

log = logging.getLogger(__name__)

SECONDS = 5.0  # for one position, on a busy machine
LARGEST = 4_000_000  # bytes of HTML
_STARTS_WITHIN = 60.0  # seconds, for the process to load all games
_KEPT = 128  # drawings
_QUICK = 0.3  # seconds: a box whose positions take longer has a share of the time that others leave
_SHARE = 5  # times what its last one took
_REST = 60.0  # seconds after a position that could not be drawn; doubled each time
_LONGEST_REST = 3600.0


class Drawing(msgspec.Struct, frozen=True):
    """A position as HTML: the whole part of a page, its pieces by name, and each seat's board by itself."""

    boards: str
    pieces: dict[str, str]
    seats: dict[int, str]
    has_dice: bool


class DrawingRequest(msgspec.Struct, frozen=True):
    """What the drawing process is asked for."""

    table: int
    language: str
    state: TableState
    view: msgspec.Raw


class NotDrawnError(Exception):
    """A position that could not be drawn within the limits."""


Draw: TypeAlias = Callable[[DrawingRequest], Drawing]
Key: TypeAlias = tuple[str, str, str]  # box, match, language


@dataclass
class _Pause:
    """Until when a box's positions are not tried, and how often they failed one after the other."""

    until: float = 0.0
    failures: int = 0


class Drawings:
    """The newest drawings, and which boxes have to wait."""

    def __init__(self, draw: Draw, clock: Callable[[], float] = time.monotonic) -> None:
        self._draw = draw
        self._clock = clock
        self._kept: OrderedDict[Key, tuple[tuple[int, int], Drawing]] = OrderedDict()
        self._pauses: dict[str, _Pause] = {}
        self._lock = threading.Lock()

    def of(self, table: int, played: Played, view: str, language: str) -> Drawing | None:
        """The position of a match; None where it cannot be drawn and never could."""
        state = played.state
        if state is None:
            return None
        key, version = (played.box, played.match, language), (state.seq, played.view_seq)
        with self._lock:
            kept = self._kept.get(key)
            pause = self._pauses.setdefault(played.box, _Pause())
            if kept is not None and (kept[0] == version or self._clock() < pause.until):
                self._kept.move_to_end(key)
                return kept[1]
            if self._clock() < pause.until:
                return None
        begun = self._clock()
        try:
            made = self._draw(DrawingRequest(table, language, state, msgspec.Raw(view.encode())))
        except NotDrawnError as problem:
            rest = min(_LONGEST_REST, _REST * 2**pause.failures)
            pause.failures, pause.until = pause.failures + 1, self._clock() + rest
            log.warning("The position of table %s is not drawn: %s", table, problem)
            return kept[1] if kept is not None else None
        took = self._clock() - begun
        with self._lock:
            pause.failures = 0
            pause.until = self._clock() + (_SHARE * took if took > _QUICK else 0.0)
            self._kept[key] = (version, made)
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made

    def forget_pauses(self) -> None:
        """Try every box's next position at once."""
        with self._lock:
            self._pauses.clear()


class DrawingProcess:
    """The process; it is started when the first position is drawn, and again after one that it could not."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection[bytes, bytes] | None = None

    def draw(self, request: DrawingRequest) -> Drawing:
        """Draw a position; a :class:`NotDrawnError` when that fails, or takes too long or too much."""
        with self._lock:
            pipe = self._started()
            try:
                pipe.send_bytes(json_of(request))
                if not pipe.poll(self._seconds):
                    raise TimeoutError("it takes too long")
                answer = pipe.recv_bytes(LARGEST)
            except (EOFError, OSError) as problem:
                self._end()
                raise NotDrawnError(str(problem) or "it takes too much memory") from problem
        try:
            return msgspec.json.decode(answer, type=Drawing)
        except msgspec.ValidationError:
            raise NotDrawnError(answer[:300].decode(errors="replace")) from None

    def stop(self) -> None:
        """End the process; may be called more than once."""
        with self._lock:
            self._end()

    def _started(self) -> Connection[Any, Any]:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self._end()
            from hub.drawing_process import work

            context = get_context("spawn")  # nothing of the hub's threads and connections goes along
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs,), name="drawing", daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(_STARTS_WITHIN):
                self._end()
                raise NotDrawnError("the process that draws does not start")
            self._pipe.recv_bytes(LARGEST)  # it is ready
        return self._pipe

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None


def drawn_here(request: DrawingRequest) -> Drawing:
    """Draw in this process, without limits: for tests of the pages."""
    from hub.drawing_process import drawing

    try:
        return drawing(request)
    except Exception as problem:
        raise NotDrawnError(repr(problem)) from problem
