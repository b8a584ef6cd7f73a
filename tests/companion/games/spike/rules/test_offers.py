"""What is offered for building: every path to every city, what it brings, every way to pay."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.build_search import open_builds
from companion.games.spike.rules.moves.builds import ground_of
from companion.games.spike.rules.moves.offers import PATHS, WAYS, city_offers
from companion.games.spike.rules.moves.payment import payments
from companion.games.spike.rules.moves.rail_cards import suits_of
from tests.companion.games.spike.rules.matches import after, playing, with_hand, with_network


def rich(**options: Any) -> State:
    state = with_network(playing("topeka", "norfolk", **options), 1, "topeka", "tulsa")
    return with_hand(state, 1, white=2, blue=2, red=2, green=1, yellow=1)


@pytest.mark.parametrize(
    "options", [{}, {"reach": "several"}, {"rejoin": "yes"}, {"reach": "several", "rejoin": "yes"}]
)
def test_every_build_is_counted_and_the_cheapest_are_offered(options: JsonObject) -> None:
    state = rich(**options)
    builds = open_builds(ground_of(state, 1), state.player.hand)
    offered = city_offers(state)
    assert sum(found.total for found in offered) == len(builds)
    by_path = {build.path: build for build in builds}
    for found in offered:
        assert len(found.offers) == min(PATHS, found.total)
        assert [offer.cost for offer in found.offers] == sorted(offer.cost for offer in found.offers)
        for offer in found.offers:
            assert by_path[offer.path].need == offer.need
            assert offer.ways == payments(state.player.hand, offer.need)[:WAYS]


@pytest.mark.parametrize("options", [{}, {"reach": "several"}, {"rejoin": "yes"}])
def test_an_offer_brings_what_building_it_brings(options: JsonObject) -> None:
    state = rich(**options)
    for found in city_offers(state):
        offer = found.best
        cards = {suit: count for suit, count in zip(suits_of(state), offer.ways[0], strict=True) if count}
        built = after(state, "build", path=list(offer.path), cards=cards)
        assert built.players[1].money == state.players[1].money + offer.brings
        ends = state.options.on.tracks[offer.path[-1]].track
        assert offer.city in ends


def test_without_known_cards_a_shortest_path_to_every_city() -> None:
    state = playing("topeka", "norfolk")
    state = replaced(state, options=replaced(state.options, deal="table"))
    assert city_offers(state)
    for found in city_offers(state):
        assert found.total == 1
        assert found.best.ways == (found.best.need,)
