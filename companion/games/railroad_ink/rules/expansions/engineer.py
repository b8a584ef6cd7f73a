"""Construction and Renovation. (Separation and Special are route dice and need no rules of their own.)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.errors import NotationError
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import Route, any_route, shape_of
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    Rules,
    Turn,
    clashes,
    free_spots,
    spots,
)
from companion.games.railroad_ink.rules.rulebook import DICE, EDITION, NAMES
from companion.sheets.grid import DIRECTIONS

_BASIC = {face for edition in EDITION.values() for die in edition.dice for face in DICE[die]}


def _construction_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """A die drawn anywhere; a route taken away; a route moved to where it may be drawn."""
    for face in dict.fromkeys(turn.left):
        if face == "build:free":
            for shape in dict.fromkeys(turn.dice):
                for cell, route in free_spots(position, shape):
                    yield Placement((face,), NAMES[cell], route.text, source="die")
            continue
        for cell, route in position.cells.items():
            if shape_of(route) not in _BASIC:
                continue
            name = NAMES[cell]
            if face == "build:destroy":
                yield Placement((face,), destroy=(name,))
                continue
            without = _without(position, cell)
            for where, turned in spots(without, shape_of(route)):
                if where != cell:
                    yield Placement((face,), NAMES[where], turned.text, destroy=(name,))


def _without(position: Position, cell: int) -> Position:
    return replace(position, cells={one: route for one, route in position.cells.items() if one != cell})


CONSTRUCTION = Rules(_construction_placements)


def _renovation_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """A route with what the die adds, where that meets nothing of the other type."""
    for face in dict.fromkeys(turn.left):
        more = face.partition(":")[2]
        for cell, route in position.cells.items():
            if shape_of(route) not in _BASIC:
                continue
            without = _without(position, cell)
            for after in _renovated(route, more):
                if not clashes(without, cell, after):
                    name = NAMES[cell]
                    yield Placement((face,), name, after.text, destroy=(name,))


def _renovated(route: Route, more: str) -> list[Route]:
    """The route with an addition: a curve beside a curve, a straight across one, an arm on a station.

    >>> from companion.games.railroad_ink.rules.boards.routes import ROUTES
    >>> [str(one) for one in _renovated(ROUTES["NE"], "ne")]
    ['NE|sw']
    >>> [str(one) for one in _renovated(ROUTES["ns"], "NS")]
    ['EW|ns']
    >>> [str(one) for one in _renovated(ROUTES["Ns*"], "n")], _renovated(ROUTES["NES"], "NS")
    (['Nes*', 'Nsw*'], [])
    """
    ends = route.highway | route.railway
    blank = [way for way in DIRECTIONS if not ends >> way & 1]
    letters = "nesw" if more.islower() else "NESW"
    if len(more) == 1:
        added = (
            [f"{route.text.removesuffix('*')}{letters[way]}*" for way in blank]
            if route.station and len(route.pieces) == 1
            else []
        )
    elif route.station or len(route.pieces) > 1 or len(blank) != 2:
        added = []
    else:
        straight = (blank[0] - blank[1]) % 2 == 0
        wanted = "".join(letters[way] for way in blank)
        added = [f"{route.text}|{wanted}"] if straight == (more.upper() == "NS") else []
    found = []
    for text in added:
        try:
            found.append(any_route(text))
        except NotationError:
            continue
    return found


RENOVATION = Rules(_renovation_placements)
