"""Stands in for MicroPython's `machine` where there is no board; works under CPython and MicroPython alike.

The button of GP15 is pressed while the file named by the environment variable ROLLER_BUTTON exists.
"""

import os


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int, mode: int = OUT, pull: int | None = None) -> None:
        self.number = number

    def value(self) -> int:
        """High unless the button pulls it to ground."""
        try:
            os.stat(os.getenv("ROLLER_BUTTON", ""))  # noqa: PTH116 - MicroPython has no pathlib
        except OSError:
            return 1
        return 0


class WDT:
    def __init__(self, timeout: int) -> None:
        self.timeout = timeout

    def feed(self) -> None:
        """Nothing bites here."""


def unique_id() -> bytes:
    return b"\xe6\x61\x4c\x31\x1b\x7e\x2c\x2f"
