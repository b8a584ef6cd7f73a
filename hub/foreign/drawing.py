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
from typing import TypeAlias

import msgspec

from companion.club.messages import TableState
from hub.state import Played

log = logging.getLogger(__name__)

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


class DrawingRequest(msgspec.Struct, frozen=True, tag="drawing"):
    """What the confined process is asked for."""

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


def drawn_here(request: DrawingRequest) -> Drawing:
    """Draw in this process, without limits: for tests of the pages."""
    from hub.foreign.confined_process import drawing

    try:
        return drawing(request)
    except Exception as problem:
        raise NotDrawnError(repr(problem)) from problem
