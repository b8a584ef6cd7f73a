"""Invented prints of the map, as other makers might have drawn it: their own colours, marks, letters and
ornaments, no corner tags.

They stand in for genuine boards: a print is taught from one photograph of it without track.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin

import numpy as np

from companion.games.empire_builder.printing.printed import on_sheet, outlines, spot
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.sheets.drawing import (
    Anchor,
    Circle,
    Drawing,
    Line,
    Point,
    Polygon,
    RoundedRect,
    Shape,
    Text,
    filled,
    rectangle,
    stroked,
)
from companion.sheets.sheet import Sheet
from lab.studio.habits import between, one_of


@dataclass(frozen=True)
class Palette:
    """The colours of a print: sea, land, coasts, borders, rivers, marks, mountains, cities, letters."""

    sea: str
    land: str
    coast: str
    border: str
    river: str
    mark: str
    mountain: str
    city: str
    letters: str


_PALETTES = (
    Palette(
        "#9cc6dd", "#e9e2b8", "#5b87a0", "#b06a3a", "#5aa0c8", "#1d1d1d", "#7a4a28", "#c8202a", "#101010"
    ),
    Palette(
        "#f4f1e6", "#fbfaf4", "#8a8a80", "#a05050", "#88a8c0", "#303030", "#606060", "#b03030", "#202020"
    ),
    Palette(
        "#3f7fa6", "#b9cf9a", "#23506e", "#7a5a2a", "#2f78a8", "#141414", "#5f4a24", "#8c1c1c", "#0c0c0c"
    ),
    Palette(
        "#cfd9c9", "#f2d9a6", "#7c8c70", "#8a4f8a", "#6fa0b4", "#3a2a1a", "#8a6a3a", "#2a5aa0", "#2a1a0a"
    ),
    Palette(
        "#b7d7d0", "#f6e3df", "#5f9a90", "#c05a5a", "#4a9ab0", "#26323a", "#9a7a5a", "#a02870", "#1a2228"
    ),
    Palette(
        "#7fb0c8", "#dfe8c8", "#3c6c86", "#9a7a40", "#4888b8", "#f4f4f0", "#6a5a30", "#d06a20", "#101820"
    ),
)
_ANCHORS: tuple[Anchor, ...] = ("start", "middle", "end")
_MARKS = ("dot", "ring", "square")
_MOUNTAINS = ("triangle", "caret", "disc")


@lru_cache(maxsize=4)
def invented_print(seed: int) -> Sheet:
    """A print of our map by another maker; the same seed is the same print."""
    sheet = map_sheet()
    return replace(sheet, edition=f"invented {seed}", tags={}, draw=lambda: _drawing(seed, board()))


def _drawing(seed: int, on: Board) -> Drawing:
    rng = np.random.default_rng([seed, 77])
    colours = _PALETTES[seed % len(_PALETTES)]
    size = map_sheet().size
    shapes = [
        RoundedRect((0, 0), size, 0, filled(one_of(rng, ("#ffffff", "#2a2a2a", "#e8dcc0", "#8a2020")))),
        *_ground(rng, colours),
        *_marks(rng, colours, on),
        *_words(rng, colours, on),
        *_ornaments(rng, colours, size),
    ]
    return Drawing(size, tuple(shapes))


def _ground(rng: np.random.Generator, colours: Palette) -> Iterator[Shape]:
    lines = outlines()
    frame = map_sheet().area
    (left, top), _, (right, bottom), _ = frame
    yield RoundedRect((left, top), (right - left, bottom - top), 0, filled(colours.sea))
    for ring in lines.land:
        points = tuple(map(on_sheet, ring))
        yield Polygon(points, filled(colours.land))
        yield Polygon(points, stroked(colours.coast, between(rng, (0.4, 1.4))))
    # Woods or plains, shaded a little: what is printed under track is hardly ever plain
    land = [spot(board(), int(n)) for n in rng.integers(0, len(board().places), 60)]
    for x, y in land:
        reach = between(rng, (6.0, 26.0))
        around = [
            (
                x + reach * float(rng.uniform(0.5, 1)) * cos(turn),
                y + reach * float(rng.uniform(0.5, 1)) * sin(turn),
            )
            for turn in np.linspace(0, 2 * pi, 9)[:-1].tolist()
        ]
        yield Polygon(
            tuple(around), filled(_towards(colours.land, colours.mountain, between(rng, (0.05, 0.22))))
        )
    for ring in lines.lakes:
        yield Polygon(tuple(map(on_sheet, ring)), filled(colours.sea))
    for line in lines.states if rng.random() < 0.6 else ():
        yield Line(tuple(map(on_sheet, line)), stroked(_towards(colours.land, colours.border, 0.4), 0.4))
    for line in lines.borders:
        yield Line(tuple(map(on_sheet, line)), stroked(colours.border, between(rng, (0.6, 1.6)), (3.0, 2.0)))
    for river in lines.rivers:
        for line in river.lines:
            yield Line(tuple(map(on_sheet, line)), stroked(colours.river, between(rng, (0.7, 1.6))))


def _towards(one: str, other: str, share: float) -> str:
    codes = [(int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in codes)


def _marks(rng: np.random.Generator, colours: Palette, on: Board) -> Iterator[Shape]:
    kind, hill = one_of(rng, _MARKS), one_of(rng, _MOUNTAINS)
    dot, mountain, city_size = between(rng, (0.6, 1.2)), between(rng, (1.5, 2.6)), between(rng, (2.2, 3.6))
    for major in on.majors:
        x, y = spot(on, major.middle)
        corners = tuple(
            (x + 14.4 * cos(pi / 6 + n * pi / 3), y + 14.4 * sin(pi / 6 + n * pi / 3)) for n in range(6)
        )
        yield Polygon(corners, filled(_towards(colours.land, colours.city, 0.45)))
        yield Polygon(corners, stroked(colours.city, 0.6))
    for milepost in range(len(on.places)):
        at, city = spot(on, milepost), on.city_at[milepost]
        if city is not None and milepost == city.middle:
            yield Circle(at, city_size, filled(colours.city))
            yield Circle(at, dot, filled("#ffffff"))
        elif on.terrain[milepost] == "mountain":
            yield from _mountain(hill, at, mountain, colours.mountain)
        else:
            yield from _mark(kind, at, dot, colours.mark)


def _mark(kind: str, at: Point, size: float, colour: str) -> Iterator[Shape]:
    if kind == "square":
        yield Polygon(rectangle((at[0] - size, at[1] - size), (2 * size, 2 * size)), filled(colour))
    elif kind == "ring":
        yield Circle(at, size * 1.2, stroked(colour, 0.5))
    else:
        yield Circle(at, size, filled(colour))


def _mountain(kind: str, at: Point, size: float, colour: str) -> Iterator[Shape]:
    x, y = at
    if kind == "disc":
        yield Circle(at, 0.8 * size, filled(colour))
    elif kind == "caret":
        yield Line(
            ((x - size, y + 0.6 * size), (x, y - 0.8 * size), (x + size, y + 0.6 * size)),
            stroked(colour, 0.8),
        )
    else:
        yield Polygon(((x, y - size), (x + size, y + 0.7 * size), (x - size, y + 0.7 * size)), filled(colour))


def _words(rng: np.random.Generator, colours: Palette, on: Board) -> Iterator[Shape]:
    size = between(rng, (2.8, 4.4))
    for city in on.cities.values():
        x, y = spot(on, city.middle)
        anchor: Anchor = one_of(rng, _ANCHORS)
        yield Text(
            (x, y - between(rng, (4.0, 6.0))),
            city.name,
            size,
            colours.letters,
            anchor,
            bool(rng.random() < 0.5),
        )


def _ornaments(rng: np.random.Generator, colours: Palette, size: Point) -> Iterator[Shape]:
    """A frame, a title and a compass in the sea."""
    (left, top), _, (right, bottom), _ = map_sheet().area
    yield RoundedRect(
        (left, top), (right - left, bottom - top), 0, stroked(colours.letters, between(rng, (0.8, 2.5)))
    )
    title = one_of(rng, ("RAILS OF THE CONTINENT", "IRON AND STEAM", "TRACKS WEST"))
    yield Text((size[0] / 2, size[1] - 6), title, 11.0, colours.city, "middle", True)
    x, y = left + between(rng, (40.0, 70.0)), bottom - between(rng, (60.0, 110.0))
    for n in range(8):
        reach = 22.0 if n % 2 == 0 else 12.0
        tip = (x + reach * cos(n * pi / 4), y + reach * sin(n * pi / 4))
        sides = [(x + 4 * cos(n * pi / 4 + turn), y + 4 * sin(n * pi / 4 + turn)) for turn in (-0.8, 0.8)]
        yield Polygon((tip, sides[0], sides[1]), filled(colours.letters if n % 2 else colours.city))
