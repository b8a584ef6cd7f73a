"""Both columns of stations at once: each company has one card in either of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import log

from companion.games.derailed.rules.rulebook import COMPANIES

Column = Sequence[Mapping[str, float]]
_LEAST = 1e-6


def likeliest_columns(starts: Column, destinations: Column) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The companies of both columns that the pictures of their cards show best, as a table can have them.

    >>> likeliest_columns([{"A": 0.9, "B": 0.1}, {"B": 0.6, "A": 0.4}], [{"B": 1.0}, {"B": 0.5, "A": 0.4}])
    (('A', 'B'), ('B', 'A'))
    """
    best: tuple[float, tuple[str, ...], tuple[str, ...]] | None = None
    for letters in combinations(COMPANIES, len(starts)):
        first, last = _assigned(starts, letters), _assigned(destinations, letters)
        cost = first[0] + last[0]
        if best is None or cost < best[0]:
            best = cost, first[1], last[1]
    assert best is not None
    return best[1], best[2]


def _assigned(column: Column, letters: tuple[str, ...]) -> tuple[float, tuple[str, ...]]:
    """The order of these companies that costs least, lane by lane over all sets of companies used so far."""
    ways: dict[int, tuple[float, tuple[str, ...]]] = {0: (0.0, ())}
    for shares in column:
        after: dict[int, tuple[float, tuple[str, ...]]] = {}
        for used, (cost, order) in ways.items():
            for n, letter in enumerate(letters):
                taken = used | 1 << n
                if taken == used:
                    continue
                total = cost - log(max(shares.get(letter, 0.0), _LEAST))
                if taken not in after or total < after[taken][0]:
                    after[taken] = total, (*order, letter)
        ways = after
    return ways[(1 << len(letters)) - 1]
