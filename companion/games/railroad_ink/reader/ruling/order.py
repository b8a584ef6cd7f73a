"""Puts the moves of a round, routes and placements, into an order that the rules allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.core.jsontext import JsonObject
from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Placed, Roll, Rules
from companion.games.railroad_ink.rules.boards.difference import in_some_order
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.expansions.actions import compared, placement_json
from companion.games.railroad_ink.rules.expansions.frame import Placement, Turn
from companion.games.railroad_ink.rules.expansions.playing import (
    crossing,
    faces_left,
    open_placements,
    position_on,
    turn_of,
    unsettled,
    with_placement,
)
from companion.games.railroad_ink.rules.expansions.tables import Table, table_of
from companion.games.railroad_ink.rules.match.turn import try_draw

Move: TypeAlias = "Drawing | Placement"
_Reached: TypeAlias = tuple[Board, tuple[Move, ...]]  # a board, and the moves that led to it


@dataclass(frozen=True)
class Round:
    """What is known of a round: the rules, the board before, and its dice.

    ``faces``: those of the expansion's dice, None if unknown. A ``finished`` round has no die left that has
    to be used.
    """

    rules: Rules
    board: Board
    roll: Roll
    faces: tuple[str, ...] | None = None
    finished: bool = True

    @property
    def table(self) -> Table:
        """The table of the expansion that is played."""
        return table_of(self.rules.expansion)

    @property
    def position(self) -> Position:
        """The board before with its marks."""
        return position_on(self.rules, self.board)

    def left(self) -> tuple[tuple[str, ...], int]:
        """The faces of the expansion's dice that may be used, and how many of them."""
        if self.faces is None:
            table = self.table
            return tuple(sorted({face for name in table.roll for face in table.dice[name]})), len(table.roll)
        left = faces_left(self.board, self.roll.round, self.faces)
        return left, len(left)

    def turn(self, board: Board, left: tuple[str, ...]) -> Turn:
        """The state on which placements depend, with these faces left."""
        return replace(turn_of(self.rules, board, self.roll, left), left=left)

    def with_move(self, board: Board, move: Move) -> Board:
        """The board after a move, legal or not."""
        if isinstance(move, Drawing):
            return board.with_drawing(move)
        crossed = crossing(board, self.roll) if move.special else ""
        return with_placement(board, Placed(move, self.roll.round, crossed))


def in_order(round_: Round, moves: tuple[Move, ...], *, settled: bool) -> _Reached | None:
    """The board after all moves in an order that the rules allow, and that order.

    ``settled``: no die of the expansion that has to be used may be left.
    """
    # What has to be settled first comes before everything else.
    first = {*round_.table.first}
    urgent = [move for move in moves if isinstance(move, Placement) and first & {*move.uses}]
    others = [move for move in moves if move not in urgent]
    reached: _Reached = (round_.board, ())
    parts: tuple[Sequence[Move], ...] = (urgent, others)
    for part in parts:
        found = in_some_order(reached, part, lambda so_far, move: _made(round_, so_far, move))
        if found.left:
            return None
        reached = found.board
    if settled and round_.faces is not None:
        turn = turn_of(round_.rules, reached[0], round_.roll, round_.faces)
        if next(unsettled(round_.rules, reached[0], turn), None) is not None:
            return None
    return reached


def _made(round_: Round, so_far: _Reached, move: Move) -> _Reached | Refusal:
    board, made = so_far
    if isinstance(move, Drawing):
        after = try_draw(round_.rules, board, round_.roll, move)
        return after if isinstance(after, Refusal) else (after, (*made, move))
    if round_.faces is None:
        turn = round_.turn(board, move.uses)
    else:
        turn = turn_of(round_.rules, board, round_.roll, round_.faces)
    for placement in open_placements(round_.rules, board, turn):
        if compared(placement) == compared(move):
            return round_.with_move(board, placement), (*made, move)
    return Refusal("not-now", "")


def move_json(move: Move) -> JsonObject:
    """A move as the table understands it."""
    if isinstance(move, Drawing):
        return {"round": move.round, "cell": move.cell, "route": move.route, "from": move.source}
    return placement_json(move)
