"""A camera on a stand that watches by itself: what was drawn is read once hands are away."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.service.periodic import Periodic
from companion.table.exc import TableError

log = logging.getLogger(__name__)
LOOKS_EVERY = 3.0
AFTER_A_FAULT = 60.0  # seconds: a camera that is gone is not asked all the time


class TableWatch(Periodic):
    """Looks while somebody wants it to; ``look_once`` says whether something new was entered."""

    def __init__(
        self,
        look_once: Callable[[], bool],
        stopping: threading.Event,
        *,
        entered: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("table-watch", LOOKS_EVERY, stopping)
        self._look_once = look_once
        self._entered = entered
        self._clock = clock
        self._not_before = 0.0

    def look(self) -> bool:
        """Look once; after a camera fault, or with a busy reader, pause for a while."""
        if self._clock() < self._not_before:
            return False
        try:
            new = self._look_once()
        except TableError as problem:
            log.warning("The camera that watches the table: %s", problem.message)
            self._not_before = self._clock() + AFTER_A_FAULT
            return False
        if new:
            self._entered()
        return new
