"""Count ``likely.toml`` of Railroad Ink's reader: which sides stand beside each other in random legal play.

``python -m lab.railroad_ink.count_likely`` prints the lines of the file below its comment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log
from random import Random

from companion.games.railroad_ink.reader.likely import SIDE_NAMES, Likely, pair_name, side_of
from companion.games.railroad_ink.rules.boards.routes import SHAPES, Cells, shape_of, turnings
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, GRID, ROUNDS
from companion.sheets.grid import DIRECTIONS, opposite
from lab.railroad_ink.random_play import random_board


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
                    sides[SIDE_NAMES[side]] += 1
                    pairs[pair_name(side, side_of(cells.get(neighbour), opposite(direction)))] += 1
                elif (cell, direction) in EXIT_AT:
                    exits[SIDE_NAMES[side]] += 1
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
