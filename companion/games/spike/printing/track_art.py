"""How a suit looks: its colour and its line pattern along any line, so that colour is never needed alone."""

from __future__ import annotations

from collections.abc import Callable
from math import dist

from companion.games.spike.printing.printed import PRINTED
from companion.games.spike.rules.boards.board import Pattern, Suit
from companion.sheets.drawing import Circle, Line, Point, Polygon, Shape, Style, filled, stroked

_INK = PRINTED.ink.dark
_PALE = "#fffdf7"


def suit_line(suit: Suit, start: Point, end: Point, width: float) -> list[Shape]:
    """A track of a suit from one point to another."""
    return _PATTERNS[suit.pattern](suit.colour, start, end, width)


class _Frame:
    """Points along and beside a line."""

    def __init__(self, start: Point, end: Point) -> None:
        self.start, self.length = start, dist(start, end)
        self.along = ((end[0] - start[0]) / self.length, (end[1] - start[1]) / self.length)

    def at(self, along: float, beside: float = 0.0) -> Point:
        (x, y), (dx, dy) = self.start, self.along
        return x + dx * along - dy * beside, y + dy * along + dx * beside

    def bar(self, start: float, end: float, half: float, style: Style) -> Polygon:
        corners = ((start, -half), (end, -half), (end, half), (start, half))
        return Polygon(tuple(self.at(*corner) for corner in corners), style)

    def lane(self, half: float) -> list[Shape]:
        """The pale bed under every pattern."""
        return [self.bar(0, self.length, half, Style(_PALE, PRINTED.ink.grid, 0.18))]


def _solid(colour: str, start: Point, end: Point, width: float) -> list[Shape]:
    frame = _Frame(start, end)
    return [frame.bar(0, frame.length, width / 2, Style(colour, _INK, 0.32))]


def _studded(colour: str, start: Point, end: Point, width: float) -> list[Shape]:
    frame = _Frame(start, end)
    count = max(2, round(frame.length / (width * 1.5)))
    step = frame.length / count
    studs = [Circle(frame.at((n + 0.5) * step), width * 0.17, filled(_PALE)) for n in range(count)]
    return [frame.bar(0, frame.length, width / 2, filled(colour)), *studs]


def _dotted(colour: str, start: Point, end: Point, width: float) -> list[Shape]:
    frame = _Frame(start, end)
    count = max(3, round(frame.length / (width * 1.08)))
    step = frame.length / count
    dots = [Circle(frame.at((n + 0.5) * step), width * 0.42, filled(colour)) for n in range(count)]
    return [*frame.lane(width / 2), *dots]


def _dashed(colour: str, start: Point, end: Point, width: float) -> list[Shape]:
    frame = _Frame(start, end)
    count = max(2, round(frame.length / (width * 1.7)))
    step = frame.length / count
    dashes = [
        frame.bar((n + 0.14) * step, (n + 0.86) * step, width * 0.42, filled(colour)) for n in range(count)
    ]
    return [*frame.lane(width / 2), *dashes]


def _double(colour: str, start: Point, end: Point, width: float) -> list[Shape]:
    frame = _Frame(start, end)
    style = stroked(colour, width * 0.27)
    inset = width * 0.16
    return [
        *frame.lane(width / 2),
        *(
            Line(
                (frame.at(inset, side * width * 0.27), frame.at(frame.length - inset, side * width * 0.27)),
                style,
            )
            for side in (-1, 1)
        ),
    ]


def _ties(colour: str, start: Point, end: Point, width: float) -> list[Shape]:
    frame = _Frame(start, end)
    count = max(3, round(frame.length / (width * 0.8)))
    step = frame.length / count
    ties = [
        frame.bar((n + 0.28) * step, (n + 0.72) * step, width * 0.46, filled(colour)) for n in range(count)
    ]
    rail = Line(
        (frame.at(width * 0.12), frame.at(frame.length - width * 0.12)), stroked(colour, width * 0.24)
    )
    return [*frame.lane(width / 2), *ties, rail]


_PATTERNS: dict[Pattern, Callable[[str, Point, Point, float], list[Shape]]] = {
    "solid": _solid,
    "studded": _studded,
    "dotted": _dotted,
    "dashed": _dashed,
    "double": _double,
    "ties": _ties,
}
