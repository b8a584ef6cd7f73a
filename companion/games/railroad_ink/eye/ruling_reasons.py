"""What is against the rules about a board, in the sentences of somebody who knows them."""

from __future__ import annotations

from companion.games.contract import Refusal
from companion.games.kit.errors import NotationError
from companion.games.railroad_ink.rules.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.difference import explain_turn, ink_remarks
from companion.games.railroad_ink.rules.placement import loose_remarks
from companion.games.railroad_ink.rules.position import refuse_meeting_types
from companion.games.railroad_ink.rules.routes import Cells
from companion.games.railroad_ink.rules.rulebook import GRID, Edition
from companion.games.railroad_ink.rules.specials import specials_reasons
from companion.games.railroad_ink.rules.turn import try_done
from companion.games.railroad_ink.rules.walls import Walls

_MOST_REASONS = 5


def turn_reasons(rules: Rules, board: Board, roll: Roll, after: Cells, finished: bool) -> list[str]:
    """Everything that is wrong with a round: earlier ink first, then drawing by drawing, then dice left."""
    before = board.cells()
    found = ink_remarks(before, after)
    left = {**after, **before}
    while len(found) < _MOST_REASONS:
        answer = explain_turn(rules, board, roll, left)
        if isinstance(answer, Board):
            return found + ([] if found or not finished else _dice_left(rules, answer, roll))
        found.append(answer.message)
        cell = answer.detail.get("cell")
        if cell is None:
            break
        del left[GRID.cell(cell)]
    return found


def _dice_left(rules: Rules, board: Board, roll: Roll) -> list[str]:
    answer = try_done(rules, board, roll)
    return [answer.message] if isinstance(answer, Refusal) else []


def board_reasons(cells: Cells, edition: Edition, walls: Walls) -> list[str]:
    """Everything that is wrong with a board about which nothing else is known."""
    return _meetings(cells, walls) + loose_remarks(cells, walls) + specials_reasons(cells, edition)


def _meetings(cells: Cells, walls: Walls) -> list[str]:
    try:
        refuse_meeting_types(cells, walls)
    except NotationError as problem:
        return [problem.message]
    return []
