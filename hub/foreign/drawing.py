"""Positions that boxes sent, drawn in a process of its own, within limits of time, memory and size.

A position is whatever a member's box, newer, broken or hostile, has put into it, and the games' code that
draws it trusts its own. So it is drawn where it can be stopped: what takes too long, too much or fails costs
its own table the boards, and no other page anything. Every box has a share of the time, in all languages
together, and one whose positions fail waits before the next one is tried; until then its last good drawing
stays.
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
from web.access.limits import Allowance

log = logging.getLogger(__name__)

_KEPT = 128  # drawings
_KEPT_OF_A_BOX = 16  # its newest: nobody's crowd out those of others
_AT_ONCE, _SHARE = 3.0, 0.2  # seconds of drawing for a box at once, and in each second from then on
_REST = 60.0  # seconds after a position that could not be drawn; doubled each time
_LONGEST_REST = 3600.0  # and after so long without one it is as if there had been none


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
    """Until when a box's positions are not tried, and how often they failed lately."""

    until: float = 0.0
    failures: int = 0

    def add(self, now: float) -> None:
        """One more position that failed; good ones between two bad ones change nothing."""
        if now > self.until + _LONGEST_REST:
            self.failures = 0
        self.until = now + min(_LONGEST_REST, _REST * 2**self.failures)
        self.failures += 1


class Drawings:
    """The newest drawings, and which boxes have to wait."""

    def __init__(self, draw: Draw, clock: Callable[[], float] = time.monotonic) -> None:
        self._draw = draw
        self._clock = clock
        self._kept: OrderedDict[Key, tuple[tuple[int, int], Drawing]] = OrderedDict()
        self._pauses: dict[str, _Pause] = {}
        self._time = Allowance(_AT_ONCE, _SHARE, clock)
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
            if kept is not None and kept[0] == version:
                self._kept.move_to_end(key)
                return kept[1]
        begun = self._clock()
        if begun < pause.until or self._time.wait(played.box):
            return kept[1] if kept is not None else None
        try:
            made = self._draw(DrawingRequest(table, language, state, msgspec.Raw(view.encode())))
        except NotDrawnError as problem:
            pause.add(self._clock())
            log.warning("The position of table %s is not drawn: %s", table, problem)
            return kept[1] if kept is not None else None
        self._time.spend(played.box, self._clock() - begun)
        with self._lock:
            self._kept[key] = (version, made)
            self._kept.move_to_end(key)
            mine = [one for one in self._kept if one[0] == played.box]
            for gone in [*mine[:-_KEPT_OF_A_BOX], *list(self._kept)[:-_KEPT]]:
                self._kept.pop(gone, None)
        return made

    def forget_pauses(self) -> None:
        """Try every box's next position at once."""
        with self._lock:
            self._pauses.clear()
        self._time.forget()


def drawn_here(request: DrawingRequest) -> Drawing:
    """Draw in this process, without limits: for tests of the pages."""
    from hub.foreign.confined_process import drawing

    try:
        return drawing(request)
    except Exception as problem:
        raise NotDrawnError(repr(problem)) from problem
