"""Turns as machine code: a greedy one, a beam, and matches played to their end; see ``kernels.py``.

A turn is drawn by moves: ``((source * 32 + shape) * 64 + cell) * 256 + route``, all of them numbers. Rounds
are numbered from 0.
"""

from __future__ import annotations

import numpy as np

from companion.games.railroad_ink.bot.compiling import compiled, low, within
from companion.games.railroad_ink.bot.kernels import apply, arrives, draw
from companion.games.railroad_ink.bot.tables import DRAWING, MOVES, Array, Record
from companion.games.railroad_ink.bot.worth_kernels import goal_share, promise

SHAPES = 21
MOST_MOVES = 4096  # on one board
MOST_COMPARED = 40_000  # on one level of a beam
NEVER = -1e9


@compiled
def begin_round(head: Record, body: Record, dice: int, table: Record) -> None:
    """Put the dice of a round on the table."""
    body.left = body.rolled = dice
    body.duplicates = 0
    body.special_now = head.specials > 0
    if not table.free_for_match:
        body.free = 0
    body.drawn = 0


@within
def end_round(head: Record, number: int, table: Record) -> None:
    """Write down what the goals have brought."""
    for place in range(table.goal_count):
        if not head.won >> place & 1 and goal_share(head, table.goal[place], table) >= 1:
            head.won |= 1 << place
            head.prizes += table.prize[number, place]


@within
def judge(heads: Array, body: Record, move: int, number: int, table: Record) -> float:
    """What the first of two heads is worth after a move; the second one is written over."""
    heads[1] = heads[0]
    apply(heads[1], body, move >> 8 & 63, move & 255, table)
    heads[1].specials -= move >> 19 == 2
    return promise(heads[1], number, table)


@within
def moves_of(head: Record, source: int, shape: int, moves: Array, found: int, table: Record) -> int:
    """Append every place where a shape fits; return the number of moves."""
    cells = 0
    for bit in range(8):
        cells |= head.facing[bit]
    while cells:
        cell = low(cells)
        cells &= cells - 1
        at = SHAPES * arrives(head, cell) + shape
        for place in range(table.first_fit[at], table.first_fit[at + 1]):
            moves[found] = ((source * 32 + shape) * 64 + cell) * 256 + table.fits[place]
            found += 1
    return found


@within
def dice_moves(head: Record, body: Record, moves: Array, table: Record) -> int:
    """Every drawing of a die that is left."""
    found = 0
    left = body.left
    while left:
        shape = low(left) // 3
        left &= ~(7 << 3 * shape)
        found = moves_of(head, 0, shape, moves, found, table)
    return found


@within
def extra_moves(head: Record, body: Record, moves: Array, table: Record) -> int:
    """Every drawing that nobody has to make: duplicates and special routes."""
    found = 0
    rolled = body.rolled if body.duplicates > 0 else 0
    while rolled:
        shape = low(rolled) // 3
        rolled &= ~(7 << 3 * shape)
        found = moves_of(head, 1, shape, moves, found, table)
    if body.free or (body.special_now and head.specials > 0):
        source = 3 if body.free else 2
        for place in range(6):
            if not body.used >> place & 1:
                found = moves_of(head, source, table.special_shape[place], moves, found, table)
    return found


@within
def best_of(heads: Array, body: Record, moves: Array, number: int, table: Record) -> tuple[float, int]:
    """The move that promises most, and how much; -1 if there is none."""
    best, chosen = NEVER, -1
    for place in range(moves.shape[0]):
        value = judge(heads, body, moves[place], number, table)
        if value > best:
            best, chosen = value, moves[place]
    return best, chosen


@within
def greedy_turn(heads: Array, body: Record, number: int, moves: Array, table: Record) -> None:
    """Draw one route after the other, what promises most; what nobody has to draw where the promise rises."""
    while body.drawn < MOVES:
        found = dice_moves(heads[0], body, moves, table)
        value, move = best_of(heads, body, moves[:found], number, table)
        if move < 0 or not body.drawn or body.duplicates > 0 or body.free:
            found = extra_moves(heads[0], body, moves, table)
            if found:
                more, other = best_of(heads, body, moves[:found], number, table)
                if more > promise(heads[0], number, table) and more >= value:
                    move = other
        if move < 0:
            return
        draw(heads[0], body, move, table)


# --- the beam ---


@within
def pick(drawings: Array, most: int, picked: Array) -> int:
    """The best drawings, each board once: their places in ``picked``; return how many."""
    order = np.argsort(drawings["value"])
    count = 0
    for place in range(drawings.shape[0] - 1, -1, -1):
        if count == most:
            break
        one = order[place]
        new = True
        for other in range(count):
            if drawings[picked[other]].hash == drawings[one].hash:
                new = False
                break
        if new:
            picked[count] = one
            count += 1
    return count


@within
def grow(
    heads: Array,
    bodies: Array,
    board: int,
    extra: bool,
    drawings: Array,
    found: int,
    number: int,
    table: Record,
) -> int:
    """Judge every drawing on one board, behind ``found`` others; return how many there are now."""
    scratch = heads[heads.shape[0] - 2 :]
    scratch[0] = heads[board]
    moves = np.empty(MOST_MOVES, np.int64)
    if extra:
        here = extra_moves(scratch[0], bodies[board], moves, table)
    else:
        here = dice_moves(scratch[0], bodies[board], moves, table)
    for place in range(min(here, drawings.shape[0] - found)):
        move = moves[place]
        one = drawings[found]
        one.value = judge(scratch, bodies[board], move, number, table)
        one.board, one.move = board, move
        one.hash = bodies[board].hash ^ table.scatter[move >> 8 & 63, move & 255]
        found += 1
    return found


@within
def settle(
    heads: Array, bodies: Array, first: int, drawings: Array, most: int, picked: Array, table: Record
) -> int:
    """Draw the best ones on copies of their boards, from number ``first`` on; return what comes after."""
    count = pick(drawings, min(most, heads.shape[0] - 2 - first), picked)
    for place in range(count):
        one = drawings[picked[place]]
        heads[first + place], bodies[first + place] = heads[one.board], bodies[one.board]
        draw(heads[first + place], bodies[first + place], one.move, table)
        bodies[first + place].value = one.value
    return first + count


@within
def dice_left(body: Record) -> int:
    """How many dice are still to be drawn."""
    count, dice = 0, body.left
    while dice:
        count += dice & 7
        dice >>= 3
    return count


@compiled
def beam(heads: Array, bodies: Array, width: int, keep: int, number: int, table: Record) -> int:
    """The complete turns of the first board that promise most.

    On every level each board is drawn on with every die that is left, and before that with what nobody has to
    draw. The best complete boards are written into ``heads`` and ``bodies`` from the beginning, the best one
    first; return their number. There is room for all boards that are looked at (see ``room``).
    """
    drawings = np.empty(min(MOST_COMPARED, 400 * max(width, keep) + 1000), DRAWING)
    picked = np.empty(max(width, keep), np.int64)
    complete = np.empty(heads.shape[0], np.int64)
    done, first, last = 0, 0, 1
    bodies[0].value = promise(heads[0], number, table)
    for level in range(dice_left(bodies[0]), -1, -1):
        most = width if level else keep
        # What nobody has to draw, and again on what came of it: a Factory, a special route, a University.
        since = first
        for _ in range(3):
            found = 0
            for board in range(since, last):
                found = grow(heads, bodies, board, True, drawings, found, number, table)
            since = last
            last = settle(heads, bodies, last, drawings[:found], most, picked, table)
        order = np.argsort(-bodies["value"][first:last])
        found = 0
        for place in range(min(most, last - first)):
            board, before = first + order[place], found
            found = grow(heads, bodies, board, False, drawings, found, number, table)
            if found == before:
                complete[done] = board
                done += 1
        first = last
        last = settle(heads, bodies, first, drawings[:found], width if level > 1 else keep, picked, table)
    return best_first(heads, bodies, complete[:done], keep)


@within
def best_first(heads: Array, bodies: Array, complete: Array, keep: int) -> int:
    """Move the best complete boards to the front; return their number."""
    values = np.empty(complete.shape[0])
    for place in range(complete.shape[0]):
        values[place] = -bodies[complete[place]].value
    order = np.argsort(values)
    count = min(complete.shape[0], keep)
    best_heads, best_bodies = np.empty(count, heads.dtype), np.empty(count, bodies.dtype)
    for place in range(count):
        best_heads[place] = heads[complete[order[place]]]
        best_bodies[place] = bodies[complete[order[place]]]
    heads[:count], bodies[:count] = best_heads, best_bodies
    return count


# --- matches to their end ---


@within
def play_on(
    heads: Array, bodies: Array, widths: Array, rolls: Array, first: int, moves: Array, table: Record
) -> float:
    """Play the first board through the rounds from ``first`` on; return its points.

    ``widths`` are those of the beam, by round; 0: one route after the other.
    """
    for number in range(first, rolls.shape[0]):
        begin_round(heads[0], bodies[0], rolls[number], table)
        if widths[number]:
            beam(heads, bodies, widths[number], 1, number, table)
        else:
            greedy_turn(heads, bodies[0], number, moves, table)
        end_round(heads[0], number, table)
    return promise(heads[0], rolls.shape[0] - 1, table)


@compiled
def play_outs(
    heads: Array,
    bodies: Array,
    widths: Array,
    rolls: Array,
    first: int,
    table: Array,
    finals: Array,
    points: Array,
) -> None:
    """Play the rest of the match from every board, on the same dice, into ``[board, roll]``."""
    room = 60 * widths.max() + 2
    own_heads, own_bodies = np.empty(room, heads.dtype), np.empty(room, bodies.dtype)
    moves = np.empty(MOST_MOVES, np.int64)
    for board in range(heads.shape[0]):
        for roll in range(rolls.shape[0]):
            own_heads[0], own_bodies[0] = heads[board], bodies[board]
            if first:
                end_round(own_heads[0], first - 1, table[0])
            points[board, roll] = play_on(own_heads, own_bodies, widths, rolls[roll], first, moves, table[0])
            finals[board, roll] = own_heads[0]
