"""What the reading benches of all games share: tables of shares, memory, whose networks they are about."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

import cv2

from vision.nets import try_networks

S = TypeVar("S")  # how well one picture was read
Shares: TypeAlias = Mapping[str, Callable[[Sequence[S]], tuple[int, int]]]  # by heading: how many of how many


def tell(line: str) -> None:
    """One line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def tell_shares(
    title: str, counted: str, shares: Shares[S], scores: Sequence[S], key: Callable[[S], str]
) -> None:
    """A Markdown table with a row for each ``key``: how many (of ``counted``), and every share."""
    heads = [title, counted, *shares]
    tell(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for name in sorted({key(score) for score in scores}):
        row = [score for score in scores if key(score) == name]
        parts = [_percent(*share(row)) for share in shares.values()]
        tell(f"| {name} | {len(row)} | {' | '.join(parts)} |")


def _percent(part: int, whole: int) -> str:
    """A share.

    >>> _percent(2, 3), _percent(0, 0)
    ('66.67 %', '-')
    """
    return f"{100 * part / whole:.2f} %" if whole else "-"


def most_memory() -> float:
    """The most that this process has held, in MB; what it was started from does not count."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def start_worker(networks: Path | None) -> None:
    """In a process that reads: one thread, and the networks of another folder if there is one to compare."""
    cv2.setNumThreads(1)
    if networks is not None:
        try_networks(networks)
