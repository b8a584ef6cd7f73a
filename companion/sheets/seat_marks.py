"""The colour and the shape of each seat, as they are printed."""

from __future__ import annotations

from importlib.resources import files
from math import cos, pi, sin

import msgspec

from companion.core.errors import RulesDataError
from companion.core.messages import m, vocabulary
from companion.sheets.drawing import Circle, Point, Polygon, Shape, Style, rectangle


class SeatMark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat: names for people, ``#rrggbb`` for printers."""

    colour: str
    shape: str
    ink: str
    tint: str


class _Seats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: tuple[SeatMark, ...]


SEAT_MARKS: tuple[SeatMark, ...] = msgspec.toml.decode(
    files(__package__).joinpath("seat_marks.toml").read_bytes(), type=_Seats
).seat

_ANY_INK = "#26323a"  # of a colour that no seat has

# As people read them.
COLOUR_WORDS = vocabulary("colour", "red", "blue", "green", "yellow", "violet", "orange", "black", "white")
SHAPE_WORDS = vocabulary("shape", "circle", "square", "triangle", "diamond", "star", "hexagon")

# Regular outlines: number of points, angle of the first one, how far out every second point is.
_OUTLINES = {
    "triangle": (3, -90, 1.0),
    "diamond": (4, -90, 1.0),
    "hexagon": (6, 0, 1.0),
    "star": (10, -90, 0.42),
}


def ink_of(colour: str) -> str:
    """The ink of a colour that a seat may have, as ``#rrggbb``.

    >>> ink_of("blue") == seat_mark(2).ink
    True
    """
    return next((mark.ink for mark in SEAT_MARKS if mark.colour == colour), _ANY_INK)


def seat_mark(seat: int) -> SeatMark:
    """The mark of seat 1 to 6.

    >>> seat_mark(2).colour, seat_mark(2).shape
    ('blue', 'square')
    """
    if not 1 <= seat <= len(SEAT_MARKS):
        raise RulesDataError(
            "bad-seat",
            m("there is no seat {seat}: seats are 1 to {seat_marks}", seat=seat, seat_marks=len(SEAT_MARKS)),
        )
    return SEAT_MARKS[seat - 1]


def seat_shape(name: str, centre: Point, radius: float, style: Style) -> Shape:
    """A seat's shape inside a circle of that radius."""
    if name == "circle":
        return Circle(centre, radius * 0.9, style)
    if name == "square":
        half = radius * 0.8
        return Polygon(rectangle((centre[0] - half, centre[1] - half), (2 * half, 2 * half)), style)
    count, turn, inner = _OUTLINES[name]
    corners = (
        (radius * (inner if n % 2 else 1.0), (turn + 360 * n / count) * pi / 180) for n in range(count)
    )
    return Polygon(tuple((centre[0] + r * cos(a), centre[1] + r * sin(a)) for r, a in corners), style)
