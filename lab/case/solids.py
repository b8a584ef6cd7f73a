"""Solids of boxes, added and taken away, on a grid that has lines only where something begins or ends.

The surface between full and empty cells is closed by construction: every edge belongs to two triangles, which
is all that a slicer wants. Round holes are made of strips.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

STRIP = 0.8  # mm: a round hole is that coarse
Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]


@dataclass(frozen=True)
class Box:
    """From one corner to the other, in mm."""

    low: Point
    high: Point


@dataclass
class Solid:
    """What was added and taken away, in order: the last one counts."""

    steps: list[tuple[Box, bool]] = field(default_factory=list)

    def add(self, low: Point, high: Point) -> None:
        """A box of material."""
        self.steps.append((Box(low, high), True))

    def cut(self, low: Point, high: Point) -> None:
        """A box of air."""
        self.steps.append((Box(low, high), False))

    def cut_round(self, centre: tuple[float, float], width: float, low: float, high: float) -> None:
        """A round hole upwards through everything between two heights, in strips across."""
        (x, y), radius = centre, width / 2
        count = max(3, math.ceil(width / STRIP))
        for number in range(count):
            bottom = -radius + width * number / count
            top = -radius + width * (number + 1) / count
            middle = (bottom + top) / 2
            half = math.sqrt(max(0.0, radius**2 - middle**2))
            self.cut((x - half, y + bottom, low), (x + half, y + top, high))

    def grid(self) -> Grid:
        """The solid as cells of a grid whose lines are the faces of all boxes."""
        lines = [self._lines(axis) for axis in range(3)]
        full = np.zeros([len(one) - 1 for one in lines], np.bool_)
        for box, material in self.steps:
            spans = [
                slice(
                    int(np.searchsorted(one, round(box.low[axis], 3))),
                    int(np.searchsorted(one, round(box.high[axis], 3))),
                )
                for axis, one in enumerate(lines)
            ]
            full[spans[0], spans[1], spans[2]] = material
        return Grid(lines, full)

    def _lines(self, axis: int) -> NDArray[np.float64]:
        places = {round(box.low[axis], 3) for box, _ in self.steps}
        return np.array(sorted(places | {round(box.high[axis], 3) for box, _ in self.steps}))


@dataclass(frozen=True)
class Grid:
    """Full and empty cells between the lines of three axes."""

    lines: list[NDArray[np.float64]]
    full: NDArray[np.bool_]

    @property
    def volume(self) -> float:
        """The volume in cubic millimetres."""
        x, y, z = (np.diff(one) for one in self.lines)
        return float(np.einsum("ijk,i,j,k", self.full, x, y, z))

    @property
    def size(self) -> Point:
        """Of the box around it."""
        others = ((1, 2), (0, 2), (0, 1))
        spans = [np.flatnonzero(self.full.any(axis=two)) for two in others]
        pairs = zip(self.lines, spans, strict=True)
        x, y, z = (float(one[span[-1] + 1] - one[span[0]]) for one, span in pairs)
        return x, y, z

    def at(self, place: Point) -> bool:
        """True if there is material at this place."""
        pairs = zip(self.lines, place, strict=True)
        cell = [int(np.searchsorted(one, value, side="right")) - 1 for one, value in pairs]
        inside = all(0 <= index < size for index, size in zip(cell, self.full.shape, strict=True))
        return inside and bool(self.full[cell[0], cell[1], cell[2]])

    def triangles(self) -> Iterator[Triangle]:
        """Its surface; corners run anticlockwise seen from outside."""
        padded = np.pad(self.full, 1)
        for axis in range(3):
            first, second = (axis + 1) % 3, (axis + 2) % 3
            change = np.diff(padded.astype(np.int8), axis=axis)
            for cell in np.argwhere(change):
                index = [int(value) - 1 for value in cell]
                index[axis] += 1
                around = ((0, 0), (1, 0), (1, 1), (0, 1))
                corners = [self._corner(index, {first: a, second: b}) for a, b in around]
                if change[tuple(cell)] > 0:  # material begins here: the outside is below
                    corners.reverse()
                yield corners[0], corners[1], corners[2]
                yield corners[0], corners[2], corners[3]

    def _corner(self, index: list[int], steps: dict[int, int]) -> Point:
        x, y, z = (float(self.lines[axis][index[axis] + steps.get(axis, 0)]) for axis in range(3))
        return x, y, z


def stl_of(grid: Grid, name: str) -> bytes:
    """As a binary STL file."""
    triangles = list(grid.triangles())
    made = [name.encode()[:80].ljust(80), struct.pack("<I", len(triangles))]
    for one in triangles:
        a, b, c = (np.array(corner) for corner in one)
        normal = np.cross(b - a, c - a)
        normal = normal / np.linalg.norm(normal)
        made.append(struct.pack("<12fH", *normal, *one[0], *one[1], *one[2], 0))
    return b"".join(made)
