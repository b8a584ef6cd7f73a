"""Boards by random legal play: for the bench, for tests, for pictures to practise on.

A die that fits nowhere is left out; nothing clever is meant by the choice among the places where it fits.
"""

from __future__ import annotations

from random import Random

from companion.games.railroad_ink.placement import legal_routes
from companion.games.railroad_ink.position import Position
from companion.games.railroad_ink.routes import Cells
from companion.games.railroad_ink.rulebook import (
    DICE,
    EDITION,
    ROUNDS,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    EditionName,
)
from companion.games.railroad_ink.walls import NO_WALLS, Walls


def random_board(
    random: Random, edition: EditionName = "challenge", rounds: int = ROUNDS, walls: Walls = NO_WALLS
) -> Position:
    """The board of a player who draws at random for so many rounds, special routes included.

    >>> len(random_board(Random(1)).cells)
    31
    """
    cells: Cells = {}
    special_rounds = set(random.sample(range(ROUNDS), SPECIALS_A_MATCH))
    specials = random.sample(SPECIAL_SHAPES, SPECIALS_A_MATCH)
    for number in range(rounds):
        shapes = [random.choice(DICE[die]) for die in EDITION[edition].dice]
        if number in special_rounds:
            shapes.append(specials.pop())
        _draw_round(random, cells, walls, shapes)
    return Position(cells, EDITION[edition], walls=walls)


def _draw_round(random: Random, cells: Cells, walls: Walls, shapes: list[str]) -> None:
    random.shuffle(shapes)
    for shape in shapes:
        spots = legal_routes(cells, walls, shape)
        if spots:
            cell, route = random.choice(spots)
            cells[cell] = route
