"""Waiting for another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

WAIT = 20.0


def until(true: Callable[[], bool]) -> None:
    """Until it is so; an error when it never happens."""
    pause = threading.Event()
    for _ in range(int(WAIT * 50)):
        if true():
            return
        pause.wait(0.02)
    raise AssertionError("it never happened")
