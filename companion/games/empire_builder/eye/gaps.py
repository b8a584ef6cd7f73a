"""Lines that break off and go on: faint edges between two ends of one crayon's track.

Wax that was drawn lightly is broken by the grain of the sheet, and an edge of a long line may look almost
empty. From every end of a line the likeliest way to more track of the same crayon is looked for (Dijkstra);
a way that was hardly seen becomes doubtful, one that was seen somewhat becomes a line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from heapq import heappop, heappush
from itertools import count
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.eye.places import EdgePlaces

Marks = NDArray[np.float64]  # probabilities of nothing and of every crayon
_A_LINE = 0.5
_TO_AN_END, _TO_A_LINE = 4.0, 2.0  # nats for a way that joins an end to another end, to the middle of a line
_WORTH_TELLING = 0.1  # probability of a way
_MOST_NATS = _TO_AN_END + log((1 - _WORTH_TELLING) / _WORTH_TELLING)


def bridged(found: Mapping[int, Marks], places: EdgePlaces, unseen: Collection[int]) -> dict[int, Marks]:
    """The marks by edge (places in the arrays) with gaps made likelier; ``unseen`` edges stay as they are."""
    marks = dict(found)
    crayons = len(next(iter(found.values()))) - 1 if found else 0
    for crayon in range(1, crayons + 1):
        lines = {n for n, own in found.items() if own[crayon] > _A_LINE and n not in unseen}
        degrees = Counter(post for n in lines for post in places.ends[n].tolist())
        for start in [post for post, degree in degrees.items() if degree == 1]:
            way, p = _way_on(start, found, crayon, places, lines.union(unseen), degrees)
            for n in way if p > _WORTH_TELLING else ():
                marks[n] = _likelier(marks[n], crayon, p)
    return marks


def _way_on(
    start: int,
    found: Mapping[int, Marks],
    crayon: int,
    places: EdgePlaces,
    closed: Collection[int],
    degrees: Mapping[int, int],
) -> tuple[list[int], float]:
    """The likeliest way from the end of a line to more of it, and how probable it is."""
    order = count()
    waiting: list[tuple[float, int, int, list[int]]] = [(0.0, next(order), start, [])]
    cost = {start: 0.0}
    while waiting:
        here_cost, _, here, way = heappop(waiting)
        if degrees.get(here) and here != start:
            reward = _TO_AN_END if degrees[here] == 1 else _TO_A_LINE
            return way, 1 / (1 + exp(here_cost - reward))
        for there, edge in places.on.ways[here]:
            n = places.numbers.get(edge)
            if n is None or n not in found or n in closed:
                continue
            after = here_cost + _nats_against(float(found[n][crayon]))
            if after >= min(cost.get(there, np.inf), _MOST_NATS):
                continue
            if here != start or not _cuts_a_corner(start, there, places, closed):
                cost[there] = after
                heappush(waiting, (after, next(order), there, [*way, n]))
    return [], 0.0


def _nats_against(p: float) -> float:
    p = min(max(p, 1e-9), 1 - 1e-9)
    return max(0.0, log((1 - p) / p))


def _cuts_a_corner(one: int, other: int, places: EdgePlaces, lines: Collection[int]) -> bool:
    """Are both joined already by two edges of a triangle? Nobody builds the third."""
    on = places.on
    near = [
        {there for there, edge in on.ways[end] if places.numbers.get(edge) in lines} for end in (one, other)
    ]
    return bool(near[0] & near[1])


def _likelier(marks: Marks, crayon: int, p: float) -> Marks:
    """With at least that probability of a crayon."""
    if marks[crayon] >= p:
        return marks
    likelier = marks * (1 - p) / max(1 - float(marks[crayon]), 1e-9)
    likelier[crayon] = p
    return np.asarray(likelier, np.float64)
