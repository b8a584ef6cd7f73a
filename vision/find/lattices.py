"""Where a square lattice with a ring of signs around it may lie: roughly, at every size and in every place.

No line is followed. In a view from above, turned so that lines are level and upright, a lattice of every size
is laid everywhere: along the sides of its cells there must be edges, and beside them none; outside it, the
places of the ring must have more edges than those between them. All of it is sums of shifted pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.directions import Directions, directions_in, mapped, turned_back
from vision.register.rectify import Image, Matrix, Places

Map = NDArray[np.float32]

_FINE_CELL = 12.0  # pixels of a cell, at least, where edges are looked for
_CELL, _STRIDE = 8, 2  # pixels of a cell where lattices are laid, and from one place to the next
_SMALLEST, _LARGER = 15.0, 1.07  # pixels of a cell in the picture: the smallest, and by what factor they grow
_TURNS = ((0, 6), (6, 12))  # directions looked at, and those if nothing was found in these
_MOST_PIXELS = 1.0e6  # of a view from above
_AROUND = 0.12  # of the picture's longer side: how far beyond its lines something may reach
_LEAST_EDGE = 2.0  # code values: weaker edges are noise
_OF_AROUND, _SURROUNDINGS = 1.2, 41  # an edge counts fully if so much stronger than most around, in pixels
_FULL = 255.0  # a full edge where maps are kept in bytes
_WEAK = 0.35  # of a full edge: less is none
_UPRIGHT = 2.0  # times as much change across as along
_BESIDE = 3  # pixels outside the lattice where signs of the ring are
_ENOUGH = 0.85  # share of edges around a place of the ring: more says nothing more
_OFF = (-3, -2, 2, 3)  # pixels from a cell's side to what is beside it
_SEEN = 0.15  # contrast of a cell's side to what is beside it: more says nothing more
_NOISE = 0.003  # variance of the places of a ring
_LEAST_RING, _RING_WEIGHT, _LINES_WEIGHT = 0.3, 3.0, 4.0
_KEPT_OF_SIZE = 8
_OTHER, _OF_OTHERS = 5, 0.3
_ALIKE = 0.45  # of a cell: candidates so near are one


@dataclass(frozen=True)
class Ring:
    """A lattice of ``side`` times ``side`` cells with signs outside, beside some cells of every side.

    ``places``: beside which cells of each side, counted from 0; symmetrical, so that they are the same
    however it is turned.
    """

    side: int
    places: tuple[int, ...]

    @property
    def corners(self) -> Places:
        """The corners in cells, clockwise from the top left."""
        end = float(self.side)
        return np.array([[0.0, 0.0], [end, 0.0], [end, end], [0.0, end]])

    @property
    def others(self) -> tuple[int, ...]:
        """The cells of each side without a sign."""
        return tuple(place for place in range(self.side) if place not in self.places)


@dataclass(frozen=True)
class Candidate:
    """A homography from cells to pixels, and how well a lattice fits there."""

    score: float
    homography: Matrix


def candidates(grey: Image, ring: Ring) -> Iterator[list[Candidate]]:
    """Where lattices may lie, the likeliest first: in the most frequent directions, then in others."""
    seen = directions_in(grey)
    if seen is None:
        return
    for first, last in _TURNS:
        kept = [one for turn in seen.turns[first:last] for one in _of_turn(grey, seen, turn, ring)]
        yield sorted(kept, key=lambda one: -one.score)


def _of_turn(grey: Image, seen: Directions, turn: tuple[float, Places], ring: Ring) -> list[Candidate]:
    """The candidates of one direction, the likeliest first, none twice."""
    found = sorted(_in_view(grey, seen, turn, ring), key=lambda one: -one.score)
    kept: list[Candidate] = []
    corners = np.full((len(found), 4, 2), np.inf)
    for one in found:
        here = mapped(one.homography, ring.corners)
        cell = float(np.hypot(*(here[1] - here[0]))) / ring.side
        away = np.hypot(*(corners[: len(kept)] - here).transpose(2, 0, 1)).max(axis=1)
        if (away > _ALIKE * cell).all():
            corners[len(kept)] = here
            kept.append(one)
    return kept


# --- one view ---


def _in_view(grey: Image, seen: Directions, turn: tuple[float, Places], ring: Ring) -> Iterator[Candidate]:
    """The candidates of all sizes in a view from above in which lines of a direction are level."""
    view, size = _view(seen, turn, (grey.shape[1], grey.shape[0]))
    if min(size) < ring.side * _SMALLEST:
        return
    straight = np.asarray(cv2.warpPerspective(grey, view, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    inside = cv2.erode(cv2.warpPerspective(np.ones_like(grey), view, size), np.ones((5, 5)))
    straight = np.where(inside > 0, straight, np.uint8(np.median(straight)))
    levels, octaves = [straight], list[Image]()
    back, cell = np.linalg.inv(view), _SMALLEST
    while ring.side * cell < min(max(size), 1.1 * min(size)):
        # Edges are looked for where a cell has few pixels: noise and grain are none there.
        octave = max(0, int(np.log2(cell / _FINE_CELL)))
        while len(octaves) <= octave:
            masked = cv2.resize(inside, levels[-1].shape[::-1], interpolation=cv2.INTER_NEAREST)
            whole = cv2.merge([cv2.convertScaleAbs(one * masked, alpha=_FULL) for one in edges(levels[-1])])
            octaves.append(np.asarray(whole, np.uint8))
            rows, columns = levels[-1].shape[:2]
            halved = (max(1, columns // 2), max(1, rows // 2))
            levels.append(np.asarray(cv2.resize(levels[-1], halved, interpolation=cv2.INTER_AREA), np.uint8))
        share = _CELL / cell
        small = (max(1, round(size[0] * share)), max(1, round(size[1] * share)))
        reduced = cv2.resize(octaves[octave], small, interpolation=cv2.INTER_AREA)
        maps = [np.asarray(one, np.float32) / np.float32(_FULL) for one in cv2.split(reduced)]
        for score, place in _best_places(maps, ring):
            x, y = (place + 0.5) * size / np.array(small)
            laid = np.array([[cell, 0, x], [0, cell, y], [0, 0, 1.0]])
            yield Candidate(score, np.asarray(back @ laid, np.float64))
        cell *= _LARGER


def _view(
    seen: Directions, turn: tuple[float, Places], size: tuple[int, int]
) -> tuple[Matrix, tuple[int, int]]:
    """The homography to a view of what lies turned like this, and its size."""
    degrees, (low, high) = turn
    above = turned_back(degrees) @ seen.plane
    picture = mapped(above, np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float64))
    low = np.maximum(low - _AROUND * max(size), picture.min(axis=0))
    high = np.minimum(high + _AROUND * max(size), picture.max(axis=0))
    wide, tall = np.maximum(high - low, 1.0)
    share = min(1.0, (_MOST_PIXELS / (wide * tall)) ** 0.5)
    to_view = np.array([[share, 0, -share * low[0]], [0, share, -share * low[1]], [0, 0, 1]])
    return to_view @ above, (int(wide * share) + 1, int(tall * share) + 1)


def edges(grey: Image, around: int = _SURROUNDINGS) -> tuple[Map, Map, Map]:
    """How much of an edge is where, 0 to 1, beside what is around it: any, upright ones, level ones."""
    values = grey.astype(np.float32)
    across, down = cv2.Scharr(values, cv2.CV_32F, 1, 0) / 16, cv2.Scharr(values, cv2.CV_32F, 0, 1) / 16
    steep = cv2.magnitude(across, down)
    usual = cv2.blur(steep, (around, around))
    share = np.minimum(steep / (_OF_AROUND * usual + _LEAST_EDGE), 1)
    share[share < _WEAK] = 0
    across, down = np.abs(across), np.abs(down)
    upright = np.where(across > _UPRIGHT * down, share, np.float32(0))
    level = np.where(down > _UPRIGHT * across, share, np.float32(0))
    return share.astype(np.float32), upright.astype(np.float32), level.astype(np.float32)


def share_above(one: NDArray[Any], other: NDArray[Any]) -> float:
    """How often a value of the one is above a value of the other; equal ones count half (AUC)."""
    difference = one[:, None] - other
    return float((difference > 0).mean() + 0.5 * (difference == 0).mean())


# --- one size ---


def _best_places(maps: Sequence[Map], ring: Ring) -> list[tuple[float, NDArray[np.float64]]]:
    """The best places, (x, y) in pixels of the maps, for the lattice's top left corner."""
    whole = (ring.side + 2) * _CELL
    any_, upright, level = (np.pad(one, _CELL) for one in maps)
    rows, columns = ((length - whole) // _STRIDE for length in any_.shape)
    if min(rows, columns) < 1:
        return []
    around = np.minimum(cv2.blur(any_, (5, 5)), _ENOUGH)
    rings = _rings(around, ring, (rows, columns))
    lines = _lines(upright, ring.side, (rows, columns))
    lines += _lines(level.T, ring.side, (columns, rows)).T
    lines /= 2 * ring.side * (ring.side + 1)
    score = np.clip(rings, -1, _RING_WEIGHT) + _LINES_WEIGHT * np.clip(lines, 0, 0.5)
    highest = (score >= cv2.dilate(score, np.ones((5, 5)))) & (rings > _LEAST_RING)
    down, across = np.nonzero(highest)
    best = np.argsort(-score[down, across])[:_KEPT_OF_SIZE]
    places = np.stack([across[best], down[best]], axis=1).astype(np.float64) * _STRIDE
    told = score[down[best], across[best]]
    # Where many places of a size fit alike, none of them says much.
    others = _OF_OTHERS * told[min(_OTHER, len(told) - 1)] if len(told) else 0.0
    return [(float(fit - others), place) for fit, place in zip(told, places, strict=True)]


def _every(values: Map, start: int, count: int, axis: int) -> Map:
    """Every second row (column) from a start in the picture, which has a border of one cell."""
    first = _CELL + start
    part = slice(first, first + _STRIDE * count, _STRIDE)
    return values[part] if axis == 0 else values[:, part]


def _rings(around: Map, ring: Ring, size: tuple[int, int]) -> Map:
    """How much more edges the ring's places have than the others, in deviations, for every place."""
    end = ring.side * _CELL
    told = []
    for places in (ring.places, ring.others):
        both = np.zeros((2, *size), np.float32)  # the sum and the sum of squares
        for n, values in enumerate((around, around**2)):
            for axis in (0, 1):
                along = sum(_every(values, place * _CELL + _CELL // 2, size[axis], axis) for place in places)
                for beyond in (-_BESIDE, end + _BESIDE - 1):
                    both[n] += _every(np.asarray(along), beyond, size[1 - axis], 1 - axis)
        mean, square = both / (4 * len(places))
        told.append((mean, np.maximum(square - mean**2, 0)))
    (marked, spread), (free, spread_of_free) = told
    result: Map = (marked - free) / np.sqrt(spread + spread_of_free + _NOISE)
    return result


def _lines(upright: Map, side: int, size: tuple[int, int]) -> Map:
    """How many sides of cells, upright ones, have an edge that is not beside them, for every place."""
    near_nodes = np.array([0, 1, 1, 0, 0, 1, 1, 0], np.float32)[:, None] / 4  # where no route crosses
    along = cv2.filter2D(np.ascontiguousarray(upright), -1, near_nodes, anchor=(0, 0))
    on = cv2.dilate(along, np.ones((1, 3)))
    off = sum(np.roll(along, step, axis=1) for step in _OFF) / len(_OFF)
    seen = np.clip(on - off, -_SEEN, _SEEN) / _SEEN
    column = sum(_every(seen, row * _CELL, size[0], 0) for row in range(side))
    total = sum(_every(np.asarray(column), line * _CELL, size[1], 1) for line in range(side + 1))
    return np.asarray(total, np.float32)
