"""Boards by random legal play: for the bench, for tests, for pictures to practise on.

Every placement is legal by the rules of drawing (it joins an exit or a route, and nowhere does a highway
meet a railway); a die that fits nowhere is left out. Nothing clever is meant by the choice among them.
"""

from __future__ import annotations

from random import Random

from companion.games.kit.grid import DIRECTIONS, opposite
from companion.games.railroad_ink.position import Cells, Position
from companion.games.railroad_ink.routes import TYPES, Route, turnings
from companion.games.railroad_ink.rulebook import (
    DICE,
    EDITION,
    EXITS,
    GRID,
    ROUNDS,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    EditionName,
)
from companion.games.railroad_ink.walls import NO_WALLS, Walls


class _Sheet:
    """A board being filled: what is drawn, and which ends and exits face each cell (a mask for each type)."""

    def __init__(self, walls: Walls) -> None:
        self.walls = walls
        self.cells: Cells = {}
        self.facing = ([0] * GRID.size, [0] * GRID.size)
        for exit in EXITS:
            self.facing[exit.type][exit.cell] |= 1 << exit.direction

    def placements(self, shape: str) -> list[tuple[int, Route]]:
        return [
            (cell, route)
            for cell in range(GRID.size)
            if cell not in self.cells
            for route in turnings(shape)
            if self._fits(cell, route)
        ]

    def _fits(self, cell: int, route: Route) -> bool:
        highway, railway = self.facing[0][cell], self.facing[1][cell]
        meets = route.highway & railway or route.railway & highway
        return not meets and bool(route.highway & highway or route.railway & railway)

    def draw(self, cell: int, route: Route) -> None:
        self.cells[cell] = route
        for direction in DIRECTIONS:
            neighbour = GRID.neighbours[cell][direction]
            if neighbour >= 0 and (cell, direction) not in self.walls:
                for kind in TYPES:
                    if route.ends[kind] >> direction & 1:
                        self.facing[kind][neighbour] |= 1 << opposite(direction)


def random_board(
    random: Random, edition: EditionName = "challenge", rounds: int = ROUNDS, walls: Walls = NO_WALLS
) -> Position:
    """The board of a player who draws at random for so many rounds, special routes included.

    >>> len(random_board(Random(1)).cells)
    31
    """
    sheet = _Sheet(walls)
    special_rounds = set(random.sample(range(ROUNDS), SPECIALS_A_MATCH))
    specials = random.sample(SPECIAL_SHAPES, SPECIALS_A_MATCH)
    for number in range(rounds):
        shapes = [random.choice(DICE[die]) for die in EDITION[edition].dice]
        if number in special_rounds:
            shapes.append(specials.pop())
        _draw_round(random, sheet, shapes)
    return Position(sheet.cells, EDITION[edition], walls=walls)


def _draw_round(random: Random, sheet: _Sheet, shapes: list[str]) -> None:
    random.shuffle(shapes)
    for shape in shapes:
        placements = sheet.placements(shape)
        if placements:
            sheet.draw(*random.choice(placements))
