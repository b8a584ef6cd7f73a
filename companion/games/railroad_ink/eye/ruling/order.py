"""A round on a known board, and its moves, routes and placements, in an order that the rules allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.games.contract import Plain, Refusal
from companion.games.railroad_ink.rules.board import Board, Drawing, Placed, Roll, Rules
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
from companion.games.railroad_ink.rules.position import Position
from companion.games.railroad_ink.rules.turn import try_draw

Move: TypeAlias = "Drawing | Placement"


@dataclass(frozen=True)
class Round:
    """What is known of a round: the rules, the board before, the dice of routes, and the ``faces`` of the
    expansion's dice, None where nobody knows them. A ``finished`` round has no die left that has to be used.
    """

    rules: Rules
    board: Board
    roll: Roll
    faces: tuple[str, ...] | None = None
    finished: bool = True

    @property
    def table(self) -> Table:
        """Of the expansion that is played."""
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
        """What placements on a board depend on, with these faces left."""
        return replace(turn_of(self.rules, board, self.roll, left), left=left)

    def with_move(self, board: Board, move: Move) -> Board:
        """The board after a move, legal or not."""
        if isinstance(move, Drawing):
            return board.with_drawing(move)
        crossed = crossing(board, self.roll) if move.special else ""
        return with_placement(board, Placed(move, self.roll.round, crossed))


def in_order(
    round_: Round, moves: tuple[Move, ...], *, settled: bool
) -> tuple[Board, tuple[Move, ...]] | None:
    """The board after all moves in an order that the rules allow, and that order.

    ``settled``: no die of the expansion that has to be used may be left.
    """
    everything = frozenset(range(len(moves)))
    reached: dict[frozenset[int], tuple[Board, tuple[Move, ...]]] = {everything: (round_.board, ())}
    waiting = [everything]
    while waiting:
        left = waiting.pop()
        board, made = reached[left]
        if not left:
            return (board, made) if not settled or _may_stop(round_, board) else None
        for at in sorted(left, reverse=True):
            if left - {at} in reached or not _may_come(round_, moves, at, left):
                continue
            after = _made(round_, board, moves[at])
            if after is not None:
                reached[left - {at}] = (after, (*made, moves[at]))
                waiting.append(left - {at})
    return None


def _may_come(round_: Round, moves: Sequence[Move], at: int, left: frozenset[int]) -> bool:
    """What has to be settled first comes before everything else."""
    urgent = {
        other
        for other in left
        if isinstance(move := moves[other], Placement) and set(move.uses) & set(round_.table.first)
    }
    return not urgent or at in urgent


def _made(round_: Round, board: Board, move: Move) -> Board | None:
    if isinstance(move, Drawing):
        after = try_draw(round_.rules, board, round_.roll, move)
        return None if isinstance(after, Refusal) else after
    if round_.faces is None:
        turn = round_.turn(board, move.uses)
    else:
        turn = turn_of(round_.rules, board, round_.roll, round_.faces)
    wanted = compared(move)
    legal = open_placements(round_.rules, board, turn)
    same = next((placement for placement in legal if compared(placement) == wanted), None)
    return None if same is None else round_.with_move(board, same)


def _may_stop(round_: Round, board: Board) -> bool:
    """No die of the expansion that has to be used is left."""
    if round_.faces is None:
        return True
    turn = turn_of(round_.rules, board, round_.roll, round_.faces)
    return next(unsettled(round_.rules, board, turn), None) is None


def move_json(move: Move) -> Plain:
    """A move as the table understands it."""
    if isinstance(move, Drawing):
        return {"round": move.round, "cell": move.cell, "route": move.route, "from": move.source}
    return placement_json(move)
