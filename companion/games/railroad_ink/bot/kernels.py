"""Boards as machine code: drawing a route, and the walks that come to open ends.

Heads, bodies and tables are the records of ``tables.py``. A board is drawn on and judged in a fifth of a
microsecond: only its head is copied, and the body is read. Only what is drawn for good changes the body, and
then the longest walks are measured anew.
"""

from __future__ import annotations

import numpy as np

from companion.games.railroad_ink.bot.compiling import compiled, count, low, within
from companion.games.railroad_ink.bot.tables import CELLS, NETWORKS, Record

PATIENCE = 160  # steps of one search for a longest walk


@within
def arrives(head: Record, cell: int) -> int:
    """The facing mask of a cell."""
    mask = 0
    for bit in range(8):
        mask |= (head.facing[bit] >> cell & 1) << bit
    return mask


@within
def apply(head: Record, body: Record, cell: int, route: int, table: Record) -> None:
    """Draw a route into ``head``, which may be another copy than that of ``body``."""
    at = 1 << cell
    arriving = arrives(head, cell)
    for bit in range(8):
        head.facing[bit] &= ~at
    head.empty &= ~at
    ends = arriving
    while ends:
        bit = low(ends)
        ends &= ends - 1
        if not table.exit[cell, bit]:
            network = body.network[cell, bit]
            head.places[network] &= ~at
            head.ends[network] -= 1
    for kind in range(2):
        if head.depth_cell[kind] == cell:
            head.depth_cell[kind] = -1
            head.depth[kind] = head.next_depth[kind]
            head.next_depth[kind] = 0
    head.into[1] = -1
    head.merged[0] = 0
    for place in range(2):
        if table.piece[route, place]:
            arriving = _piece(head, body, cell, route, place, arriving, table)
    while arriving:
        bit = low(arriving)
        arriving &= arriving - 1
        if table.exit[cell, bit]:
            head.shut += 1
        else:
            head.lost += 1
    if table.station[route] and table.village & at:
        head.villages += 1
    if table.university & at and head.universities < 3:
        head.universities += 1
    _close(head, table)


@within
def _piece(
    head: Record, body: Record, cell: int, route: int, place: int, arriving: int, table: Record
) -> int:
    """Join one piece to what arrives; return what still arrives."""
    mask = table.piece[route, place]
    merged = exits = 0
    outward = mask
    for kind in range(2):
        if not mask >> 4 * kind & 15:
            continue
        first = second = 0
        deepest = -1  # the network from which the longest walk comes; in a loop it would count twice
        joined = mask & arriving & (15 << 4 * kind)
        arriving &= ~joined
        outward &= ~joined
        while joined:
            bit = low(joined)
            joined &= joined - 1
            if table.exit[cell, bit]:
                exits |= 1 << (table.exit[cell, bit] - 1)
                continue
            network = body.network[cell, bit]
            if place and head.merged[0] >> network & 1:
                network = head.into[0]
            head.shown |= merged >> network & 1  # a loop
            merged |= 1 << network
            depth = body.depth_at[cell, bit]
            if depth > first:
                if network != deepest:
                    second = first
                first, deepest = depth, network
            elif depth > second and network != deepest:
                second = depth
        head.reach[place, kind] = first
        head.longest[kind] = max(head.longest[kind], 1 + first + second)
    into = low(merged) if merged else min(low(~head.live), NETWORKS - 1)
    head.live |= 1 << into
    rest = merged & ~(1 << into)
    if not merged:
        head.places[into] = head.exits[into] = head.ends[into] = head.stations[into] = 0
    while rest:
        other = low(rest)
        rest &= rest - 1
        head.places[into] |= head.places[other]
        head.exits[into] |= head.exits[other]
        head.ends[into] += head.ends[other]
        head.stations[into] += head.stations[other]
        head.live &= ~(1 << other)
    head.exits[into] |= exits
    head.stations[into] += table.station[route]
    head.merged[place] = merged
    head.into[place] = into
    _open(head, cell, outward, place, into, table)
    return arriving


@within
def _open(head: Record, cell: int, mask: int, place: int, into: int, table: Record) -> None:
    """The ends of a piece that meet nothing yet: they open, are lost, or lead off the board."""
    for bit in range(8):
        neighbour = table.neighbour[cell, bit & 3]
        if not mask >> bit & 1 or neighbour == -1:
            continue
        if neighbour == -2:
            head.lost += table.wall_costs
        elif not head.empty >> neighbour & 1:
            head.lost += 1
        else:
            kind, there = bit >> 2, (bit & 4) | ((bit + 2) & 3)
            head.facing[there] |= 1 << neighbour
            head.places[into] |= 1 << neighbour
            head.ends[into] += 1
            _deepest(head, kind, neighbour, 1 + head.reach[place, kind])


@within
def _deepest(head: Record, kind: int, cell: int, depth: int) -> None:
    """Keep the two longest walks that come to open ends of different cells."""
    if depth > head.depth[kind]:
        if head.depth_cell[kind] != cell:
            head.next_depth[kind] = head.depth[kind]
        head.depth[kind] = depth
        head.depth_cell[kind] = cell
    elif depth > head.next_depth[kind] and head.depth_cell[kind] != cell:
        head.next_depth[kind] = depth


@within
def _close(head: Record, table: Record) -> None:
    """See which goals the new networks show; put networks without ends into the bank."""
    for place in range(2):
        network = head.into[place]
        if network >= 0:
            exits = head.exits[network]
            if count(exits) >= 3:
                head.shown |= 2
            if head.stations[network] >= 4:
                head.shown |= 4
            left = exits
            while left:
                if table.opposite[low(left)] & exits:
                    head.shown |= 8
                left &= left - 1
            if count(exits & table.middle) >= 2:
                head.shown |= 16
    live = head.live
    while live:
        network = low(live)
        live &= live - 1
        if not head.ends[network]:
            head.bank += table.network_values[count(head.exits[network])]
            head.closed += head.exits[network] > 0
            head.live &= ~(1 << network)


# --- drawing for good ---


@compiled
def draw(head: Record, body: Record, move: int, table: Record) -> None:
    """Draw a move, so that others can follow it."""
    route, cell, shape, source = move & 255, move >> 8 & 63, move >> 14 & 31, move >> 19
    apply(head, body, cell, route, table)
    body.route[cell] = route + 1
    body.hash ^= table.scatter[cell, route]
    body.moves[body.drawn] = move
    body.drawn += 1
    if source == 0:
        body.left -= 1 << 3 * shape
    elif source == 1:
        body.duplicates -= 1
    else:
        body.used |= special_bit(shape, table)
        if source == 2:
            head.specials -= 1
            body.special_now = 0
        else:
            body.free = 0
    if table.factory >> cell & 1:
        body.duplicates += 1
    if table.university >> cell & 1 and count(table.university & ~head.empty) == 3:
        body.free = 1
    touched = 0
    if head.shown & 1:
        for kind in range(2):
            if table.piece[route, 0] >> 4 * kind & 15:
                head.longest[kind] = max(head.longest[kind], _walk_round(body, kind, table))
    for place in range(2):
        into = head.into[place]
        if into >= 0:
            touched |= 1 << into
            _number_ends(head, body, cell, table.piece[route, place], head.merged[place], into, table)
    _measure(head, body, touched, table)


@within
def special_bit(shape: int, table: Record) -> int:
    """The bit of a special route in ``used``."""
    for number in range(6):
        if table.special_shape[number] == shape:
            return 1 << number
    return 0


@within
def _number_ends(
    head: Record, body: Record, cell: int, mask: int, merged: int, into: int, table: Record
) -> None:
    """Write the network of the new ends and of those that were joined with it."""
    for bit in range(8):
        neighbour = table.neighbour[cell, bit & 3]
        if mask >> bit & 1 and neighbour >= 0 and head.empty >> neighbour & 1:
            body.network[neighbour, (bit & 4) | ((bit + 2) & 3)] = into
    if merged & (merged - 1):
        places = head.places[into]
        while places:
            place = low(places)
            places &= places - 1
            for bit in range(8):
                here = head.facing[bit] >> place & 1 and not table.exit[place, bit]
                if here and merged >> body.network[place, bit] & 1:
                    body.network[place, bit] = into


@within
def _measure(head: Record, body: Record, touched: int, table: Record) -> None:
    """Find the longest walk to each open end of these networks, and the longest of all ends."""
    for kind in range(2):
        head.depth[kind] = head.next_depth[kind] = 0
        head.depth_cell[kind] = -1
        for bit in range(4 * kind, 4 * kind + 4):
            cells = head.facing[bit] & ~table.exit_facing[bit]
            while cells:
                cell = low(cells)
                cells &= cells - 1
                if touched >> body.network[cell, bit] & 1:
                    body.depth_at[cell, bit] = _walk_to(body, cell, bit, table)
                depth = body.depth_at[cell, bit]
                head.longest[kind] = max(head.longest[kind], depth)
                _deepest(head, kind, cell, depth)


@within
def _walk_to(body: Record, cell: int, bit: int, table: Record) -> int:
    """The longest walk that comes to an end."""
    out = (bit + 2) & 3
    cell = table.neighbour[cell, bit & 3]
    place = table.piece[body.route[cell] - 1, 1] >> ((bit & 4) + out) & 1
    return _walk(body, cell, place, bit & 4, 1 << out, table)


@within
def _walk_round(body: Record, kind: int, table: Record) -> int:
    """The longest walk from any piece, where a loop was closed."""
    best = 0
    for cell in range(CELLS):
        for place in range(2):
            if body.route[cell] and table.piece[body.route[cell] - 1, place] >> 4 * kind & 15:
                best = max(best, _walk(body, cell, place, 4 * kind, 0, table))
    return best


@within
def _walk(body: Record, cell: int, place: int, kind: int, without: int, table: Record) -> int:
    """The longest walk from a piece that does not leave it by some sides, searched in a limit of steps."""
    at = np.empty(64, np.int64)  # twice a cell's number, plus the piece
    todo = np.empty(64, np.int64)
    east = np.empty(64, np.int64)  # the links walked, by the cell that is west or north of them
    south = np.empty(64, np.int64)
    first, second = np.empty(64, np.int64), np.empty(64, np.int64)  # first and second pieces passed
    depth, steps, best = 0, 0, 1
    east[0] = south[0] = 0
    first[0], second[0] = (0 if place else 1 << cell), (1 << cell if place else 0)
    at[0] = 2 * cell + place
    todo[0] = (table.piece[body.route[cell] - 1, place] >> kind & 15) & ~without
    while depth >= 0 and steps < PATIENCE:
        if not todo[depth]:
            depth -= 1
            continue
        direction = low(todo[depth])
        todo[depth] &= todo[depth] - 1
        here = at[depth] >> 1
        other = table.neighbour[here, direction]
        if other < 0 or not body.route[other]:
            continue
        route, back = body.route[other] - 1, (direction + 2) & 3
        place = 1 if table.piece[route, 1] >> (kind + back) & 1 else 0
        ends = table.piece[route, place] >> kind & 15
        if not ends >> back & 1:
            continue
        link = 1 << min(here, other)
        across = direction & 1
        if (east[depth] if across else south[depth]) & link:
            continue
        steps += 1
        depth += 1
        east[depth] = east[depth - 1] | (link if across else 0)
        south[depth] = south[depth - 1] | (0 if across else link)
        first[depth] = first[depth - 1] | (0 if place else 1 << other)
        second[depth] = second[depth - 1] | (1 << other if place else 0)
        best = max(best, count(first[depth]) + count(second[depth]))
        at[depth], todo[depth] = 2 * other + place, ends & ~(1 << back)
    return best
