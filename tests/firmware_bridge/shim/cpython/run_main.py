"""Runs the roller's main.py under CPython: adds the ticks of MicroPython's `time` and unbuffered bytes."""

import io
import runpy
import sys
import time


def ticks_ms() -> int:
    """MicroPython's counter wraps at 2**30."""
    return time.monotonic_ns() // 1_000_000 % 2**30


def ticks_diff(end: int, start: int) -> int:
    """The way from start to end, also past the wrap."""
    return (end - start + 2**29) % 2**30 - 2**29


def prepare() -> None:
    """What CPython lacks. A buffered input would swallow bytes that poll() is asked about."""
    time.ticks_ms = ticks_ms  # type: ignore[attr-defined]
    time.ticks_diff = ticks_diff  # type: ignore[attr-defined]
    sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False))
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False))


if __name__ == "__main__":
    prepare()
    runpy.run_path(sys.argv[1], run_name="__main__")
