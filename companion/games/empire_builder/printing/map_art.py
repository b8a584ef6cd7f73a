"""The printed map as a drawing: land and water, mileposts, cities, names, and the legend."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import cos, pi, sin

from companion.core.messages import m
from companion.games.empire_builder.printing.labels import Label, placed_labels
from companion.games.empire_builder.printing.legend_art import legend
from companion.games.empire_builder.printing.printed import (
    PRINTED,
    Lines,
    column_x,
    edge_line,
    frame_corner,
    lattice,
    map_size,
    on_sheet,
    outlines,
    spot,
    tag_quads,
)
from companion.games.empire_builder.rules.boards.board import Board, City
from companion.games.empire_builder.rules.boards.names import column_letters
from companion.sheets.captions import Box, overlap
from companion.sheets.drawing import (
    Anchor,
    Circle,
    Drawing,
    Line,
    Point,
    Polygon,
    RoundedRect,
    Shape,
    Style,
    Text,
    filled,
    rectangle,
    stroked,
)
from companion.sheets.tags import tag_shapes

_INK = PRINTED.ink
_MAP = PRINTED.map
_ROOM = 1.15  # of a label's width: what words of other languages may take
_SEAS = {  # where the name of each sea stands, in mileposts
    m("Pacific Ocean"): (4.0, 40.0),
    m("Atlantic Ocean"): (53.5, 33.5),
    m("Gulf of Mexico"): (35.5, 42.0),
    m("Hudson Bay"): (40.5, 0.4),
}


@lru_cache(maxsize=2)
def map_drawing(on: Board) -> Drawing:
    """The whole map on one sheet."""
    shapes = [
        *_ground(),
        *_water_names(),
        *_coordinates(on),
        *_red_areas(on),
        *_channels(on),
        *_closed(on),
        *(shape for milepost in range(len(on.places)) for shape in milepost_shapes(on, milepost)),
        *_river_names(on),
        *_names(on),
        *legend(on),
        *_frame(),
        *_tags(),
    ]
    return Drawing(map_size(), tuple(shapes))


# --- land and water ---


def _ground() -> list[Shape]:
    lines = outlines()
    width, height = map_size()
    x, y = frame_corner()
    return [
        RoundedRect((0, 0), (width, height), 0, filled("#ffffff")),
        RoundedRect((x, y), (width - 2 * x, height - 2 * y), 0, filled(_INK["sea"])),
        *_surfaces(lines.land, _INK["land"], _INK["shore"], 0.45),
        *_lines(lines.states, _INK["state"], 0.3),
        *_lines(lines.borders, _INK["border"], 0.9, (4.0, 1.8)),
        *_surfaces(lines.lakes, _INK["lake"], _INK["shore"], 0.35),
        *(shape for river in lines.rivers for shape in _lines(river.lines, _INK["river"], 1.1)),
    ]


def _surfaces(rings: Lines, fill: str, edge: str, width: float) -> list[Shape]:
    return [
        shape
        for ring in rings
        for points in [tuple(map(on_sheet, ring))]
        for shape in (Polygon(points, filled(fill)), Polygon(points, stroked(edge, width)))
    ]


def _lines(lines: Lines, colour: str, width: float, dash: tuple[float, float] | None = None) -> list[Shape]:
    return [Line(tuple(map(on_sheet, line)), stroked(colour, width, dash)) for line in lines]


def _water_names() -> list[Shape]:
    seas: list[Shape] = [
        Text(on_sheet(at), name, 9.0, _INK["shore"], bold=True) for name, at in _SEAS.items()
    ]
    return seas


def _river_names(on: Board) -> list[Shape]:
    reach = _MAP.pitch * 1.2
    middles = [spot(on, city.middle) for city in on.majors]
    hexagons = [(x - reach, y - reach, x + reach, y + reach) for x, y in middles]
    labels = [*hexagons, *(label.box for label in placed_labels(on))]
    return [shape for river in outlines().rivers for shape in _river_name(river.name, river.lines, labels)]


def _river_name(name: str, lines: Lines, labels: list[Box]) -> list[Shape]:
    """A river's name beside the middle of its longest line, where it covers no city's name."""
    if not lines:
        return []
    longest = max(lines, key=len)
    spots = sorted(longest, key=lambda point: abs(longest.index(point) - len(longest) // 2))
    size = 2.9
    for x, y in map(on_sheet, spots):
        box = (x + 2.0, y - 2.4 - size, x + 2.0 + 0.6 * size * len(name), y - 1.6)
        if not any(overlap(box, label) for label in labels):
            return haloed((x + 2.0, y - 2.4), name, size, _INK["river"], "start", bold=False)
    return []


# --- the lattice ---


def _coordinates(on: Board) -> list[Shape]:
    """Column letters along the top and bottom, half rows at the sides, so that a milepost can be named."""
    width, height = map_size()
    _, y = frame_corner()
    letters: list[Shape] = []
    for column in range(on.data.columns):
        for at in (y - 2.5, height - y + 5.2):
            letters.append(Text((column_x(column), at), column_letters(column), 3.2, _INK["middle"]))
    for row in range(4, on.data.rows + 1, 4):
        at = lattice().origin[1] + row / 2 * _MAP.pitch + 1.1
        letters += [Text((x, at), str(row), 3.2, _INK["middle"]) for x in (y - 5, width - y + 5)]
    return letters


def milepost_shapes(on: Board, milepost: int) -> list[Shape]:
    """A dot, a mountain, or a city's mark."""
    at, city = spot(on, milepost), on.city_at[milepost]
    if city is not None:
        return _city_mark(city, milepost, at)
    if on.terrain[milepost] == "mountain":
        return [_mountain(at, _MAP.mountain)]
    return [Circle(at, _MAP.dot, filled(_INK["clear"]))]


def _mountain(at: Point, size: float) -> Polygon:
    x, y = at
    corners = ((x, y - size), (x + 0.95 * size, y + 0.72 * size), (x - 0.95 * size, y + 0.72 * size))
    return Polygon(corners, Style(_INK["mountain"], _INK["mountain_edge"], 0.3))


def _city_mark(city: City, milepost: int, at: Point) -> list[Shape]:
    radius = _MAP.city
    rim = stroked(_INK["city"], 0.9)
    if city.size == "major":
        middle = milepost == city.middle
        size = radius if middle else _MAP.dot * 1.25
        return [Circle(at, size, filled(_INK["city"] if middle else _INK["dark"]))]
    if city.size == "medium":
        corners = rectangle((at[0] - radius, at[1] - radius), (2 * radius, 2 * radius))
        return [Polygon(corners, filled(_INK["city_light"])), Polygon(corners, rim), _core(at)]
    return [Circle(at, radius * 0.9, filled(_INK["city_light"])), Circle(at, radius * 0.9, rim), _core(at)]


def _core(at: Point) -> Circle:
    return Circle(at, _MAP.dot * 1.1, filled(_INK["dark"]))


def _red_areas(on: Board) -> list[Shape]:
    """The hexagon of each major city, and the red edges inside it that nobody has to build."""
    shapes: list[Shape] = []
    for city in on.majors:
        x, y = spot(on, city.middle)
        reach = _MAP.pitch * 1.17
        corners = tuple(
            (x + reach * cos(pi / 6 + turn * pi / 3), y + reach * sin(pi / 6 + turn * pi / 3))
            for turn in range(6)
        )
        shapes += [
            Polygon(corners, filled(_INK["major"])),
            Polygon(corners, stroked(_INK["major_line"], 0.7)),
        ]
    for edge, red in enumerate(on.red):
        if red:
            ends = tuple(spot(on, end) for end in on.edges[edge])
            shapes.append(Line(ends, stroked(_INK["major_line"], 0.5)))
    return shapes


def _channels(on: Board) -> list[Shape]:
    """Narrow water that may be bridged: a dashed line from milepost to milepost."""
    return [Line(edge_line(on, edge), stroked(_INK["river"], 1.4, (1.6, 1.3))) for edge in on.channels]


def _closed(on: Board) -> list[Shape]:
    """Open water between two neighbours: a solid black bar across the edge."""
    shapes: list[Shape] = []
    for one, other in on.closed:
        (x1, y1), (x2, y2) = lattice().at(one), lattice().at(other)
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        dx, dy = (y2 - y1) * 0.17, (x1 - x2) * 0.17
        shapes.append(Line(((x - dx, y - dy), (x + dx, y + dy)), stroked(_INK["closed"], 1.1)))
    return shapes


# --- names ---


def haloed(
    at: Point,
    words: str,
    size: float,
    colour: str,
    anchor: Anchor = "middle",
    *,
    bold: bool = True,
    room: float = 0.0,
) -> list[Shape]:
    """Words that stay readable over dots and lines."""
    reach = 0.14 * size
    around = [(dx * reach, dy * reach) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    under = [
        Text((at[0] + dx, at[1] + dy), words, size, _INK["halo"], anchor, bold, room) for dx, dy in around
    ]
    return [*under, Text(at, words, size, colour, anchor, bold, room)]


def _names(on: Board) -> list[Shape]:
    return [shape for label in placed_labels(on) for shape in _label_shapes(label)]


def _label_shapes(label: Label) -> Iterable[Shape]:
    yield from haloed(label.at, label.city.name, label.size, _INK["dark"], label.anchor)
    if label.loads:
        under = (label.at[0], label.at[1] + _MAP.loads * 1.15)
        left, _, right, _ = label.box
        room = _ROOM * (right - left)
        yield from haloed(under, label.loads, _MAP.loads, _INK["event"], label.anchor, bold=False, room=room)


def _frame() -> list[Shape]:
    width, height = map_size()
    x, y = frame_corner()
    return [RoundedRect((x, y), (width - 2 * x, height - 2 * y), 0, stroked(_INK["dark"], 0.6))]


def _tags() -> list[Shape]:
    return [shape for number, quad in tag_quads().items() for shape in tag_shapes(number, quad[0], _MAP.tag)]
