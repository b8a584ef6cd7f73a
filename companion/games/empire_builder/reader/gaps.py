"""Uses connectivity: bridges gaps in lines, and doubts lines that are connected to nothing.

Wax that was drawn lightly is broken by the grain of the sheet, and an edge of a long line may look almost
empty. From every end of a line the likeliest way to more track of the same crayon is looked for (Dijkstra);
a way that was hardly seen becomes doubtful, one that was seen somewhat becomes a line.

Track begins in a major city and is joined to track of its own. An edge or two by themselves are likelier what
was rubbed out, a thing that lies there, or a slip of the crayon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from heapq import heappop, heappush
from itertools import count
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.reader.places import EdgePlaces
from companion.games.empire_builder.rules.boards.board import Board

Marks = NDArray[np.float64]  # probabilities of nothing and of every crayon
_A_LINE = 0.5
_TO_AN_END, _TO_A_LINE = 3.0, 2.0  # nats for a way that joins an end to another end, to the middle of a line
_WORTH_TELLING = 0.1  # probability of a way
_MOST_NATS = _TO_AN_END + log((1 - _WORTH_TELLING) / _WORTH_TELLING)
_ALONE = {1: 5.0, 2: 3.0}  # nats against so many edges that are joined to nothing


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
    """The most probable path from a line's end to another line, and its probability."""
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
    """Return True if two mileposts are already joined by two sides of a triangle: nobody builds the third."""
    on = places.on
    near = [
        {there for there, edge in on.ways[end] if places.numbers.get(edge) in lines} for end in (one, other)
    ]
    return bool(near[0] & near[1])


def _likelier(marks: Marks, crayon: int, p: float) -> Marks:
    """Raise the probability of a crayon to at least this value."""
    if marks[crayon] >= p:
        return marks
    likelier = marks * (1 - p) / max(1 - float(marks[crayon]), 1e-9)
    likelier[crayon] = p
    return np.asarray(likelier, np.float64)


def loose_doubted(
    found: Mapping[int, Marks], places: EdgePlaces, unseen: Collection[int]
) -> dict[int, Marks]:
    """Lower the probability of lines that touch no other line, no major city and nothing unseen."""
    marks = dict(found)
    crayons = len(next(iter(found.values()))) - 1 if found else 0
    majors, on = set(places.on.major_mileposts), places.on
    dark = {end for n in unseen for end in places.ends[n].tolist()}
    for crayon in range(1, crayons + 1):
        left = {int(places.edges[n]) for n, own in found.items() if own[crayon] > _A_LINE and n not in unseen}
        while left:
            piece, ends = _joined_to(on, min(left), left)
            left -= piece
            against = _ALONE.get(len(piece))
            if against is not None and not ends & majors and not ends & dark:
                for edge in piece:
                    n = places.numbers[edge]
                    marks[n] = _less_likely(marks[n], against)
    return marks


def _joined_to(on: Board, first: int, edges: Collection[int]) -> tuple[set[int], set[int]]:
    """The edges connected with the first one, and their mileposts."""
    piece, ends, waiting = {first}, set(on.edges[first]), list(on.edges[first])
    while waiting:
        for there, edge in on.ways[waiting.pop()]:
            if edge in edges and edge not in piece:
                piece.add(edge)
                if there not in ends:
                    ends.add(there)
                    waiting.append(there)
    return piece, ends


def _less_likely(marks: Marks, nats: float) -> Marks:
    """Lower the odds of any line."""
    weighed = marks.copy()
    weighed[1:] *= exp(-nats)
    return np.asarray(weighed / weighed.sum(), np.float64)
