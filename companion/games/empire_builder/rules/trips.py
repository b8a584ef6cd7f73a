"""What each demand before a player would take: where the load is, what is missing, how far it is."""

from __future__ import annotations

from math import ceil

from companion.games.contract import Plain
from companion.games.empire_builder.rules.cards import Demand
from companion.games.empire_builder.rules.paths import build_costs, cheapest_path, edge_kinds
from companion.games.empire_builder.rules.state import State, hand_of, supply
from companion.games.empire_builder.rules.tracks import edges_of

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
            "rest": _from_here(state, seat, demand, kinds),
            "from": _sources(state, seat, demand, kinds, reach),
        }
        for card in hand_of(state, seat)
        for demand in card.demands
    ]


def _mileposts(state: State, place: int) -> tuple[int, ...]:
    city = state.board.major_at[place]
    return city.mileposts if city else (place,)


def _sources(
    state: State, seat: int, demand: Demand, kinds: bytearray, reach: list[int | None]
) -> list[Plain]:
    cities = [city for city in state.board.cities.values() if demand.load in city.loads]
    near = sorted((cost, city.name) for city in cities for cost in [reach[city.middle]] if cost is not None)[
        :_COMPARED
    ]
    found = []
    for cost, name in near:
        trip = _trip(state, seat, state.board.cities[name].mileposts, demand, kinds)
        if trip is not None:
            found.append({"city": name, **trip, "build": cost + trip["build"]})
    return sorted(found, key=lambda trip: (trip["build"], trip["city"]))


def _from_here(state: State, seat: int, demand: Demand, kinds: bytearray) -> Plain | None:
    """The trip that is left when the load is on the train already."""
    train = state.players[seat].train
    if train.at is None or demand.load not in train.loads:
        return None
    return _trip(state, seat, (train.at,), demand, kinds)


def _trip(state: State, seat: int, starts: tuple[int, ...], demand: Demand, kinds: bytearray) -> Plain | None:
    """The price of the track that is missing, the mileposts, and the turns they take at full speed."""
    goal = state.board.cities[demand.city]
    way = cheapest_path(state.board, starts, set(goal.mileposts), kinds)
    if way is None:
        return None
    mileposts = len(way.mileposts) - 1
    return {
        "build": way.price,
        "mileposts": mileposts,
        "turns": ceil(mileposts / state.players[seat].train.card.speed),
    }
