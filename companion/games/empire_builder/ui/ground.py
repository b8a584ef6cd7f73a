"""The land of Empire Builder as SVG: what never changes in a match. Colours come from the style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin

from companion.games.empire_builder.printing.labels import Label, placed_labels
from companion.games.empire_builder.printing.printed import PRINTED, Lines, outlines
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.ui.plane import (
    PITCH,
    Spot,
    dots,
    from_plane,
    from_sheet,
    line,
    parts_of_map,
    spot_of,
    view_box,
)
from companion.sheets.drawing import Point, simplified
from web.ui.speaking import Markup, cached_by_language

_SMALL_BEND = 2.5 / 30  # of the way from milepost to milepost
_PATH = Markup('<path class="{}" d="{}"/>')
_NAME = Markup('<text class="eb-name eb-name-{}" data-at="{}" x="{}" y="{}" text-anchor="{}">{}</text>')
_LOADS = Markup('<text class="eb-loads" x="{}" y="{}" text-anchor="{}">{}</text>')


def frame(name: str, inside: Markup, label: str = "") -> Markup:
    """An SVG that covers the whole map."""
    told = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="board {}" viewBox="{} {} {} {}" {}>{}</svg>').format(
        name, *view_box(), told, inside
    )


@cached_by_language(16)
def ground(corrections: str) -> Markup:
    """Land, water, mileposts, cities and names of our map, or of the owner's."""
    on = board(corrections)
    # The hexagons of the major cities, and the ways inside that nobody has to build
    hexagons = [line(_hexagon(spot_of(on.places[city.middle])), closed=True) for city in on.majors]
    ways = [_edge(on, edge) for edge, red in enumerate(on.red) if red]
    parts = [
        *_outlines(),
        _path("eb-red", hexagons),
        _path("eb-red-way", ways),
        *_water(on),
        *_mileposts(on),
        *_cities(on),
    ]
    # The names are a picture of their own: they lie over the track.
    return frame("eb-ground", Markup("").join(parts)) + frame("eb-names", Markup("").join(_names(on)))


def _path(name: str, pieces: Iterable[str]) -> Markup:
    return _PATH.format(name, "".join(pieces))


def _outlines() -> list[Markup]:
    lines = outlines()
    rivers: Lines = [piece for river in lines.rivers for piece in river.lines]
    return [
        _path("eb-land", _rings(lines.land)),
        _path("eb-state", _open(lines.states)),
        _path("eb-border", _open(lines.borders)),
        _path("eb-lake", _rings(lines.lakes)),
        _path("eb-river", _open(rivers)),
    ]


def _rings(rings: Lines) -> list[str]:
    return [line(_on_page(ring), closed=True) for ring in rings]


def _open(lines: Lines) -> list[str]:
    return [line(_on_page(one)) for one in lines]


def _on_page(points: Sequence[Point]) -> list[Spot]:
    """A coast, border or river without the small bends that no phone shows."""
    return [from_plane(point) for point in simplified(points, _SMALL_BEND)]


def _hexagon(at: Spot) -> list[Spot]:
    reach = PITCH * 1.17
    turns = (pi / 6 + turn * pi / 3 for turn in range(6))
    return [(round(at[0] + reach * cos(turn)), round(at[1] + reach * sin(turn))) for turn in turns]


def _edge(on: Board, edge: int) -> str:
    one, other = on.edges[edge]
    return line([spot_of(on.places[one]), spot_of(on.places[other])])


def _water(on: Board) -> list[Markup]:
    """Narrow water that may be bridged, and open water between neighbours."""
    bars = [_bar(spot_of(one), spot_of(other)) for one, other in sorted(on.closed)]
    return [_path("eb-channel", [_edge(on, edge) for edge in on.channels]), _path("eb-closed", bars)]


def _bar(one: Spot, other: Spot) -> str:
    """A short bar across the way."""
    x, y = (one[0] + other[0]) // 2, (one[1] + other[1]) // 2
    dx, dy = round((other[1] - one[1]) * 0.17), round((one[0] - other[0]) * 0.17)
    return line([(x - dx, y - dy), (x + dx, y + dy)])


def _mileposts(on: Board) -> list[Markup]:
    """A dot on clear ground, a peak in the mountains."""
    free = [number for number in range(len(on.places)) if on.city_at[number] is None]
    flat = [spot_of(on.places[number]) for number in free if on.terrain[number] != "mountain"]
    high = [spot_of(on.places[number]) for number in free if on.terrain[number] == "mountain"]
    tips = [(x, y - 6) for x, y in high]
    peaks = [_path("eb-peaks", [dots(part, "l6 10h-12z")]) for part in parts_of_map(tips, _itself)]
    return [*(_path("eb-dots", [dots(part)]) for part in parts_of_map(flat, _itself)), *peaks]


def _itself(spot: Spot) -> Spot:
    return spot


def _cities(on: Board) -> list[Markup]:
    """A square for a medium city, a circle for a small one, a large dot for a major one."""
    spots = {
        size: [spot_of(on.places[city.middle]) for city in on.cities.values() if city.size == size]
        for size in ("major", "medium", "small")
    }
    rim = [
        spot_of(on.places[milepost])
        for city in on.majors
        for milepost in city.mileposts
        if milepost != city.middle
    ]
    squares = [(x - 7, y - 7) for x, y in spots["medium"]]
    return [
        _path("eb-rim", [dots(rim)]),
        _path("eb-major", [dots(spots["major"])]),
        _path("eb-medium", [dots(squares, "h14v14h-14z")]),
        _path("eb-small-rim", [dots(spots["small"])]),
        _path("eb-small", [dots(spots["small"])]),
        _path("eb-core", [dots([*spots["medium"], *spots["small"]])]),
    ]


def _names(on: Board) -> list[Markup]:
    return [part for label in placed_labels(on) for part in _name(on, label)]


def _name(on: Board, label: Label) -> list[Markup]:
    x, y = from_sheet(label.at)
    name = _NAME.format(label.city.size, on.names[label.city.middle], x, y, label.anchor, label.city.name)
    if not label.loads:
        return [name]
    below = from_sheet((label.at[0], label.at[1] + PRINTED.map.loads * 1.15))[1]
    return [name, _LOADS.format(x, below, label.anchor, label.loads)]
