"""Small pictures of the twelve goods, drawn in a circle of radius 1 around the origin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, radians, sin

from companion.games.spike.printing.printed import PRINTED
from companion.sheets.drawing import Arc, Circle, Line, Point, Polygon, Shape, Style, Text, filled, stroked

_WHITE = "#fffdf7"
_INK = PRINTED.ink.dark


def good_shapes(good: str, centre: Point, radius: float) -> list[Shape]:
    """A disc in the good's colour with its picture; goods of an owner's own show their first letters."""
    disc = Circle(centre, radius, Style(PRINTED.goods.get(good, "#cccccc"), _INK, radius * 0.07))
    picture = _PICTURES.get(good)
    if picture is None:
        return [disc, Text((centre[0], centre[1] + radius * 0.3), good[:3], radius * 0.85, _INK, bold=True)]
    pen = _Pen(centre, radius * 0.94)
    picture(pen)
    return [disc, *pen.shapes]


class _Pen:
    """Draws in units of the circle."""

    def __init__(self, centre: Point, radius: float) -> None:
        self.centre, self.radius = centre, radius
        self.shapes: list[Shape] = []

    def at(self, x: float, y: float) -> Point:
        return self.centre[0] + x * self.radius, self.centre[1] + y * self.radius

    def blob(self, points: Sequence[Point], fill: str, line: float = 0.05) -> None:
        style = Style(fill, _INK, line * self.radius)
        self.shapes.append(Polygon(tuple(self.at(x, y) for x, y in points), style))

    def dot(self, x: float, y: float, radius: float, fill: str, line: float = 0.05) -> None:
        style = Style(fill, _INK, line * self.radius) if line else filled(fill)
        self.shapes.append(Circle(self.at(x, y), radius * self.radius, style))

    def oval(self, x: float, y: float, size: Point, fill: str, turn: float = 0.0) -> None:
        self.blob(_oval((x, y), size, turn), fill)

    def line(self, points: Sequence[Point], width: float = 0.08, colour: str = _INK) -> None:
        style = stroked(colour, width * self.radius)
        self.shapes.append(Line(tuple(self.at(x, y) for x, y in points), style))

    def arc(self, x: float, y: float, radius: float, start: float, end: float, width: float = 0.07) -> None:
        style = stroked(_INK, width * self.radius)
        self.shapes.append(Arc(self.at(x, y), radius * self.radius, start, end, style))


def _oval(centre: Point, size: Point, turn: float) -> list[Point]:
    found = []
    for step in range(24):
        x, y = size[0] * cos(radians(15 * step)), size[1] * sin(radians(15 * step))
        c, s = cos(radians(turn)), sin(radians(turn))
        found.append((centre[0] + x * c - y * s, centre[1] + x * s + y * c))
    return found


def _cows(pen: _Pen) -> None:
    pen.blob([(-0.62, -0.55), (-0.3, -0.25), (-0.45, -0.12)], _WHITE)
    pen.blob([(0.62, -0.55), (0.3, -0.25), (0.45, -0.12)], _WHITE)
    pen.blob([(-0.42, -0.35), (0.42, -0.35), (0.3, 0.35), (-0.3, 0.35)], _WHITE)
    pen.oval(0, 0.42, (0.36, 0.24), "#e9b7a4")
    for side in (-1, 1):
        pen.dot(side * 0.2, -0.08, 0.07, _INK, 0)
        pen.dot(side * 0.13, 0.42, 0.06, _INK, 0)


def _pigs(pen: _Pen) -> None:
    for side in (-1, 1):
        pen.blob([(side * 0.52, -0.58), (side * 0.12, -0.42), (side * 0.5, -0.12)], "#f6c6cf")
    pen.dot(0, 0.02, 0.52, "#f9d3da")
    pen.oval(0, 0.18, (0.25, 0.18), "#ef9fb0")
    for side in (-1, 1):
        pen.dot(side * 0.22, -0.15, 0.07, _INK, 0)
        pen.dot(side * 0.09, 0.18, 0.06, _INK, 0)


def _wood(pen: _Pen) -> None:
    for x, y in ((-0.3, 0.28), (0.3, 0.28), (0, -0.24)):
        pen.dot(x, y, 0.3, "#d9a566")
        pen.arc(x, y, 0.17, 0, 360, 0.05)
        pen.dot(x, y, 0.05, _INK, 0)


def _corn(pen: _Pen) -> None:
    pen.oval(0, -0.1, (0.26, 0.6), "#ffe27a")
    for y in (-0.5, -0.3, -0.1, 0.1):
        pen.line([(-0.2, y), (0.2, y)], 0.04)
    pen.line([(0, -0.66), (0, 0.3)], 0.04)
    pen.blob([(0, 0.66), (-0.52, -0.02), (-0.12, 0.2)], "#5f9a45")
    pen.blob([(0, 0.66), (0.52, -0.02), (0.12, 0.2)], "#5f9a45")


def _wheat(pen: _Pen) -> None:
    pen.line([(0, 0.68), (0, -0.35)], 0.08)
    pen.oval(0, -0.52, (0.12, 0.22), "#ffe9a8")
    for y in (-0.28, 0.0, 0.28):
        for side in (-1, 1):
            pen.oval(side * 0.24, y - 0.02, (0.11, 0.22), "#ffe9a8", side * 38)


def _coal(pen: _Pen) -> None:
    pen.blob([(-0.62, 0.38), (-0.5, -0.05), (-0.12, -0.08), (0.02, 0.38)], "#1f2226")
    pen.blob([(0.0, 0.38), (0.08, 0.0), (0.45, -0.08), (0.64, 0.38)], "#2b2f34")
    pen.blob([(-0.3, -0.1), (-0.14, -0.52), (0.24, -0.5), (0.36, -0.08), (0.02, 0.06)], "#33383e")
    for x, y in ((-0.4, 0.1), (0.02, -0.34), (0.34, 0.1)):
        pen.line([(x, y), (x + 0.13, y - 0.05)], 0.06, "#c9ced3")


def _oil(pen: _Pen) -> None:
    pen.blob([(-0.38, -0.48), (0.38, -0.48), (0.38, 0.52), (-0.38, 0.52)], "#20262b")
    pen.oval(0, 0.52, (0.38, 0.13), "#20262b")
    pen.oval(0, -0.48, (0.38, 0.13), "#4c5962")
    for y in (-0.14, 0.2):
        pen.line([(-0.38, y), (0.38, y)], 0.07, "#7f8d97")
    pen.blob([(0, -0.12), (0.13, 0.12), (0, 0.2), (-0.13, 0.12)], "#e8b521")


def _steel(pen: _Pen) -> None:
    right = [(0.5, -0.55), (0.5, -0.3), (0.14, -0.3), (0.14, 0.3), (0.5, 0.3), (0.5, 0.55)]
    pen.blob([*right, *((-x, y) for x, y in reversed(right))], "#dfe6ec")
    pen.line([(0, -0.28), (0, 0.28)], 0.05, "#8795a1")


def _cloth(pen: _Pen) -> None:
    pen.blob([(-0.5, -0.38), (0.3, -0.38), (0.3, 0.4), (-0.5, 0.4)], "#e8dcf3")
    pen.oval(0.3, 0.01, (0.2, 0.39), "#cdb6e3")
    pen.oval(0.3, 0.01, (0.07, 0.15), _WHITE)
    for x in (-0.34, -0.14, 0.05):
        pen.line([(x, -0.36), (x, 0.38)], 0.05, "#8e6bb0")


def _flour(pen: _Pen) -> None:
    pen.blob([(-0.22, -0.36), (0.22, -0.36), (0.5, 0.1), (0.42, 0.58), (-0.42, 0.58), (-0.5, 0.1)], _WHITE)
    pen.blob([(-0.32, -0.62), (0.32, -0.62), (0.2, -0.36), (-0.2, -0.36)], _WHITE)
    pen.line([(-0.24, -0.36), (0.24, -0.36)], 0.1)
    pen.line([(0, 0.44), (0, 0.05)], 0.06, PRINTED.ink.gold)
    for y in (0.08, 0.24):
        pen.line([(-0.14, y - 0.08), (0, y + 0.04), (0.14, y - 0.08)], 0.06, PRINTED.ink.gold)


def _fruit(pen: _Pen) -> None:
    pen.dot(-0.16, 0.12, 0.42, "#f7b27a")
    pen.dot(0.16, 0.12, 0.42, "#f7b27a")
    pen.dot(0, 0.13, 0.38, "#f7b27a", 0)
    pen.line([(0, -0.24), (0, -0.05)], 0.06)
    pen.line([(0, -0.24), (0.06, -0.55)], 0.09)
    pen.oval(0.3, -0.45, (0.24, 0.12), "#5f9a45", -20)


def _cotton(pen: _Pen) -> None:
    pen.line([(0, 0.7), (0, 0.2)], 0.1, "#5b4630")
    for side in (-1, 1):
        pen.blob([(0, 0.42), (side * 0.52, 0.22), (side * 0.2, 0.05)], "#8a6a45")
    for x, y in ((-0.28, 0.02), (0.28, 0.02), (0, -0.34), (0, 0.02)):
        pen.dot(x, y, 0.3, _WHITE)


_PICTURES: dict[str, Callable[[_Pen], None]] = {
    "cloth": _cloth,
    "coal": _coal,
    "corn": _corn,
    "cotton": _cotton,
    "cows": _cows,
    "flour": _flour,
    "fruit": _fruit,
    "peaches": _fruit,
    "oil": _oil,
    "pigs": _pigs,
    "steel": _steel,
    "wheat": _wheat,
    "wood": _wood,
}
