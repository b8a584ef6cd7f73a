"""Two positions: which legal builds, at which price, lead from one to the other.

A camera sees which edges have track, not in which order and direction it was built, and the price depends
on both. Every new milepost is reached first over one of its new edges, which fixes the direction and so the
price of that edge; every other edge may be built towards its cheaper end. So the cheapest explanation is a
minimum arborescence, whose arcs cost what they add to the cheaper direction (Chu-Liu/Edmonds algorithm).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil

from companion.core.messages import Seat, m
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.boards.names import Edges
from companion.games.empire_builder.rules.boards.position import Track, city_problems
from companion.games.empire_builder.rules.boards.tracks import edges_of
from companion.games.empire_builder.rules.moves.building import segment_price
from companion.games.empire_builder.rules.rulebook import RULES

Arc = tuple[int, int]  # from a milepost to the next
_ONE_TURN = 8  # segments at major cities: with more of them it was no single turn
_ROOT = -1  # where building may begin: major cities and one's own track


@dataclass(frozen=True)
class SeatChange:
    """What a seat has built, in a legal order and the cheapest directions, and which track is gone."""

    seat: int
    builds: tuple[Arc, ...] = ()
    price: int = 0
    out_of_majors: int = 0
    loose: tuple[int, ...] = ()  # edges that are connected neither to the seat's track nor to a major city
    gone: tuple[int, ...] = ()

    @property
    def turns(self) -> int:
        """A lower bound on the turns that takes, by money and by segments out of major cities."""
        by_money = ceil(self.price / RULES.building.a_turn)
        return max(by_money, ceil(self.out_of_majors / RULES.building.out_of_majors))


def changes(board: Board, before: Track, after: Track, outs_left: int | None = None) -> list[SeatChange]:
    """What every seat has built; ``outs_left`` segments may still be built out of majors in this turn."""
    seats = sorted({*before.values(), *after.values()})
    found = (_seat_change(board, before, after, seat, outs_left) for seat in seats)
    return [change for change in found if change.builds or change.loose or change.gone]


def problems(board: Board, before: Track, after: Track) -> list[str]:
    """Everything in the new position that no rule permits."""
    known = set(city_problems(board, before))
    found = [problem for problem in city_problems(board, after) if problem not in known]
    for change in changes(board, before, after):
        if change.loose:
            names = Edges(board.edge_names[edge] for edge in change.loose[:5])
            found.append(
                m(
                    "{seat}: joined to no major city and no track of theirs: {names}",
                    seat=Seat(change.seat),
                    names=names,
                )
            )
    return found


def _seat_change(board: Board, before: Track, after: Track, seat: int, outs_left: int | None) -> SeatChange:
    old, new = set(edges_of(before, seat)), set(edges_of(after, seat))
    reached = {end for edge in old & new for end in board.edges[edge]} | set(board.major_mileposts)
    added, loose = joined_and_loose(board, reached, sorted(new - old))
    best = _cheapest(board, reached, added, RULES.building.out_of_majors if outs_left is None else outs_left)
    gone = tuple(sorted(old - new))
    return SeatChange(seat, best.builds, best.price, best.outs, tuple(loose), gone)


def joined_and_loose(
    board: Board, reached: Collection[int], edges: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The edges that are connected to the mileposts reached already, and those that are not."""
    at: dict[int, list[int]] = {}
    for edge in edges:
        for end in board.edges[edge]:
            at.setdefault(end, []).append(edge)
    joined: set[int] = set()
    waiting = [end for end in at if end in reached]
    while waiting:
        for edge in at.pop(waiting.pop(), ()):
            joined.add(edge)
            waiting += board.edges[edge]
    return sorted(joined), [edge for edge in edges if edge not in joined]


# --- the cheapest order and directions ---


@dataclass(frozen=True)
class _Plan:
    builds: tuple[Arc, ...]
    price: int
    outs: int


def _cheapest(board: Board, reached: set[int], edges: list[int], outs_left: int) -> _Plan:
    """The cheapest plan within one turn's limit of segments out of major cities, else without that limit."""
    touching = [edge for edge in edges if any(board.major_at[end] is not None for end in board.edges[edge])]
    plans = [
        plan
        for count in range(min(outs_left, len(touching)) + 1)
        for chosen in combinations(touching, count)
        if len(touching) <= _ONE_TURN and (plan := _plan(board, reached, edges, set(chosen))) is not None
    ]
    unlimited = () if plans else (_plan(board, reached, edges, None),)
    possible = [plan for plan in (*plans, *unlimited) if plan is not None]
    return min(possible, key=lambda plan: (plan.price, plan.outs, plan.builds), default=_Plan((), 0, 0))


def _plan(board: Board, reached: set[int], edges: list[int], outward: set[int] | None) -> _Plan | None:
    """The cheapest plan with just these edges (None: any) built out of majors; None if there is none."""
    fresh = {end for edge in edges for end in board.edges[edge]} - reached
    options = {arc: edge for edge in edges for arc in _directions(board, edge, outward)}
    extra: dict[Arc, int] = {}
    for (one, other), edge in options.items():
        if other in fresh:
            start = _ROOT if one in reached else one
            dearer = segment_price(board, other, edge) - _lowest(board, edge, options)
            if (start, other) not in extra or dearer < extra[start, other]:
                extra[start, other] = dearer
    arrivals = cheapest_arrivals(fresh, extra)
    return None if arrivals is None else _ordered(board, reached, options, arrivals)


def _directions(board: Board, edge: int, outward: set[int] | None) -> list[Arc]:
    """The directions in which an edge may be built; at a major city ``outward`` decides."""
    one, other = board.edges[edge]
    arcs = [(one, other), (other, one)]
    if outward is None or all(board.major_at[end] is None for end in (one, other)):
        return arcs
    return [arc for arc in arcs if (board.major_at[arc[0]] is not None) == (edge in outward)]


def _lowest(board: Board, edge: int, options: dict[Arc, int]) -> int:
    one, other = board.edges[edge]
    ends = [end for start, end in ((one, other), (other, one)) if (start, end) in options]
    return min(segment_price(board, end, edge) for end in ends)


def cheapest_arrivals(places: set[int], costs: Mapping[Arc, int]) -> dict[int, int] | None:
    """The minimum arborescence from the root, as the predecessor of each place (Chu-Liu/Edmonds).

    ``costs`` are those of the arcs; None if some place cannot be reached.
    """
    net = _Net()
    for number, (arc, cost) in enumerate(costs.items()):
        if arc[1] in places:
            net.put(arc, cost, number)
    if any(not net.into.get(place) for place in places):
        return None
    best = {place: net.cheapest_into(place) for place in places}
    contracted: list[tuple[dict[int, int], dict[Arc, Arc]]] = []
    while cycle := _cycle({place: best[place][0] for place in places}):
        whole = max(places) + 1
        meant = net.contract(cycle, whole, best)
        if not net.into.get(whole):
            return None
        contracted.append(({place: best.pop(place)[0] for place in cycle}, meant))
        best |= {place: net.cheapest_into(place) for _, place in meant}
        places = (places - cycle) | {whole}
    found = {place: best[place][0] for place in places}
    for inside, meant in reversed(contracted):
        real = {arc[1]: arc[0] for arc in (meant.get((found[end], end), (found[end], end)) for end in found)}
        found = real | {place: start for place, start in inside.items() if place not in real}
    return found


class _Net:
    """Arcs with their costs, where cycles become places; only what touches a cycle is looked at for that."""

    def __init__(self) -> None:
        self.costs: dict[Arc, int] = {}
        self.numbers: dict[Arc, int] = {}  # of arcs that cost the same the lowest number counts
        self.into: dict[int, set[Arc]] = {}
        self.out: dict[int, set[Arc]] = {}

    def put(self, arc: Arc, cost: int, number: int) -> None:
        """Add an arc with its cost and its number to the network."""
        self.costs[arc], self.numbers[arc] = cost, number
        self.out.setdefault(arc[0], set()).add(arc)
        self.into.setdefault(arc[1], set()).add(arc)

    def cheapest_into(self, place: int) -> Arc:
        """The cheapest arc into a place."""
        return min(self.into[place], key=lambda arc: (self.costs[arc], arc))

    def contract(self, cycle: set[int], whole: int, best: Mapping[int, Arc]) -> dict[Arc, Arc]:
        """Make a cycle of best arcs one place; the arcs at it by the new ones, for when it is expanded again.

        An arc into it costs what it adds to the arc that it replaces inside.
        """
        inside = {place: self.costs[best[place]] for place in cycle}
        touching = {arc for place in cycle for ways in (self.into, self.out) for arc in ways.pop(place, ())}
        shrunk: dict[Arc, int] = {}
        meant: dict[Arc, Arc] = {}
        numbers: dict[Arc, int] = {}
        for old in sorted(touching, key=self.numbers.__getitem__):
            one, other = old
            cost, number = self.costs.pop(old), self.numbers.pop(old)
            if one in cycle and other in cycle:
                continue
            if one in cycle:
                self.into[other].discard(old)
            else:
                self.out[one].discard(old)
            arc = (whole if one in cycle else one, whole if other in cycle else other)
            relative = cost - inside.get(other, 0)
            if arc not in shrunk or relative < shrunk[arc]:
                shrunk[arc], meant[arc] = relative, old
            numbers.setdefault(arc, number)
        for arc, relative in shrunk.items():
            self.put(arc, relative, numbers[arc])
        return meant


def _cycle(parents: dict[int, int]) -> set[int]:
    for start in parents:
        path: list[int] = []
        here = start
        while here in parents and here not in path:
            path.append(here)
            here = parents[here]
        if here in path:
            return set(path[path.index(here) :])
    return set()


def _ordered(board: Board, reached: set[int], options: dict[Arc, int], arrivals: dict[int, int]) -> _Plan:
    """The arcs of the arborescence in an order that can be built, then the other edges."""
    known, builds = set(reached), []
    waiting = dict(arrivals)
    while waiting:
        for place, start in list(waiting.items()):
            arc = _arrival(board, reached, options, place) if start == _ROOT else (start, place)
            if arc[0] in known:
                builds.append(arc)
                known.add(place)
                del waiting[place]
    done = {options[arc] for arc in builds}
    builds += [_cheaper(board, edge, options) for edge in sorted(set(options.values()) - done)]
    price = sum(segment_price(board, arc[1], options[arc]) for arc in builds)
    outs = sum(board.major_at[one] is not None for one, _ in builds)
    return _Plan(tuple(builds), price, outs)


def _arrival(board: Board, reached: set[int], options: dict[Arc, int], place: int) -> Arc:
    """The cheapest arc to a place from the mileposts that were reached before."""
    arcs: Iterator[Arc] = (arc for arc in options if arc[1] == place and arc[0] in reached)
    return min(
        arcs,
        key=lambda arc: segment_price(board, place, options[arc]) - _lowest(board, options[arc], options),
    )


def _cheaper(board: Board, edge: int, options: dict[Arc, int]) -> Arc:
    one, other = board.edges[edge]
    arcs = [arc for arc in ((one, other), (other, one)) if arc in options]
    return min(arcs, key=lambda arc: segment_price(board, arc[1], edge))
