"""Boards by random legal play: for the benches, for tests, for pictures to practise on.

Every legal place is as likely as any other. :func:`random_board` is quick and only places routes;
:func:`random_turns` plays by all rules, with dice, buildings and special routes.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import Board, Roll, Rules, rolled
from companion.games.railroad_ink.rules.boards.placement import legal_routes
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.match.turn import open_draws, try_done
from companion.games.railroad_ink.rules.rulebook import (
    DICE,
    EDITION,
    ROUNDS,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    EditionName,
)

_SPECIAL_SHARE = SPECIALS_A_MATCH / ROUNDS  # of the rounds in which one is drawn
_ENOUGH = 0.3  # how often somebody who may stop does


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


def random_turns(random: Random, rules: Rules) -> Iterator[tuple[Board, Roll, Board]]:
    """A match of one seat, round by round: the board before, the roll, the board after."""
    board = Board()
    for number in range(1, ROUNDS + 1):
        roll = rolled(number, [random.choice(DICE[die]) for die in rules.edition.dice])
        after = played(random, rules, board, roll)
        yield board, roll, after
        board = after


def played(random: Random, rules: Rules, board: Board, roll: Roll) -> Board:
    """The board after a complete round."""
    special = random.random() < _SPECIAL_SHARE
    while True:
        draws = [one for one in open_draws(rules, board, roll) if special or one.source in {"die", "factory"}]
        over = not isinstance(try_done(rules, board, roll), Refusal)
        if not draws or (over and random.random() < _ENOUGH):
            return board
        chosen = random.choice(draws)
        special &= chosen.source != "special"
        board = board.with_drawing(chosen)
