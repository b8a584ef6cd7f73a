"""What a match's drawings cost by seat, as far as the coach has thought about its rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot

from companion.table.coaching import Priced


@dataclass(frozen=True)
class SeatCost:
    """Points that a seat's drawings cost, with their standard error, and the round that cost most."""

    seat: int
    cost: float
    error: float
    dearest: int


def seat_costs(priced: Iterable[Priced], seats: Iterable[int], rounds: int) -> list[SeatCost]:
    """The costs of the seats of which every round of the match is known."""
    by_seat: dict[int, list[Priced]] = {seat: [] for seat in seats}
    for one in priced:
        by_seat[one.seat].append(one)
    return [_seat_cost(seat, own) for seat, own in by_seat.items() if len(own) == rounds > 0]


def _seat_cost(seat: int, own: list[Priced]) -> SeatCost:
    told = [one.told for one in own]
    dearest = max(told, key=lambda one: float(one["cost"]))
    cost, error = sum(one["cost"] for one in told), hypot(*(one["error"] for one in told))
    return SeatCost(seat, cost, error, dearest["round"])
