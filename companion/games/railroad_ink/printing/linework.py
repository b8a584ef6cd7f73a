"""The lines a route is drawn with, in a cell from (0, 0) to (1, 1).

Printed special routes, the page and the studio's pens all start from these lines: the axes (spines) of its
highways and railways, the kerbs of its highways, and the station in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from typing import TypeAlias

from companion.games.railroad_ink.rules.boards.routes import TYPES, Piece
from companion.sheets.drawing import Point
from companion.sheets.grid import DIRECTIONS, STEPS, opposite

Path: TypeAlias = tuple[Point, ...]
CENTRE: Point = (0.5, 0.5)


@dataclass(frozen=True, slots=True)
class Bend:
    """How corners are drawn: 0 is square, 1 as round as a cell allows; ``cut`` goes straight across."""

    roundness: float = 1.0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Spine:
    """The axis of one line of highway or railway, from an edge to another edge or to the middle."""

    kind: int
    points: Path


def ends_of(mask: int) -> tuple[int, ...]:
    """The directions in a mask, clockwise from the top.

    >>> ends_of(0b1010)
    (1, 3)
    """
    return tuple(direction for direction in DIRECTIONS if mask >> direction & 1)


def edge(direction: int, aside: float = 0.0) -> Point:
    """The middle of a cell's edge, or a place so far clockwise of it as seen from the middle of the cell.

    >>> edge(0), edge(0, 0.1)
    ((0.5, 0.0), (0.6, 0.0))
    """
    (dx, dy), (ax, ay) = STEPS[direction], STEPS[(direction + 1) % 4]
    return 0.5 + dx / 2 + ax * aside, 0.5 + dy / 2 + ay * aside


def spines(piece: Piece, bend: Bend) -> list[Spine]:
    """The axes of one piece: lines that go through, and stems that end in the middle.

    >>> from companion.games.railroad_ink.rules.boards.routes import parse_route
    >>> [spine.points for spine in spines(parse_route("NES").pieces[0], Bend())]
    [((0.5, 0.0), (0.5, 1.0)), ((1.0, 0.5), (0.5, 0.5))]
    """
    return [
        Spine(kind, path) for kind in TYPES for path in _paths(ends_of(piece.ends[kind]), piece.station, bend)
    ]


def _paths(ends: tuple[int, ...], station: bool, bend: Bend) -> list[Path]:
    through = [(a, opposite(a)) for a in ends if a < 2 and opposite(a) in ends]
    stems = [a for a in ends if not any(a in pair for pair in through)]
    if len(stems) == 2 and not station:
        return [cornered((edge(stems[0]), CENTRE, edge(stems[1])), 0.5, bend)]
    return [*((edge(a), edge(b)) for a, b in through), *((edge(a), CENTRE) for a in stems)]


def kerbs(mask: int, half: float, bend: Bend) -> list[Path]:
    """The two sides of every highway in a piece, ``half`` away from its axis.

    >>> kerbs(0b0101, 0.1, Bend())
    [((0.6, 0.0), (0.6, 1.0)), ((0.4, 1.0), (0.4, 0.0))]
    """
    ends = ends_of(mask)
    if len(ends) == 1:
        (end,) = ends
        return [tuple(_stem(end, aside)) for aside in (half, -half)]
    # Between junction arms only the small inner corner is rounded, as a person would do it.
    bend = bend if len(ends) == 2 else Bend(bend.roundness * 0.45, bend.cut)
    return [_kerb(a, b, half, bend) for a, b in zip(ends, ends[1:] + ends[:1], strict=True)]


def _stem(end: int, aside: float) -> Path:
    start, (dx, dy) = edge(end, aside), STEPS[end]
    return start, (start[0] - dx / 2, start[1] - dy / 2)


def _kerb(a: int, b: int, half: float, bend: Bend) -> Path:
    """The line along the road's side from arm ``a`` clockwise to arm ``b``."""
    start, end = edge(a, half), edge(b, -half)
    if (b - a) % 4 == 2:
        return start, end
    side = half if (b - a) % 4 == 1 else -half
    corner = (0.5 + side * (STEPS[a][0] + STEPS[b][0]), 0.5 + side * (STEPS[a][1] + STEPS[b][1]))
    return cornered((start, corner, end), 0.5 - side, bend)


def cornered(points: tuple[Point, Point, Point], largest: float, bend: Bend) -> Path:
    """Two lines that meet at right angles, with the corner rounded or cut; ``largest`` is the radius at 1.

    >>> cornered(((0.5, 0.0), (0.5, 0.5), (1.0, 0.5)), 0.5, Bend(1.0, cut=True))
    ((0.5, 0.0), (0.5, 0.0), (1.0, 0.5), (1.0, 0.5))
    """
    start, corner, end = points
    radius = largest * bend.roundness
    if radius <= 0:
        return points
    first, last = towards(corner, start, radius), towards(corner, end, radius)
    if bend.cut:
        return start, first, last, end
    centre = (first[0] + last[0] - corner[0], first[1] + last[1] - corner[1])
    return (start, *_quarter(centre, first, last), end)


def towards(a: Point, b: Point, distance: float) -> Point:
    """The point so far from ``a`` on the way to ``b``."""
    length = hypot(b[0] - a[0], b[1] - a[1])
    share = distance / length if length > 0 else 0.0
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _quarter(centre: Point, first: Point, last: Point, steps: int = 10) -> Path:
    """The shorter arc from one point to another around a centre."""
    start = atan2(first[1] - centre[1], first[0] - centre[0])
    turn = (atan2(last[1] - centre[1], last[0] - centre[0]) - start + pi) % (2 * pi) - pi
    radius = hypot(first[0] - centre[0], first[1] - centre[1])
    angles = (start + turn * step / steps for step in range(steps + 1))
    return tuple((centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles)


def walk(points: Path, distances: list[float]) -> list[tuple[Point, Point]]:
    """The place and the unit direction at each distance along a line; for ties and dashes.

    >>> walk(((0, 0), (10, 0)), [4])
    [((4.0, 0.0), (1.0, 0.0))]
    """
    return [_at(points, distance) for distance in distances]


def _at(points: Path, distance: float) -> tuple[Point, Point]:
    left = distance
    legs = [(a, b) for a, b in pairwise(points) if a != b]
    for a, b in legs:
        length = hypot(b[0] - a[0], b[1] - a[1])
        if left <= length or (a, b) == legs[-1]:
            direction = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            return (a[0] + direction[0] * left, a[1] + direction[1] * left), direction
        left -= length
    raise ValueError("a line needs two different points")


def length_of(points: Path) -> float:
    """How long a line is.

    >>> length_of(((0, 0), (3, 4)))
    5.0
    """
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def brackets(gap: float, depth: float = 0.05, reach: float = 0.2) -> list[Path]:
    """The two signs ``)`` ``(`` that show an overpass running from top to bottom, ``gap`` from its axis."""
    radius = (reach**2 + depth**2) / (2 * depth)
    half = 2 * atan2(depth, reach)
    turns = [half * (step / 4 - 1) for step in range(9)]
    bulge = [(radius * (1 - cos(turn)), radius * sin(turn)) for turn in turns]
    return [tuple((0.5 + side * (gap + x), 0.5 + y) for x, y in bulge) for side in (-1, 1)]
