"""A greedy player: for demonstrations, recorded matches, and thousands of full matches in the bench.

It takes the demand that earns most for each turn, builds to it, carries the load there, and connects the
major cities once it has money over. It asks the rules before everything it does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from companion.games.contract import Action, Chance, Fact, NoChance, Refusal
from companion.games.empire_builder.rules.board import Board
from companion.games.empire_builder.rules.building import (
    affordable,
    building_site,
    city_refusal,
    decide_build,
    full_cities,
    home,
    mileposts_of,
    path_names,
    way_to,
)
from companion.games.empire_builder.rules.cards import Demand
from companion.games.empire_builder.rules.freight import city_of, decide_pickup, deliverable
from companion.games.empire_builder.rules.moving import Run, followed, starting_mileposts, steps_left
from companion.games.empire_builder.rules.ownhands import may_change_hand
from companion.games.empire_builder.rules.paths import build_costs, cheapest_path, edge_kinds
from companion.games.empire_builder.rules.rulebook import RULES
from companion.games.empire_builder.rules.state import State, hand_of, supply
from companion.games.empire_builder.rules.tracks import connected_majors, edges_of
from companion.games.empire_builder.rules.turns import upgrades

_Heading = tuple[int, int | None]  # a milepost, and, outside cities, the one the train came from

_NO_CHANCE = NoChance()
_FAR = 10_000
_RESERVE = 12  # kept for the way to the next load
_RICH = 60  # with so much over, something better than the next load is worth its price


@dataclass(frozen=True)
class Errand:
    """Fetch a load in one city, bring it to another."""

    demand: Demand
    source: str
    cost: int  # of the track that is missing, or of the rent
    worth: float
    rented: bool = False


class EmpireBuilderBot:
    """The face: it plans without luck, from what lies open to everybody."""

    def decide(self, state: State, seat: int, chance: Chance) -> Action | None:
        """What the seat does next; None when it is not to move."""
        return suggestion(state, seat)


def suggestion(state: State, seat: int) -> Action | None:
    """What this player does next; None when it is not to move."""
    if seat in state.losing:
        return Action("lose", seat, {"load": min(state.players[seat].train.loads)})
    if state.losing or seat != state.seat or state.finished:
        return None
    if state.turn.phase == "stopped" or state.turn.spent == RULES.building.a_turn or state.turn.upgraded:
        return Action("done", seat)
    errand = best_errand(state, seat)
    operate = state.turn.phase == "operate" and not state.building_only
    if errand is None and may_change_hand(state) and not state.players[seat].train.loads:
        return Action("new_hand", seat)
    return (_operation(state, seat, errand) if operate else None) or _building(state, seat, errand)


# --- which errand ---


@lru_cache(maxsize=8)
def _city_costs(board: Board) -> dict[str, list[int]]:
    """For every city the price to build from it to every milepost on an empty board."""
    return {
        name: [_FAR if cost is None else cost for cost in build_costs(board, city.mileposts)]
        for name, city in board.cities.items()
    }


def best_errand(state: State, seat: int) -> Errand | None:
    """The affordable errand that earns most for each turn."""
    own, rails = (
        _own_costs(state, seat),
        _rails(state.board, tuple(state.track), state.players[seat].train.at),
    )
    money = state.players[seat].cash
    errands = [
        errand
        for card in hand_of(state, seat)
        for demand in card.demands
        for errand in _errands(state, seat, demand, own, rails)
    ]
    possible = [errand for errand in errands if errand.cost <= money]
    return max(possible, key=lambda errand: (errand.worth, errand.source, errand.demand.city), default=None)


def _own_costs(state: State, seat: int) -> tuple[int, ...]:
    """The price to build to every milepost from a seat's track, or from any major city if it has none."""
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
    """The same from given mileposts; cached, for it is asked several times a turn with the same track."""
    own = [edge for edge, owner in track if owner == seat]
    others = [edge for edge, owner in track if owner != seat]
    costs = build_costs(board, sorted(starts), edge_kinds(board, own, [*others, *flooded]))
    return tuple(_FAR if cost is None else cost for cost in costs)


@lru_cache(maxsize=32)
def _rails(board: Board, track: tuple[int, ...], at: int | None) -> frozenset[int]:
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


def _errands(
    state: State, seat: int, demand: Demand, own: tuple[int, ...], rails: frozenset[int]
) -> Iterable[Errand]:
    board, train = state.board, state.players[seat].train
    tables, speed = _city_costs(board), train.card.speed
    goal = board.cities[demand.city].middle
    if demand.load in train.loads and train.at is not None:
        steps = tables[demand.city][train.at]
        yield _errand(demand, "", own[goal], steps, speed, rented=goal in rails)
        return
    if not supply(state)[demand.load] or len(train.loads) >= train.card.loads:
        return
    for city in board.cities.values():
        if demand.load in city.loads:
            apart = tables[city.name][goal]
            linked = bool(state.players[seat].linked)
            # Without a line, track begins in one major city: another one is not joined to it for nothing.
            cost = own[city.middle] + (min(own[goal], apart) if linked else apart)
            steps = apart + (8 if train.at is None else tables[city.name][train.at])
            yield _errand(demand, city.name, cost, steps, speed, rented={city.middle, goal} <= rails)


def _errand(demand: Demand, source: str, cost: int, steps: int, speed: int, *, rented: bool) -> Errand:
    """The errand by the cheaper means: building the missing track, or renting for three turns."""
    rent = 3 * RULES.money.fee
    if rented and cost > rent:
        return Errand(demand, source, rent, _worth(demand.payout - rent, 0, steps, speed), rented=True)
    return Errand(demand, source, cost, _worth(demand.payout, cost, steps, speed))


def _worth(payout: int, cost: int, steps: int, speed: int) -> float:
    """Millions for each turn. Track stays, so only part of its price counts."""
    turns = 1 + max(steps / speed, cost / RULES.building.a_turn)
    return (payout - 0.6 * cost) / turns


# --- operations ---


def _operation(state: State, seat: int, errand: Errand | None) -> Action | None:
    train = state.players[seat].train
    if train.at is None:
        return _placing(state, seat, errand)
    ready = deliverable(state, seat)
    if ready:
        card, demand = max(ready, key=lambda found: found[1].payout)
        return Action("deliver", seat, {"load": demand.load, "card": card})
    return _pickup(state, seat, errand) or _useless_drop(state, seat) or _run(state, seat, errand)


def _placing(state: State, seat: int, errand: Errand | None) -> Action | None:
    possible = starting_mileposts(state, seat)
    if not possible:
        return None
    board = state.board
    if errand is None or not errand.source:
        return Action("place", seat, {"at": board.names[possible[0]]})
    table = _city_costs(board)[errand.source]
    return Action("place", seat, {"at": board.names[min(possible, key=lambda at: (table[at], at))]})


def _pickup(state: State, seat: int, errand: Errand | None) -> Action | None:
    """Pick up the errand's load, or another one that is wanted in a city on the seat's own track."""
    city, player = city_of(state, seat), state.players[seat]
    if city is None:
        return None
    line = home(state, seat)
    near = [
        demand
        for card in hand_of(state, seat)
        for demand in card.demands
        if state.board.cities[demand.city].middle in line
    ]
    aimed = [errand.demand] if errand is not None and errand.source == city.name else []
    for demand in [*aimed, *near]:
        if demand.load in city.loads and demand.load not in player.train.loads:
            action = Action("pickup", seat, {"load": demand.load})
            if isinstance(decide_pickup(state, action, _NO_CHANCE), Fact):
                return action
    return None


def _useless_drop(state: State, seat: int) -> Action | None:
    """Drop a load for which the seat has no demand."""
    train = state.players[seat].train
    wanted = {demand.load for card in hand_of(state, seat) for demand in card.demands}
    useless = [load for load in train.loads if load not in wanted]
    if not useless or city_of(state, seat) is None:
        return None
    return Action("drop", seat, {"load": useless[0]})


def _run(state: State, seat: int, errand: Errand | None) -> Action | None:
    """Run as far as possible towards the errand, over rented track only where no other leads there."""
    if steps_left(state, seat) <= 0:
        return None
    aim = None if errand is None else state.board.cities[errand.source or errand.demand.city].mileposts
    for goals in (aim, _homewards(state, seat)):
        for rented in (False, True):
            path = _route(state, seat, goals, rented=rented) if goals else ()
            for length in range(min(len(path), steps_left(state, seat)), 0, -1):
                if isinstance(followed(state, seat, path[:length]), Run):
                    return Action("move", seat, {"path": path_names(state.board, path[:length])})
    return None


def _homewards(state: State, seat: int) -> Collection[int]:
    """The mileposts of the seat's own track, if its train stands on somebody else's."""
    linked, at = state.players[seat].linked, state.players[seat].train.at
    if at is None or state.board.hub[at] in linked:
        return ()
    return {milepost for place in linked for milepost in mileposts_of(state.board, place)}


def _route(state: State, seat: int, goals: Collection[int], *, rented: bool) -> tuple[int, ...]:
    """A shortest path over any number of turns, turning round in cities only; empty if there is none."""
    board, track, train = state.board, state.track, state.players[seat].train
    assert train.at is not None
    start = (train.at, None if board.city_at[train.at] else train.came)
    before: dict[_Heading, _Heading | None] = {start: None}
    queue = deque([start])
    while queue:
        here, came = heading = queue.popleft()
        if here in goals:
            return _walked(before, heading)
        for there, edge in board.ways[here]:
            owner = track.get(edge)
            if there != came and (board.red[edge] or owner == seat or (rented and owner is not None)):
                following = (there, None if board.city_at[there] else here)
                if following not in before:
                    before[following] = heading
                    queue.append(following)
    return ()


def _walked(before: dict[_Heading, _Heading | None], heading: _Heading) -> tuple[int, ...]:
    path = []
    here: _Heading | None = heading
    while here is not None:
        path.append(here[0])
        here = before[here]
    return tuple(reversed(path[:-1]))


# --- building ---


def _building(state: State, seat: int, errand: Errand | None) -> Action:
    return (
        _rescue(state, seat)
        or _build_for(state, seat, errand)
        or _upgrade(state, seat)
        or _build_majors(state, seat)
        or Action("done", seat)
    )


def _rescue(state: State, seat: int) -> Action | None:
    """Build to a train that a flood has cut off, or from a dead end on to a city where it can turn round."""
    player, board = state.players[seat], state.board
    at = player.train.at
    if at is None or not player.linked:
        return None
    if board.hub[at] not in player.linked:
        own = {milepost for place in player.linked for milepost in mileposts_of(board, place)}
        return (
            None
            if _route(state, seat, own, rented=True)
            else _build_to(state, seat, _meeting(state, seat), None) or _build_to(state, seat, at, None)
        )
    stations = {milepost for city in board.cities.values() for milepost in city.mileposts}
    if at in stations or _route(state, seat, stations, rented=True):
        return None
    # On from the dead end, over what lies ahead already, to a city that is not full.
    full = {milepost for city in full_cities(building_site(state, seat)) for milepost in city.mileposts}
    back = board.edge_between(at, at if player.train.came is None else player.train.came)
    ours = [edge for edge in edges_of(state.track, seat) if edge != back]
    barred = [*(edge for edge in state.track if edge == back or state.track[edge] != seat)]
    ahead = edge_kinds(board, ours, [*barred, *state.effects.flooded])
    found = cheapest_path(board, [at], stations - full, ahead, full)
    return None if found is None else _build_along(state, seat, found.mileposts)


def _meeting(state: State, seat: int) -> int:
    """The milepost in the train's reach to which the seat can build most cheaply."""
    own, board = _own_costs(state, seat), state.board
    rails = _rails(board, tuple(state.track), state.players[seat].train.at)
    open_ones = [at for at in rails if city_refusal(board, state.track, seat, at) is None]
    return min(open_ones, key=lambda at: (own[at], at), default=min(rails))


def _build_for(state: State, seat: int, errand: Errand | None) -> Action | None:
    """Build to the errand's source first, then to its destination."""
    if errand is None or errand.cost == 0 or errand.rented:
        return None
    linked = home(state, seat)
    stops = [stop for stop in (errand.source, errand.demand.city) if stop]
    starts = None if linked else _first_starts(state, errand)
    for stop in stops:
        middle = state.board.cities[stop].middle
        if middle not in linked and middle not in (starts or ()):
            return _build_to(state, seat, middle, starts)
    return None


def _first_starts(state: State, errand: Errand) -> list[int]:
    """The mileposts of the major city nearest to both ends of the errand, where the first track begins."""
    tables = _city_costs(state.board)
    ends = [city for city in (errand.source, errand.demand.city) if city]
    best = min(
        state.board.majors, key=lambda city: (sum(tables[end][city.middle] for end in ends), city.name)
    )
    return list(best.mileposts)


def _build_to(state: State, seat: int, goal: int, starts: list[int] | None) -> Action | None:
    site = building_site(state, seat)
    if site.left <= 0 or state.turn.upgraded:
        return None
    hubs = home(state, seat) if starts is None else starts
    found = way_to(site, goal, _open_starts(state, hubs))
    return None if found is None else _build_along(state, seat, found.mileposts)


def _build_along(state: State, seat: int, way: tuple[int, ...]) -> Action | None:
    """Build as much of a path as this turn allows."""
    path = affordable(building_site(state, seat), way)
    if len(path) < 2:
        return None
    action = Action("build", seat, {"path": path_names(state.board, path)})
    return None if isinstance(decide_build(state, action, _NO_CHANCE), Refusal) else action


def _open_starts(state: State, hubs: Iterable[int]) -> list[int]:
    """The mileposts of these places; not those of major cities when no more may be built out of them."""
    blocked = state.turn.out_of_majors >= RULES.building.out_of_majors
    found: list[int] = []
    for hub in hubs:
        city = state.board.major_at[hub]
        if city is None:
            found.append(hub)
        elif not blocked:
            found += city.mileposts
    return found


def _upgrade(state: State, seat: int) -> Action | None:
    if state.building_only or state.players[seat].cash < _RICH:
        return None
    kinds = sorted(upgrades(state, seat))
    return Action("upgrade", seat, {"to": kinds[0]}) if kinds else None


def _build_majors(state: State, seat: int) -> Action | None:
    """Build to the cheapest major city that is not connected yet, if there is money over."""
    player = state.players[seat]
    joined = {city.name for city in connected_majors(state.board, player.linked)}
    if not player.linked or len(joined) >= RULES.match.majors_to_win or player.cash < _RICH:
        return None
    own = _own_costs(state, seat)
    missing = [city for city in state.board.majors if city.name not in joined]
    nearest = min(missing, key=lambda city: (own[city.middle], city.name))
    if player.cash - min(own[nearest.middle], RULES.building.a_turn) < _RESERVE:
        return None
    return _build_to(state, seat, nearest.middle, None)
