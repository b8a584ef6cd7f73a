"""Routes and buildings as they are printed: clean lines of our own design."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.games.railroad_ink.printing.linework import (
    Bend,
    Path,
    Spine,
    brackets,
    kerbs,
    length_of,
    spines,
    walk,
)
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, RAILWAY, Piece, Route
from companion.sheets.drawing import (
    Circle,
    Line,
    Point,
    Polygon,
    Shape,
    filled,
    part,
    rectangle,
    stroked,
)

PlaceOf: TypeAlias = Callable[[float, float], Point]
INK = "#26323a"
_HALF_ROAD = 0.1  # from the axis of a highway to its kerb, in cells
_STATION = 0.14  # half a station
_TIE = 0.09  # half a tie
_TIES = 7  # in a cell


def route_shapes(route: Route, corner: Point, size: float, colour: str = INK) -> tuple[Shape, ...]:
    """A route drawn in the square cell of this top left corner and size, in mm."""
    art = _Art(corner, size, colour)
    pieces = [shape for piece in route.pieces for shape in art.piece(piece, _is_overpass(route))]
    if _is_overpass(route):
        pieces += art.brackets(upright=bool(route.highway & 1))
    return (*pieces, *([art.station()] if route.station else []))


def _is_overpass(route: Route) -> bool:
    """Return True if the route is a straight highway over a straight railway."""
    return {piece.ends for piece in route.pieces} in ({(0b0101, 0), (0, 0b1010)}, {(0b1010, 0), (0, 0b0101)})


class _Art:
    """Turns unit lines into ink of one colour."""

    def __init__(self, corner: Point, size: float, colour: str) -> None:
        self.corner = corner
        self.size = size
        self.colour = colour

    def piece(self, piece: Piece, under: bool) -> list[Shape]:
        """One piece; ``under`` interrupts a railway in the middle for the highway that passes above."""
        bend = Bend(1.0)
        found: list[Shape] = [self.line(path, 0.045) for path in kerbs(piece.highway, _HALF_ROAD, bend)]
        for spine in spines(piece, bend):
            found += self._axis(spine, under)
        return found

    def _axis(self, spine: Spine, under: bool) -> list[Shape]:
        if spine.kind == HIGHWAY:
            return [self.line(dash, 0.03) for dash in _evenly_dashed(spine.points)]
        paths = [part(spine.points, 0, 0.3), part(spine.points, 0.7, 1)] if under else [spine.points]
        return [self.line(path, 0.045) for path in paths] + self._ties(spine.points, under)

    def _ties(self, points: Path, under: bool) -> list[Shape]:
        length = length_of(points)
        count = max(2, round(_TIES * length))
        places = [(n + 0.5) * length / count for n in range(count)]
        if under:
            places = [place for place in places if not 0.3 < place < 0.7]
        return [
            self.line(((x - dy * _TIE, y + dx * _TIE), (x + dy * _TIE, y - dx * _TIE)), 0.035)
            for (x, y), (dx, dy) in walk(points, places)
        ]

    def brackets(self, upright: bool) -> list[Shape]:
        paths = brackets(_HALF_ROAD + 0.06)
        if not upright:
            paths = [tuple((y, x) for x, y in path) for path in paths]
        return [self.line(path, 0.04) for path in paths]

    def station(self) -> Polygon:
        low, high = self._at((0.5 - _STATION, 0.5 - _STATION)), 2 * _STATION * self.size
        return Polygon(rectangle(low, (high, high)), filled(self.colour))

    def line(self, points: Path, width: float) -> Line:
        return Line(tuple(self._at(point) for point in points), stroked(self.colour, width * self.size))

    def _at(self, point: Point) -> Point:
        return self.corner[0] + point[0] * self.size, self.corner[1] + point[1] * self.size


def _evenly_dashed(points: Path, dash: float = 0.09) -> list[Path]:
    length = length_of(points)
    count = max(1, round(length / (2 * dash)))
    step = length / count
    return [part(points, n * step + step / 4, n * step + step / 4 + dash) for n in range(count)]


# --- buildings, in a square from (0, 0) to (1, 1) ---

_WALL = {
    "factory": (
        ((0.06, 0.94), (0.06, 0.08), (0.24, 0.08), (0.28, 0.56), (0.5, 0.38), (0.5, 0.56), (0.72, 0.38),
         (0.72, 0.56), (0.94, 0.38), (0.94, 0.94)),
    ),
    "village": (
        ((0.04, 0.94), (0.04, 0.56), (0.28, 0.3), (0.5, 0.54), (0.5, 0.94)),
        ((0.56, 0.94), (0.56, 0.46), (0.48, 0.46), (0.73, 0.14), (0.98, 0.46), (0.9, 0.46), (0.9, 0.94)),
    ),
    "university": (
        ((0.06, 0.36), (0.5, 0.06), (0.94, 0.36), (0.94, 0.44), (0.06, 0.44)),
        ((0.06, 0.84), (0.94, 0.84), (0.94, 0.94), (0.06, 0.94)),
        *(((x, 0.5), (x + 0.14, 0.5), (x + 0.14, 0.78), (x, 0.78)) for x in (0.14, 0.43, 0.72)),
    ),
}  # fmt: skip
_OPENING = {
    "factory": (((0.18, 0.7), (0.3, 0.7), (0.3, 0.82), (0.18, 0.82)),
                ((0.42, 0.7), (0.54, 0.7), (0.54, 0.82), (0.42, 0.82)),
                ((0.66, 0.7), (0.78, 0.7), (0.78, 0.82), (0.66, 0.82))),
    "village": (((0.2, 0.94), (0.2, 0.7), (0.34, 0.7), (0.34, 0.94)),
                ((0.66, 0.56), (0.8, 0.56), (0.8, 0.7), (0.66, 0.7))),
    "university": (),
}  # fmt: skip


def building_shapes(name: str, corner: Point, size: float, wall: str, opening: str) -> tuple[Shape, ...]:
    """A Factory, Village or University in two colours."""

    def painted(outlines: tuple[Path, ...], colour: str) -> list[Shape]:
        return [
            Polygon(tuple((corner[0] + x * size, corner[1] + y * size) for x, y in points), filled(colour))
            for points in outlines
        ]

    shapes = painted(_WALL[name], wall) + painted(_OPENING[name], opening)
    if name == "university":
        shapes.append(Circle((corner[0] + 0.5 * size, corner[1] + 0.29 * size), 0.07 * size, filled(opening)))
    return tuple(shapes)


# --- exits, on the border ---


def exit_shapes(kind: int, at: Point, outwards: Point, length: float, cell: float) -> tuple[Shape, ...]:
    """The stub of a highway or railway that leaves the board at ``at``, ``length`` mm long."""
    aside = (-outwards[1], outwards[0])

    def place(out: float, side: float) -> Point:
        return at[0] + outwards[0] * out + aside[0] * side, at[1] + outwards[1] * out + aside[1] * side

    if kind == RAILWAY:
        return _rail_stub(place, length, cell)
    half = _HALF_ROAD * cell
    neck = length - 1.2
    tip = ((0.0, -half), (0.0, half), (neck, half), (length, 0.0), (neck, -half))
    dash = Line((place(0.7, 0.0), place(length - 0.9, 0.0)), stroked("#ffffff", 0.4, (0.75, 0.9)))
    return Polygon(tuple(place(*point) for point in tip), filled(INK)), dash


def _rail_stub(place: PlaceOf, length: float, cell: float) -> tuple[Shape, ...]:
    style = stroked(INK, 0.045 * cell)
    ties = [
        Line((place(out, -_TIE * cell), place(out, _TIE * cell)), stroked(INK, 0.04 * cell))
        for out in (0.24 * length, 0.5 * length, 0.76 * length)
    ]
    arrow = [Line((place(length - 1.0, side), place(length, 0.0)), style) for side in (-1.0, 1.0)]
    return Line((place(0.3, 0.0), place(length, 0.0)), style), *ties, *arrow
