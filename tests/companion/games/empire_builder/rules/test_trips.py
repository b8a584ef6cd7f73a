"""What a demand would take."""

from __future__ import annotations

from companion.core.records import replaced
from companion.games.empire_builder.rules.match.state import State
from companion.games.empire_builder.rules.moves.building import building_site, way_through
from companion.games.empire_builder.rules.moves.trips import stuck, trips
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    begun,
    card_for,
    holding,
    laid,
    running,
    train_at,
    way,
    with_cash,
)


def test_every_demand_names_its_nearest_sources_and_what_is_missing() -> None:
    state = running(2)
    found = trips(state, 1)
    assert len(found) == 9
    for trip in found:
        assert trip["from"]
        for source in trip["from"]:
            assert trip["load"] in state.board.cities[source["city"]].loads
            assert source["build"] > 0
        assert trip["from"] == sorted(trip["from"], key=lambda one: one["build"] + one["rent"])


def test_what_is_built_already_costs_nothing() -> None:
    first = next(iter(running().cards.values()))
    wanted = first.demands[0]
    card, load, city = first.card, wanted.load, wanted.city
    state = holding(running(), 1, card, *[other for other in running().players[1].hand if other != card][:2])
    source = next(one.name for one in state.board.cities.values() if load in one.loads)
    line = way(source, city)
    state = train_at(laid(state, 1, line), 1, line[0], loads=(load,))
    trip = next(one for one in trips(state, 1) if (one["load"], one["city"]) == (load, city))
    assert trip["aboard"]
    steps = {"build": 0, "rent": 0, "mileposts": len(line) - 1, "turns": -(-(len(line) - 1) // 9)}
    assert {"city": source, **steps} in trip["from"]
    assert trip["rest"] == steps
    assert all(other["rest"] is None for other in trips(state, 1) if not other["aboard"])


def one_trip(state: State, city: str, load: str) -> dict[str, object]:
    return next(one for one in trips(state, 1) if (one["city"], one["load"]) == (city, load))


def asking(state: State, city: str, load: str) -> State:
    card = card_for(city, load)
    return holding(state, 1, card, *[other for other in state.players[1].hand if other != card][:2])


def test_track_that_serves_both_ways_is_paid_once() -> None:
    """Building source first or destination first, in one network, never costs less than what is told."""
    for seed in range(1, 6):
        state = begun(4, seed)
        for seat in state.players:
            for trip in trips(state, seat):
                stops = [BOARD.cities[trip["from"][0]["city"]].middle, BOARD.cities[trip["city"]].middle]
                orders = (stops, stops[::-1])
                plans = [way_through(building_site(state, seat), order) for order in orders]
                assert trip["from"][0]["build"] <= min(plan.price for plan in plans if plan is not None)


def test_the_arms_of_a_trip_part_on_the_way() -> None:
    """From Chicago to two cities beyond Des Moines the common part is paid once."""
    state = asking(laid(begun(), 1, way("Chicago", "Des Moines")[:2]), "Omaha", "sheep")
    trip = one_trip(state, "Omaha", "sheep")
    best = trip["from"][0]  # type: ignore[index]
    source, goal = BOARD.cities[best["city"]].middle, BOARD.cities["Omaha"].middle
    alone = [way_through(building_site(state, 1), [stop]) for stop in (source, goal)]
    assert best["build"] < sum(plan.price for plan in alone if plan is not None)


def test_full_cities_are_left_out_or_reached_for_rent_only() -> None:
    state = asking(running(4), "Omaha", "sheep")
    lines = way("Chicago", "Des Moines"), way("Kansas City", "Omaha"), way("Minneapolis", "Omaha")
    state = laid(laid(laid(state, 1, lines[0]), 2, lines[1]), 3, lines[2])
    assert one_trip(state, "Omaha", "sheep")["from"] == []
    state = laid(
        state, 1, way("Chicago", "Kansas City"), way("Kansas City", "Denver"), way("Denver", "Billings")
    )
    best = one_trip(state, "Omaha", "sheep")["from"][0]  # type: ignore[index]
    assert (best["build"], best["city"]) == (0, "Billings")
    assert best["rent"] == 4


def test_the_way_to_the_source_takes_turns_too() -> None:
    card = next(iter(running().cards.values()))
    wanted = card.demands[0]
    source = next(one.name for one in BOARD.cities.values() if wanted.load in one.loads)
    line = way(source, wanted.city)
    state = asking(laid(running(), 1, line), wanted.city, wanted.load)
    here = one_trip(train_at(state, 1, line[0]), wanted.city, wanted.load)["from"]
    there = one_trip(train_at(state, 1, line[-1]), wanted.city, wanted.load)["from"]
    miles = [next(one["mileposts"] for one in found if one["city"] == source) for found in (here, there)]  # type: ignore[attr-defined]
    assert miles[1] == miles[0] + len(line) - 1


# --- who can do nothing any more ---


def test_somebody_without_money_and_line_can_do_nothing_any_more() -> None:
    state = running(3)
    assert stuck(state) == []
    broke = with_cash(state, 2, 0)
    assert stuck(broke) == [2]
    assert GAME.view(broke, None)["stuck"] == [2]
    assert stuck(replaced(broke, round=1)) == [], "the first turns are for building"


def test_who_can_still_deliver_over_any_track_is_not_stuck() -> None:
    card = next(iter(running().cards.values()))
    wanted = card.demands[0]
    source = next(one.name for one in BOARD.cities.values() if wanted.load in one.loads)
    line = way(source, wanted.city)
    state = with_cash(asking(running(), wanted.city, wanted.load), 1, 0)
    assert stuck(state) == [1]
    own = laid(state, 1, line)
    assert stuck(own) == []
    rented = laid(laid(state, 2, line), 1, [line[0], BOARD.names[BOARD.ways[BOARD.numbers[line[0]]][0][0]]])
    assert 1 in stuck(train_at(rented, 1, line[0])), "nothing to pay the rent with"
    assert 1 not in stuck(train_at(with_cash(rented, 1, 4), 1, line[0]))
