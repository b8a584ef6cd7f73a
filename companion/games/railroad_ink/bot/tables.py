"""What the fast player goes by, as arrays: where routes lead, which of them fit, how a board is kept.

A board is a *head*, from which its worth is judged, and a *body*, which is needed only to draw on it. Cells
are bits of a mask. A *facing* bit is one of :mod:`~companion.games.railroad_ink.rules.boards.facing`: from
which side a type arrives. An *end* is a facing bit of an empty cell at which a route arrives. Networks are
kept as long as they have ends; the points of the others are in the ``bank``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.bot.worth import Weight
from companion.games.railroad_ink.rules.boards.facing import arriving, open_sides
from companion.games.railroad_ink.rules.boards.placement import fitting
from companion.games.railroad_ink.rules.boards.position import WallEnds
from companion.games.railroad_ink.rules.boards.routes import EVERY_ROUTE, SHAPES, TYPES
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.rulebook import (
    DICE,
    EXITS,
    GRID,
    NETWORK_VALUES,
    SPECIAL_SHAPES,
    VILLAGE_VALUES,
    Edition,
)
from companion.sheets.grid import DIRECTIONS, opposite

Ints: TypeAlias = NDArray[np.int64]
Array: TypeAlias = NDArray[Any]
Record: TypeAlias = Any  # of one of the types below: numba knows their fields, mypy does not

CELLS = GRID.size
EVERY_CELL = (1 << CELLS) - 1
FIRST_COLUMN = sum(1 << row * GRID.columns for row in range(GRID.rows))
NOT_FIRST = EVERY_CELL & ~FIRST_COLUMN
NOT_LAST = EVERY_CELL & ~(FIRST_COLUMN << 6)
ROW = 127
BLOCK = 7 | 7 << 7 | 7 << 14
CORNERS = 1 | 1 << 6 | 1 << 42 | 1 << 48
MOST_ROUNDS = 16
MOST_GOALS = 3
NETWORKS = 24  # with ends, at the same time
ENDS = 32  # open at the same time, as far as their walks are known without a search
MOVES = 12  # of a turn at most
DIE, FACTORY, SPECIAL, UNIVERSITY = range(4)
SOURCES = ("die", "factory", "special", "university")

_HEAD: dict[str, tuple[int, ...]] = {
    "facing": (8,),  # by facing bit: the empty cells at which something arrives so
    "empty": (),  # the cells with nothing drawn
    "lost": (),  # ends that lead to nothing for good
    "shut": (),  # exits that can no longer be joined
    "bank": (),  # points of networks without ends
    "closed": (),  # networks with an exit, but without ends
    "longest": (2,),  # by type
    "depth": (2,),  # by type: the longest walk that comes to an open end,
    "depth_cell": (2,),  # where that is,
    "next_depth": (2,),  # and the longest one that comes to another cell
    "live": (),  # the networks in use, a bit for each
    "places": (NETWORKS,),  # by network: the cells to which its ends lead
    "exits": (NETWORKS,),  # by network: its exits, a bit for each
    "ends": (NETWORKS,),  # by network: how many
    "stations": (NETWORKS,),  # by network: how many
    "merged": (2,),  # by piece of the route drawn last: the networks it made one,
    "into": (2,),  # and which one that is; -1 if there is no such piece
    "reach": (2, 2),  # by piece and type: the longest walk that came to it
    "villages": (),  # activated
    "universities": (),
    "shown": (),  # of the goals F, G, H, K, L: which the routes achieve, by bits of their place in GOALS
    "specials": (),  # special routes that may still be used in the match
    "won": (),  # goals achieved in rounds before, a bit for each
    "prizes": (),  # what these have brought
}  # fmt: skip
_TURN: dict[str, tuple[int, ...]] = {
    "left": (),  # dice still to be drawn: three bits a shape tell how many
    "rolled": (),  # all dice of the round, likewise
    "duplicates": (),  # what Factories still allow in this round
    "special_now": (),  # may a special route be used in this round?
    "free": (),  # may the free one of the third University be used?
    "used": (),  # special shapes that are crossed off
    "hash": (),  # equal for boards that differ only in the order of drawing
    "moves": (MOVES,),  # of this turn: see move_number
    "drawn": (),  # how many these are
    "value": (),  # what the board promises
}  # fmt: skip
# Of bodies whose longest walks are searched for:
_SEARCHED: dict[str, tuple[int, ...]] = {
    "network": (CELLS, 8),  # by end
    "depth_at": (CELLS, 8),  # by end: the longest walk that comes to it
    "route": (CELLS,),  # one more than its number; 0: empty
}
# Of those that know the longest walk between any two open ends, which have numbers:
_KNOWN: dict[str, tuple[int, ...]] = {
    "open": (),  # the numbers in use, a bit for each
    "slot": (CELLS, 8),  # by end: its number
    "place_of": (ENDS,),  # the end of a number: eight times its cell, plus its facing bit,
    "network_of": (ENDS,),  # its network,
    "depth_of": (ENDS,),  # and the longest walk that comes to it
    "walk": (ENDS, ENDS),  # the longest one between two of them, both of one type
}
_SMALL = ("network", "depth_at", "slot", "network_of", "depth_of", "walk")


def _record_type(fields: dict[str, tuple[int, ...]]) -> np.dtype[np.void]:
    types = {**dict.fromkeys(_SMALL, np.int8), "route": np.uint8, "value": np.float64}
    return np.dtype([(name, types.get(name, np.int64), shape) for name, shape in fields.items()], align=True)


# A drawing that is compared with others, on one of many boards.
DRAWING = np.dtype(
    [("value", np.float64), ("hash", np.int64), ("board", np.int64), ("move", np.int64)], align=True
)
HEAD = _record_type(_HEAD)
BODY, LOCKSTEP_BODY = _record_type({**_SEARCHED, **_TURN}), _record_type({**_TURN, **_KNOWN})
_TABLES = np.dtype(
    [
        ("neighbour", np.int64, (CELLS, 4)),  # by direction; -1: the border, -2: a wall
        ("exit", np.int64, (CELLS, 8)),  # by end: one more than the exit's number, or 0
        ("exit_facing", np.int64, (8,)),  # by facing bit: the cells of exits
        ("piece", np.int64, (len(EVERY_ROUTE), 2)),  # the facing bits on which a piece meets what arrives
        ("station", np.int64, (len(EVERY_ROUTE),)),
        ("first_fit", np.int64, (256 * len(SHAPES) + 1,)),  # by facing mask and shape: where in `fits`
        ("fits", np.int64, (40_000,)),  # the routes that fit, by number
        ("network_values", np.int64, (len(NETWORK_VALUES),)),
        ("village_values", np.int64, (len(VILLAGE_VALUES),)),
        ("wall_costs", np.int64),
        ("centre", np.int64),
        ("factory", np.int64),
        ("village", np.int64),
        ("university", np.int64),
        ("special_shape", np.int64, (len(SPECIAL_SHAPES),)),
        ("scatter", np.int64, (CELLS, len(EVERY_ROUTE))),  # for hashes
        ("opposite", np.int64, (len(EXITS),)),  # by exit: exits on the other side of the board
        ("middle", np.int64),  # the exits in the middle of a side
        ("free_for_match", np.int64),  # does the third University's special route wait?
        ("weights", np.float64, (MOST_ROUNDS, len(Weight))),  # by round
        ("goal_count", np.int64),
        ("goal", np.int64, (MOST_GOALS,)),  # its place in GOALS
        ("prize", np.float64, (MOST_ROUNDS + 1, MOST_GOALS)),  # what it brings, by round
    ]
)


def mask_of(cells: frozenset[int]) -> int:
    """The cells as bits."""
    return sum(1 << cell for cell in cells)


@lru_cache(maxsize=16)
def tables_of(
    edition: Edition, walls: Walls = frozenset(), wall_ends: WallEnds = "error", free_special: str = "round"
) -> NDArray[np.void]:
    """The tables for an edition on a board with these walls: an array of one record."""
    array = np.zeros(1, _TABLES)
    table: Record = array[0]
    sides = open_sides(walls)
    for cell in range(CELLS):
        for direction in DIRECTIONS:
            other = GRID.neighbours[cell][direction]
            wall = not sides[cell] >> direction & 1
            wall |= other >= 0 and not sides[other] >> opposite(direction) & 1  # full spaces have them inside
            table["neighbour"][cell, direction] = -2 if wall else other
    for number, one in enumerate(EXITS):
        table["exit"][one.cell, 4 * one.type + one.direction] = number + 1
        table["exit_facing"][4 * one.type + one.direction] |= 1 << one.cell
        table["opposite"][number] = sum(
            1 << other for other, far in enumerate(EXITS) if far.direction == opposite(one.direction)
        )
    for route in EVERY_ROUTE:
        for place, piece in enumerate(route.pieces):
            table["piece"][route.number, place] = sum(piece.ends[kind] << 4 * kind for kind in TYPES)
        table["station"][route.number] = route.station
    _fill_fits(table)
    table["network_values"][:] = NETWORK_VALUES
    table["village_values"][:] = VILLAGE_VALUES
    table["wall_costs"] = wall_ends == "error"
    for name in ("centre", "factory", "village", "university"):
        table[name] = mask_of(getattr(edition, name))
    table["special_shape"][:] = [SHAPES.index(shape) for shape in SPECIAL_SHAPES]
    table["scatter"][:] = np.random.default_rng(1).integers(1, 1 << 62, table["scatter"].shape)
    table["middle"] = sum(
        1 << number for number, one in enumerate(EXITS) if one.name in ("d1", "g4", "d7", "a4")
    )
    table["free_for_match"] = free_special == "match"
    return array


def _fill_fits(table: Record) -> None:
    found: list[int] = []
    for facing in range(256):
        for place, shape in enumerate(SHAPES):
            table["first_fit"][len(SHAPES) * facing + place] = len(found)
            found += [route.number for route in fitting(facing, shape)]
    table["first_fit"][-1] = len(found)
    table["fits"][: len(found)] = found


def start(
    walls: Walls = frozenset(), body: np.dtype[np.void] = BODY
) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Head and body of an empty board, each an array of one record."""
    heads, bodies = np.zeros(1, HEAD), np.zeros(1, body)
    for cell, mask in enumerate(arriving({}, walls)):
        for bit in range(8):
            heads["facing"][0, bit] |= (mask >> bit & 1) << cell
    heads["empty"], heads["depth_cell"], heads["into"] = EVERY_CELL, -1, -1
    heads["specials"] = 3
    return heads, bodies


def dice_number(faces: tuple[str, ...]) -> int:
    """Dice as one number: how many of each shape, three bits each; without what only expansions show."""
    return sum(1 << 3 * SHAPES.index(face) for face in faces if face in SHAPES)


def move_number(source: int, shape: int, cell: int, route: int) -> int:
    """A drawing as one number."""
    return ((source * 32 + shape) * 64 + cell) * 256 + route


def rolls(edition: Edition, count: int, rounds: int, seed: int) -> Ints:
    """Random dice of the edition: ``[count, rounds]`` dice numbers."""
    random = np.random.default_rng(seed)
    found = np.zeros((count, rounds), np.int64)
    for die in edition.dice:
        faces = np.array([1 << 3 * SHAPES.index(face) for face in DICE[die]], np.int64)
        found += faces[random.integers(0, len(faces), found.shape)]
    return found
