"""Many boards in step, in NumPy: drawing one route on each of them. It plays where numba is not installed.

It does what ``kernels.py`` does, to arrays whose last axis tells the board: *fields*, by the names of
``tables.py``. Longest walks are kept for each pair of open ends and are never searched for: where loops were
closed they may be longer than what is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

import numpy as np

from companion.games.railroad_ink.bot.tables import ENDS, Array, Ints, Record

Fields: TypeAlias = dict[str, Array]
BY_NETWORK = ("places", "exits", "ends", "stations")
APART = -60  # the walk between ends of different networks


def fields_of(records: Array) -> Fields:
    """Records as fields."""
    names = records.dtype.names or ()
    return {name: np.moveaxis(records[name], 0, -1).copy() for name in names}


def records_of(fields: Fields, kind: np.dtype[np.void]) -> Array:
    """Fields as records."""
    records = np.empty(fields["hash" if "hash" in fields else "empty"].shape[-1], kind)
    for name, values in fields.items():
        records[name] = np.moveaxis(values, -1, 0)
    return records


def taken(fields: Fields, boards: Array) -> Fields:
    """Copies of some boards."""
    return {name: values.take(boards, axis=-1) for name, values in fields.items()}


def put(fields: Fields, boards: Array, others: Fields) -> None:
    """Write other boards over some."""
    for name, values in others.items():
        fields[name][..., boards] = values


def joined(parts: list[Fields]) -> Fields:
    """Boards behind each other."""
    return {name: np.concatenate([part[name] for part in parts], axis=-1) for name in parts[0]}


def count(masks: Array) -> Ints:
    """How many bits are set."""
    return np.bitwise_count(masks).astype(np.int64)


def lowest(masks: Array) -> Ints:
    """The number of the lowest bit that is set."""
    return count((masks & -masks) - 1)


def each_bit(masks: Array) -> Iterator[tuple[Ints, Ints]]:
    """The lowest bit of every mask, then the next one, ...: which masks still have one, and its number."""
    which = np.flatnonzero(masks)
    left = masks[which]
    while len(which):
        yield which, lowest(left)
        left = left & (left - 1)
        more = left != 0
        which, left = which[more], left[more]


def arrives(facing: Array, cells: Array) -> Ints:
    """The facing masks of cells, one on each board."""
    found = np.zeros_like(cells)
    for bit in range(8):
        found |= (facing[bit] >> cells & 1) << bit
    return found


def exit_bits(table: Record) -> Ints:
    """By cell: the facing bits that are exits."""
    found: Ints = ((table["exit"] > 0) << np.arange(8)).sum(axis=1)
    return found


class Drawn:
    """The heads of boards on each of which a route is drawn: ``board`` tells whose copies they are."""

    def __init__(self, heads: Fields, bodies: Fields, board: Ints, moves: Ints, table: Record) -> None:
        self.bodies, self.board, self.table = bodies, board, table
        self.cell, self.route = moves >> 8 & 63, moves & 255
        # Networks in use have low numbers: the others need not be copied.
        self.used = min(heads["places"].shape[0], int(heads["live"].max()).bit_length() + 2)
        cut = {name: values[: self.used] if name in BY_NETWORK else values for name, values in heads.items()}
        self.heads = taken(cut, board)
        self.exit_bits = exit_bits(table)[self.cell]
        self._apply()
        self.heads["specials"] -= moves >> 19 == 2

    def _network(self, which: Ints, bits: Ints) -> Ints:
        """The networks of ends at the cells that are drawn in."""
        board = self.board[which]
        slots = self.bodies["slot"][self.cell[which], bits, board]
        found: Ints = self.bodies["network_of"][slots, board].astype(np.int64)
        return found

    def _apply(self) -> None:
        head, table, cell = self.heads, self.table, self.cell
        at = np.int64(1) << cell
        arriving = arrives(head["facing"], cell)
        head["facing"] &= ~at
        head["empty"] &= ~at
        for which, bits in each_bit(arriving & ~self.exit_bits):
            network = self._network(which, bits)
            head["places"][network, which] &= ~at[which]
            head["ends"][network, which] -= 1
        gone = head["depth_cell"] == cell
        head["depth"] = np.where(gone, head["next_depth"], head["depth"])
        head["next_depth"][gone] = 0
        head["depth_cell"][gone] = -1
        head["into"][1] = -1
        head["merged"][0] = 0
        for place in range(2):
            which = np.flatnonzero(table["piece"][self.route, place])
            if len(which):
                arriving[which] = self._piece(which, place, arriving[which])
        head["shut"] += count(arriving & self.exit_bits)
        head["lost"] += count(arriving & ~self.exit_bits)
        head["villages"] += table["station"][self.route] & table["village"] >> cell & 1
        head["universities"] += (table["university"] >> cell & 1) & (head["universities"] < 3)
        self._close()

    def _piece(self, which: Ints, place: int, arriving: Ints) -> Ints:
        """Join one piece of some routes to what arrives; return what still arrives."""
        head, table = self.heads, self.table
        route = self.route[which]
        mask = table["piece"][route, place]
        joining, exits_here = mask & arriving, self.exit_bits[which]
        exits, merged = np.zeros_like(mask), np.zeros_like(mask)
        for those, bits in each_bit(joining & exits_here):
            exits[those] |= np.int64(1) << (table["exit"][self.cell[which[those]], bits] - 1)
        # By type: the longest walks that come here, the second one from another network than the first.
        shape = (2, len(which))
        first, second, deepest = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.full(shape, -1)
        for those, bits in each_bit(joining & ~exits_here):
            here, kind = which[those], bits >> 2
            network = self._network(here, bits)
            if place:
                network = np.where(
                    head["merged"][0, here] >> network & 1, np.maximum(head["into"][0, here], 0), network
                )
            head["shown"][here] |= merged[those] >> network & 1  # a loop
            merged[those] |= np.int64(1) << network
            slots = self.bodies["slot"][self.cell[here], bits, self.board[here]]
            depth = self.bodies["depth_of"][slots, self.board[here]]
            most, next_most = first[kind, those], second[kind, those]
            other, deeper = network != deepest[kind, those], depth > most
            second[kind, those] = np.where(
                other, np.where(deeper, most, np.maximum(next_most, depth)), next_most
            )
            first[kind, those] = np.maximum(most, depth)
            deepest[kind, those] = np.where(deeper, network, deepest[kind, those])
        for way in range(2):
            through = np.where(mask >> 4 * way & 15, 1 + first[way] + second[way], 0)
            head["reach"][place, way, which] = first[way]
            head["longest"][way, which] = np.maximum(head["longest"][way, which], through)
        into = np.minimum(lowest(np.where(merged, merged, ~head["live"][which])), self.used - 1)
        head["live"][which] |= np.int64(1) << into
        for those, others in each_bit(merged & (merged - 1)):
            here, to = which[those], into[those]
            for name in BY_NETWORK:
                both = head[name][to, here], head[name][others, here]
                head[name][to, here] = both[0] | both[1] if name in ("places", "exits") else both[0] + both[1]
                head[name][others, here] = 0
            head["live"][here] &= ~(np.int64(1) << others)
        head["exits"][into, which] |= exits
        head["stations"][into, which] += table["station"][route]
        head["merged"][place, which], head["into"][place, which] = merged, into
        self._open(which, mask & ~joining, place, into)
        left: Ints = arriving & ~joining
        return left

    def _open(self, which: Ints, outward: Ints, place: int, into: Ints) -> None:
        """The ends of pieces that meet nothing yet: they open, are lost, or lead off the board."""
        head, table = self.heads, self.table
        for those, bits in each_bit(outward):
            here = which[those]
            neighbour = table["neighbour"][self.cell[here], bits & 3]
            inside = neighbour >= 0
            opens = inside & (head["empty"][here] >> np.maximum(neighbour, 0) & 1).astype(bool)
            head["lost"][here] += np.where(inside, ~opens, (neighbour == -2) * table["wall_costs"])
            here, neighbour, side, network = here[opens], neighbour[opens], bits[opens], into[those[opens]]
            there = np.int64(1) << neighbour
            head["facing"][side & 4 | side + 2 & 3, here] |= there
            head["places"][network, here] |= there
            head["ends"][network, here] += 1
            self._deepest(here, side >> 2, neighbour, 1 + head["reach"][place, side >> 2, here])

    def _deepest(self, which: Ints, kind: Ints, cell: Ints, depth: Ints) -> None:
        """Keep the two longest walks that come to open ends of different cells."""
        head = self.heads
        most, at, next_most = (head[name][kind, which] for name in ("depth", "depth_cell", "next_depth"))
        other, deeper = at != cell, depth > most
        head["next_depth"][kind, which] = np.where(
            other, np.where(deeper, most, np.maximum(next_most, depth)), next_most
        )
        head["depth"][kind, which] = np.where(deeper, depth, most)
        head["depth_cell"][kind, which] = np.where(deeper, cell, at)

    def _close(self) -> None:
        """See which goals the new networks show; put networks without ends into the bank."""
        head, table = self.heads, self.table
        exits = head["exits"]
        if table["goal_count"]:
            far = np.zeros_like(exits)
            for number, others in enumerate(table["opposite"]):
                far |= np.where(exits >> number & 1, others, 0)
            shows = (count(exits) >= 3) * 2 | (head["stations"] >= 4) * 4 | (exits & far != 0) * 8
            shows |= (count(exits & table["middle"]) >= 2) * 16
            head["shown"] |= np.bitwise_or.reduce(shows, axis=0)
        shut = head["ends"] == 0
        banked = np.where(shut, exits, 0)
        head["bank"] += table["network_values"][count(banked)].sum(axis=0)
        head["closed"] += (banked > 0).sum(axis=0)
        for name in BY_NETWORK:
            head[name][shut] = 0
        head["live"] = (~shut << np.arange(self.used)[:, None]).sum(axis=0)


def settled(drawn: Drawn, which: Ints, moves: Ints, heads: Fields) -> tuple[Fields, Fields]:
    """Some of the boards on which a route was drawn, so that others can follow it; ``heads`` were before."""
    board, table = drawn.board[which], drawn.table
    before, after, body = taken(heads, board), taken(drawn.heads, which), taken(drawn.bodies, board)
    for name in BY_NETWORK:
        after[name] = np.concatenate([after[name], np.zeros_like(before[name][drawn.used :])])
    _write_down(after, body, moves, table)
    _walk(before, after, body, drawn.cell[which], drawn.route[which], table)
    return after, body


def _write_down(head: Fields, body: Fields, moves: Ints, table: Record) -> None:
    """Cross off what was used for a drawing."""
    route, cell, shape, source = moves & 255, moves >> 8 & 63, moves >> 14 & 31, moves >> 19
    body["hash"] ^= table["scatter"][cell, route]
    body["moves"][body["drawn"], np.arange(len(moves))] = moves
    body["drawn"] += 1
    body["left"] -= np.where(source == 0, np.int64(1) << 3 * shape, 0)
    body["duplicates"] += (table["factory"] >> cell & 1) - (source == 1)
    special = source >= 2
    places = (table["special_shape"][:, None] == shape).argmax(axis=0)
    body["used"] |= np.where(special, np.int64(1) << places, 0)
    body["special_now"][source == 2] = 0
    body["free"][source == 3] = 0
    third = (table["university"] >> cell & 1) & (count(table["university"] & ~head["empty"]) == 3)
    body["free"][third.astype(bool)] = 1


def _walk(before: Fields, head: Fields, body: Fields, cell: Ints, route: Ints, table: Record) -> None:
    """Keep the longest walks to and between open ends up to date."""
    exits = exit_bits(table)[cell]
    arriving = arrives(before["facing"], cell) & ~exits
    for place in range(2):
        piece = table["piece"][route, place]
        into = np.maximum(head["into"][place], 0)
        merged = np.where(piece, head["merged"][place], 0)
        for kind in range(2):
            mask = piece & 15 << 4 * kind
            ends = _Walks(body, cell, mask & arriving)
            ends.lead_on(head["empty"], mask & ~arriving & ~exits, into, table)
            round_it = np.where(ends.loop, ends.loop + 1, 0)
            head["longest"][kind] = np.maximum(head["longest"][kind], round_it)
        body["network_of"] = np.where(merged >> body["network_of"] & 1, into, body["network_of"])
        arriving = arriving & ~piece
    for which, bits in each_bit(arriving):
        _closed(body, which, body["slot"][cell[which], bits, which])
    # The longest walks to open ends of all.
    open_ends = (body["open"] >> np.arange(ENDS)[:, None] & 1).astype(bool)
    at, bit = body["place_of"] >> 3, body["place_of"] & 3
    for kind in range(2):
        depth = np.where(open_ends & (body["place_of"] >> 2 & 1 == kind), body["depth_of"], 0)
        most = depth.max(axis=0)
        deepest = (depth * np.int64(256) - (bit * 49 + at)).argmax(axis=0)  # of equal ones as in kernels.py
        where = np.where(most, np.take_along_axis(at, deepest[None], axis=0)[0], -1)
        head["depth"][kind], head["depth_cell"][kind] = most, where
        head["next_depth"][kind] = np.where(at != where, depth, 0).max(axis=0)
        head["longest"][kind] = np.maximum(head["longest"][kind], most)


def _closed(body: Fields, which: Ints, slots: Ints) -> None:
    """Some ends are open no more."""
    body["open"][which] &= ~(np.int64(1) << slots)
    body["walk"][slots, :, which] = body["walk"][:, slots, which] = APART


class _Walks:
    """The walks to the ends of one type at which a piece is drawn, which are open no more."""

    def __init__(self, body: Fields, cell: Ints, joining: Ints) -> None:
        self.body, self.cell = body, cell
        none = np.full(body["depth_of"].shape, APART, np.int8)
        self.between: list[Array] = []  # from each of them to all open ends, ``[end, board]``
        self.depths: list[Array] = []  # the longest to each of them
        freed: list[tuple[Ints, Array]] = []
        for which, bits in each_bit(joining):
            slots = body["slot"][cell[which], bits, which]
            between, depths = none.copy(), np.zeros(len(cell), np.int8)
            between[:, which] = body["walk"][slots, :, which].T
            depths[which] = body["depth_of"][slots, which]
            self.between.append(between)
            self.depths.append(depths)
            freed.append((which, slots))
        # The bits of a board come in order: where there is a second one, there is a first one.
        pairs = [
            (one, two, freed[two][0], self.between[one][freed[two][1], freed[two][0]])
            for one, two in combinations(range(len(freed)), 2)
        ]
        for which, slots in freed:
            _closed(body, which, slots)
            for between in self.between:
                between[slots, which] = APART
        self.loop = np.zeros(len(cell), np.int8)  # the longest one that is closed, but for this cell
        for one, two, which, walks in pairs:
            self._through(one, two, which[walks < 1])
            self._round(one, two, which[walks >= 1], walks[walks >= 1])
        self.most = np.max([none, *self.between], axis=0)
        self._at_least(slice(None), self.most + 1)

    def _at_least(self, boards: Ints | slice, depths: Array) -> None:
        known = self.body["depth_of"]
        known[:, boards] = np.maximum(known[:, boards], depths)

    def _between(self, boards: Ints, walks: Array) -> None:
        """Walks between open ends, ``[end, end, board]``; those shorter than 1 are none."""
        walks = np.where(walks < 1, APART, walks)
        walks = np.maximum(walks, walks.transpose(1, 0, 2))
        self.body["walk"][:, :, boards] = np.maximum(self.body["walk"][:, :, boards], walks)

    def _through(self, one: int, two: int, boards: Ints) -> None:
        """Walks go on through this cell from what was apart on some boards."""
        if len(boards):
            here, there = self.between[one][:, boards], self.between[two][:, boards]
            self._between(boards, here[:, None] + 1 + there[None])
            longer = np.maximum(here + self.depths[two][boards], there + self.depths[one][boards])
            self._at_least(boards, longer + 1)

    def _round(self, one: int, two: int, boards: Ints, loop: Array) -> None:
        """Walks go round the loop that is closed by this cell on some boards; ``loop`` is its rest."""
        if not len(boards):
            return
        here, there = self.between[one][:, boards], self.between[two][:, boards]
        on_it = (here > 0) & (there > 0)
        self.loop[boards] = np.maximum(self.loop[boards], loop)
        # From where an end's walk leaves the loop: how far it is to this cell, on both sides.
        left, right = (here + loop + 1 - there) // 2, (there + loop + 1 - here) // 2
        self._at_least(boards, np.where(on_it, here - left + loop + 1, 0))
        apart = (left[:, None] + right[None] <= loop) & on_it[:, None] & on_it[None]
        walks = np.where(apart, here[:, None] + 1 + there[None], APART)
        self._between(boards, walks)
        self._at_least(boards, np.maximum(walks.max(axis=0), walks.max(axis=1)))

    def lead_on(self, empty: Ints, opening: Ints, into: Ints, table: Record) -> None:
        """Open the ends of the piece that lead to empty cells."""
        body = self.body
        deepest = np.max([self.loop, *self.depths], axis=0)
        opened: list[tuple[Ints, Ints]] = []
        for which, bits in each_bit(opening):
            neighbour = table["neighbour"][self.cell[which], bits & 3]
            leads = (neighbour >= 0) & (empty[which] >> np.maximum(neighbour, 0) & 1).astype(bool)
            here, neighbour, there = which[leads], neighbour[leads], (bits & 4 | bits + 2 & 3)[leads]
            slots = np.minimum(lowest(~body["open"][here]), ENDS - 1)
            body["open"][here] |= np.int64(1) << slots
            body["slot"][neighbour, there, here] = slots
            body["place_of"][slots, here] = neighbour << 3 | there
            body["network_of"][slots, here] = into[here]
            body["depth_of"][slots, here] = 1 + deepest[here]
            walks = np.where(self.most[:, here] > 0, self.most[:, here] + 1, APART)
            body["walk"][slots, :, here] = walks.T
            body["walk"][:, slots, here] = walks
            number = np.full(len(self.cell), -1)
            number[here] = slots
            for boards, others in opened:
                both = number[boards] >= 0
                near, far, board = others[both], number[boards[both]], boards[both]
                body["walk"][near, far, board] = body["walk"][far, near, board] = 1
            opened.append((here, slots))
