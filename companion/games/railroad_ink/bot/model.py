"""What a board is worth before the match is over: a linear model of the points it will have at the end.

The weights (``weights.toml``, by edition and round) are learnt from the bot's own matches by ridge
regression: ``python -m lab.railroad_ink.bot_training``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import mul
from typing import TypeAlias

import msgspec

from companion.games.railroad_ink.bot.features import PROMISES, promises
from companion.games.railroad_ink.bot.sketch import Sketch
from companion.games.railroad_ink.bot.taste import liking
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.rulebook import GRID, ROUNDS, UNIVERSITY_CIRCLES, Edition
from companion.games.railroad_ink.rules.scoring.goals import NUMBERS, achieved
from companion.games.railroad_ink.rules.scoring.scores import Score, score

ON_THE_BOARD = ("highway", "railway", "centre", "villages", "universities", "goals", "goals nearly", "always")
FEATURES = (*PROMISES, *ON_THE_BOARD)
Weights: TypeAlias = Mapping[int, Sequence[float]]  # by round, in the order of FEATURES


@dataclass(frozen=True)
class GoalPlan:
    """A goal that a seat has not achieved yet, and what it brings in this round or in the next one."""

    code: str
    now: int
    later: int


@dataclass(frozen=True)
class Judged:
    """A board at the end of a round: the points it has, what it is thought worth, and why."""

    worth: float
    points: int
    features: tuple[float, ...]


@dataclass(frozen=True)
class Judge:
    """The model for one round of a seat. ``won`` is what its goals have brought before.

    ``taste`` is the seat whose taste it has, 0: none. It decides between boards that promise about the same.
    """

    weights: Sequence[float]
    round: int
    goals: tuple[GoalPlan, ...]
    won: int
    taste: int = 0

    def hope(self, sketch: Sketch, specials: int, edition: Edition) -> float:
        """What a board in the middle of a turn is worth, as far as that is known quickly."""
        drawn = sum([not sketch.empty >> cell & 1 for cell in edition.centre])
        found = sum(map(mul, self.weights, promises(sketch, specials)))
        return float(found + self.weights[_CENTRE] * drawn + self._liked(sketch))

    def _liked(self, sketch: Sketch) -> float:
        """What the spaces that were drawn in this turn are liked; in the last round only the score counts."""
        if not self.taste or self.round == ROUNDS:
            return 0.0
        return sum([liking(self.taste, cell) for cell, _ in sketch.drawn])

    def judged(self, sketch: Sketch, position: Position, specials: int) -> Judged:
        """What a board is worth at the end of the round; in the last round that is its score."""
        known = score(position)
        won = self.won + sum([goal.now for goal in self.goals if achieved(position, goal.code)])
        points = known.total + won
        cells, edition = position.cells, position.edition
        found = (
            *promises(sketch, specials),
            known.highway.length,
            known.railway.length,
            len(known.centre),
            known.village_points,
            min(UNIVERSITY_CIRCLES, sum([cell in cells for cell in edition.university])),
            won,
            sum([goal.later * _nearly(goal.code, known, position) for goal in self.goals]),
            1.0,
        )
        promised = sum(map(mul, self.weights, found)) + self._liked(sketch)
        worth = points if self.round == ROUNDS else promised
        return Judged(worth, points, found)


_CENTRE = FEATURES.index("centre")


def _nearly(code: str, known: Score, position: Position) -> float:
    """How much of a goal there is, from 0 to 1, squared; nothing is said of loops and stations."""
    cells = position.cells
    match code:
        case "A":
            share = len(known.centre) / NUMBERS.central_spaces
        case "B":
            share = len(known.villages) / NUMBERS.villages
        case "C":
            share = max([_share(cells, area) for area in _LINES])
        case "D":
            share = sum([cell in cells for cell in _CORNERS]) / NUMBERS.corners
        case "E":
            share = max([_share(cells, area) for area in _BLOCKS])
        case "G":
            share = max([len(network.exits) for network in known.networks], default=0) / NUMBERS.exits
        case "I":
            share = known.highway.length / NUMBERS.highway
        case "J":
            share = known.railway.length / NUMBERS.railway
        case _:
            return 0.0
    return min(1.0, share) ** 2


def _share(cells: Cells, area: Sequence[int]) -> float:
    return sum([cell in cells for cell in area]) / len(area)


_CORNERS = (0, GRID.columns - 1, GRID.size - GRID.columns, GRID.size - 1)
_LINES = [range(row * GRID.columns, (row + 1) * GRID.columns) for row in range(GRID.rows)] + [
    range(column, GRID.size, GRID.columns) for column in range(GRID.columns)
]
_BLOCKS = [
    [
        (row + down) * GRID.columns + column + right
        for down in range(NUMBERS.block)
        for right in range(NUMBERS.block)
    ]
    for row in range(GRID.rows - NUMBERS.block + 1)
    for column in range(GRID.columns - NUMBERS.block + 1)
]


@cache
def learnt() -> Mapping[str, Weights]:
    """The learnt weights by edition and round."""
    tables = msgspec.toml.decode(
        files(__package__).joinpath("weights.toml").read_bytes(),
        type=dict[str, dict[int, dict[str, float]]],
        strict=False,
    )
    return {
        edition: {number: tuple(row[name] for name in FEATURES) for number, row in rows.items()}
        for edition, rows in tables.items()
    }
