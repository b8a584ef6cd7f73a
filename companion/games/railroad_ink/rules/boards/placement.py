"""Where a route may be drawn.

At least one end has to meet an exit or the end of a route already there, of the same type and not across a
wall; no end may face an end or exit of the other type, unless a wall is between. A blank side against an end
is legal.

What surrounds a cell is one number, its *facing* mask: see :mod:`companion.games.railroad_ink.rules.boards.facing`.
"""

from __future__ import annotations

from functools import lru_cache

from companion.core.messages import listed, m
from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.facing import SENT, arriving, bit_of, facing_at, open_sides
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.routes import (
    TYPE_NAMES,
    TYPES,
    Cells,
    Route,
    turnings,
)
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.boards.words import END_WORDS, route_words, side_words
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, LAYOUT_OF, NAMES, NEIGHBOURS, USUAL
from companion.sheets.grid import DIRECTIONS

Spot = tuple[int, Route]


def legal_routes(cells: Cells, walls: Walls, shape: str, layout: Layout = USUAL) -> list[Spot]:
    """Every cell and turning in which ``shape`` may be drawn now. The one list everybody asks.

    >>> from companion.games.railroad_ink.rules.boards.routes import ROUTES
    >>> [(NAMES[cell], route.text) for cell, route in legal_routes({}, NO_WALLS, "N*")]
    [('b1', 'N*'), ('f1', 'N*'), ('a4', 'W*'), ('g4', 'E*'), ('b7', 'S*'), ('f7', 'S*')]
    """
    facing = all_facing(cells, walls, layout)
    return [(cell, route) for cell in layout.cells if facing[cell] for route in fitting(facing[cell], shape)]


def may_draw(cells: Cells, walls: Walls, cell: int, route: Route) -> bool:
    """Return True if ``route`` may be drawn in ``cell``; :func:`placement_refusal` says why not."""
    return cell not in cells and fits(facing_at(cells, walls, cell), route)


def fits(facing: int, route: Route) -> bool:
    """True if something that arrives at the cell joins the route and nothing of the other type meets it."""
    highway, railway = facing & 15, facing >> 4
    joined = highway & route.highway or railway & route.railway
    return bool(joined) and not (highway & route.railway or railway & route.highway)


@lru_cache(maxsize=4096)
def fitting(facing: int, shape: str) -> tuple[Route, ...]:
    """The turnings of a shape that :func:`fits` allows."""
    return tuple(route for route in turnings(shape) if fits(facing, route))


def all_facing(cells: Cells, walls: Walls = NO_WALLS, layout: Layout = USUAL) -> list[int]:
    """The facing mask of every cell; 0 where something is drawn already, so that nothing fits there."""
    facing = arriving(cells, walls, layout)
    for cell in cells:
        facing[cell] = 0
    return facing


def unreached(cells: Cells, walls: Walls) -> list[int]:
    """The drawn cells that no order of legal drawing reaches."""
    if not cells:
        return []
    left, sides = dict(cells), open_sides(walls)
    facing = arriving({}, walls, LAYOUT_OF[next(iter(cells))])
    touched = set(cells)
    while fitting := [cell for cell in touched if cell in left and fits(facing[cell], left[cell])]:
        touched = set()
        for cell in fitting:
            for neighbour, bit in SENT[cell][left.pop(cell).number]:
                facing[neighbour] |= bit & sides[neighbour]
                touched.add(neighbour)
    return list(left)


# --- reasons ---


def loose_remarks(cells: Cells, walls: Walls) -> list[str]:
    """A sentence for the drawn cells that hang on no exit."""
    loose = [NAMES[cell] for cell in unreached(cells, walls)]
    return (
        [m("joined to no exit, so it could not have been drawn: {loose}", loose=listed(loose))]
        if loose
        else []
    )


def placement_refusal(cells: Cells, walls: Walls, cell: int, route: Route) -> Refusal | None:
    """Why ``route`` may not be drawn in ``cell``; nothing when it may."""
    name = NAMES[cell]
    if cell in cells:
        return Refusal(
            "occupied",
            m("{name} is taken: the {cell} is drawn there", name=name, cell=route_words(cells[cell])),
            {"cell": name},
        )
    return _meeting(cells, walls, cell, route) or _joining_nothing(cells, walls, cell, route)


def _meeting(cells: Cells, walls: Walls, cell: int, route: Route) -> Refusal | None:
    """The refusal for the first end that would face the other type."""
    facing = facing_at(cells, walls, cell)
    for direction in DIRECTIONS:
        for kind in TYPES:
            other = 1 - kind
            if route.ends[kind] >> direction & 1 and facing & bit_of(other, direction):
                name = NAMES[cell]
                message = m(
                    "the {kind} of {name} would meet {other}: they join only in a station",
                    kind=END_WORDS[TYPE_NAMES[kind]],
                    name=name,
                    other=_what_arrives(cell, direction, other),
                )
                return Refusal("types-meet", message, {"cell": name, "with": _beyond(cell, direction)})
    return None


def _what_arrives(cell: int, direction: int, kind: int) -> str:
    exit_ = EXIT_AT.get((cell, direction))
    if exit_ is not None:
        return m(
            "the {kind} exit on its {side}", kind=END_WORDS[TYPE_NAMES[kind]], side=side_words(exit_.side)
        )
    neighbour = NAMES[NEIGHBOURS[cell][direction]]
    return m("the {kind} of {direction}", kind=END_WORDS[TYPE_NAMES[kind]], direction=neighbour)


def _beyond(cell: int, direction: int) -> str:
    """The name of the neighbour, or ``exit``."""
    return "exit" if (cell, direction) in EXIT_AT else NAMES[NEIGHBOURS[cell][direction]]


def _joining_nothing(cells: Cells, walls: Walls, cell: int, route: Route) -> Refusal | None:
    if fits(facing_at(cells, walls, cell), route):
        return None
    name, words = NAMES[cell], route_words(route)
    beyond = _joined_but_for_a_wall(cells, walls, cell, route)
    if beyond:
        message = m(
            "the {words} at {name} would join nothing: the wall between {name} and {beyond} keeps them apart",
            words=words,
            name=name,
            beyond=beyond,
        )
    else:
        message = m(
            "the {words} at {name} would join nothing: one of its ends has to meet an exit "
            "or the end of a route of the same type",
            words=words,
            name=name,
        )
    return Refusal("not-connected", message, {"cell": name})


def _joined_but_for_a_wall(cells: Cells, walls: Walls, cell: int, route: Route) -> str | None:
    hidden = facing_at(cells, NO_WALLS, cell) & ~facing_at(cells, walls, cell)
    for kind in TYPES:
        for direction in DIRECTIONS:
            if hidden & bit_of(kind, direction) and route.ends[kind] >> direction & 1:
                return _beyond(cell, direction)
    return None
