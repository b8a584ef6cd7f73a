"""What boards promise, and how much of a goal there is, for many boards in step: as in ``kernels.py``."""

from __future__ import annotations

import numpy as np

from companion.games.railroad_ink.bot.lockstep import Fields, count
from companion.games.railroad_ink.bot.tables import (
    BLOCK,
    CORNERS,
    EVERY_CELL,
    FIRST_COLUMN,
    NOT_FIRST,
    NOT_LAST,
    ROW,
    Array,
    Ints,
    Record,
)
from companion.games.railroad_ink.bot.worth import Weight


def around(cells: Array) -> Array:
    """The cells beside these."""
    found: Array = (
        ((cells << 1) & NOT_FIRST) | ((cells >> 1) & NOT_LAST) | ((cells << 7) & EVERY_CELL) | (cells >> 7)
    )
    return found


def promises(head: Fields, number: int, table: Record) -> Array:
    """What boards are worth in a round (0 is the first one) by the table's weights."""
    weights = table["weights"][number]
    value: Array = (
        weights[Weight.DONE] * head["closed"]
        + weights[Weight.LOST] * head["lost"]
        + weights[Weight.SHUT] * head["shut"]
    )
    value += weights[Weight.SPECIAL] * head["specials"]
    value += weights[Weight.CENTRE] * count(table["centre"] & ~head["empty"])
    value += (
        weights[[Weight.HIGHWAY, Weight.RAILWAY]] @ head["longest"]
        + weights[[Weight.H_DEPTH, Weight.R_DEPTH]] @ head["depth"]
    )
    value += weights[[Weight.H_NEXT, Weight.R_NEXT]] @ head["next_depth"]
    value += weights[Weight.UNIVERSITY] * head["universities"] + weights[Weight.GOALS] * head["prizes"]
    value += weights[Weight.VILLAGE] * table["village_values"][head["villages"]]
    value += _networks(head, weights, table) + _ends(head, weights, table)
    for place in range(int(table["goal_count"])):
        share = goal_share(head, int(table["goal"][place]), table)
        near = weights[Weight.NEARLY] * table["prize"][number + 1, place] * share * share
        brings = np.where(share >= 1, weights[Weight.GOALS] * table["prize"][number, place], near)
        value += np.where(head["won"] >> place & 1, 0, brings)
    return value


def _networks(head: Fields, weights: Array, table: Record) -> Array:
    """Exit points, and what the best network with ends can still reach."""
    boards = np.arange(head["empty"].shape[0])
    joined = count(head["exits"])
    value: Array = weights[Weight.EXITS] * (head["bank"] + table["network_values"][joined].sum(axis=0))
    if (
        not weights[Weight.AT_1 : Weight.BEYOND + 1].any()
        and not weights[[Weight.MAIN_END, Weight.MAIN_H, Weight.MAIN_R, Weight.REACHED]].any()
    ):
        return value  # the last round
    main = np.where(head["ends"], 64 * joined + head["ends"], -1).argmax(axis=0)
    flood = head["places"][main, boards]
    at_exits = head["facing"] & table["exit_facing"][:, None]
    exits = np.bitwise_or.reduce(at_exits, axis=0)
    others = np.where(joined > 0, head["places"], 0)
    others[main, boards] = 0
    ends = head["facing"] ^ at_exits
    value += weights[Weight.MAIN_END] * np.minimum(6, head["ends"][main, boards])
    for kind, weight in ((0, weights[Weight.MAIN_H]), (4, weights[Weight.MAIN_R])):
        leads = np.bitwise_or.reduce(ends[kind : kind + 4], axis=0) & flood
        value += weight * np.minimum(3, count(leads))
    # Where no network has ends, the first free exit is the main one.
    first = np.where(flood == 0, exits & -exits, 0)
    flood, exits = flood | first, exits & ~first
    for step in range(5):
        found = count(exits & flood)
        exits &= ~flood
        met = (others & flood) != 0
        flood = flood | np.bitwise_or.reduce(np.where(met, others, 0), axis=0)
        others[met] = 0
        value += weights[Weight.AT_1 + step] * (found + met.sum(axis=0))
        flood |= around(flood) & head["empty"]
    beyond = count(exits) + (others != 0).sum(axis=0)
    value += weights[Weight.REACHED] * count(flood) + weights[Weight.BEYOND] * beyond
    return value


def _ends(head: Fields, weights: Array, table: Record) -> Array:
    """Open ends by type, and empty cells at which they get into each other's way."""
    one, two = (
        np.zeros((2, head["empty"].shape[0]), np.int64),
        np.zeros((2, head["empty"].shape[0]), np.int64),
    )
    open_ends = head["facing"] & ~table["exit_facing"][:, None]
    lead = np.bitwise_or.reduce(open_ends, axis=0)
    for kind in range(2):
        for bit in range(4 * kind, 4 * kind + 4):
            two[kind] |= one[kind] & head["facing"][bit]
            one[kind] |= head["facing"][bit]
    number = count(open_ends)
    value: Array = weights[Weight.H_END] * number[:4].sum(axis=0) + weights[Weight.R_END] * number[4:].sum(
        axis=0
    )
    clash = one[0] & one[1] & lead
    meeting = (two[0] | two[1]) & lead & ~clash
    crowded = lead & ~clash & ~meeting & ~around(head["empty"])
    value += weights[Weight.CLASH] * count(clash) + weights[Weight.MEETING] * count(meeting)
    value += weights[Weight.CROWDED] * count(crowded)
    return value


def goal_share(head: Fields, goal: int, table: Record) -> Array:
    """How much of a goal there is, from 0 to 1: achieved."""
    drawn = EVERY_CELL & ~head["empty"]
    found: Array
    if goal == 0:
        found = count(drawn & table["centre"]) / 5
    elif goal == 1:
        found = head["villages"] / 3
    elif goal == 2:
        lines = [ROW << 7 * line for line in range(7)] + [FIRST_COLUMN << line for line in range(7)]
        found = np.max([count(drawn & line) for line in lines], axis=0) / 7
    elif goal == 3:
        found = count(drawn & CORNERS) / 3
    elif goal == 4:
        blocks = [BLOCK << 7 * row + column for row in range(5) for column in range(5)]
        found = np.max([count(drawn & block) for block in blocks], axis=0) / 9
    elif goal in (8, 9):
        found = head["longest"][goal - 8] / 6
    else:
        shown = head["shown"] >> {5: 0, 6: 1, 7: 2, 10: 3}.get(goal, 4) & 1
        most: Ints = np.zeros_like(shown)
        if goal == 6:
            most = count(head["exits"]).max(axis=0) * 4
        elif goal == 7:
            most = head["stations"].max(axis=0) * 3
        found = np.where(shown, 1.0, most / 12)
    return found


def end_round(head: Fields, number: int, table: Record) -> None:
    """Write down what the goals have brought."""
    for place in range(int(table["goal_count"])):
        share = goal_share(head, int(table["goal"][place]), table)
        won = (share >= 1) & (head["won"] >> place & 1 == 0)
        head["won"] |= won << place
        head["prizes"] += won * int(table["prize"][number, place])
