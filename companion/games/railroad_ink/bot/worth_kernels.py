"""What a board promises, and how much of a goal there is, as machine code; see ``kernels.py``."""

from __future__ import annotations

from companion.games.railroad_ink.bot.compiling import compiled, count, low, within
from companion.games.railroad_ink.bot.tables import (
    BLOCK,
    CORNERS,
    EVERY_CELL,
    FIRST_COLUMN,
    NOT_FIRST,
    NOT_LAST,
    ROW,
    Record,
)
from companion.games.railroad_ink.bot.worth import Weight


@within
def around(cells: int) -> int:
    """The cells beside these."""
    return ((cells << 1) & NOT_FIRST) | ((cells >> 1) & NOT_LAST) | ((cells << 7) & EVERY_CELL) | (cells >> 7)


@compiled
def promise(head: Record, number: int, table: Record) -> float:
    """What a board is worth in a round (0 is the first one) by the table's weights."""
    weights = table.weights[number]
    value = (
        weights[Weight.DONE] * head.closed
        + weights[Weight.LOST] * head.lost
        + weights[Weight.SHUT] * head.shut
    )
    value += (
        weights[Weight.SPECIAL] * head.specials
        + weights[Weight.VILLAGE] * table.village_values[head.villages]
    )
    value += weights[Weight.UNIVERSITY] * head.universities + weights[Weight.CENTRE] * count(
        table.centre & ~head.empty
    )
    value += weights[Weight.HIGHWAY] * head.longest[0] + weights[Weight.RAILWAY] * head.longest[1]
    value += weights[Weight.H_DEPTH] * head.depth[0] + weights[Weight.R_DEPTH] * head.depth[1]
    value += weights[Weight.H_NEXT] * head.next_depth[0] + weights[Weight.R_NEXT] * head.next_depth[1]
    value += _networks(head, number, table) + _ends(head, number, table)
    value += weights[Weight.GOALS] * head.prizes
    for place in range(table.goal_count):
        if not head.won >> place & 1:
            share = goal_share(head, table.goal[place], table)
            if share >= 1:
                value += weights[Weight.GOALS] * table.prize[number, place]
            else:
                value += weights[Weight.NEARLY] * table.prize[number + 1, place] * share * share
    return value


@within
def _networks(head: Record, number: int, table: Record) -> float:
    """Exit points, and what the best network with ends can still reach."""
    weights = table.weights[number]
    points, best, main, others = head.bank, -1, -1, 0
    live = head.live
    while live:
        network = low(live)
        live &= live - 1
        exits = count(head.exits[network])
        points += table.network_values[exits]
        rank = 64 * exits + head.ends[network]
        if exits:
            others |= 1 << network
        if rank > best:
            best, main = rank, network
    exits = 0
    for bit in range(8):
        exits |= head.facing[bit] & table.exit_facing[bit]
    value = weights[Weight.EXITS] * points
    flood = 0
    if main >= 0:
        others &= ~(1 << main)
        flood = head.places[main]
        value += weights[Weight.MAIN_END] * min(6, head.ends[main])
        highway = railway = 0
        for bit in range(4):
            highway |= head.facing[bit] & ~table.exit_facing[bit]
            railway |= head.facing[bit + 4] & ~table.exit_facing[bit + 4]
        value += weights[Weight.MAIN_H] * min(3, count(highway & flood))
        value += weights[Weight.MAIN_R] * min(3, count(railway & flood))
    elif exits:
        flood = exits & -exits
        exits &= ~flood
    for step in range(5):
        hit = exits & flood
        found = count(hit)
        exits &= ~hit
        left, reached = others, flood
        while left:
            network = low(left)
            left &= left - 1
            if head.places[network] & reached:
                flood |= head.places[network]
                others &= ~(1 << network)
                found += 1
        value += weights[Weight.AT_1 + step] * found
        flood |= around(flood) & head.empty
    value += weights[Weight.REACHED] * count(flood)
    return value + weights[Weight.BEYOND] * (count(exits) + count(others))


@within
def _ends(head: Record, number: int, table: Record) -> float:
    """Open ends by type, and empty cells at which they get into each other's way."""
    weights = table.weights[number]
    value = 0.0
    one_h = two_h = one_r = two_r = 0
    ends = 0
    for bit in range(4):
        highway, railway = head.facing[bit], head.facing[bit + 4]
        two_h |= one_h & highway
        two_r |= one_r & railway
        one_h |= highway
        one_r |= railway
        highway &= ~table.exit_facing[bit]
        railway &= ~table.exit_facing[bit + 4]
        value += weights[Weight.H_END] * count(highway) + weights[Weight.R_END] * count(railway)
        ends |= highway | railway
    clash = one_h & one_r & ends
    meeting = (two_h | two_r) & ends & ~clash
    crowded = ends & ~clash & ~meeting & ~around(head.empty)
    return (
        value
        + weights[Weight.CLASH] * count(clash)
        + weights[Weight.MEETING] * count(meeting)
        + weights[Weight.CROWDED] * count(crowded)
    )


@within
def goal_share(head: Record, goal: int, table: Record) -> float:
    """How much of a goal there is, from 0 to 1: achieved."""
    drawn = EVERY_CELL & ~head.empty
    if goal == 0:
        return count(drawn & table.centre) / 5
    if goal == 1:
        return head.villages / 3
    if goal == 2:
        best = 0
        for line in range(7):
            best = max(best, count(drawn & ROW << 7 * line), count(drawn & FIRST_COLUMN << line))
        return best / 7
    if goal == 3:
        return count(drawn & CORNERS) / 3
    if goal == 4:
        best = 0
        for row in range(5):
            for column in range(5):
                best = max(best, count(drawn & BLOCK << (7 * row + column)))
        return best / 9
    if goal == 8:
        return head.longest[0] / 6
    if goal == 9:
        return head.longest[1] / 6
    at = 0 if goal == 5 else 1 if goal == 6 else 2 if goal == 7 else 3 if goal == 10 else 4
    if head.shown >> at & 1:
        return 1.0
    most = 0
    live = head.live
    while live:
        network = low(live)
        live &= live - 1
        if goal == 6:
            most = max(most, count(head.exits[network]) * 4)
        elif goal == 7:
            most = max(most, head.stations[network] * 3)
    return most / 12
