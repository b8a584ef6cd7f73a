"""The line of stops: what a throw offers, and what a line is worth."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby

STOPS = 12
ROUNDS = 8
DICE = ("die", "die")
FACES = tuple(str(number) for number in range(1, 7))


def offered(dice: Collection[int], served: Collection[int]) -> tuple[int, ...]:
    """The stops that these dice allow somebody to serve who has served those.

    >>> offered((3, 6), (3,))
    (6, 9)
    """
    return tuple(stop for stop in sorted({*dice, sum(dice)}) if dice and stop not in served)


def runs(served: Iterable[int]) -> list[tuple[int, ...]]:
    """The runs of neighbouring stops, from the first to the last.

    >>> runs([9, 4, 3, 5])
    [(3, 4, 5), (9,)]
    """
    numbered = enumerate(sorted(served))
    return [tuple(stop for _, stop in run) for _, run in groupby(numbered, lambda one: one[1] - one[0])]


def worth(served: Iterable[int]) -> int:
    """The points of a line: every run counts its length times itself."""
    return sum(len(run) ** 2 for run in runs(served))


def lines(served: Iterable[int]) -> list[str]:
    """The same, explained."""
    return [f"{_named(run)}: {len(run)} x {len(run)} = {len(run) ** 2}" for run in runs(served)]


def _named(run: tuple[int, ...]) -> str:
    return f"Stop {run[0]}" if len(run) == 1 else f"Stops {run[0]} to {run[-1]}"
