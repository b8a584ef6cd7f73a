"""Drawings as plain data, in millimetres, for everything the games print or show.

The origin is the top left corner and y grows downwards; angles are degrees clockwise from the right. The same
:class:`Drawing` becomes a page of a PDF, a picture or the web page's SVG (``companion.sheets.printing``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, cos, radians, sin
from typing import Literal, TypeAlias

Point: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Point, Point, Point, Point]  # clockwise from the top left
Anchor: TypeAlias = Literal["start", "middle", "end"]

_FLAT = 0.02  # how far, in mm, a flattened curve may leave the true one


@dataclass(frozen=True, slots=True)
class Style:
    """How a shape is painted: colours as ``#rrggbb``, ``None`` for not at all; ``dash`` is (ink, gap)."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    dash: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """An open line through points, with round ends and joints."""

    points: tuple[Point, ...]
    style: Style


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled or stroked closed outline through these points."""

    points: tuple[Point, ...]
    style: Style


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle by centre and radius."""

    centre: Point
    radius: float
    style: Style


@dataclass(frozen=True, slots=True)
class RoundedRect:
    """An upright rectangle by its top left corner and (width, height); radius 0 has square corners."""

    corner: Point
    size: Point
    radius: float
    style: Style


@dataclass(frozen=True, slots=True)
class Arc:
    """Part of a circle, from one angle to a greater one; never filled."""

    centre: Point
    radius: float
    start: float
    end: float
    style: Style


@dataclass(frozen=True, slots=True)
class Text:
    """One line of words; ``at`` is on the baseline, ``size`` is the height of the font, in mm.

    Words are English; on paper they may be said in another language, in letters so small that they take no
    more than ``room`` mm, or than the English words take where that is more.
    """

    at: Point
    words: str
    size: float
    colour: str
    anchor: Anchor = "middle"
    bold: bool = False
    room: float = 0.0


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that are broken into lines; ``gap`` mm are left free above them, unless they are the first."""

    words: str
    size: float
    colour: str
    bold: bool = False
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs below each other in a box of (width, height), smaller where they would run out of it.

    They are broken into lines when they are painted, by which time they may be in another language.
    """

    corner: Point
    size: Point
    paragraphs: tuple[Paragraph, ...]


Outlined: TypeAlias = Line | Polygon | Circle | RoundedRect | Arc
Painted: TypeAlias = Outlined | Text  # what is left when prose has been broken into lines
Shape: TypeAlias = Painted | Prose


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a page of (width, height), painted in their order."""

    size: Point
    shapes: tuple[Shape, ...]


def filled(colour: str) -> Style:
    """A surface without an outline."""
    return Style(fill=colour)


def stroked(colour: str, width: float, dash: tuple[float, float] | None = None) -> Style:
    """An outline without a surface."""
    return Style(stroke=colour, width=width, dash=dash)


def rectangle(corner: Point, size: Point) -> Quad:
    """The corners of an upright rectangle, clockwise from the top left.

    >>> rectangle((1, 2), (10, 20))
    ((1, 2), (11, 2), (11, 22), (1, 22))
    """
    (x, y), (width, height) = corner, size
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def moved(shapes: Iterable[Shape], by: Point) -> tuple[Shape, ...]:
    """The shapes shifted by an offset.

    >>> moved([Circle((1, 1), 2, filled("#000000"))], (10, 0))[0].centre
    (11, 1)
    """
    return tuple(_moved(shape, by) for shape in shapes)


def _moved(shape: Shape, by: Point) -> Shape:
    match shape:
        case Line() | Polygon():
            return replace(shape, points=tuple(_plus(point, by) for point in shape.points))
        case Circle() | Arc():
            return replace(shape, centre=_plus(shape.centre, by))
        case RoundedRect() | Prose():
            return replace(shape, corner=_plus(shape.corner, by))
        case Text():
            return replace(shape, at=_plus(shape.at, by))


def scaled(shapes: Iterable[Shape], by: float) -> tuple[Shape, ...]:
    """The shapes smaller or bigger, from the origin.

    >>> scaled([Circle((1, 1), 2, filled("#000000"))], 2)[0]
    Circle(centre=(2, 2), radius=4, style=Style(fill='#000000', stroke=None, width=0.0, dash=None))
    """
    return tuple(_scaled(shape, by) for shape in shapes)


def _scaled(shape: Shape, by: float) -> Shape:
    if isinstance(shape, Text):
        return replace(shape, at=_times(shape.at, by), size=shape.size * by)
    if isinstance(shape, Prose):
        paragraphs = tuple(replace(one, size=one.size * by) for one in shape.paragraphs)
        corner, size = _times(shape.corner, by), _times(shape.size, by)
        return replace(shape, corner=corner, size=size, paragraphs=paragraphs)
    dash = shape.style.dash and _times(shape.style.dash, by)
    style = replace(shape.style, width=shape.style.width * by, dash=dash)
    match shape:
        case Line() | Polygon():
            return replace(shape, points=tuple(_times(point, by) for point in shape.points), style=style)
        case Circle() | Arc():
            return replace(shape, centre=_times(shape.centre, by), radius=shape.radius * by, style=style)
        case RoundedRect():
            corner, size = _times(shape.corner, by), _times(shape.size, by)
            return replace(shape, corner=corner, size=size, radius=shape.radius * by, style=style)


def _times(point: Point, by: float) -> Point:
    return point[0] * by, point[1] * by


def recoloured(shapes: Iterable[Shape], colours: Mapping[str, str]) -> list[Shape]:
    """The shapes in other colours; those not named stay.

    >>> recoloured([Circle((1, 1), 2, filled("#000000"))], {"#000000": "currentColor"})[0].style.fill
    'currentColor'
    """
    return [_recoloured(shape, colours) for shape in shapes]


def _recoloured(shape: Shape, colours: Mapping[str, str]) -> Shape:
    if isinstance(shape, Text):
        return replace(shape, colour=colours.get(shape.colour, shape.colour))
    if isinstance(shape, Prose):
        paragraphs = tuple(
            replace(one, colour=colours.get(one.colour, one.colour)) for one in shape.paragraphs
        )
        return replace(shape, paragraphs=paragraphs)
    style = shape.style
    fill, stroke = (colour and colours.get(colour, colour) for colour in (style.fill, style.stroke))
    return replace(shape, style=replace(style, fill=fill, stroke=stroke))


def simplified(points: Sequence[Point], within: float) -> tuple[Point, ...]:
    """A line with fewer points that stays within this distance of the given one (Douglas-Peucker).

    >>> simplified([(0, 0), (5, 0.01), (10, 0), (10, 10)], 0.1)
    ((0, 0), (10, 0), (10, 10))
    """
    if len(points) < 3:
        return tuple(points)
    away = [_off_line(point, points[0], points[-1]) for point in points[1:-1]]
    furthest = max(range(len(away)), key=away.__getitem__)
    if away[furthest] <= within:
        return points[0], points[-1]
    corner = furthest + 1
    return (*simplified(points[: corner + 1], within)[:-1], *simplified(points[corner:], within))


def _off_line(point: Point, a: Point, b: Point) -> float:
    """The distance of a point to the line through two others, or to the first if these coincide."""
    length = _distance(a, b)
    if length == 0:
        return _distance(point, a)
    return abs((b[0] - a[0]) * (a[1] - point[1]) - (a[0] - point[0]) * (b[1] - a[1])) / length


def _plus(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]


def arc_points(centre: Point, radius: float, start: float, end: float) -> tuple[Point, ...]:
    """Points along an arc, near enough that straight lines between them look round.

    >>> points = arc_points((0, 0), 10, 0, 90)
    >>> [(round(x), round(y)) for x, y in (points[0], points[-1])]
    [(10, 0), (0, 10)]
    """
    # The sagitta of a chord over the angle a is about r a²/8.
    widest = (8 * _FLAT / max(radius, _FLAT)) ** 0.5
    steps = max(2, ceil(radians(abs(end - start)) / widest))
    angles = (radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles)


def outline(shape: Outlined) -> tuple[Point, ...]:
    """The points of a shape for those who can only draw straight lines."""
    match shape:
        case Line() | Polygon():
            return shape.points
        case Circle():
            return arc_points(shape.centre, shape.radius, 0, 360)[:-1]
        case Arc():
            return arc_points(shape.centre, shape.radius, shape.start, shape.end)
        case RoundedRect():
            if shape.radius <= 0:
                return rectangle(shape.corner, shape.size)
            inner = rectangle(
                (shape.corner[0] + shape.radius, shape.corner[1] + shape.radius),
                (shape.size[0] - 2 * shape.radius, shape.size[1] - 2 * shape.radius),
            )
            return tuple(
                point
                for quarter, centre in enumerate(inner)
                for point in arc_points(centre, shape.radius, 180 + 90 * quarter, 270 + 90 * quarter)
            )


def is_closed(shape: Shape) -> bool:
    """Return True if the shape's outline is closed."""
    return isinstance(shape, Polygon | Circle | RoundedRect)


def dashes(points: Sequence[Point], dash: tuple[float, float]) -> list[tuple[Point, ...]]:
    """A line cut into dashes of ink.

    >>> dashes([(0, 0), (10, 0)], (3, 2))
    [((0.0, 0.0), (3.0, 0.0)), ((5.0, 0.0), (8.0, 0.0))]
    """
    ink, gap = dash
    total = sum(_distance(a, b) for a, b in pairwise(points))
    count = int((total + gap) / (ink + gap))
    return [part(points, n * (ink + gap), n * (ink + gap) + ink) for n in range(count)]


def part(points: Sequence[Point], start: float, end: float) -> tuple[Point, ...]:
    """The piece of a line between two distances from its beginning."""
    found: list[Point] = []
    walked = 0.0
    for a, b in pairwise(points):
        length = _distance(a, b)
        low, high = max(start - walked, 0.0), min(end - walked, length)
        if length > 0 and low < high:
            ends = [
                (a[0] + (b[0] - a[0]) * s / length, a[1] + (b[1] - a[1]) * s / length) for s in (low, high)
            ]
            found += ends if not found else ends[1:]
        walked += length
    return tuple(found)


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)
