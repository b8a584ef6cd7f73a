"""What the rules say about two drawn neighbours, asked as other programs ask it."""

from __future__ import annotations

from companion.games.railroad_ink.rules.boards.facing import bit_of, facing_at
from companion.games.railroad_ink.rules.boards.routes import TYPES, Cells
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.rulebook import GRID


def joined_by(cells: Cells, walls: Walls, first: int, second: int) -> int | None:
    """The type of route (``HIGHWAY`` or ``RAILWAY``) that leads from one cell into the other, if any."""
    if second not in GRID.neighbours[first] or first not in cells or second not in cells:
        return None
    direction = GRID.neighbours[first].index(second)
    facing = facing_at(cells, walls, first)
    found = [
        kind
        for kind in TYPES
        if facing & bit_of(kind, direction) and cells[first].ends[kind] >> direction & 1
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
        facing & bit_of(1 - kind, direction) and cells[first].ends[kind] >> direction & 1 for kind in TYPES
    )
