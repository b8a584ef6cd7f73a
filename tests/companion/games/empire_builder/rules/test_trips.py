"""What a demand would take."""

from __future__ import annotations

from companion.games.empire_builder.rules.trips import trips
from tests.companion.games.empire_builder.rules.tables import holding, laid, running, train_at, way


def test_every_demand_names_its_nearest_sources_and_what_is_missing() -> None:
    state = running(2)
    found = trips(state, 1)
    assert len(found) == 9
    for trip in found:
        assert trip["from"]
        for source in trip["from"]:
            assert trip["load"] in state.board.cities[source["city"]].loads
            assert source["build"] > 0
        assert trip["from"] == sorted(trip["from"], key=lambda one: (one["build"], one["city"]))


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
    steps = {"build": 0, "mileposts": len(line) - 1, "turns": -(-(len(line) - 1) // 9)}
    assert {"city": source, **steps} in trip["from"]
    assert trip["rest"] == steps
    assert all(other["rest"] is None for other in trips(state, 1) if not other["aboard"])
