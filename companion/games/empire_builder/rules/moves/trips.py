"""What each demand before a player would take: where the load is, what is missing, how far it is.

The missing track is the cheapest tree that joins the player's line, the source and the destination, so that
what serves both is paid for once. Where others' track leads there already, rent may cost less.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil
from typing import TypeAlias

from companion.core.jsontext import JsonObject
from companion.games.empire_builder.rules.boards.board import Board, City
from companion.games.empire_builder.rules.boards.paths import edge_kinds, spread
from companion.games.empire_builder.rules.boards.tracks import edges_of
from companion.games.empire_builder.rules.cards.demands import Demand
from companion.games.empire_builder.rules.match.state import State, hand_of, supply
from companion.games.empire_builder.rules.moves.building import Site, building_site, full_cities
from companion.games.empire_builder.rules.rulebook import RULES

_COMPARED = 3  # sources a demand is worked out for: those that are cheapest to reach
FAR = 1 << 20
_Stops: TypeAlias = tuple[tuple[int, ...], ...]  # the mileposts of each city to be called at


@dataclass(frozen=True)
class _Costs:
    """The price to build between everywhere and some mileposts, and the next milepost on the way to them."""

    price: tuple[int, ...]
    towards: tuple[int, ...]


@dataclass(frozen=True)
class _Trip:
    """A way to do it: the price of the track, the rent, and the mileposts the train runs."""

    build: int
    rent: int
    mileposts: int

    @property
    def price(self) -> int:
        return self.build + self.rent


class Prospects:
    """What a seat's trips cost as its line and everybody's track lie now."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.board = state, seat, state.board
        site = building_site(state, seat)
        self.line = tuple(site.line_starts())
        self.own = frozenset(edges_of(state.track, seat))
        self.kinds = bytes(_kinds(site))
        self.at = state.players[seat].train.at
        self.speed = state.players[seat].train.card.speed

    @cached_property
    def rails(self) -> frozenset[int]:
        """Every milepost that anybody's track joins with the train, or with the line before it is placed."""
        track, flooded, red = self.state.track, self.state.effects.flooded, self.board.red
        waiting = list(self.line) if self.at is None else [self.at]
        reached = set(waiting)
        while waiting:
            for there, edge in self.board.ways[waiting.pop()]:
                if there not in reached and (red[edge] or (edge in track and edge not in flooded)):
                    reached.add(there)
                    waiting.append(there)
        return frozenset(reached)

    def outwards(self) -> _Costs:
        """The costs from the seat's line to every milepost."""
        return _costs(self.board, self.line, self.kinds, False)

    def inwards(self, goals: tuple[int, ...]) -> _Costs:
        """The costs from every milepost to these."""
        return _costs(self.board, goals, self.kinds, True)

    def least(self, stops: Iterable[City]) -> int:
        """No trip through these cities costs less to build than this."""
        return max(min(self.outwards().price[one] for one in city.mileposts) for city in stops)

    def trip(self, stops: _Stops) -> _Trip | None:
        """The cheaper one: track of one's own, or others' track for rent; None if there is no way at all."""
        found = [trip for trip in (self.built(stops), self.rented(stops)) if trip is not None]
        return min(found, key=lambda trip: (trip.price, trip.mileposts), default=None)

    def built(self, stops: _Stops) -> _Trip | None:
        """Build the cheapest tree that joins the line and the stops: its arms part at one milepost."""
        out, arms = self.outwards(), [self.inwards(stop) for stop in stops]
        totals = list(map(sum, zip(out.price, *(arm.price for arm in arms), strict=True)))
        price = min(totals)
        if price >= FAR:
            return None
        middle = totals.index(price)
        edges = set(self.own)
        for costs in (out, *arms):
            edges.update(_walk(self.board, costs.towards, middle))
        start = self.at if self.at in self.line else None
        run = self._run(start, stops, lambda edge: edge in edges)
        return None if run is None else _Trip(price, 0, len(run) - 1)

    def rented(self, stops: _Stops) -> _Trip | None:
        """Run over any track there is, and pay its owners in every turn."""
        track, flooded = self.state.track, self.state.effects.flooded
        if not self.own or any(self.rails.isdisjoint(stop) for stop in stops):
            return None
        run = self._run(self.at, stops, lambda edge: edge in track and edge not in flooded)
        if run is None:
            return None
        rent = 0
        for first in range(0, len(run) - 1, self.speed):
            legs = pairwise(run[first : first + self.speed + 1])
            edges = (self.board.edge_between(one, other) for one, other in legs)
            owners = {track.get(edge) for edge in edges if edge is not None} - {None, self.seat}
            rent += len(owners) * RULES.money.fee
        return _Trip(0, rent, len(run) - 1)

    def _run(self, start: int | None, stops: _Stops, usable: Callable[[int], bool]) -> list[int] | None:
        """The shortest run from the train, or the first stop, to each stop in turn."""
        starts = stops[0] if start is None else (start,)
        run: list[int] = []
        for stop in stops:
            leg = _shortest(self.board, starts, frozenset(stop), usable)
            if leg is None:
                return None
            run += leg[1 if run else 0 :]
            starts = (run[-1],)
        return run


def _kinds(site: Site) -> bytearray:
    """What each edge is to the builder: others' track, floods and full cities bar the way."""
    board, own = site.board, edges_of(site.track, site.seat)
    others = [edge for edge, owner in site.track.items() if owner != site.seat]
    into = [edge for city in full_cities(site) for one in city.mileposts for _, edge in board.ways[one]]
    return edge_kinds(board, own, [*others, *site.state.effects.flooded, *into])


@lru_cache(maxsize=256)
def _costs(board: Board, goals: tuple[int, ...], kinds: bytes, inwards: bool) -> _Costs:
    """Asked again and again with the same track, so the answers are kept."""
    price, towards, _ = spread(board, goals, (), kinds, (), inwards=inwards)
    return _Costs(tuple(min(one, FAR) for one in price), tuple(towards))


def _walk(board: Board, towards: tuple[int, ...], here: int) -> Iterator[int]:
    """The edges from a milepost to where the search began."""
    while towards[here] >= 0:
        edge = board.edge_between(here, towards[here])
        if edge is not None:
            yield edge
        here = towards[here]


def _shortest(
    board: Board, starts: Collection[int], goals: Collection[int], usable: Callable[[int], bool]
) -> list[int] | None:
    """The fewest mileposts over usable edges and red areas; turning round is not looked at."""
    before: dict[int, int | None] = dict.fromkeys(starts)
    queue = deque(starts)
    while queue:
        here: int | None = queue.popleft()
        if here in goals:
            path = []
            while here is not None:
                path.append(here)
                here = before[here]
            return path[::-1]
        for there, edge in board.ways[here or 0]:
            if there not in before and (board.red[edge] or usable(edge)):
                before[there] = here
                queue.append(there)
    return None


def trips(state: State, seat: int) -> list[JsonObject]:
    """For every demand its sources, the cheapest first: track, rent, mileposts and turns."""
    prospects, chips = Prospects(state, seat), supply(state)
    return [
        {
            "card": card.card,
            "city": demand.city,
            "load": demand.load,
            "payout": demand.payout,
            "chips": chips[demand.load],
            "aboard": demand.load in state.players[seat].train.loads,
            "rest": _from_here(prospects, demand),
            "from": _sources(prospects, demand),
        }
        for card in hand_of(state, seat)
        for demand in card.demands
    ]


def _sources(prospects: Prospects, demand: Demand) -> list[JsonObject]:
    board = prospects.board
    goal = board.cities[demand.city]
    out, arm = prospects.outwards().price, prospects.inwards(goal.mileposts).price
    cities = [city for city in board.cities.values() if demand.load in city.loads]
    near = sorted(cities, key=lambda city: (_guess(city, goal, out, arm), city.name))[:_COMPARED]
    found = []
    for city in near:
        trip = prospects.trip((city.mileposts, goal.mileposts))
        if trip is not None:
            found.append({"city": city.name, **_told(prospects, trip)})
    return sorted(found, key=lambda trip: (trip["build"] + trip["rent"], trip["mileposts"], trip["city"]))


def _guess(city: City, goal: City, out: tuple[int, ...], arm: tuple[int, ...]) -> int:
    """About what a trip from this source costs: to it from the line, and on from the line or from it."""
    return min(out[one] for one in city.mileposts) + min(out[goal.middle], arm[city.middle])


def _from_here(prospects: Prospects, demand: Demand) -> JsonObject | None:
    """The trip that is left when the load is on the train already."""
    train = prospects.state.players[prospects.seat].train
    if train.at is None or demand.load not in train.loads:
        return None
    trip = prospects.trip((prospects.board.cities[demand.city].mileposts,))
    return None if trip is None else _told(prospects, trip)


def _told(prospects: Prospects, trip: _Trip) -> JsonObject:
    """Track, rent, mileposts from where the train is, and the turns they take at full speed."""
    turns = ceil(trip.mileposts / prospects.speed)
    return {"build": trip.build, "rent": trip.rent, "mileposts": trip.mileposts, "turns": turns}


# --- who can do nothing any more ---


_LAST: list[tuple[State, list[int]]] = []


def stuck(state: State) -> list[int]:
    """The seats that can do nothing any more that brings money: no trip is within their means.

    Only what others pay for running over their track can help them then, or another hand.
    """
    if not state.box_deals or state.building_only or state.finished:
        return []
    if not _LAST or _LAST[0][0] is not state:  # everybody's view of one moment asks the same
        _LAST[:] = [(state, [seat for seat in state.players if _is_stuck(state, seat)])]
    return list(_LAST[0][1])


def _is_stuck(state: State, seat: int) -> bool:
    player = state.players[seat]
    if player.cash >= RULES.building.a_turn:
        return False
    prospects = Prospects(state, seat)
    for card in hand_of(state, seat):
        for demand in card.demands:
            if any(_affordable(prospects, stops, player.cash) for stops in _calls(prospects, demand)):
                return False
    return True


def _calls(prospects: Prospects, demand: Demand) -> Iterator[tuple[City, ...]]:
    """The cities a demand leads to: the destination alone if the load is aboard, else after each source."""
    board, train = prospects.board, prospects.state.players[prospects.seat].train
    goal = board.cities[demand.city]
    if train.at is not None and demand.load in train.loads:
        yield (goal,)
    yield from ((city, goal) for city in board.cities.values() if demand.load in city.loads)


def _affordable(prospects: Prospects, stops: tuple[City, ...], cash: int) -> bool:
    calls = tuple(city.mileposts for city in stops)
    if prospects.least(stops) <= cash:
        built = prospects.built(calls)
        if built is not None and built.price <= cash:
            return True
    rented = prospects.rented(calls)
    return rented is not None and min(rented.rent, RULES.money.fee) <= cash
