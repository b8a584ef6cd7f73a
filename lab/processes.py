"""What Linux tells of processes that are measured: their children, and their memory."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """The processes that this one started; none of one that has just ended."""
    found: list[int] = []
    for place in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, place.read_text().split())
    return found


def kilobytes(pid: int, what: str = "VmRSS") -> int:
    """A figure of the process's status in kB: what it has in memory, and what it shares counts in each."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1])
