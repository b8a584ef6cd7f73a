"""A board in the middle of a search: drawing one route more costs a few microseconds.

Nothing is looked at again that a new route does not touch: which networks there are, how many exits each of
them joins and where it can go on are carried along. An *end* is open where a route leads into an empty cell;
it is known by a number, eight times that cell plus the bit of its facing mask
(:mod:`companion.games.railroad_ink.rules.boards.facing`). An end is *lost* once nothing
can be joined to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.games.railroad_ink.rules.boards.facing import arriving, open_sides
from companion.games.railroad_ink.rules.boards.placement import Spot, fitting
from companion.games.railroad_ink.rules.boards.position import WallEnds
from companion.games.railroad_ink.rules.boards.routes import EVERY_ROUTE, TYPES, Cells
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.rulebook import EXITS, GRID
from companion.sheets.grid import DIRECTIONS, opposite

Ends = dict[int, int]  # an open end -> the number of its network
_Piece = tuple[tuple[int, int, int], ...]  # its ends: see _pieces
ALL_CELLS = (1 << GRID.size) - 1
FREE_EXITS = {8 * exit.cell + 4 * exit.type + exit.direction for exit in EXITS}


@dataclass(frozen=True, slots=True)
class Ground:
    """What the walls of a board come to."""

    sides: Sequence[int]
    walls: Walls
    wall_costs: int  # what an end that faces a wall counts as an error


@lru_cache(maxsize=16)
def ground_of(walls: Walls, wall_ends: WallEnds = "error") -> Ground:
    """The ground of a board with these walls."""
    return Ground(open_sides(walls), walls, int(wall_ends == "error"))


@dataclass(slots=True)
class Sketch:
    """An immutable sketch of a board."""

    facing: list[int]  # by cell; 0 where something is drawn
    empty: int  # the cells with nothing drawn, a bit for each
    ends: Ends
    exits: dict[int, int]  # a network -> how many exits it joins
    lost: int  # ends that lead to nothing for good
    shut: int  # exits that can no longer be joined
    drawn: tuple[Spot, ...] = ()
    left: tuple[str, ...] = ()

    def key(self) -> frozenset[tuple[int, int]]:
        """Equal for sketches that differ only in the order of drawing."""
        return frozenset([(cell, route.number) for cell, route in self.drawn])

    def spots(self, shape: str) -> list[Spot]:
        """The places where a shape fits."""
        return [
            (cell, route)
            for cell, facing in enumerate(self.facing)
            if facing
            for route in fitting(facing, shape)
        ]


def sketch_of(cells: Cells, ground: Ground, left: Sequence[str] = ()) -> Sketch:
    """A board as it stands, drawn in an order in which every route joins what is there."""
    sketch = Sketch(arriving({}, ground.walls), ALL_CELLS, {}, {}, 0, 0)
    waiting = dict(cells)
    while waiting:
        cell = next(
            (cell for cell in waiting if _joins(sketch.facing[cell], waiting[cell].number)),
            next(iter(waiting)),
        )
        sketch = with_route(sketch, (cell, waiting.pop(cell)), ground)
    sketch.drawn, sketch.left = (), tuple(left)
    return sketch


def _joins(facing: int, number: int) -> bool:
    route = EVERY_ROUTE[number]
    return bool(facing & 15 & route.highway or facing >> 4 & route.railway)


def with_route(sketch: Sketch, spot: Spot, ground: Ground, shape: str = "") -> Sketch:
    """The sketch with one route more; ``shape`` is the die that is used up by it."""
    cell, route = spot
    here, facing = sketch.facing[cell], sketch.facing.copy()
    facing[cell] = 0
    after = Sketch(
        facing, sketch.empty & ~(1 << cell), sketch.ends.copy(), sketch.exits.copy(), sketch.lost, sketch.shut
    )
    for piece in _PIECES[cell][route.number]:
        here = _with_piece(after, cell, here, piece, ground)
    while here:  # what arrives at a blank side
        bit = here.bit_length() - 1
        here ^= 1 << bit
        if 8 * cell + bit in FREE_EXITS:
            after.shut += 1
        else:
            del after.ends[8 * cell + bit]
            after.lost += 1
    after.drawn, after.left = (*sketch.drawn, spot), sketch.left
    if shape:
        at = sketch.left.index(shape)
        after.left = sketch.left[:at] + sketch.left[at + 1 :]
    return after


def _with_piece(after: Sketch, cell: int, here: int, piece: _Piece, ground: Ground) -> int:
    """Draw one piece of a route; return what arrives at the cell and is joined to none of them yet."""
    joined: set[int] = set()
    opened = []
    reached = 0
    for bit, neighbour, there in piece:
        if here >> bit & 1:
            here ^= 1 << bit
            if 8 * cell + bit in FREE_EXITS:
                reached += 1
            else:
                joined.add(after.ends.pop(8 * cell + bit))
        elif neighbour < 0:
            continue
        elif not ground.sides[neighbour] >> (there & 7) & 1:
            after.lost += ground.wall_costs
        elif after.empty >> neighbour & 1:
            opened.append(there)
            after.facing[neighbour] |= 1 << (there & 7)
        else:
            after.lost += 1
    _join_up(after.ends, after.exits, joined, reached, opened)
    return here


def _join_up(
    ends: Ends, exits: dict[int, int], joined: set[int], reached: int, opened: Sequence[int]
) -> None:
    """Write a new piece into the networks: what it joins becomes one."""
    if joined:
        number = min(joined)
        for other in joined:
            if other != number:
                reached += exits.pop(other)
                for end, network in ends.items():
                    if network == other:
                        ends[end] = number
        exits[number] += reached
    else:
        number = max(exits, default=0) + 1
        exits[number] = reached
    for end in opened:
        ends[end] = number


def _pieces(cell: int, number: int) -> tuple[_Piece, ...]:
    """For every piece its ends: the bit on which it meets what arrives, the neighbour, and the end there."""
    return tuple(
        tuple(
            (4 * kind + direction, neighbour, 8 * neighbour + 4 * kind + opposite(direction))
            for kind in TYPES
            for direction in DIRECTIONS
            if piece.ends[kind] >> direction & 1
            for neighbour in [GRID.neighbours[cell][direction]]
        )
        for piece in EVERY_ROUTE[number].pieces
    )


_PIECES = tuple(
    tuple(_pieces(cell, number) for number in range(len(EVERY_ROUTE))) for cell in range(GRID.size)
)
