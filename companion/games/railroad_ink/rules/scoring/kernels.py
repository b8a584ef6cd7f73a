"""The scorer of ``scoring.py`` once more, as machine code: numbers in, numbers out.

Numba compiles every function here when it is first called and caches the result on disk. All of them live in
this one file and take their tables as arguments, so the cache is never older than the code and the tables.

A *node* is twice a cell's number plus the piece in it, as in ``network.py``; a direction is a bit of a mask.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Boards: TypeAlias = NDArray[np.uint8]  # by cell: route numbers
Ints: TypeAlias = NDArray[np.int64]
F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")

CELLS = 49
NODES = 2 * CELLS
TRAIL, PATH, VISITS = range(3)
EAST, SOUTH = 2, 4
# Steps of the depth-first search before the frontier takes over.
PATIENCE = 2000
# Eight links across the frontier, each chosen or not, form components in at most 12,235 ways. Each has two
# numbers of odd pieces at most, as that is even with an even number of links and odd with an odd one. Under
# `path` a component has at most two links, which is less by more than the mark of a used cell adds.
STATES = 1 << 15
SLOTS = 1 << 16
# A state: four bits a label, then the number of odd pieces, then whether the first curve of the cell is used.
ODD_SHIFT = 56
ODD_PIECES = 3 << ODD_SHIFT
CELL_USED = 1 << 58
OWN_LABEL = 15  # of a new component, until the components are numbered again
SPREAD = 0x9E3779B97F4A7C1  # odd and without pattern, to scatter the states over the slots


def compiled(function: F) -> F:
    """Compile to machine code, cached on disk; it runs without the interpreter's lock."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def _room(*shape: int) -> Callable[[], Ints]:
    return lambda: np.zeros(shape, np.int64)


_BY_NODE, _BY_KIND_AND_NODE, _BY_CROSSING = _room(NODES), _room(2, NODES), _room(16)
_BY_GENERATION, _BY_SLOT = _room(2, STATES), _room(SLOTS)


@dataclass
class Rules:
    """The tables; routes are numbered from 1, and 0 is an empty cell."""

    ends: Ints  # by type and route: directions of its ends
    second: Ints  # by route: directions of the ends of its second piece
    station: Ints  # by route
    bits: Ints  # by mask: how many
    steps: Ints  # by direction: what it adds to a cell's number
    back: Ints  # by direction: the opposite one
    passable: Ints  # by cell: directions in which there is a cell and no wall
    counted: Ints  # by cell: directions in which an end that is not joined is an error
    centre: Ints  # by cell
    village: Ints  # by cell
    exits: Ints  # by exit: cell, direction, type
    network_values: Ints
    village_values: Ints


@dataclass
class Work:
    """Room for one board at a time; every thread has its own."""

    # Links and networks (a union-find forest).
    links: Ints = field(
        default_factory=_BY_KIND_AND_NODE
    )  # by type and node: directions in which it is linked
    parent: Ints = field(default_factory=_BY_NODE)  # by node: towards the root of its network
    exits_at: Ints = field(default_factory=_BY_NODE)  # by root: exits of its network
    # One connected component of the highways or railways.
    kind: int = 0
    reading: int = 0
    seen: Ints = field(default_factory=_BY_NODE)  # by node
    part: Ints = field(default_factory=_BY_NODE)  # its nodes
    size: int = 0
    best: int = 0
    bound: int = 0
    # The depth-first search: a walk and what is left to try.
    patience: int = 0
    free: Ints = field(default_factory=_BY_NODE)  # by node: links not walked yet
    passes: Ints = field(default_factory=_BY_NODE)  # by node, or under `path` by cell
    walk: Ints = field(default_factory=_BY_NODE)  # its nodes
    came: Ints = field(default_factory=_BY_NODE)  # the direction of each step
    todo: Ints = field(default_factory=_BY_NODE)  # directions still to be tried at each step
    # The frontier: the piece it is at.
    node: int = 0
    onwards: int = 0  # directions of its links to later pieces
    label: int = 0  # of its component
    to_come: int = 0  # upper bound of what all later pieces add
    first_of_two: int = 0  # is there a second curve in its cell, of which `path` can use one only
    crossing: Ints = field(default_factory=_BY_CROSSING)  # the nodes that links across it lead to
    crossings: int = 0
    labels: Ints = field(default_factory=_BY_CROSSING)  # of those links, taken out of a state
    numbers: Ints = field(default_factory=_BY_CROSSING)  # for numbering labels again
    states: Ints = field(default_factory=_BY_GENERATION)  # by generation
    counts: Ints = field(default_factory=_BY_GENERATION)  # by generation: what each state counts
    slots: Ints = field(default_factory=_BY_SLOT)  # by hash: stamp of the stage, and a new state's number
    stamp: int = 0


def packed(tables: R) -> R:
    """The tables as one record, which goes from function to function as one pointer.

    A tuple of arrays would be taken apart at every call, with a reference count for each array: that made
    a board sixteen times slower.
    """
    values = {
        item.name: np.asarray(getattr(tables, item.name), np.int64) for item in fields(cast(Any, tables))
    }
    record = np.zeros(1, [(name, np.int64, value.shape) for name, value in values.items()])
    for name, value in values.items():
        record[name] = value
    return cast(R, record[0])


@compiled
def score_boards(boards: Boards, rules: Rules, work: Work, out: Ints) -> None:
    """Score each row of ``boards`` into the row of ``out``: the fields of ``BatchScores`` in their order.

    Behind them, for every exit, the number of the network that reaches it, or 0.
    """
    for number in range(boards.shape[0]):
        board, row = boards[number], out[number]
        row[5] = -_lay_links(board, rules, work)
        row[0] = _exit_points(board, rules, work, row[7:])
        for kind in range(2):
            work.kind = kind
            _find_longest(board, rules, work)
            row[1 + kind] = work.best
        _count_cells(board, rules, row)
        row[6] = row[0] + row[1] + row[2] + row[3] + row[4] + row[5]


@compiled
def _count_cells(board: Boards, rules: Rules, row: Ints) -> None:
    centre = villages = 0
    for cell in range(CELLS):
        centre += rules.centre[cell] & (board[cell] > 0)
        villages += rules.village[cell] & rules.station[board[cell]]
    row[3] = centre
    row[4] = rules.village_values[villages]


# --- links and networks ---


@compiled
def _node(board: Boards, rules: Rules, cell: int, direction: int) -> int:
    return 2 * cell + int((rules.second[board[cell]] & direction) != 0)


@compiled
def _next(board: Boards, rules: Rules, node: int, direction: int) -> int:
    """The node that a link leads to."""
    return _node(board, rules, (node >> 1) + rules.steps[direction], rules.back[direction])


@compiled
def _lay_links(board: Boards, rules: Rules, work: Work) -> int:
    """Link all ends that meet, union their networks in ``parent``, return how many ends lead to nothing."""
    work.links[:] = 0
    for node in range(NODES):
        work.parent[node] = node
    loose = 0
    for cell in range(CELLS):
        if board[cell]:
            ends = rules.ends[0, board[cell]] | rules.ends[1, board[cell]]
            loose += rules.bits[ends & rules.counted[cell]]
            loose -= 2 * _link(board, rules, cell, EAST, work)
            loose -= 2 * _link(board, rules, cell, SOUTH, work)
    return loose


@compiled
def _link(board: Boards, rules: Rules, cell: int, direction: int, work: Work) -> int:
    """Link a cell with its neighbour if their ends meet; 1 if they do."""
    if not rules.passable[cell] & direction:
        return 0
    other, back = cell + rules.steps[direction], rules.back[direction]
    for kind in range(2):
        if rules.ends[kind, board[cell]] & direction and rules.ends[kind, board[other]] & back:
            here, there = _node(board, rules, cell, direction), _node(board, rules, other, back)
            work.links[kind, here] |= direction
            work.links[kind, there] |= back
            work.parent[_root(work, here)] = _root(work, there)
            return 1
    return 0


@compiled
def _root(work: Work, node: int) -> int:
    while work.parent[node] != node:
        work.parent[node] = work.parent[work.parent[node]]
        node = work.parent[node]
    return node


@compiled
def _exit_points(board: Boards, rules: Rules, work: Work, networks: Ints) -> int:
    work.exits_at[:] = 0
    networks[:] = 0
    for number in range(rules.exits.shape[0]):
        cell, direction, kind = rules.exits[number, 0], rules.exits[number, 1], rules.exits[number, 2]
        if rules.ends[kind, board[cell]] & direction:
            root = _root(work, _node(board, rules, cell, direction))
            work.exits_at[root] += 1
            networks[number] = root + 1
    points = 0
    for node in range(NODES):
        points += rules.network_values[work.exits_at[node]]
    return points


# --- the longest route: see longest.py ---


@compiled
def _find_longest(board: Boards, rules: Rules, work: Work) -> None:
    """Set ``best`` to the longest walk over links of the kind."""
    work.best = 0
    for cell in range(CELLS):
        if rules.ends[work.kind, board[cell]]:
            work.best = 1  # a lone piece counts as well
            break
    work.seen[:] = 0
    for node in range(NODES):
        if work.links[work.kind, node] and not work.seen[node]:
            _gather(board, rules, work, node)
            _look_at_part(board, rules, work)


@compiled
def _gather(board: Boards, rules: Rules, work: Work, start: int) -> None:
    """Write the connected component of ``start`` into ``part`` (breadth-first search)."""
    work.part[0], work.size, done = start, 1, 0
    work.seen[start] = 1
    while done < work.size:
        node = work.part[done]
        done += 1
        left = work.links[work.kind, node]
        while left:
            direction = left & -left
            left ^= direction
            other = _next(board, rules, node, direction)
            if not work.seen[other]:
                work.seen[other] = 1
                work.part[work.size] = other
                work.size += 1


@compiled
def _look_at_part(board: Boards, rules: Rules, work: Work) -> None:
    """Raise ``best`` to the longest walk in the component, if that is longer."""
    odd = _set_bound(rules, work)
    if work.bound <= work.best:
        return
    if odd <= 2 and work.reading != PATH:
        work.best = work.bound  # Euler: all links fit into one walk
        return
    work.patience = PATIENCE
    for place in range(work.size):
        start = work.part[place]
        if work.reading == PATH or rules.bits[work.links[work.kind, start]] & 1:
            _search(board, rules, work, start)
            if work.patience < 0:
                _follow_frontier(board, rules, work)
            if work.patience < 0 or work.best == work.bound:
                return


@compiled
def _set_bound(rules: Rules, work: Work) -> int:
    """Set ``bound``, an upper bound of all walks; return how many pieces have an odd number of links."""
    ends = odd = leaves = 0
    for place in range(work.size):
        degree = rules.bits[work.links[work.kind, work.part[place]]]
        ends += degree
        odd += degree & 1
        leaves += degree == 1
    if work.reading == VISITS:
        work.bound = ends // 2 + 1 - max(0, odd // 2 - 1)
    else:
        work.bound = work.size - max(0, leaves - 2)
    return odd


@compiled
def _search(board: Boards, rules: Rules, work: Work, start: int) -> None:
    """Depth-first search over walks from ``start``, until ``best`` meets the bound or the steps run out."""
    for place in range(work.size):
        node = work.part[place]
        work.free[node] = work.links[work.kind, node]
        work.passes[_spot(work, node)] = 0
    depth, length = 0, 1
    work.walk[0], work.todo[0] = start, work.free[start]
    work.passes[_spot(work, start)] = 1
    while depth >= 0 and work.best < work.bound and work.patience >= 0:
        if not work.todo[depth]:
            if depth:
                length -= _step_back(rules, work, depth)
            depth -= 1
            continue
        direction = work.todo[depth] & -work.todo[depth]
        work.todo[depth] ^= direction
        other = _next(board, rules, work.walk[depth], direction)
        if work.reading != PATH or not work.passes[_spot(work, other)]:
            depth += 1
            length += _step(rules, work, depth, direction, other)
            work.best = max(work.best, length)


@compiled
def _spot(work: Work, node: int) -> int:
    """The index in ``passes``: the cell under `path`, which uses each cell once; else the node."""
    return node >> 1 if work.reading == PATH else node


@compiled
def _step(rules: Rules, work: Work, depth: int, direction: int, other: int) -> int:
    """Walk one link; return what that adds to the length."""
    work.patience -= 1
    work.free[work.walk[depth - 1]] ^= direction
    work.free[other] ^= rules.back[direction]
    work.walk[depth], work.came[depth], work.todo[depth] = other, direction, work.free[other]
    spot = _spot(work, other)
    work.passes[spot] += 1
    return 1 if work.reading == VISITS or work.passes[spot] == 1 else 0


@compiled
def _step_back(rules: Rules, work: Work, depth: int) -> int:
    """Take the last step back; return what that takes from the length."""
    other, direction = work.walk[depth], work.came[depth]
    work.free[work.walk[depth - 1]] ^= direction
    work.free[other] ^= rules.back[direction]
    spot = _spot(work, other)
    work.passes[spot] -= 1
    return 1 if work.reading == VISITS or work.passes[spot] == 0 else 0


# --- the frontier: see frontier.py ---


@compiled
def _follow_frontier(board: Boards, rules: Rules, work: Work) -> None:
    """Raise ``best`` by dynamic programming over the sets of links that can be walked in one go."""
    work.part[: work.size].sort()
    links_left = 0
    for place in range(work.size):
        links_left += rules.bits[work.links[work.kind, work.part[place]] & (EAST | SOUTH)]
    work.crossings, total, generation = 0, 1, 0
    work.states[0, 0], work.counts[0, 0] = 0, int(work.reading == VISITS)
    for place in range(work.size):
        node = work.part[place]
        work.node, work.onwards = node, work.links[work.kind, node] & (EAST | SOUTH)
        links_left -= rules.bits[work.onwards]
        work.to_come = links_left if work.reading == VISITS else work.size - place - 1
        two = not node & 1 and place + 1 < work.size and work.part[place + 1] == node + 1
        work.first_of_two = int(two and work.reading == PATH)
        total = _advance(rules, work, generation, total)
        _move_frontier(board, rules, work)
        generation = 1 - generation


@compiled
def _move_frontier(board: Boards, rules: Rules, work: Work) -> None:
    """Remove the links that led to the piece from ``crossing``, and append those that lead on from it."""
    kept = 0
    for place in range(work.crossings):
        if work.crossing[place] != work.node:
            work.crossing[kept] = work.crossing[place]
            kept += 1
    for direction in (EAST, SOUTH):
        if work.onwards & direction:
            work.crossing[kept] = _next(board, rules, work.node, direction)
            kept += 1
    work.crossings = kept


@compiled
def _advance(rules: Rules, work: Work, generation: int, total: int) -> int:
    """Make the states after the piece, each from one before and a choice of links; return their number."""
    work.stamp += 1
    found = 0
    for number in range(total):
        state, count = work.states[generation, number], work.counts[generation, number]
        arriving, staying = _take_apart(work, state)
        chosen = work.onwards
        while chosen >= 0:
            degree = arriving + rules.bits[chosen]
            if _allowed(work, state, degree):
                counted = count + (rules.bits[chosen] if work.reading == VISITS else int(degree > 0))
                if _is_whole(work, arriving, staying, chosen):
                    work.best = max(work.best, counted)
                elif counted + work.to_come > work.best and not _is_cut_off(work, arriving, staying, chosen):
                    after = _put_together(work, state, degree, staying, chosen)
                    found = _keep(work, after, counted, 1 - generation, found)
            chosen = (chosen - 1) & work.onwards if chosen else -1
    return found


@compiled
def _allowed(work: Work, state: int, degree: int) -> bool:
    """At most two odd pieces; under `path` two links a piece, and one of the two curves of a cell."""
    if work.reading == PATH and (degree > 2 or (degree and work.node & 1 and state & CELL_USED)):
        return False
    return ((state & ODD_PIECES) >> ODD_SHIFT) + (degree & 1) <= 2


@compiled
def _take_apart(work: Work, state: int) -> tuple[int, int]:
    """Write the labels that stay into ``labels``, arriving ones merged; return how many arrive and stay."""
    arriving = staying = 0
    work.label = OWN_LABEL
    for place in range(work.crossings):
        found = (state >> 4 * place) & 15
        if work.crossing[place] != work.node:
            work.labels[staying] = found
            staying += 1
        elif found:
            work.numbers[arriving] = found
            arriving += 1
            work.label = work.numbers[0]
    for place in range(staying):
        for other in range(1, arriving):
            if work.labels[place] == work.numbers[other]:
                work.labels[place] = work.label
    return arriving, staying


@compiled
def _labelled(work: Work, staying: int, label: int) -> int:
    count = 0
    for place in range(staying):
        count += work.labels[place] == label
    return count


@compiled
def _is_cut_off(work: Work, arriving: int, staying: int, chosen: int) -> bool:
    """True if the component of the piece ends here."""
    return arriving > 0 and not chosen and not _labelled(work, staying, work.label)


@compiled
def _is_whole(work: Work, arriving: int, staying: int, chosen: int) -> bool:
    """True if it ends here and no other component crosses the frontier: the set is complete."""
    return _is_cut_off(work, arriving, staying, chosen) and _labelled(work, staying, 0) == staying


@compiled
def _put_together(work: Work, state: int, degree: int, staying: int, chosen: int) -> int:
    """Encode the state after a piece, its components numbered from the left."""
    crossings = staying
    for direction in (EAST, SOUTH):
        if work.onwards & direction:
            work.labels[crossings] = work.label if chosen & direction else 0
            crossings += 1
    work.numbers[:] = 0
    after = (state & ODD_PIECES) + ((degree & 1) << ODD_SHIFT)
    highest = 0
    for place in range(crossings):
        label = work.labels[place]
        if label:
            if not work.numbers[label]:
                highest += 1
                work.numbers[label] = highest
            after |= work.numbers[label] << 4 * place
    return after | (CELL_USED if work.first_of_two and degree else 0)


@compiled
def _keep(work: Work, state: int, count: int, generation: int, found: int) -> int:
    """Insert a state into the hash table, or raise its count if it is there; return the number of states."""
    stamped = work.stamp * STATES
    slot = (state * SPREAD >> 40) & (SLOTS - 1)
    while work.slots[slot] >= stamped:
        number = work.slots[slot] - stamped
        if work.states[generation, number] == state:
            work.counts[generation, number] = max(work.counts[generation, number], count)
            return found
        slot = (slot + 1) & (SLOTS - 1)
    work.slots[slot] = stamped + found
    work.states[generation, found], work.counts[generation, found] = state, count
    return found + 1
