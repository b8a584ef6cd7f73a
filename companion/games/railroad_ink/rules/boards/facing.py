"""What arrives at each cell from around it, as one number.

The *facing* mask of a cell: bits 0 to 3 are the sides (from the top, clockwise) from which a highway arrives,
bits 4 to 7 those from which a railway arrives. Exits arrive, too; nothing arrives through a wall.
"""

from __future__ import annotations

from functools import lru_cache

from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.routes import (
    EVERY_ROUTE,
    HIGHWAY,
    RAILWAY,
    TYPES,
    Cells,
    Route,
)
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.rulebook import LAYOUT_OF, LAYOUTS, NEIGHBOURS, USUAL
from companion.sheets.grid import DIRECTIONS, opposite

_EVERY_SIDE = 0b11111111


def arriving(cells: Cells, walls: Walls = NO_WALLS, layout: Layout = USUAL) -> list[int]:
    """The facing mask of every cell; those of smaller boards, which come first, have none."""
    facing = list(_EXITS_FACING[layout.size])
    sent = _USUAL_SENT if layout is USUAL else SENT
    for cell, route in cells.items():
        for neighbour, bit in sent[cell][route.number]:
            facing[neighbour] |= bit
    if walls:
        facing = [mask & sides for mask, sides in zip(facing, open_sides(walls), strict=False)]
    return facing


def meeting(cells: Cells, walls: Walls = NO_WALLS) -> int | None:
    """The first drawn cell where a highway meets a railway, if there is one."""
    if not cells:
        return None
    facing = arriving(cells, walls, LAYOUT_OF[next(iter(cells))])
    for cell, route in cells.items():
        if facing[cell] & 15 & route.railway or facing[cell] >> 4 & route.highway:
            return cell
    return None


def facing_at(cells: Cells, walls: Walls, cell: int) -> int:
    """The facing mask of one cell, whether or not something is drawn in it."""
    facing = _EVERY_EXIT_FACING[cell]
    for neighbour in NEIGHBOURS[cell]:
        if neighbour in cells:
            facing |= sum(bit for other, bit in SENT[neighbour][cells[neighbour].number] if other == cell)
    return facing & open_sides(walls)[cell]


@lru_cache(maxsize=64)
def open_sides(walls: Walls) -> tuple[int, ...]:
    """For every cell the facing bits that no wall blocks."""
    blocked = [0] * len(LAYOUT_OF)
    for cell, direction in walls:
        blocked[cell] |= bit_of(HIGHWAY, direction) | bit_of(RAILWAY, direction)
    return tuple(_EVERY_SIDE & ~mask for mask in blocked)


def bit_of(kind: int, direction: int) -> int:
    """The bit of a type arriving from a side."""
    return 1 << (4 * kind + direction)


def _exits_facing(*layouts: Layout) -> tuple[int, ...]:
    facing = [0] * layouts[-1].cells.stop
    for exit_ in (exit_ for layout in layouts for exit_ in layout.exits):
        facing[exit_.cell] |= bit_of(exit_.type, exit_.direction)
    return tuple(facing)


def _sent(cell: int, route: Route) -> tuple[tuple[int, int], ...]:
    """What a drawn route adds to the facing masks around it: (neighbour, bit) for each end."""
    return tuple(
        (NEIGHBOURS[cell][direction], bit_of(kind, opposite(direction)))
        for kind in TYPES
        for direction in DIRECTIONS
        if route.ends[kind] >> direction & 1 and NEIGHBOURS[cell][direction] >= 0
    )


_EXITS_FACING = {size: _exits_facing(layout) for size, layout in LAYOUTS.items()}
_EVERY_EXIT_FACING = _exits_facing(*LAYOUTS.values())


class _Sent(dict[int, tuple[tuple[tuple[int, int], ...], ...]]):
    """Put together when a cell is asked for: most boards are of the usual size."""

    def __missing__(self, cell: int) -> tuple[tuple[tuple[int, int], ...], ...]:
        self[cell] = tuple(_sent(cell, route) for route in EVERY_ROUTE)
        return self[cell]


# By cell, then by the number of the route.
_USUAL_SENT = tuple(tuple(_sent(cell, route) for route in EVERY_ROUTE) for cell in USUAL.cells)
SENT = _Sent(enumerate(_USUAL_SENT))
