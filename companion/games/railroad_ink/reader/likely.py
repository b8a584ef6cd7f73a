"""The prior over boards: how probable it is that sides of neighbouring cells go together.

A Markov random field with pairwise costs. People join ends, so a route whose ends meet those of its
neighbours is a likelier reading than one that runs against a blank side. The costs are log-likelihood ratios
counted on boards from random legal play (``python -m lab.railroad_ink.count_likely`` counts again) and kept
in ``likely.toml``. People play better than at random, so they err on the careful side. In nats, as in
:mod:`companion.reading.evidence`.
"""

from __future__ import annotations

from importlib.resources import files
from math import inf

import msgspec

from companion.games.railroad_ink.rules.boards.routes import SHAPES, Cells, Route, shape_of, turnings
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, GRID
from companion.sheets.grid import DIRECTIONS, opposite

# What a cell shows on one of its sides.
VACANT, BLANK, HIGHWAY_END, RAILWAY_END = range(4)
SIDE_NAMES = ("vacant", "blank", "end", "end")


class Likely(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prior costs in ``likely.toml``."""

    beside: dict[str, float]  # two sides that face each other, by what they show
    exit: dict[str, float]  # the side at an exit
    vacant: float  # an empty cell
    shapes: dict[str, float]  # a cell with this drawing in one given turning


def side_of(mark: Route | None, direction: int) -> int:
    """What a cell shows on one side: vacant, blank, the end of a highway, or that of a railway."""
    if mark is None:
        return VACANT
    if mark.highway >> direction & 1:
        return HIGHWAY_END
    return RAILWAY_END if mark.railway >> direction & 1 else BLANK


def pair_name(one: int, other: int) -> str:
    """The entry of ``beside`` for two sides; highway against railway has none.

    >>> pair_name(HIGHWAY_END, VACANT), pair_name(RAILWAY_END, RAILWAY_END)
    ('end-vacant', 'end-end')
    """
    return "-".join(sorted((SIDE_NAMES[one], SIDE_NAMES[other])))


def _clash(one: int, other: int) -> bool:
    return {one, other} == {HIGHWAY_END, RAILWAY_END}


# --- costs ---

LIKELY = msgspec.toml.decode(files(__package__).joinpath("likely.toml").read_bytes(), type=Likely)
# By what the one side shows, then the other.
BESIDE: tuple[tuple[float, ...], ...] = tuple(
    tuple(inf if _clash(one, other) else LIKELY.beside[pair_name(one, other)] for other in range(4))
    for one in range(4)
)
# By the exit's type, then what the side at it shows.
AT_EXIT: tuple[tuple[float, ...], ...] = tuple(
    tuple(inf if _clash(2 + kind, side) else LIKELY.exit[SIDE_NAMES[side]] for side in range(4))
    for kind in (0, 1)
)
# Of a cell about which nothing is known, by the number of the mark.
UNSEEN: tuple[float, ...] = (
    *(LIKELY.shapes[shape_of(route)] for shape in SHAPES for route in turnings(shape)),
    LIKELY.vacant,
)


def agreement(before: Cells, added: Cells, walls: Walls) -> float:
    """The change in prior cost that the added routes bring on the edges of their cells."""
    after = {**before, **added}
    edges = {_edge(cell, direction) for cell in added for direction in DIRECTIONS}
    return sum(
        _edge_cost(after, cell, direction) - _edge_cost(before, cell, direction)
        for cell, direction in edges
        if (cell, direction) not in walls
    )


def _edge(cell: int, direction: int) -> tuple[int, int]:
    """The canonical name of an edge, the same from both of its sides."""
    neighbour = GRID.neighbours[cell][direction]
    return (cell, direction) if neighbour < 0 or cell < neighbour else (neighbour, opposite(direction))


def _edge_cost(cells: Cells, cell: int, direction: int) -> float:
    side = side_of(cells.get(cell), direction)
    neighbour = GRID.neighbours[cell][direction]
    if neighbour >= 0:
        return BESIDE[side][side_of(cells.get(neighbour), opposite(direction))]
    exit_ = EXIT_AT.get((cell, direction))
    return 0.0 if exit_ is None else AT_EXIT[exit_.type][side]
