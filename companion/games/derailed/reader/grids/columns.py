"""Assigns companies to both columns of stations jointly: each company has one card in either column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.rules.rulebook import COMPANIES

_C = CONSTANTS.columns

Column = Sequence[Mapping[str, float]]
_HUES = "ABCDEF"  # companies along the colour circle, from red on


def likeliest_columns(
    starts: Column, destinations: Column, companies: Collection[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The most probable assignment of companies to both columns, each company once in either.

    ``companies``: those that play, as many as there are lanes, if that is known.

    >>> likeliest_columns([{"A": 0.9, "B": 0.1}, {"B": 0.6, "A": 0.4}], [{"B": 1.0}, {"B": 0.5, "A": 0.4}])
    (('A', 'B'), ('B', 'A'))
    """
    first, last = _cheapest_orders(starts), _cheapest_orders(destinations)
    played = sum(1 << _LETTERS.index(letter) for letter in companies)
    if len(companies) != len(starts):
        played = int((first.costs + last.costs).argmin())
    return first.order_of(played), last.order_of(played)


# Sets of companies are the bits of a number. By set and company: is it in the set, and the set without it.
_SETS = np.arange(1 << len(COMPANIES))
_BITS = 1 << np.arange(len(COMPANIES))
_WITHIN = (_SETS[:, None] & _BITS) > 0
_WITHOUT = _SETS[:, None] & ~_BITS
_LETTERS = tuple(COMPANIES)


@dataclass(frozen=True, eq=False)
class _Orders:
    """The cost of the cheapest order for every set of companies, and the last company, by lane and set."""

    costs: NDArray[np.float64]
    last: list[NDArray[np.int64]]

    def order_of(self, companies: int) -> tuple[str, ...]:
        """Backtrack the cheapest order of a set."""
        order: list[str] = []
        for last in reversed(self.last):
            order.insert(0, _LETTERS[last[companies]])
            companies = int(_WITHOUT[companies, last[companies]])
        return tuple(order)


def _cheapest_orders(column: Column) -> _Orders:
    """Dynamic programming, lane by lane over all sets of companies used so far."""
    costs = np.where(_SETS == 0, 0.0, np.inf)
    last = []
    for shares in column:
        own = np.array([-log(max(shares.get(letter, 0.0), _C.least)) for letter in _LETTERS])
        ways = np.where(_WITHIN, costs[_WITHOUT] + own, np.inf)
        last.append(ways.argmin(axis=1))
        costs = ways.min(axis=1)
    return _Orders(costs, last)


def compared(
    columns: tuple[tuple[str, ...], tuple[str, ...]],
    shares: tuple[Column, Column],
    colours: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Refine the columns by comparing the stations' colours (hill climbing, exchanging two companies a step).

    Printers, pens and lamps shift colours, but both cards of a company are alike, and orange is redder than
    yellow in any light. ``colours``: of every station of either column, as a and b of CIELAB.
    """
    best = list(map(list, columns))
    cost = _compared_cost(best, shares, colours)
    for _ in range(len(columns[0])):
        tried = [(_compared_cost(other, shares, colours), other) for other in _exchanged(best)]
        cheapest, other = min(tried, key=lambda one: one[0])
        if cheapest >= cost - 1e-9:
            break
        cost, best = cheapest, other
    return tuple(best[0]), tuple(best[1])


def _exchanged(columns: list[list[str]]) -> list[list[list[str]]]:
    """Yield both columns with two companies exchanged in one of them, or in both."""
    ways = []
    for one, other in combinations(columns[0], 2):
        swap = {one: other, other: one}
        for sides in ((0,), (1,), (0, 1)):
            ways.append(
                [
                    [swap.get(letter, letter) for letter in column] if n in sides else column
                    for n, column in enumerate(columns)
                ]
            )
    return ways


def _compared_cost(
    columns: list[list[str]],
    shares: tuple[Column, Column],
    colours: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> float:
    cost = 0.0
    shown: dict[str, NDArray[np.float64]] = {}
    for column, own in zip(columns, shares, strict=True):
        cost -= sum(
            log(max(share.get(letter, 0.0), _C.compared_least))
            for letter, share in zip(column, own, strict=True)
        )
    for lane, letter in enumerate(columns[0]):
        first, last = colours[0][lane], colours[1][columns[1].index(letter)]
        cost += min(float(((first - last) ** 2).sum()) / (2 * _C.colour_noise**2), _C.most_unlike)
        shown[letter] = (first + last) / 2
    for one, other in pairwise(letter for letter in _HUES if letter in shown):
        if _HUES.index(other) - _HUES.index(one) == 1:
            (a, b), (c, d) = shown[one], shown[other]
            cost += _C.wrong_order if np.arctan2(a * d - b * c, a * c + b * d) < -_C.same_hue else 0.0
    return cost
