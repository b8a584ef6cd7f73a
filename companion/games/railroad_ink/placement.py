"""Where a route may be drawn.

At least one end has to meet an exit or the end of a route already there, of the same type and not across a
wall; no end may face an end or exit of the other type, unless a wall is between. A blank side against an end
is legal.

What surrounds a cell is kept as one number, its *facing* mask: bits 0 to 3 are the sides (from the top,
clockwise) from which a highway arrives, bits 4 to 7 those from which a railway arrives.
"""

from __future__ import annotations

from functools import cache, lru_cache

from companion.games.contract import Refusal
from companion.games.kit.grid import DIRECTIONS, opposite
from companion.games.railroad_ink.position import Cells
from companion.games.railroad_ink.routes import (
    HIGHWAY,
    RAILWAY,
    TYPE_NAMES,
    TYPES,
    VOCABULARY,
    Route,
    turnings,
)
from companion.games.railroad_ink.rulebook import EXIT_AT, EXITS, GRID
from companion.games.railroad_ink.walls import NO_WALLS, Walls
from companion.games.railroad_ink.words import route_words

Spot = tuple[int, Route]
_EVERY_SIDE = 0b11111111


def legal_routes(cells: Cells, walls: Walls, shape: str) -> list[Spot]:
    """Every cell and turning in which ``shape`` may be drawn now. The one list everybody asks.

    >>> from companion.games.railroad_ink.routes import ROUTES
    >>> [(GRID.names[cell], route.text) for cell, route in legal_routes({}, NO_WALLS, "N*")]
    [('b1', 'N*'), ('f1', 'N*'), ('a4', 'W*'), ('g4', 'E*'), ('b7', 'S*'), ('f7', 'S*')]
    """
    facing = all_facing(cells, walls)
    return [
        (cell, route) for cell in range(GRID.size) if facing[cell] for route in fitting(facing[cell], shape)
    ]


def may_draw(cells: Cells, walls: Walls, cell: int, route: Route) -> bool:
    """May ``route`` be drawn in ``cell``? :func:`placement_refusal` says why not."""
    return cell not in cells and fits(facing_at(cells, walls, cell), route)


def fits(facing: int, route: Route) -> bool:
    """Does a route suit what arrives at its cell: something joined, and nowhere the other type?"""
    highway, railway = facing & 15, facing >> 4
    joined = highway & route.highway or railway & route.railway
    return bool(joined) and not (highway & route.railway or railway & route.highway)


@cache
def fitting(facing: int, shape: str) -> tuple[Route, ...]:
    """The turnings of a shape that suit what arrives at a cell."""
    return tuple(route for route in turnings(shape) if fits(facing, route))


def all_facing(cells: Cells, walls: Walls = NO_WALLS) -> list[int]:
    """The facing mask of every cell; 0 where something is drawn already, so that nothing fits there."""
    facing = list(_EXITS_FACING)
    for cell, route in cells.items():
        for neighbour, bit in SENT[cell][route.number]:
            facing[neighbour] |= bit
    if walls:
        facing = [mask & sides for mask, sides in zip(facing, open_sides(walls), strict=True)]
    for cell in cells:
        facing[cell] = 0
    return facing


def facing_at(cells: Cells, walls: Walls, cell: int) -> int:
    """The facing mask of one cell, whether or not something is drawn in it."""
    facing = _EXITS_FACING[cell]
    for neighbour in GRID.neighbours[cell]:
        if neighbour in cells:
            facing |= sum(bit for other, bit in SENT[neighbour][cells[neighbour].number] if other == cell)
    return facing & open_sides(walls)[cell]


@lru_cache(maxsize=64)
def open_sides(walls: Walls) -> tuple[int, ...]:
    """For every cell the facing bits that no wall blocks."""
    blocked = [0] * GRID.size
    for cell, direction in walls:
        blocked[cell] |= _bit(HIGHWAY, direction) | _bit(RAILWAY, direction)
    return tuple(_EVERY_SIDE & ~mask for mask in blocked)


def _bit(kind: int, direction: int) -> int:
    return 1 << (4 * kind + direction)


def _exits_facing() -> tuple[int, ...]:
    facing = [0] * GRID.size
    for exit_ in EXITS:
        facing[exit_.cell] |= _bit(exit_.type, exit_.direction)
    return tuple(facing)


def _sent(cell: int, route: Route) -> tuple[tuple[int, int], ...]:
    """What a drawn route adds to the facing masks around it: (neighbour, bit) for each end."""
    return tuple(
        (GRID.neighbours[cell][direction], _bit(kind, opposite(direction)))
        for kind in TYPES
        for direction in DIRECTIONS
        if route.ends[kind] >> direction & 1 and GRID.neighbours[cell][direction] >= 0
    )


_EXITS_FACING = _exits_facing()
# By cell, then by the number of the route.
SENT = tuple(tuple(_sent(cell, route) for route in VOCABULARY) for cell in range(GRID.size))


# --- reasons ---


def placement_refusal(cells: Cells, walls: Walls, cell: int, route: Route) -> Refusal | None:
    """Why ``route`` may not be drawn in ``cell``; nothing when it may."""
    name = GRID.names[cell]
    if cell in cells:
        return Refusal(
            "occupied", f"{name} is taken: the {route_words(cells[cell])} is drawn there", {"cell": name}
        )
    return _meeting(cells, walls, cell, route) or _joining_nothing(cells, walls, cell, route)


def _meeting(cells: Cells, walls: Walls, cell: int, route: Route) -> Refusal | None:
    """The refusal for the first end that would face the other type."""
    facing = facing_at(cells, walls, cell)
    for direction in DIRECTIONS:
        for kind in TYPES:
            other = 1 - kind
            if route.ends[kind] >> direction & 1 and facing & _bit(other, direction):
                name = GRID.names[cell]
                message = (
                    f"the {TYPE_NAMES[kind]} of {name} would meet {_what_arrives(cell, direction, other)}: "
                    "they join only in a station"
                )
                return Refusal("types-meet", message, {"cell": name, "with": _beyond(cell, direction)})
    return None


def _what_arrives(cell: int, direction: int, kind: int) -> str:
    exit_ = EXIT_AT.get((cell, direction))
    if exit_ is not None:
        return f"the {TYPE_NAMES[kind]} exit on its {exit_.side}"
    return f"the {TYPE_NAMES[kind]} of {GRID.names[GRID.neighbours[cell][direction]]}"


def _beyond(cell: int, direction: int) -> str:
    """The name of the neighbour, or ``exit``."""
    return "exit" if (cell, direction) in EXIT_AT else GRID.names[GRID.neighbours[cell][direction]]


def _joining_nothing(cells: Cells, walls: Walls, cell: int, route: Route) -> Refusal | None:
    if fits(facing_at(cells, walls, cell), route):
        return None
    name = GRID.names[cell]
    message = f"the {route_words(route)} at {name} would join nothing: "
    beyond = _joined_but_for_a_wall(cells, walls, cell, route)
    if beyond:
        message += f"the wall between {name} and {beyond} keeps them apart"
    else:
        message += "one of its ends has to meet an exit or the end of a route of the same type"
    return Refusal("not-connected", message, {"cell": name})


def _joined_but_for_a_wall(cells: Cells, walls: Walls, cell: int, route: Route) -> str | None:
    hidden = facing_at(cells, NO_WALLS, cell) & ~facing_at(cells, walls, cell)
    for kind in TYPES:
        for direction in DIRECTIONS:
            if hidden & _bit(kind, direction) and route.ends[kind] >> direction & 1:
                return _beyond(cell, direction)
    return None


# --- two drawn cells ---


def joined_by(cells: Cells, walls: Walls, first: int, second: int) -> int | None:
    """The type of route (``HIGHWAY`` or ``RAILWAY``) that leads from one cell into the other, if any."""
    if second not in GRID.neighbours[first] or first not in cells or second not in cells:
        return None
    direction = GRID.neighbours[first].index(second)
    facing = facing_at(cells, walls, first)
    found = [
        kind for kind in TYPES if facing & _bit(kind, direction) and cells[first].ends[kind] >> direction & 1
    ]
    return found[0] if found else None


def may_stand_together(cells: Cells, walls: Walls, first: int, second: int) -> bool:
    """Are two drawn cells neighbours with no highway against a railway? Blank sides are no obstacle."""
    if second not in GRID.neighbours[first]:
        return False
    pair = {first: cells[first], second: cells[second]}
    direction = GRID.neighbours[first].index(second)
    facing = facing_at(pair, walls, first)
    return not any(
        facing & _bit(1 - kind, direction) and cells[first].ends[kind] >> direction & 1 for kind in TYPES
    )
