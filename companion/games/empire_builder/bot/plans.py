"""What is worth doing: one to three demands as stops in their order, with the track that they still take."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations
from math import ceil

from companion.core.remembering import remembered
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.boards.paths import build_costs, edge_kinds
from companion.games.empire_builder.rules.cards.demands import Demand
from companion.games.empire_builder.rules.match.state import State, hand_of, supply
from companion.games.empire_builder.rules.moves.building import building_site, full_cities, home
from companion.games.empire_builder.rules.rulebook import RULES

FAR = 10_000
RESERVE = 3  # million kept back: floods and taxes
SAFE = 14  # million that should be there after a plan: whoever has less may never build again
TRACK = (0.4, 1.4)  # share of the price of track that counts against a plan, for track stays: at first, and
ENOUGH_TRACK = 90  # from so many segments on, when what is there leads nearly everywhere
SINGLES = 9  # the best demands of which pairs are made
PAIRS = 4  # the best pairs to which a third demand is added
RENTED = 4  # the best demands for which rent is reckoned
RATE = 0.25  # million that a milepost of the train's speed usually brings
OVERHEAD = 0.5  # turns that a plan takes besides
START = 2  # mileposts to the first stop of a train that may still begin anywhere on its line
DETOUR = 1.15  # of a line against the shortest way on the map


@dataclass(frozen=True)
class Stop:
    """A city where a load is taken, or delivered for so much."""

    city: str
    load: str
    payout: int = 0


@dataclass(frozen=True)
class Plan:
    """Stops in their order; ``cost`` is the missing track, or the rent."""

    stops: tuple[Stop, ...]
    cost: int
    worth: float
    rented: bool = False


@dataclass(frozen=True)
class _Errand:
    """One demand: where its load is taken (nowhere: it is aboard) and where it is wanted."""

    card: int
    stops: tuple[Stop, ...]


@remembered(512)
def prices_from(board: Board, city: str) -> Sequence[int]:
    """The price to build from a city to every milepost on an empty board."""
    return [FAR if cost is None else cost for cost in build_costs(board, board.cities[city].mileposts)]


@remembered(512)
def mileposts_from(board: Board, city: str) -> Sequence[int]:
    """The fewest mileposts from a city to every other one, over track that everywhere were built."""
    found = [FAR] * len(board.ways)
    waiting = deque(board.cities[city].mileposts)
    for start in waiting:
        found[start] = 0
    while waiting:
        here = waiting.popleft()
        for there, _ in board.ways[here]:
            if found[there] == FAR:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


def own_costs(state: State, seat: int) -> tuple[int, ...]:
    """The price to build to every milepost from a seat's line, or from any major city if it has none."""
    starts = frozenset(home(state, seat)) or frozenset(state.board.major_mileposts)
    return _costs(state.board, seat, tuple(state.track.items()), starts, frozenset(state.effects.flooded))


@lru_cache(maxsize=32)
def _costs(
    board: Board,
    seat: int,
    track: tuple[tuple[int, int], ...],
    starts: frozenset[int],
    flooded: frozenset[int],
) -> tuple[int, ...]:
    """The price to build to every milepost from given ones.

    Cached, because it is needed several times a turn with the same track.
    """
    own = [edge for edge, owner in track if owner == seat]
    others = [edge for edge, owner in track if owner != seat]
    costs = build_costs(board, sorted(starts), edge_kinds(board, own, [*others, *flooded]))
    return tuple(FAR if cost is None else cost for cost in costs)


@lru_cache(maxsize=32)
def rails(board: Board, track: tuple[int, ...], at: int | None) -> frozenset[int]:
    """Every milepost connected with the train over anybody's track."""
    if at is None:
        return frozenset()
    laid = bytearray(board.red)
    for edge in track:
        laid[edge] = True
    reached, waiting = {at}, [at]
    while waiting:
        for there, edge in board.ways[waiting.pop()]:
            if laid[edge] and there not in reached:
                reached.add(there)
                waiting.append(there)
    return frozenset(reached)


# --- the best plan ---


def best_plan(state: State, seat: int) -> Plan | None:
    """The affordable plan that earns most for each turn, preferably one after which money is left."""
    reckoning = _Reckoning(state, seat)
    singles = sorted(
        (plan for errand in reckoning.errands() for plan in reckoning.plans(errand.stops, errand)),
        key=lambda found: (-found[0].worth, found[0].stops[-1].city, found[0].stops[0].city),
    )
    found = [one for one, _ in singles]
    best = [errand for _, errand in singles[:SINGLES]]
    pairs = [
        (plan, {one.card, other.card})
        for one, other in combinations(best, 2)
        if one.card != other.card
        for stops in _orders(one.stops, other.stops)
        for plan, _ in reckoning.plans(stops, one)
    ]
    pairs.sort(key=lambda pair: _rank(pair[0]), reverse=True)
    triples = (
        plan
        for pair, cards in pairs[:PAIRS]
        for errand in best
        if errand.card not in cards
        for stops in _orders(pair.stops, errand.stops)
        for plan, _ in reckoning.plans(stops, errand)
    )
    found += [*(pair for pair, _ in pairs), *triples, *reckoning.rentals(errand for _, errand in singles)]
    return _first_affordable(found, state.players[seat].cash)


def _first_affordable(plans: Sequence[Plan], money: int) -> Plan | None:
    """The best plan that can be paid for; what leaves too little is taken only where nothing else is left."""
    possible = [plan for plan in plans if plan.cost <= money]
    careful = [plan for plan in possible if plan.cost <= money - RESERVE and _left(plan, money) >= SAFE]
    return max(careful or possible, key=_rank, default=None)


def _left(plan: Plan, money: int) -> int:
    return money - plan.cost + sum(stop.payout for stop in plan.stops)


def _rank(plan: Plan) -> tuple[float, tuple[str, ...]]:
    return plan.worth, tuple(stop.city for stop in plan.stops)


def _orders(one: tuple[Stop, ...], other: tuple[Stop, ...]) -> Iterator[tuple[Stop, ...]]:
    """Every order of the stops of two errands that keeps each in its own order."""
    if not one or not other:
        yield one or other
        return
    yield from ((one[0], *rest) for rest in _orders(one[1:], other))
    yield from ((other[0], *rest) for rest in _orders(one, other[1:]))


class _Reckoning:
    """What is needed again and again to reckon plans of one seat at one moment."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.board = state, seat, state.board
        player = state.players[seat]
        self.train, self.money = player.train, player.cash
        self.own = own_costs(state, seat)
        self.linked = bool(player.linked)
        self.spaces: dict[str, dict[int, int]] = {}
        laid = sum([owner == seat for owner in state.track.values()])
        self.share = TRACK[0] + (TRACK[1] - TRACK[0]) * min(1, laid / ENOUGH_TRACK)
        self.rails = rails(state.board, tuple(state.track), player.train.at)
        line = home(state, seat)
        site = building_site(state, seat)
        self.full = {city.name for city in full_cities(site) if city.middle not in line}

    def errands(self) -> Iterator[_Errand]:
        """Every demand with every city that supplies its load."""
        ready, room = supply(self.state), len(self.train.loads) < self.train.card.loads
        for number, card in enumerate(hand_of(self.state, self.seat)):
            for demand in card.demands:
                if demand.load in self.train.loads and self.train.at is not None:
                    yield _Errand(number, (self._delivery(demand),))
                elif ready[demand.load] and room:
                    yield from (
                        _Errand(number, (Stop(city.name, demand.load), self._delivery(demand)))
                        for city in self.board.cities.values()
                        if demand.load in city.loads
                    )

    def _delivery(self, demand: Demand) -> Stop:
        return Stop(demand.city, demand.load, demand.payout)

    def plans(self, stops: tuple[Stop, ...], errand: _Errand) -> Iterator[tuple[Plan, _Errand]]:
        """The plan with these stops on one's own track, if it can be built and its loads find room."""
        if any(stop.city in self.full for stop in stops) or not self._fits(stops):
            return
        cost = self._cost(stops)
        if cost < FAR:
            payout = sum(stop.payout for stop in stops)
            yield Plan(stops, cost, self._worth(stops, payout - self.share * cost, cost)), errand

    def _fits(self, stops: Iterable[Stop]) -> bool:
        aboard = len(self.train.loads)
        for stop in stops:
            aboard += -1 if stop.payout else 1
            if aboard > self.train.card.loads:
                return False
        return True

    def _cost(self, stops: Sequence[Stop]) -> int:
        """The track that is missing: every city is joined to the line, or to one joined before."""
        joined: list[str] = []
        total = 0
        for stop in stops:
            middle = self.board.cities[stop.city].middle
            ways = [prices_from(self.board, city)[middle] for city in joined]
            # Without a line, track begins in one major city: another one is not joined to it for nothing.
            if self.linked or not joined:
                ways.append(self.own[middle])
            total += min(ways)
            joined.append(stop.city)
        return total

    def _worth(self, stops: Sequence[Stop], earned: float, cost: int) -> float:
        """Millions more than those turns usually bring."""
        steps = 0.0
        for number, stop in enumerate(stops):
            at = self.board.cities[stops[number - 1].city].middle if number else self.train.at
            steps += START if at is None else self._steps(stop.city, at)
        turns = max(steps / self.train.card.speed, cost / RULES.building.a_turn)
        return earned - RATE * self.train.card.speed * (OVERHEAD + turns)

    def _steps(self, city: str, at: int) -> float:
        """The mileposts to a city: on one's own line where it leads there, else as the map lies."""
        if city not in self.spaces:
            # How far every milepost of one's own line is from these (breadth-first search)
            starts = self.board.cities[city].mileposts
            board, track = self.board, self.state.track
            found = dict.fromkeys(starts, 0)
            waiting = deque(found)
            while waiting:
                here = waiting.popleft()
                for there, edge in board.ways[here]:
                    if there not in found and (board.red[edge] or track.get(edge) == self.seat):
                        found[there] = found[here] + 1
                        waiting.append(there)
            self.spaces[city] = found
        known = self.spaces[city].get(at)
        return DETOUR * mileposts_from(self.board, city)[at] if known is None else known

    def rentals(self, errands: Iterable[_Errand]) -> Iterator[Plan]:
        """Errands over track that lies, whoever owns it; the rent is reckoned along the way."""
        if self.train.at is None:
            return
        middles = {name: city.middle for name, city in self.board.cities.items()}
        on_rails = (
            errand for errand in errands if all(middles[stop.city] in self.rails for stop in errand.stops)
        )
        best = sorted(on_rails, key=lambda errand: -errand.stops[-1].payout)[:RENTED]
        for errand in best:
            at, rent, steps = self.train.at, 0, 0
            for stop in errand.stops:
                ridden, foreign = self._ride(at, middles[stop.city])
                steps += ridden
                rent += RULES.money.fee * (ceil(foreign / self.train.card.speed) + 1) if foreign else 0
                at = middles[stop.city]
            if rent:
                earned = errand.stops[-1].payout - rent
                yield Plan(
                    errand.stops, rent, earned / (OVERHEAD + steps / self.train.card.speed), rented=True
                )

    def _ride(self, start: int, goal: int) -> tuple[int, int]:
        """The mileposts of a way over all track that avoids that of others, and how many are on theirs."""
        board, track = self.board, self.state.track
        best: dict[int, float] = {start: 0.0}
        waiting: list[tuple[float, int, int, int]] = [(0.0, start, 0, 0)]
        while waiting:
            price, here, steps, foreign = heappop(waiting)
            if here == goal:
                return steps, foreign
            for there, edge in board.ways[here]:
                owner = track.get(edge)
                if owner is None and not board.red[edge]:
                    continue
                other = int(owner is not None and owner != self.seat)
                after = price + 1 + 0.8 * other
                if after < best.get(there, FAR):
                    best[there] = after
                    heappush(waiting, (after, there, steps + 1, foreign + other))
        return FAR, FAR


def missing_stops(state: State, seat: int, plan: Plan) -> list[Stop]:
    """The stops of a plan that the seat's line does not lead to yet."""
    line = home(state, seat)
    return [stop for stop in plan.stops if state.board.cities[stop.city].middle not in line]
