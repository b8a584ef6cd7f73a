"""How likely cells stand side by side, whatever a picture shows: from legal play, kept in ``likely.toml``.

People join ends. A route whose ends meet their neighbours' is a likelier reading than one that runs against a
blank side, and by how much was counted on boards from random legal play (``python -m
companion.games.railroad_ink.eye.likely`` counts again). People play better than at random, so this errs on
the careful side. Costs are in nats, as in :mod:`companion.games.railroad_ink.eye.looks`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from math import inf, log
from random import Random

import msgspec

from companion.games.kit.grid import DIRECTIONS, opposite
from companion.games.railroad_ink.rules.randomboards import random_board
from companion.games.railroad_ink.rules.routes import SHAPES, Cells, Route, shape_of, turnings
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, GRID, ROUNDS
from companion.games.railroad_ink.rules.walls import Walls

# What a cell shows on one of its sides.
VACANT, BLANK, HIGHWAY_END, RAILWAY_END = range(4)
_NAMES = ("vacant", "blank", "end", "end")


class Likely(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The costs of ``likely.toml``."""

    beside: dict[str, float]  # two sides that face each other, by what they show
    exit: dict[str, float]  # the side at an exit
    vacant: float  # an empty cell
    shapes: dict[str, float]  # a cell with this drawing in one given turning


def side_of(mark: Route | None, direction: int) -> int:
    """What a cell shows on a side."""
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
    return "-".join(sorted((_NAMES[one], _NAMES[other])))


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
    tuple(inf if _clash(2 + kind, side) else LIKELY.exit[_NAMES[side]] for side in range(4))
    for kind in (0, 1)
)
# Of a cell about which nothing is known, by the number of the mark.
UNSEEN: tuple[float, ...] = (
    *(LIKELY.shapes[shape_of(route)] for shape in SHAPES for route in turnings(shape)),
    LIKELY.vacant,
)


def agreement(before: Cells, added: Cells, walls: Walls) -> float:
    """How much the added routes cost where they meet what is around them, against leaving all as it was."""
    after = {**before, **added}
    edges = {_edge(cell, direction) for cell in added for direction in DIRECTIONS}
    return sum(
        _edge_cost(after, cell, direction) - _edge_cost(before, cell, direction)
        for cell, direction in edges
        if (cell, direction) not in walls
    )


def _edge(cell: int, direction: int) -> tuple[int, int]:
    """The same name for an edge from both of its sides."""
    neighbour = GRID.neighbours[cell][direction]
    return (cell, direction) if neighbour < 0 or cell < neighbour else (neighbour, opposite(direction))


def _edge_cost(cells: Cells, cell: int, direction: int) -> float:
    side = side_of(cells.get(cell), direction)
    neighbour = GRID.neighbours[cell][direction]
    if neighbour >= 0:
        return BESIDE[side][side_of(cells.get(neighbour), opposite(direction))]
    exit_ = EXIT_AT.get((cell, direction))
    return 0.0 if exit_ is None else AT_EXIT[exit_.type][side]


# --- counting ---


def counted(boards: Iterable[Cells]) -> Likely:
    """The costs as these boards have them."""
    sides: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    exits: Counter[str] = Counter()
    marks: Counter[str] = Counter()
    for cells in boards:
        for cell in range(GRID.size):
            mark = cells.get(cell)
            marks["vacant" if mark is None else shape_of(mark)] += 1
            for direction in DIRECTIONS:
                side, neighbour = side_of(mark, direction), GRID.neighbours[cell][direction]
                if neighbour >= 0:
                    sides[_NAMES[side]] += 1
                    pairs[pair_name(side, side_of(cells.get(neighbour), opposite(direction)))] += 1
                elif (cell, direction) in EXIT_AT:
                    exits[_NAMES[side]] += 1
    return _costs(sides, pairs, exits, marks)


def _costs(sides: Counter[str], pairs: Counter[str], exits: Counter[str], marks: Counter[str]) -> Likely:
    """Costs against what chance alone would put side by side. Half of all ends are of either type."""
    own = {name: count / sides.total() for name, count in sides.items()}
    chance = {
        "blank-blank": own["blank"] ** 2,
        "blank-vacant": 2 * own["blank"] * own["vacant"],
        "blank-end": 2 * own["blank"] * own["end"],
        "end-end": own["end"] ** 2 / 2,
        "end-vacant": 2 * own["end"] * own["vacant"],
        "vacant-vacant": own["vacant"] ** 2,
    }
    at_exit = {"vacant": own["vacant"], "blank": own["blank"], "end": own["end"] / 2}
    return Likely(
        beside={name: _nats(pairs[name] / pairs.total(), chance[name]) for name in chance},
        exit={name: _nats(exits[name] / exits.total(), at_exit[name]) for name in at_exit},
        vacant=_nats(marks["vacant"] / marks.total(), 1),
        shapes={
            shape: _nats((marks[shape] + 1) / (marks.total() * len(turnings(shape))), 1) for shape in SHAPES
        },
    )


def _nats(share: float, expected: float) -> float:
    return round(-log(share / expected), 2)


def sample_boards(count: int, seed: int = 1) -> list[Cells]:
    """Boards from random legal play, of every age."""
    random = Random(seed)
    return [random_board(random, "challenge", 1 + number % ROUNDS).cells for number in range(count)]


def as_toml(likely: Likely) -> str:
    """The lines of ``likely.toml`` below its comment."""
    tables = {"beside": likely.beside, "exit": likely.exit, "shapes": likely.shapes}
    lines = [f"vacant = {likely.vacant}"]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f'"{key}" = {value}' for key, value in table.items())]
    return "\n".join(lines)


if __name__ == "__main__":
    print(as_toml(counted(sample_boards(7000))))  # noqa: T201
