"""What a match owed to its dice and to its drawings, as far as the coach has thought about its rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from companion.table.coaching import Priced


@dataclass(frozen=True)
class Fortune:
    """One seat's: points that the dice brought beyond what could be expected, and points that drawings cost.

    The first round's dice are left out: before it there is nothing to expect.
    """

    seat: int
    luck: float
    cost: float
    error: float  # the standard error of the cost
    dearest: int  # the round that cost most


def fortunes(priced: Iterable[Priced], seats: Iterable[int], rounds: int) -> list[Fortune]:
    """The fortunes of the seats of which every round of the match is known."""
    by_seat: dict[int, list[Priced]] = {seat: [] for seat in seats}
    for one in priced:
        by_seat[one.seat].append(one)
    return [_fortune(seat, own) for seat, own in by_seat.items() if len(own) == rounds > 0]


def _fortune(seat: int, own: list[Priced]) -> Fortune:
    told = [one.told for one in sorted(own, key=lambda one: int(one.told["round"]))]
    luck = sum(after["worth"] - (before["worth"] - before["cost"]) for before, after in pairwise(told))
    dearest = max(told, key=lambda one: float(one["cost"]))
    return Fortune(
        seat,
        luck,
        sum(one["cost"] for one in told),
        hypot(*(one["error"] for one in told)),
        dearest["round"],
    )
