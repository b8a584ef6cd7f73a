"""Triangular lattices: every point has six neighbours at the same distance.

A point is a pair of axial coordinates ``(a, b)``, pure numbers that know nothing of paper; a :class:`Lattice`
says where they lie in millimetres. The six steps turn clockwise as one looks at the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from companion.sheets.drawing import Point

Place: TypeAlias = tuple[int, int]
Edge: TypeAlias = tuple[Place, Place]  # the smaller end first, so that an edge has one name only

STEPS: tuple[Place, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_ROW = sqrt(3) / 2  # the height of a triangle with sides of length 1


def neighbours(place: Place) -> tuple[Place, ...]:
    """The six points around a point, clockwise.

    >>> neighbours((0, 0)) == STEPS
    True
    """
    return tuple((place[0] + a, place[1] + b) for a, b in STEPS)


def distance(one: Place, other: Place) -> int:
    """The number of steps from one point to another.

    >>> distance((0, 0), (2, 1)), distance((0, 0), (2, -1))
    (3, 2)
    """
    a, b = other[0] - one[0], other[1] - one[1]
    return max(abs(a), abs(b), abs(a + b))


def are_neighbours(one: Place, other: Place) -> bool:
    """Return True if the two places are one step apart."""
    return distance(one, other) == 1


def edge(one: Place, other: Place) -> Edge:
    """The edge between two neighbours, the same from either end.

    >>> edge((1, 0), (0, 0))
    ((0, 0), (1, 0))
    """
    if not are_neighbours(one, other):
        raise ValueError(f"{one} and {other} are {distance(one, other)} steps apart, so no edge joins them")
    return (one, other) if one < other else (other, one)


def within(centre: Place, radius: int) -> Iterator[Place]:
    """Every point at most ``radius`` steps away, the centre included.

    >>> [len(list(within((5, 5), radius))) for radius in range(3)]
    [1, 7, 19]
    """
    for a in range(-radius, radius + 1):
        for b in range(max(-radius, -a - radius), min(radius, -a + radius) + 1):
            yield centre[0] + a, centre[1] + b


def from_doubled(column: int, row: int) -> Place:
    """The point at a column and a half row of an upright lattice; their sum is always even.

    >>> from_doubled(0, 4), from_doubled(1, 3), from_doubled(2, 0)
    ((0, 2), (1, 1), (2, -1))
    """
    if (column + row) % 2:
        raise ValueError(f"column {column} has no point at half row {row}: their sum must be even")
    return column, (row - column) // 2


def to_doubled(place: Place) -> tuple[int, int]:
    """Column and half row of a point in an upright lattice.

    >>> to_doubled((1, 1))
    (1, 3)
    """
    return place[0], 2 * place[1] + place[0]


@dataclass(frozen=True)
class Lattice:
    """A lattice in mm: neighbours are ``pitch`` apart, and the point (0, 0) lies at ``origin``.

    Rows run across the page; in an ``upright`` lattice columns run down it instead.
    """

    pitch: float
    origin: Point = (0.0, 0.0)
    upright: bool = False

    def at(self, place: Place) -> Point:
        """The position of a point, in mm.

        >>> Lattice(10, (5, 5)).at((1, 0)), Lattice(10, (5, 5), upright=True).at((0, 1))
        ((15.0, 5.0), (5.0, 15.0))
        """
        a, b = place
        across, down = (a * _ROW, b + a / 2) if self.upright else (a + b / 2, b * _ROW)
        return self.origin[0] + across * self.pitch, self.origin[1] + down * self.pitch

    def nearest(self, point: Point) -> Place:
        """The lattice point nearest to a place on the page.

        >>> Lattice(10).nearest((14, 1)), Lattice(10).nearest((16, 1))
        ((1, 0), (2, 0))
        """
        across, down = ((point[i] - self.origin[i]) / self.pitch for i in (0, 1))
        a, b = (
            (across / _ROW, down - across / _ROW / 2)
            if self.upright
            else (across - down / _ROW / 2, down / _ROW)
        )
        # The nearest point: the coordinate that was rounded most follows from the two others
        c = -a - b
        near_a, near_b, near_c = round(a), round(b), round(c)
        off_a, off_b, off_c = abs(near_a - a), abs(near_b - b), abs(near_c - c)
        if off_a > off_b and off_a > off_c:
            return -near_b - near_c, near_b
        if off_b > off_c:
            return near_a, -near_a - near_c
        return near_a, near_b
