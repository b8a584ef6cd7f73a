"""What each demand before a player would take: where the load is, what is missing, how far it is."""

from __future__ import annotations

from companion.games.contract import Plain
from companion.games.empire_builder.board import City
from companion.games.empire_builder.cards import Demand
from companion.games.empire_builder.paths import build_costs, cheapest_path, edge_kinds
from companion.games.empire_builder.state import State, hand_of, supply
from companion.games.empire_builder.tracks import edges_of

_COMPARED = 3  # sources a demand is worked out for: those that are cheapest to reach


def trips(state: State, seat: int) -> list[Plain]:
    """For every demand its sources, the cheapest first: the price of the missing track, and the mileposts."""
    board, player = state.board, state.players[seat]
    others = [edge for edge, owner in state.track.items() if owner != seat]
    kinds = edge_kinds(board, edges_of(state.track, seat), [*others, *state.effects.flooded])
    starts = [milepost for place in player.linked for milepost in _mileposts(state, place)]
    reach = build_costs(board, starts or board.major_mileposts, kinds)
    chips = supply(state)
    return [
        {
            "card": card.card,
            "city": demand.city,
            "load": demand.load,
            "payout": demand.payout,
            "chips": chips[demand.load],
            "aboard": demand.load in player.train.loads,
            "from": _sources(state, demand, kinds, reach),
        }
        for card in hand_of(state, seat)
        for demand in card.demands
    ]


def _mileposts(state: State, place: int) -> tuple[int, ...]:
    city = state.board.major_at[place]
    return city.mileposts if city else (place,)


def _sources(state: State, demand: Demand, kinds: bytearray, reach: list[int | None]) -> list[Plain]:
    cities = [city for city in state.board.cities.values() if demand.load in city.loads]
    near = sorted((cost, city.name) for city in cities for cost in [reach[city.middle]] if cost is not None)[
        :_COMPARED
    ]
    found = [_trip(state, state.board.cities[name], demand, kinds, cost) for cost, name in near]
    return sorted(
        (trip for trip in found if trip is not None), key=lambda trip: (trip["build"], trip["city"])
    )


def _trip(state: State, source: City, demand: Demand, kinds: bytearray, cost: int) -> Plain | None:
    goal = state.board.cities[demand.city]
    way = cheapest_path(state.board, source.mileposts, set(goal.mileposts), kinds)
    if way is None:
        return None
    return {"city": source.name, "build": cost + way.price, "mileposts": len(way.mileposts) - 1}
