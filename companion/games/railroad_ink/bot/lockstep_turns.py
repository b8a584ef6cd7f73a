"""Turns on many boards in step: a greedy one, a beam, and whole matches, as in ``turn_kernels.py``."""

from __future__ import annotations

import numpy as np

from companion.games.railroad_ink.bot.lockstep import Drawn, Fields, joined, put, settled, taken
from companion.games.railroad_ink.bot.lockstep_worth import end_round, promises
from companion.games.railroad_ink.bot.tables import MOVES, Array, Ints, Record
from companion.games.railroad_ink.rules.boards.routes import SHAPES

NEVER = -1e9


def begin_round(head: Fields, body: Fields, dice: Ints, table: Record) -> None:
    """Put the dice of a round on the table."""
    body["left"][:] = body["rolled"][:] = dice
    body["duplicates"][:] = body["drawn"][:] = 0
    body["special_now"] = (head["specials"] > 0).astype(np.int64)
    if not table["free_for_match"]:
        body["free"][:] = 0


def _moves(head: Fields, shapes: Array, source: Ints, table: Record) -> tuple[Ints, Ints]:
    """Every place where the shapes of a board, ``[shape, board]``, fit: boards and moves."""
    arriving = np.zeros((49, head["empty"].shape[0]), np.int64)
    cells = np.arange(49)[:, None]
    for bit in range(8):
        arriving |= (head["facing"][bit] >> cells & 1) << bit
    cell, board = np.nonzero(arriving)
    shape, which = np.nonzero(shapes[:, board])
    cell, board = cell[which], board[which]
    at = len(SHAPES) * arriving[cell, board] + shape
    first, many = table["first_fit"][at], table["first_fit"][at + 1] - table["first_fit"][at]
    each = np.repeat(np.arange(len(at)), many)
    route = table["fits"][first[each] + np.arange(len(each)) - np.repeat(np.cumsum(many) - many, many)]
    board = board[each]
    return board, ((source[board] * 32 + shape[each]) * 64 + cell[each]) * 256 + route


def dice_moves(head: Fields, body: Fields, table: Record) -> tuple[Ints, Ints]:
    """Every drawing of a die that is left."""
    shapes = body["left"] >> 3 * np.arange(len(SHAPES))[:, None] & 7
    return _moves(head, shapes, np.zeros_like(body["left"]), table)


def extra_moves(head: Fields, body: Fields, wanted: Array, table: Record) -> tuple[Ints, Ints]:
    """Every drawing that nobody has to make, duplicates and special routes, on the boards that want them."""
    again = wanted & (body["duplicates"] > 0)
    shapes = (body["rolled"] >> 3 * np.arange(len(SHAPES))[:, None] & 7) * again
    found = [_moves(head, shapes, np.ones_like(body["left"]), table)] if again.any() else []
    special = wanted & ((body["free"] > 0) | ((body["special_now"] > 0) & (head["specials"] > 0)))
    shapes = np.zeros_like(shapes)
    for place, shape in enumerate(table["special_shape"]):
        shapes[shape] = special & (body["used"] >> place & 1 == 0)
    found.append(_moves(head, shapes, np.where(body["free"], 3, 2), table))
    return np.concatenate([boards for boards, _ in found]), np.concatenate([moves for _, moves in found])


def best_of(board: Ints, values: Array, boards: int) -> tuple[Array, Ints]:
    """By board: the best value, and which of the moves that is; -1 if there is none."""
    best, chosen = np.full(boards, NEVER), np.full(boards, -1)
    np.maximum.at(best, board, values)
    found = np.flatnonzero(values == best[board])[::-1]
    chosen[board[found]] = found
    return best, chosen


def greedy_turns(head: Fields, body: Fields, number: int, table: Record) -> None:
    """Draw one route after the other, what promises most; what nobody has to draw where the promise rises."""
    active = np.arange(head["empty"].shape[0])
    for _ in range(MOVES):
        heads, bodies = taken(head, active), taken(body, active)
        board, moves = dice_moves(heads, bodies, table)
        stuck = np.bincount(board, minlength=len(active)) == 0
        wanted = stuck | (bodies["drawn"] == 0) | (bodies["duplicates"] > 0) | (bodies["free"] > 0)
        extra_board, extra = extra_moves(heads, bodies, wanted, table)
        dice = len(board)
        board, moves = np.concatenate([board, extra_board]), np.concatenate([moves, extra])
        if not len(board):
            return
        drawn = Drawn(heads, bodies, board, moves, table)
        values = promises(drawn.heads, number, table)
        value, chosen = best_of(board[:dice], values[:dice], len(active))
        if len(extra):
            more, other = best_of(extra_board, values[dice:], len(active))
            better = (more >= value) & (more > promises(heads, number, table))
            chosen = np.where(better & (other >= 0), other + dice, chosen)
        going = np.flatnonzero(chosen >= 0)
        if not len(going):
            return
        which = chosen[going]
        heads, bodies = settled(drawn, which, moves[which], heads)
        active = active[going]
        put(head, active, heads)
        put(body, active, bodies)


# --- the beam ---


def _picked(values: Array, hashes: Ints, most: int) -> Ints:
    """The best drawings, each board once: which they are."""
    order = np.argsort(-values, kind="stable")
    _, first = np.unique(hashes[order], return_index=True)
    found: Ints = order[np.sort(first)[:most]]
    return found


def _grown(
    head: Fields, body: Fields, board: Ints, moves: Ints, most: int, number: int, table: Record
) -> tuple[Fields, Fields] | None:
    """The best boards of those that come of moves, if any do."""
    if not len(moves):
        return None
    drawn = Drawn(head, body, board, moves, table)
    values = promises(drawn.heads, number, table)
    hashes = body["hash"][board] ^ table["scatter"][drawn.cell, drawn.route]
    which = _picked(values, hashes, most)
    heads, bodies = settled(drawn, which, moves[which], head)
    bodies["value"] = values[which]
    return heads, bodies


def beam(
    head: Fields, body: Fields, width: int, keep: int, number: int, table: Record
) -> tuple[Fields, Fields]:
    """The complete turns of one board that promise most, the best one first."""
    body["value"] = promises(head, number, table)
    complete: list[tuple[Fields, Fields]] = []
    left = int(body["left"][0])
    for level in range(sum(left >> 3 * shape & 7 for shape in range(len(SHAPES))), -1, -1):
        most = width if level else keep
        # What nobody has to draw, and again on what came of it: a Factory, a special route, a University.
        boards = [(head, body)]
        for _ in range(3):
            heads, bodies = boards[-1]
            board, moves = extra_moves(heads, bodies, np.ones(len(bodies["left"]), bool), table)
            grown = _grown(heads, bodies, board, moves, most, number, table)
            if grown is None:
                break
            boards.append(grown)
        head, body = (joined([pair[part] for pair in boards]) for part in range(2))
        best = np.argsort(-body["value"], kind="stable")[:most]
        head, body = taken(head, best), taken(body, best)
        board, moves = dice_moves(head, body, table)
        stuck = np.flatnonzero(np.bincount(board, minlength=len(best)) == 0)
        complete.append((taken(head, stuck), taken(body, stuck)))
        grown = _grown(head, body, board, moves, width if level > 1 else keep, number, table)
        if grown is None:
            break
        head, body = grown
    head, body = (joined([pair[part] for pair in complete]) for part in range(2))
    best = np.argsort(-body["value"], kind="stable")[:keep]
    return taken(head, best), taken(body, best)


def play_on(head: Fields, body: Fields, rolls: Ints, first: int, table: Record) -> Array:
    """Play boards through the rounds from ``first`` on, each with its ``rolls``; return their points."""
    if first:
        end_round(head, first - 1, table)
    for number in range(first, rolls.shape[1]):
        begin_round(head, body, rolls[:, number], table)
        greedy_turns(head, body, number, table)
        end_round(head, number, table)
    return promises(head, rolls.shape[1] - 1, table)
