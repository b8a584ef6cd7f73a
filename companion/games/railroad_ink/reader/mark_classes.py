"""The classes of an expansion's marks that a network distinguishes in a cell.

A class is what is to be seen in one cell, written much like a face of the dice: ``trees`` fill a space of
their own, ``+trees`` stand beside a route; ``river:NE``, ``lake:NES`` and ``lava:N`` name the sides to which
they are open, ``+trail:nw-ne`` the corners that a trail joins, ``canyon:NE`` the borders of the cell on which
a canyon runs. Turned boards have the same classes, turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.rules.boards.routes import Route
from companion.games.railroad_ink.rules.expansions.lush_green import trail_corners
from companion.games.railroad_ink.rules.expansions.marks import (
    Marks,
    border_name,
    directions_of,
    ends_text,
)
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import Looks
from companion.sheets.grid import DIRECTIONS, SYMMETRIES, Symmetry

NONE = ""  # no mark; whether there is a route, the network of routes says
_CORNERS = {"nw": (0, 0), "ne": (1, 0), "se": (1, 1), "sw": (0, 1)}
_CORNER_AT = {at: name for name, at in _CORNERS.items()}
_FLOWING = ("river", "lake", "lava")
_VOLCANO = "volcano"


def _ends(*counts: int) -> list[str]:
    return ["".join(ends) for count in counts for ends in combinations("NESW", count)]


def _trails() -> Iterator[str]:
    """The classes of trails: under a straight route, along a blank side, around a curve."""
    for count in (2, 3):
        for corners in combinations(_CORNERS, count):
            yield f"+trail:{'-'.join(corners)}"


_BESIDE = ["NE", "ES", "SW", "NW"]  # two sides that meet in a corner
# By expansion, what may be seen in a cell.
CLASSES_OF: dict[str, tuple[str, ...]] = {
    "forest": (NONE, "trees", "+trees"),
    "trail": (NONE, *_trails()),
    "desert": (NONE, "+cactus", "cacti", "+oasis"),
    "canyon": (NONE, *(f"canyon:{ends}" for ends in _ends(1, 2, 3, 4))),
    "river": (NONE, *(f"river:{ends}" for ends in _ends(2)), "+river:NS", "+river:EW"),
    "lake": (
        NONE,
        *(f"lake:{ends}" for ends in _ends(1, 2, 3, 4)),
        *(f"+lake:{ends}" for ends in (*_ends(1), *_BESIDE)),
    ),
    "lava": (
        NONE,
        *(f"lava:{ends}" for ends in _ends(1, 2, 3, 4)),
        *(f"+lava:{ends}" for ends in _ends(1)),
        _VOLCANO,
    ),
    "meteor": (NONE, "crater"),
}
MARK_CLASSES: tuple[str, ...] = (NONE, *(one for names in CLASSES_OF.values() for one in names[1:]))
CLASS_NUMBER = {name: number for number, name in enumerate(MARK_CLASSES)}
READ_EXPANSIONS = tuple(CLASSES_OF)  # those whose marks are read; the others' are asked about


def class_at(marks: Marks, cell: int, route: Route | None) -> str | None:
    """The class to be seen in a cell of a board with these marks; None if it is undetermined.

    >>> from companion.games.railroad_ink.rules.boards.routes import parse_route
    >>> class_at({"c3": "trail"}, 16, parse_route("NES")), class_at({"c3-d3": "canyon"}, 16, None)
    ('+trail:nw-sw', 'canyon:E')
    """
    beside = [
        way
        for way in DIRECTIONS
        if (other := GRID.neighbours[cell][way]) >= 0 and border_name(cell, other) in marks
    ]
    if beside:
        return f"canyon:{ends_text(beside)}"
    words = marks.get(GRID.names[cell], "").split()
    if not words:
        return NONE
    if _VOLCANO in words:
        return _VOLCANO
    sign, _, detail = words[-1].partition(":")
    if sign == "crater":  # a route is drawn over what is left of it
        return "crater" if route is None else None
    if sign == "trail":
        column, row = cell % GRID.columns, cell // GRID.columns
        found = {_CORNER_AT[x - column, y - row] for x, y in trail_corners(cell, route, detail)}
        return f"+trail:{'-'.join(name for name in _CORNERS if name in found)}"
    word = f"{sign}:{detail}" if sign in _FLOWING else sign
    routed = f"+{word}"
    return routed if route is not None and routed in CLASS_NUMBER else word


def is_alone(name: str) -> bool:
    """Return True if a cell with this mark holds nothing else, so no route."""
    return name != NONE and not name.startswith(("+", "canyon:"))


def told_mark(name: str) -> str:
    """A class as a mark is usually written; a trail's corners are told by its route, but for two ways.

    >>> told_mark("+river:EW"), told_mark("+trail:nw-se"), told_mark("+trail:nw-ne"), told_mark("volcano")
    ('river:EW', 'trail:nw-se', 'trail', 'volcano lava:NESW')
    """
    if name == _VOLCANO:
        return "volcano lava:NESW"
    if name.startswith("+trail"):
        return name[1:] if name in ("+trail:nw-se", "+trail:ne-sw") else "trail"
    return name.removeprefix("+")


def told_looks(looks: Looks) -> dict[str, dict[str, float]]:
    """The looks with marks in their usual notation, most probable first."""
    found: dict[str, dict[str, float]] = {}
    for place, look in looks.items():
        shares: dict[str, float] = {}
        for name, p in (look or {}).items():
            shares[told_mark(name)] = shares.get(told_mark(name), 0.0) + p
        found[place] = dict(sorted(shares.items(), key=lambda pair: -pair[1]))
    return found


def _turned(name: str, way: Symmetry) -> str:
    sign, _, detail = name.partition(":")
    if not detail:
        return name
    if sign == "+trail":
        return f"+trail:{_turned_corners(detail, way)}"
    return f"{sign}:{ends_text(map(way.direction, directions_of(detail)))}"


def _turned_corners(detail: str, way: Symmetry) -> str:
    """Rotate corners, each of which lies between two sides, with those sides."""
    sides = {"nw": (3, 0), "ne": (0, 1), "se": (1, 2), "sw": (2, 3)}
    between = {frozenset(pair): name for name, pair in sides.items()}
    found = {between[frozenset(map(way.direction, sides[corner]))] for corner in detail.split("-")}
    return "-".join(name for name in _CORNERS if name in found)


# By symmetry: where every class goes.
MARK_TURNED: NDArray[np.intp] = np.array(
    [[CLASS_NUMBER[_turned(name, way)] for name in MARK_CLASSES] for way in SYMMETRIES]
)
