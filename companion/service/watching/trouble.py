"""Why a camera sees nothing of the table: one sentence for everybody, and when it is asked again."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.core.messages import m
from companion.service.watching.looks import TableLook

log = logging.getLogger(__name__)
AFTER_A_FAULT = 2.0, 20.0  # seconds until a camera that is gone is asked again: first, and at most
_TOLD_AFTER = 4.0  # seconds of trouble before anybody is told of it

_SAYS = {
    "dark": m("It is too dark over the table. With more light the camera goes on by itself."),
    "covered": m("Something is right before the camera. Once it is away, it goes on by itself."),
    "moved": m("The camera sees no board. Turn it to the table; it goes on by itself."),
}


class Trouble:
    """What is wrong with one camera's view, and since when."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._says, self._since = "", 0.0
        self._not_before, self._pause = 0.0, AFTER_A_FAULT[0]

    @property
    def told(self) -> str:
        """What people are told; nothing of what is over in a moment."""
        return "" if self._clock() - self._since < _TOLD_AFTER else self._says

    @property
    def waits(self) -> bool:
        """Return True while a camera that gave no picture is left alone."""
        return self._clock() < self._not_before

    def hear(self, seen: TableLook) -> None:
        """Take in how the table was seen."""
        if seen.table == "silent":
            self.faulty(seen.says)
        else:
            self._is(_SAYS.get(seen.table) or ("" if seen.boards else _SAYS["moved"]))
        self._pause = AFTER_A_FAULT[0]

    def faulty(self, why: str) -> None:
        """The camera, or the reader, is gone: it is asked again soon, then more and more seldom."""
        self._is(m("The camera gives no picture: {why}. It goes on by itself.", why=why))
        self._not_before = self._clock() + self._pause
        self._pause = min(2 * self._pause, AFTER_A_FAULT[1])

    def forget(self) -> None:
        """Nobody watches any more."""
        self._says = ""

    def _is(self, says: str) -> None:
        if says and not self._says:
            log.warning("The camera over the table: %s", says)
            self._since = self._clock()
        self._says = says
