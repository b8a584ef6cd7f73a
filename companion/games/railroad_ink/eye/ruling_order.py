"""The moves of a round with an expansion, routes and placements, in an order that the rules allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.games.contract import Plain, Refusal
from companion.games.railroad_ink.rules.board import Board, Drawing, Placed, Roll, Rules
from companion.games.railroad_ink.rules.expansions.actions import compared, placement_json
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.playing import (
    crossing,
    open_placements,
    turn_of,
    unsettled,
    with_placement,
)
from companion.games.railroad_ink.rules.expansions.tables import Table, table_of
from companion.games.railroad_ink.rules.turn import try_draw

Move: TypeAlias = "Drawing | Placement"


@dataclass(frozen=True)
class Throw:
    """The round's dice: those of routes, and the faces of the expansion's; None where nobody knows them."""

    roll: Roll
    faces: tuple[str, ...] | None


@dataclass(frozen=True)
class RoundBefore:
    """What is known of a round: its rules, the board before, the dice."""

    rules: Rules
    board: Board
    throw: Throw

    @property
    def table(self) -> Table:
        """Of the expansion that is played."""
        return table_of(self.rules.expansion)


def in_order(
    game: RoundBefore, moves: tuple[Move, ...], *, finished: bool
) -> tuple[Board, tuple[Move, ...]] | None:
    """The board after all moves in an order that the rules allow, and that order."""
    everything = frozenset(range(len(moves)))
    reached: dict[frozenset[int], tuple[Board, tuple[Move, ...]]] = {everything: (game.board, ())}
    waiting = [everything]
    while waiting:
        left = waiting.pop()
        board, made = reached[left]
        if not left:
            return (board, made) if not finished or _may_stop(game, board) else None
        for at in sorted(left, reverse=True):
            if left - {at} in reached or not _may_come(game, moves, at, left):
                continue
            after = _made(game, board, moves[at])
            if after is not None:
                reached[left - {at}] = (after, (*made, moves[at]))
                waiting.append(left - {at})
    return None


def _may_come(game: RoundBefore, moves: Sequence[Move], at: int, left: frozenset[int]) -> bool:
    """What has to be settled first comes before everything else."""
    first = {
        other
        for other in left
        if isinstance(one := moves[other], Placement) and set(one.uses) & set(game.table.first)
    }
    return not first or at in first


def _made(game: RoundBefore, board: Board, move: Move) -> Board | None:
    roll = game.throw.roll
    if isinstance(move, Drawing):
        after = try_draw(game.rules, board, roll, move)
        return None if isinstance(after, Refusal) else after
    rolled = game.throw.faces if game.throw.faces is not None else move.uses
    turn = turn_of(game.rules, board, roll, rolled)
    if game.throw.faces is None:
        turn = replace(turn, left=move.uses)
    asked = compared(move)
    same = next((one for one in open_placements(game.rules, board, turn) if compared(one) == asked), None)
    if same is None:
        return None
    return with_placement(board, Placed(same, roll.round, crossing(board, roll) if same.special else ""))


def _may_stop(game: RoundBefore, board: Board) -> bool:
    """No die of the expansion that has to be used is left."""
    if game.throw.faces is None:
        return True
    turn = turn_of(game.rules, board, game.throw.roll, game.throw.faces)
    return next(unsettled(game.rules, board, turn), None) is None


def move_json(move: Move) -> Plain:
    """A move as the table understands it."""
    if isinstance(move, Drawing):
        return {"round": move.round, "cell": move.cell, "route": move.route, "from": move.source}
    return placement_json(move)
