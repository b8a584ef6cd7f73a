"""Made-up boards of segments: cities, routes of segments between them, one or two abreast."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.habits import one_of
from lab.studio.strokes import Points

_SIZES = ((780.0, 520.0), (800.0, 530.0), (594.0, 420.0), (420.0, 297.0), (560.0, 560.0), (700.0, 400.0))
_COARSE = 2.0  # mm: squares in which it is counted what is taken


@dataclass(frozen=True)
class Route:
    """Segments in a row: the corners of each in mm, and the ink (its place in the board's list)."""

    name: str
    quads: Points  # (n, 4, 2)
    ink: int


@dataclass(frozen=True)
class Plan:
    """A board before it is painted; lengths in mm."""

    size: tuple[float, float]
    cities: Points
    routes: tuple[Route, ...]
    segment: tuple[float, float]  # length and width

    @property
    def slots(self) -> dict[str, Points]:
        """The corners of every segment by its name."""
        return {f"{route.name}s{n}": quad for route in self.routes for n, quad in enumerate(route.quads)}

    @property
    def groups(self) -> dict[str, list[str]]:
        """The segments of every route."""
        return {route.name: [f"{route.name}s{n}" for n in range(len(route.quads))] for route in self.routes}


def plan_board(rng: np.random.Generator, inks: int) -> Plan:
    """A board with as many routes as fit, their print in so many colours."""
    size = one_of(rng, _SIZES)
    length = float(rng.uniform(0.024, 0.042)) * max(size)
    segment = (length, length / float(rng.uniform(2.2, 4.4)))
    cities = _cities(rng, size, segment, int(rng.integers(22, 52)))
    taken = _Taken(size)
    routes: list[Route] = []
    for a, b in _links(rng, cities):
        abreast = 2 if rng.random() < 0.3 else 1
        bow = float(rng.normal(0, 0.07))
        for quads in _lanes(rng, (cities[a], cities[b]), segment, abreast, bow):
            if len(quads) and taken.is_free(quads, size):
                ink = int(rng.integers(inks))
                routes.append(Route(f"r{len(routes):03d}", quads, ink))
        taken.take(routes, abreast)
    return Plan(size, cities, tuple(routes), segment)


def _cities(
    rng: np.random.Generator, size: tuple[float, float], segment: tuple[float, float], wanted: int
) -> Points:
    rim = segment[0] * 1.1
    found: list[Points] = []
    apart = 1.6 * segment[0]
    for _ in range(60 * wanted):
        place = rng.uniform((rim, rim), np.array(size) - rim)
        if all(np.hypot(*(place - other)) > apart for other in found):
            found.append(place)
        if len(found) == wanted:
            break
    return np.array(found)


def _links(rng: np.random.Generator, cities: Points) -> list[tuple[int, int]]:
    """Each city with its nearest, the short ones first."""
    away = np.hypot(*(cities[:, None] - cities[None]).transpose(2, 0, 1))
    pairs = {
        (min(a, int(b)), max(a, int(b)))
        for a in range(len(cities))
        for b in np.argsort(away[a])[1 : int(rng.integers(5, 10))]
    }
    return sorted(pairs, key=lambda pair: away[pair])


def _lanes(
    rng: np.random.Generator,
    ends: tuple[Points, Points],
    segment: tuple[float, float],
    abreast: int,
    bow: float,
) -> list[Points]:
    """Routes side by side along a bowed line, each (n, 4, 2); n is what fits between the ends."""
    start, end = ends
    length, width = segment
    whole = float(np.hypot(*(end - start)))
    along = (end - start) / whole
    across = np.array([-along[1], along[0]])
    gap = float(rng.uniform(1.03, 1.14)) * length
    count = int((whole - 0.5 * length) / gap)
    if not 1 <= count <= 8:
        return []
    step = min(gap * 1.15, (whole - 0.3 * length) / count) / whole
    apart = width * float(rng.uniform(1.12, 1.4))
    lanes = []
    for lane in range(abreast):
        aside = (lane - (abreast - 1) / 2) * apart
        quads = []
        for n in range(count):
            t = 0.5 + (n - (count - 1) / 2) * step
            middle = start + along * t * whole + across * (4 * bow * t * (1 - t) * whole)
            heading = along + across * 4 * bow * (1 - 2 * t)
            heading = heading / np.hypot(*heading)
            aslant = np.array([-heading[1], heading[0]])
            middle = middle + aslant * aside
            half, wide = heading * length / 2, aslant * width / 2
            quads.append(
                [middle - half - wide, middle + half - wide, middle + half + wide, middle - half + wide]
            )
        lanes.append(np.array(quads))
    return lanes


class _Taken:
    """Which parts of a board have segments already."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.cells: NDArray[np.uint8] = np.zeros((int(size[1] / _COARSE), int(size[0] / _COARSE)), np.uint8)
        self.known = 0

    def is_free(self, quads: Points, size: tuple[float, float]) -> bool:
        if quads.min() < 2 or (quads.max(axis=(0, 1)) > np.array(size) - 2).any():
            return False
        mask = np.zeros_like(self.cells)
        cv2.fillPoly(mask, list(np.rint(quads / _COARSE).astype(np.int32)), 1)
        return not bool((mask & self.cells).any())

    def take(self, routes: list[Route], abreast: int) -> None:
        for route in routes[self.known :]:
            cv2.fillPoly(self.cells, list(np.rint(route.quads / _COARSE).astype(np.int32)), 1)
        self.known = len(routes)
