"""Where things lie on the page's map: whole numbers, 30 units from milepost to milepost.

A column is 26 units wide and half a row 15 high, which is an upright lattice to within a tenth of a percent.
So the scripts find every milepost from its name alone, and paths are short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias, TypeVar

from companion.games.empire_builder.printing.printed import on_sheet, outlines
from companion.sheets.drawing import Point
from companion.sheets.lattice import Place, to_doubled

COLUMN, HALF_ROW = 26, 15
PITCH = 2 * HALF_ROW
_PART = 9 * PITCH  # side of the squares the map is drawn in
Spot: TypeAlias = tuple[int, int]
Thing = TypeVar("Thing")


def spot_of(place: Place) -> Spot:
    """The position of a milepost on the map.

    >>> spot_of((1, 1))
    (26, 45)
    """
    column, row = to_doubled(place)
    return column * COLUMN, row * HALF_ROW


def from_plane(point: Point) -> Spot:
    """A point that is measured in mileposts, as the outlines of coasts and rivers are."""
    return round(point[0] * PITCH), round(point[1] * PITCH)


def from_sheet(point: Point) -> Spot:
    """A point of the printed sheet, which is measured in millimetres."""
    zero, one = on_sheet((0.0, 0.0)), on_sheet((1.0, 1.0))
    return from_plane(((point[0] - zero[0]) / (one[0] - zero[0]), (point[1] - zero[1]) / (one[1] - zero[1])))


def view_box() -> tuple[int, int, int, int]:
    """The frame of the whole map: left, top, width, height."""
    left, top, right, bottom = outlines().frame
    (x, y), (far_x, far_y) = from_plane((left, top)), from_plane((right, bottom))
    return x, y, far_x - x, far_y - y


def parts_of_map(things: Iterable[Thing], spot: Callable[[Thing], Spot]) -> list[list[Thing]]:
    """Group things by the square part of the map in which they lie.

    A browser draws a map in pieces, and looks only at what touches the piece: one path over the whole map
    would be gone through for each of them.

    >>> parts_of_map([(10, 10), (500, 10), (20, 30)], lambda spot: spot)
    [[(10, 10), (20, 30)], [(500, 10)]]
    """
    found: dict[Spot, list[Thing]] = {}
    for thing in things:
        x, y = spot(thing)
        found.setdefault((x // _PART, y // _PART), []).append(thing)
    return list(found.values())


def line(spots: Sequence[Spot], *, closed: bool = False) -> str:
    """A line through these spots, written as steps.

    >>> line([(0, 0), (26, 15), (26, 45), (26, 15)])
    'M0 0l26 15 0 30 0-30'
    """
    steps = [(x - before[0], y - before[1]) for before, (x, y) in pairwise(spots)]
    moved = [(x, y) for x, y in steps if x or y]
    inside = " ".join(f"{x} {y}" for x, y in moved).replace(" -", "-")
    return f"M{spots[0][0]} {spots[0][1]}{f'l{inside}' if inside else 'h0'}{'z' if closed else ''}"


def dots(spots: Iterable[Spot], shape: str = "h0") -> str:
    """A dot at each spot, for a line with round ends; or another shape that ends where it begins.

    They are written from one to the next, for steps repeat and are packed well.

    >>> dots([(0, 30), (0, 60), (26, 15)])
    'M0 30h0m0 30h0m26-45h0'
    """
    told = list(spots)
    steps = [(x - before[0], y - before[1]) for before, (x, y) in pairwise(told)]
    first = f"M{told[0][0]} {told[0][1]}{shape}" if told else ""
    return first + "".join(f"m{x} {y}{shape}" for x, y in steps).replace(" -", "-")
