"""A greedy player: for demonstrations, recorded matches, and thousands of full matches in the bench.

It takes the one or two demands that earn most for each turn, builds to their cities, carries the loads there,
buys better trains, and connects the major cities with what is left over. It asks the rules before everything
it does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from companion.game.base import Action, Bot, Chance, Fact, NoChance, Refusal
from companion.games.empire_builder.bot.plans import (
    Plan,
    best_plan,
    missing_stops,
    own_costs,
    prices_from,
    rails,
)
from companion.games.empire_builder.rules.boards.paths import cheapest_path, edge_kinds
from companion.games.empire_builder.rules.boards.tracks import connected_majors, edges_of
from companion.games.empire_builder.rules.cards.ownhands import may_change_hand
from companion.games.empire_builder.rules.match.state import State, hand_of, with_money
from companion.games.empire_builder.rules.match.turns import upgrades
from companion.games.empire_builder.rules.moves.borrowing import to_borrow
from companion.games.empire_builder.rules.moves.building import (
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
from companion.games.empire_builder.rules.moves.freight import city_of, decide_pickup, deliverable
from companion.games.empire_builder.rules.moves.moving import Run, followed, starting_mileposts, steps_left
from companion.games.empire_builder.rules.rulebook import RULES

_Heading = tuple[int, int | None]  # a milepost, and, outside cities, the one the train came from

_NO_CHANCE = NoChance()
KEPT = 14  # million that stay in hand when a better train is bought
OVER = 25  # million that stay in hand when track is built to a major city that no plan needs


class EmpireBuilderBot(Bot[State]):
    """A bot that plans from open information, without randomness."""

    def decide(self, state: State, seat: int, chance: Chance) -> Action | None:
        """What the seat does next; None when it is not to move."""
        return suggestion(state, seat)


def suggestion(state: State, seat: int) -> Action | None:
    """What this player does next; None when it is not to move."""
    if state.mode == "scorekeeper":
        return Action("done", seat) if seat == state.seat and not state.finished else None
    if seat in state.losing:
        return Action("lose", seat, {"load": min(state.players[seat].train.loads)})
    if state.losing or seat != state.seat or state.finished:
        return None
    if state.turn.phase == "stopped" or state.turn.spent == RULES.building.a_turn or state.turn.upgraded:
        return Action("done", seat)
    plan = best_plan(state, seat)
    operate = state.turn.phase == "operate" and not state.building_only
    return (
        (_way_out(state, seat) if plan is None else None)
        or (_operation(state, seat, plan) if operate else None)
        or _building(state, seat, plan)
    )


def _way_out(state: State, seat: int) -> Action | None:
    """If no plan is affordable: a loan that makes one affordable, or a new hand, as the options allow."""
    player, lent = state.players[seat], to_borrow(state, seat)
    plan = best_plan(with_money(state, seat, borrowed=lent), seat) if lent else None
    if plan is not None:
        return Action("borrow", seat, {"amount": max(plan.cost - player.cash, 1)})
    return Action("new_hand", seat) if may_change_hand(state) and not player.train.loads else None


# --- operations ---


def _operation(state: State, seat: int, plan: Plan | None) -> Action | None:
    train = state.players[seat].train
    if train.at is None:
        possible = starting_mileposts(state, seat)
        if not possible:
            return None
        board = state.board
        if plan is None:
            return Action("place", seat, {"at": board.names[possible[0]]})
        table = prices_from(board, plan.stops[0].city)
        return Action("place", seat, {"at": board.names[min(possible, key=lambda at: (table[at], at))]})
    ready = deliverable(state, seat)
    if ready:
        card, demand = max(ready, key=lambda found: found[1].payout)
        return Action("deliver", seat, {"load": demand.load, "card": card})
    return _pickup(state, seat, plan) or _useless_drop(state, seat) or _run(state, seat, plan)


def _pickup(state: State, seat: int, plan: Plan | None) -> Action | None:
    """Pick up a load of the plan, or another one that is wanted in a city on the seat's own track."""
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
    stops = plan.stops if plan is not None else ()
    aimed = [stop.load for stop in stops if stop.city == city.name and not stop.payout]
    room = player.train.card.loads - len(player.train.loads) - sum(not stop.payout for stop in stops)
    chance_ones = [demand.load for demand in near] if room > 0 else []
    for load in [*aimed, *chance_ones]:
        if load in city.loads and load not in player.train.loads:
            action = Action("pickup", seat, {"load": load})
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


def _run(state: State, seat: int, plan: Plan | None) -> Action | None:
    """Run as far as possible towards the next stop; over rented track where the plan is about that."""
    if steps_left(state, seat) <= 0:
        return None
    ways: list[tuple[Collection[int], bool]] = []
    if plan is not None:
        stop = state.board.cities[plan.stops[0].city].mileposts
        ways = (
            [(stop, False), (stop, True)]
            if plan.rented
            else [(stop, False), (_waiting(state, seat, plan), False)]
        )
    for goals, rented in [*ways, (_homewards(state, seat), False), (_homewards(state, seat), True)]:
        path = _route(state, seat, goals, rented=rented) if goals else ()
        for length in range(min(len(path), steps_left(state, seat)), 0, -1):
            if isinstance(followed(state, seat, path[:length]), Run):
                return Action("move", seat, {"path": path_names(state.board, path[:length])})
    return None


def _waiting(state: State, seat: int, plan: Plan) -> Collection[int]:
    """The city on the seat's line that is nearest to a stop to which track is still to be built."""
    at, line = state.players[seat].train.at, home(state, seat)
    prices = prices_from(state.board, plan.stops[0].city)
    cities = [city for city in state.board.cities.values() if city.middle in line]
    best = min(cities, key=lambda city: (prices[city.middle], city.name), default=None)
    return () if best is None or at in best.mileposts else best.mileposts


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


def _building(state: State, seat: int, plan: Plan | None) -> Action:
    return (
        _rescue(state, seat)
        or _build_for(state, seat, plan)
        or _upgrade(state, seat, plan)
        or _build_majors(state, seat, plan)
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
    own, board = own_costs(state, seat), state.board
    reach = rails(board, tuple(state.track), state.players[seat].train.at)
    open_ones = [at for at in reach if city_refusal(board, state.track, seat, at) is None]
    return min(open_ones, key=lambda at: (own[at], at), default=min(reach))


def _build_for(state: State, seat: int, plan: Plan | None) -> Action | None:
    """Build to the stops of the plan in their order."""
    if plan is None or plan.cost == 0 or plan.rented:
        return None
    starts = None if home(state, seat) else _first_starts(state, plan)
    for stop in missing_stops(state, seat, plan):
        middle = state.board.cities[stop.city].middle
        if middle not in (starts or ()):
            return _build_to(state, seat, middle, starts)
    return None


def _first_starts(state: State, plan: Plan) -> list[int]:
    """The mileposts of the major city nearest to all stops of the plan, where the first track begins."""
    tables = [prices_from(state.board, stop.city) for stop in plan.stops]
    best = min(state.board.majors, key=lambda city: (sum(table[city.middle] for table in tables), city.name))
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


def _upgrade(state: State, seat: int, plan: Plan | None) -> Action | None:
    """A better train, when the plan can be paid for all the same."""
    bound = plan.cost if plan is not None else 0
    money = state.players[seat].cash - bound - KEPT
    kinds = sorted(kind for kind, price in upgrades(state, seat).items() if price <= money)
    return Action("upgrade", seat, {"to": kinds[0]}) if kinds and not state.building_only else None


def _build_majors(state: State, seat: int, plan: Plan | None) -> Action | None:
    """Build to the cheapest major city that is not connected yet, with what the plan leaves over."""
    player = state.players[seat]
    joined = {city.name for city in connected_majors(state.board, player.linked)}
    if not player.linked or len(joined) >= RULES.match.majors_to_win:
        return None
    own = own_costs(state, seat)
    missing = [city for city in state.board.majors if city.name not in joined]
    nearest = min(missing, key=lambda city: (own[city.middle], city.name))
    bound = plan.cost if plan is not None else 0
    if player.cash - bound - min(own[nearest.middle], RULES.building.a_turn) < OVER:
        return None
    return _build_to(state, seat, nearest.middle, None)
