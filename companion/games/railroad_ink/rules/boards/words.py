"""How routes are called in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce

from companion.core.messages import joined, listed, m
from companion.games.railroad_ink.rules.boards.routes import (
    EXTRA_SHAPES,
    HIGHWAY,
    TYPES,
    Piece,
    Route,
    any_route,
    shape_of,
    turnings,
)
from companion.sheets.grid import DIRECTION_NAMES, DIRECTIONS, SIDES

SHAPE_NAMES: dict[str, str] = {
    "NS": m("straight highway"),
    "NE": m("highway curve"),
    "NES": m("highway T"),
    "NESW": m("highway crossroads"),
    "ns": m("straight railway"),
    "ne": m("railway curve"),
    "nes": m("railway T"),
    "nesw": m("railway crossing"),
    "NS|ew": m("overpass"),
    "NE|SW": m("double highway curve"),
    "ne|sw": m("double railway curve"),
    "N*": m("highway terminal"),
    "n*": m("railway terminal"),
    "Ns*": m("straight station"),
    "Ne*": m("curve station"),
    "NSe*": m("highway station with a railway"),
    "nsE*": m("railway station with a highway"),
    "NEsw*": m("corner station of two highways and two railways"),
    "NeSw*": m("crossing station of two highways and two railways"),
    "NESw*": m("station of three highways and a railway"),
    "Nesw*": m("station of three railways and a highway"),
    # what only expansions draw
    "N": m("highway end"),
    "n": m("railway end"),
    "NE|sw": m("highway curve and railway curve"),
    "Ne*|Sw*": m("two stations, alike ends opposite"),
    "Ne*|Ws*": m("two stations, alike ends side by side"),
    "NES|W": m("highway T and highway end"),
    "nes|w": m("railway T and railway end"),
    "EW|S": m("straight highway and highway end"),
    "ew|s": m("straight railway and railway end"),
    "NS|EW": m("highway overpass"),
    "ns|ew": m("railway overpass"),
    "NE*|sw": m("highway curve with a station, and railway curve"),
    "W*|nes": m("highway terminal and railway T"),
    "NES|w": m("highway T and railway end"),
}
SHAPE_NAMES |= {shape: m("station") for shape in EXTRA_SHAPES if shape not in SHAPE_NAMES}
# What ends at the sides of a cell.
END_WORDS = {
    "highway": m("highway"),
    "railway": m("railway"),
    "superconnection": m("superconnection"),
    "river": m("river"),
    "lava": m("lava"),
    "airway": m("airway"),
}


def side_words(side: str) -> str:
    """A side of a cell, by its name in notations.

    >>> side_words("left")
    'left'
    """
    return SIDES[DIRECTION_NAMES.index(side)]


def route_words(route: Route | str) -> str:
    """What a route is called, and where its ends are, for somebody who does not know the notation.

    >>> route_words("ESW"), route_words("NESW")
    ('highway T (right, bottom, left)', 'highway crossroads')
    >>> route_words("NS|ew"), route_words("NE|SW")
    ('overpass (highway top and bottom)', 'double highway curve (top and right, bottom and left)')
    >>> route_words("NSe*")
    'highway station with a railway (highway top and bottom, railway right)'
    """
    drawn = any_route(route) if isinstance(route, str) else route
    return _route_words(drawn)


@lru_cache(maxsize=1024)
def _route_words(drawn: Route) -> str:
    name, ends = SHAPE_NAMES[shape_of(drawn)], _ends_words(drawn)
    return m("{route} ({ends})", route=name, ends=ends) if ends else name


def shapes_words(shapes: Iterable[str]) -> str:
    """Shapes by their names, in a sentence.

    >>> shapes_words(["ns", "Ns*"])
    'straight railway and straight station'
    """
    return listed([SHAPE_NAMES[shape] for shape in shapes])


def _ends_words(route: Route) -> str:
    """The sides of a route's ends, empty if all turnings are alike; the highway's alone for an overpass."""
    if len(turnings(shape_of(route))) == 1:
        return ""
    kinds = [kind for kind in TYPES if any(piece.ends[kind] for piece in route.pieces)]
    if len(kinds) == 1:
        sides = [_sides(piece, kinds[0]) for piece in route.pieces]
        return joined(", ", map(_together, sides) if len(sides) > 1 else sides[0])
    pieces = route.pieces[:1] if len(route.pieces) > 1 else route.pieces
    ends = [(kind, _sides(piece, kind)) for piece in pieces for kind in TYPES if piece.ends[kind]]
    return joined(", ", [_kind_words(kind, _together(sides)) for kind, sides in ends])


def _kind_words(kind: int, sides: str) -> str:
    return m("highway {sides}", sides=sides) if kind == HIGHWAY else m("railway {sides}", sides=sides)


def _sides(piece: Piece, kind: int) -> list[str]:
    return [SIDES[direction] for direction in DIRECTIONS if piece.ends[kind] >> direction & 1]


def _together(sides: Sequence[str]) -> str:
    """Each joined by "and", for commas stand between the pieces."""
    return reduce(lambda some, side: listed([some, side]), sides)
