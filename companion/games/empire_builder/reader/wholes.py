"""Finds the most probable legal track of one seat: best-first search over sets of edges.

The picture alone says of every edge how much likelier track is there than nothing: its *gain* in nats. The
likeliest set takes every edge with a positive gain. If the rules forbid it, it is mended step by step, the
cheapest mending first: edges are dropped, or a loose piece is joined over edges that were hardly seen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count

from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.boards.difference import SeatChange, changes, joined_and_loose
from companion.games.empire_builder.rules.boards.position import Track
from companion.games.empire_builder.rules.moves.building import city_refusal
from companion.games.empire_builder.rules.rulebook import RULES

_UNDRAWN = 5.0  # nats against an edge on which nothing was noticed at all: two may close gaps
_MOST_STEPS = 60  # sets that are looked at
_JOINED_AT_MOST = 14.0  # nats: a loose piece is not joined over more
_SMALL, _A_CRUMB = 2, 4.5  # edges of a loose piece that may be no line at all; nats for that
_MENDINGS = 6  # ways to mend a set that are tried


@dataclass(frozen=True)
class Limits:
    """The limits of a turn; None means unlimited."""

    money: int | None = None
    outs: int | None = None


@dataclass(frozen=True)
class Whole:
    """A legal set of new edges of a seat, and its cost in nats relative to the picture alone."""

    edges: frozenset[int]
    cost: float


@dataclass(frozen=True)
class Task:
    """The problem to solve: the seat's gains, the earlier track, and the edges that are fixed."""

    on: Board
    seat: int
    before: Track
    gains: Mapping[int, float]
    limits: Limits
    locked: Mapping[int, bool]  # edges of which it is settled whether the seat has them

    @cached_property
    def own_before(self) -> Track:
        """The seat's track before."""
        return {edge: seat for edge, seat in self.before.items() if seat == self.seat}

    @cached_property
    def reached(self) -> frozenset[int]:
        """Where building may start: the seat's mileposts and the major cities."""
        own = {end for edge in self.own_before for end in self.on.edges[edge]}
        return frozenset(own.union(self.on.major_mileposts))

    @cached_property
    def line_ends(self) -> frozenset[int]:
        """The mileposts beside an edge that a person settled otherwise: no line of the seat goes on there."""
        empty = (edge for edge, there in self.locked.items() if not there and edge not in self.before)
        return frozenset(end for edge in empty for end in self.on.edges[edge])

    def may_join(self, edge: int) -> bool:
        """Return True if a gap may be closed over this edge.

        An edge that touches one declared empty must have been seen itself.
        """
        if not self.free(edge) or self.locked.get(edge) is False:
            return False
        return edge in self.gains or self.line_ends.isdisjoint(self.on.edges[edge])

    def gain(self, edge: int) -> float:
        """The log-odds, in nats, of track of this seat on the edge by the picture alone."""
        return self.gains.get(edge, -_UNDRAWN)

    def free(self, edge: int) -> bool:
        """Return True if the seat may build this edge: it has no track yet and lies outside major cities."""
        return edge not in self.before and not self.on.red[edge]


def seen_edges(task: Task) -> frozenset[int]:
    """The edges that are new by the picture alone (positive gain) or by a person's answer."""
    seen = {edge for edge, gain in task.gains.items() if gain > 0 and task.free(edge)}
    settled = {edge for edge, there in task.locked.items() if there and task.free(edge)}
    return frozenset((seen - {edge for edge, there in task.locked.items() if not there}) | settled)


def best_whole(task: Task, within: float) -> Whole | None:
    """The most probable legal set, if one is ``within`` so many nats of the picture alone."""
    first = seen_edges(task)
    order = count()
    waiting: list[tuple[float, int, frozenset[int]]] = [(0.0, next(order), first)]
    known = {first}
    for _ in range(_MOST_STEPS):
        if not waiting:
            return None
        cost, _, edges = heappop(waiting)
        if cost > within:
            return None
        faults = _faults_of(task, edges)
        if not faults:
            return Whole(edges, cost)
        mended = list(_mendings(task, edges, faults, within - cost))
        for other, more in sorted(mended, key=lambda one: one[1])[:_MENDINGS]:
            if other not in known and cost + more <= within:
                known.add(other)
                heappush(waiting, (cost + more, next(order), other))
    return None


def change_of(task: Task, edges: Collection[int]) -> SeatChange | None:
    """The builds by which the rules produce these edges."""
    after = {**task.own_before, **dict.fromkeys(sorted(edges), task.seat)}
    outs = RULES.building.out_of_majors if task.limits.outs is None else task.limits.outs
    found = changes(task.on, task.own_before, after, outs)
    return found[0] if found else None


def full_city_edges(task: Task, edges: Collection[int]) -> dict[str, list[int]]:
    """For each city, the edges leading into it although others have taken all its places."""
    found: dict[str, list[int]] = {}
    for edge in sorted(edges):
        for end in task.on.edges[edge]:
            city = task.on.city_at[end]
            if city is not None and city_refusal(task.on, task.before, task.seat, end) is not None:
                found.setdefault(city.name, []).append(edge)
    return found


@dataclass(frozen=True)
class _Faults:
    """Why a set is illegal; later faults are looked for only if there are no earlier ones."""

    full: Mapping[str, Collection[int]]  # by city the edges for which it has no place
    loose: Collection[int] = ()
    too_dear: bool = False

    def __bool__(self) -> bool:
        return bool(self.full or self.loose or self.too_dear)


def _faults_of(task: Task, edges: frozenset[int]) -> _Faults:
    """The cheapest way to build a set is worked out, which takes long, only where something limits it."""
    full = full_city_edges(task, edges)
    if full:
        return _Faults(full)
    _, loose = joined_and_loose(task.on, task.reached, sorted(edges))
    if loose or task.limits == Limits():
        return _Faults(full, loose)
    change = change_of(task, edges)
    return _Faults(full, loose, change is not None and _too_dear(task.limits, change))


def _mendings(
    task: Task, edges: frozenset[int], faults: _Faults, within: float
) -> Iterator[tuple[frozenset[int], float]]:
    """Yield sets closer to legality with their cost, ``within`` so many nats."""
    for own in faults.full.values():
        yield from _dropped(task, edges, own)
    if faults.loose:
        yield from _joined_or_dropped(task, edges, faults.loose, min(within, _JOINED_AT_MOST))
    elif faults.too_dear:
        for edge in edges:
            yield from _dropped(task, edges, [edge])


def _too_dear(limits: Limits, change: SeatChange) -> bool:
    dear = limits.money is not None and change.price > limits.money
    return dear or (limits.outs is not None and change.out_of_majors > limits.outs)


def _dropped(
    task: Task, edges: frozenset[int], gone: Collection[int]
) -> Iterator[tuple[frozenset[int], float]]:
    if not any(task.locked.get(edge) for edge in gone):
        yield edges - set(gone), sum(abs(task.gain(edge)) for edge in gone)


def _joined_or_dropped(
    task: Task, edges: frozenset[int], loose: Collection[int], within: float
) -> Iterator[tuple[frozenset[int], float]]:
    """Yield sets with one loose piece connected to the seat's line, dropped, or shortened at an end."""
    piece = piece_of(task.on, set(loose))
    for fewer, cost in _dropped(task, edges, piece):
        yield fewer, min(cost, _A_CRUMB) if len(piece) <= _SMALL else cost
    path = _join(task, edges, piece, within)
    if path is not None:
        yield edges | set(path[0]), path[1]
    for edge in piece:
        if len(piece) > 1:
            yield from _dropped(task, edges, [edge])


def piece_of(on: Board, loose: set[int]) -> list[int]:
    """The edges connected with the first of them."""
    piece, ends = [], set(on.edges[min(loose)])
    while fitting := [edge for edge in loose if ends.intersection(on.edges[edge])]:
        piece += fitting
        ends.update(end for edge in fitting for end in on.edges[edge])
        loose = loose.difference(fitting)
    return piece


def _join(
    task: Task, edges: frozenset[int], piece: Collection[int], within: float
) -> tuple[list[int], float] | None:
    """The most probable edges joining a loose piece to the seat's line or a major city (Dijkstra)."""
    on = task.on
    goals = task.reached.union(end for edge in edges.difference(piece) for end in on.edges[edge])
    waiting = [(0.0, end) for edge in piece for end in on.edges[edge]]
    cost = dict.fromkeys((end for _, end in waiting), 0.0)
    came: dict[int, tuple[int, int]] = {}
    while waiting:
        here_cost, here = heappop(waiting)
        if here in goals:
            return _edges_to(came, here), here_cost
        if here_cost > cost[here]:
            continue
        for there, edge in on.ways[here]:
            if not task.may_join(edge):
                continue
            after = here_cost + max(-task.gain(edge), 0.0)
            if after < cost.get(there, within):
                cost[there], came[there] = after, (here, edge)
                heappush(waiting, (after, there))
    return None


def _edges_to(came: Mapping[int, tuple[int, int]], here: int) -> list[int]:
    path = []
    while here in came:
        here, edge = came[here]
        path.append(edge)
    return path
