"""What modules with switched faults ask and write, in whatever process they run."""

from __future__ import annotations

import os

# Variables of the environment, for all processes: where marks are written, which test runs, what is on.
FILE, TEST, FAULT = "STATIONMASTER_MARKS", "STATIONMASTER_TEST", "STATIONMASTER_FAULT"
# Opened at once: a reader's process may open no file later on.
_opened = (
    os.open(os.environ[FILE], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644) if FILE in os.environ else -1
)
_noted: set[tuple[str, int]] = set()
_on = int(os.environ.get(FAULT, "-1"))


def switch_on(number: int) -> None:
    """From now on this fault is there, in this process and in those it starts."""
    global _on  # noqa: PLW0603
    _on = number
    os.environ[FAULT] = str(number)


def fault_is_on(number: int) -> bool:
    """Note once a test that the place of this fault was reached; is the fault there?"""
    if _opened >= 0:
        one = os.environ.get(TEST, ""), number
        if one not in _noted:
            _noted.add(one)
            os.write(_opened, f"{number}\t{one[0]}\n".encode())
    return number == _on
