"""What is against the rules about a board, in the sentences of somebody who knows them."""

from __future__ import annotations

from companion.games.contract import Refusal
from companion.games.kit.errors import NotationError
from companion.games.railroad_ink.rules.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.difference import explain_turn, ink_remarks
from companion.games.railroad_ink.rules.placement import loose_remarks
from companion.games.railroad_ink.rules.position import refuse_meeting_types
from companion.games.railroad_ink.rules.routes import Cells, shape_of
from companion.games.railroad_ink.rules.rulebook import (
    GRID,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    UNIVERSITY_CIRCLES,
    Edition,
)
from companion.games.railroad_ink.rules.turn import try_done
from companion.games.railroad_ink.rules.walls import Walls
from companion.games.railroad_ink.rules.words import route_words

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


def specials_reasons(cells: Cells, edition: Edition) -> list[str]:
    """Each special route is there once, and a match has three, a fourth with the third University."""
    drawn = _specials(cells)
    found = [
        f"the {route_words(shape)} is drawn {len(where)} times: each special route is there once"
        for shape, where in drawn.items()
        if len(where) > 1
    ]
    count, most = sum(map(len, drawn.values())), _most_specials(cells, edition)
    if count > most:
        found.append(f"{count} special routes are drawn: a match has {most}")
    return found


def specials_to_doubt(cells: Cells, edition: Edition) -> list[int]:
    """Cells of which one at least is no special route: those drawn twice, or all if there are too many."""
    drawn = _specials(cells)
    twice = [cell for where in drawn.values() if len(where) > 1 for cell in where]
    every = [cell for where in drawn.values() for cell in where]
    return twice or (every if len(every) > _most_specials(cells, edition) else [])


def _specials(cells: Cells) -> dict[str, list[int]]:
    """Where each special route is drawn, by its shape."""
    found: dict[str, list[int]] = {}
    for cell, route in cells.items():
        shape = shape_of(route)
        if shape in SPECIAL_SHAPES:
            found.setdefault(shape, []).append(cell)
    return found


def _most_specials(cells: Cells, edition: Edition) -> int:
    marked = sum(cell in edition.university for cell in cells)
    return SPECIALS_A_MATCH + (marked >= UNIVERSITY_CIRCLES)
