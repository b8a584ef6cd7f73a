"""The shipped board and cards: made by the seeded program, and balanced as it promises."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from companion.games.spike.printing.choices import CHOICES
from companion.games.spike.printing.geography import is_inside, read_geography
from companion.games.spike.rules.boards.board import board_called
from companion.games.spike.rules.boards.cards import cards_called
from companion.games.spike.rules.rulebook import BOOK
from companion.sheets.lattice import distance
from lab.spike.making.dealing import dollars, nearest_supply
from lab.spike.making.mapping import Plan, plan
from lab.spike.making.writing import DATA, made, slug

BOARD = board_called("eastern-states")
CARDS = cards_called("eastern-states", "eastern-states")
HOPS = {city: BOARD.hops(city) for city in BOARD.cities}


@cache
def planned() -> Plan:
    return plan(CHOICES, read_geography())


def test_the_program_writes_the_committed_files() -> None:
    for name, text in made().items():
        assert (DATA / name).read_text() == text


def test_the_geography_says_where_it_comes_from() -> None:
    said = read_geography().provenance
    assert "public domain" in said["data"]
    assert all(len(package["sha256"]) == 64 for package in said["packages"])


def test_36_cities_three_for_each_of_twelve_goods() -> None:
    assert len(BOARD.cities) == 36
    assert {good: len(cities) for good, cities in BOARD.suppliers.items()} == dict.fromkeys(BOARD.goods, 3)


def test_cities_lie_near_their_true_places_and_not_beside_each_other() -> None:
    geography, made_plan = read_geography(), planned()
    for city, place in made_plan.cities.items():
        x, y = made_plan.lattice.at(place)
        true = geography.cities[city]
        assert ((x - true[0]) ** 2 + (y - true[1]) ** 2) ** 0.5 < CHOICES.lattice.miles
    assert all(distance(a, b) >= 2 for a, b in combinations(made_plan.cities.values(), 2))


def test_the_same_good_is_not_supplied_twice_within_three_steps() -> None:
    places = {slug(city): place for city, place in planned().cities.items()}
    for cities in BOARD.suppliers.values():
        assert all(distance(places[a], places[b]) > 3 for a, b in combinations(cities, 2)), cities


def test_the_known_cities_are_there_and_norfolk_provides_pigs() -> None:
    known = {"norfolk", "topeka", "indianapolis", "raleigh", "columbia", "jacksonville", "tampa"}
    assert known <= set(BOARD.cities)
    assert BOARD.cities["norfolk"].good == "pigs"


def test_six_suits_by_colour_and_by_pattern_in_equal_numbers() -> None:
    counts = Counter(track.suit for track in BOARD.tracks.values())
    assert max(counts.values()) - min(counts.values()) <= 1
    assert len({suit.pattern for suit in BOARD.suits.values()}) == 6
    assert len({suit.colour for suit in BOARD.suits.values()}) == 6
    assert (BOARD.suits["white"].pattern, BOARD.suits["blue"].pattern) == ("solid", "dotted")


def test_no_place_has_two_tracks_of_the_same_suit() -> None:
    for ways in BOARD.ways.values():
        assert len({way.suit for way in ways}) == len(ways)


def test_the_suits_are_spread_over_the_whole_map() -> None:
    width, height = BOARD.heading.size
    quarters: Counter[tuple[bool, bool, str]] = Counter()
    for track in BOARD.tracks.values():
        x, y = BOARD.places[track.track[0]]
        quarters[x > width * 0.48, y > height * 0.46, track.suit] += 1
    for right in (False, True):
        for low in (False, True):
            here = [quarters[right, low, suit] for suit in BOARD.suits]
            assert max(here) <= 1.8 * min(here), (right, low, here)


def test_cities_are_two_to_four_tracks_apart_as_a_build_should_be() -> None:
    nearest = [min(HOPS[city][other] for other in BOARD.cities if other != city) for city in BOARD.cities]
    assert min(nearest) >= 2
    assert max(nearest) <= 4


def test_every_city_has_room_for_more_than_one_network() -> None:
    assert all(len(BOARD.ways[city]) >= 2 for city in BOARD.cities)
    assert sum(len(BOARD.ways[city]) >= 4 for city in BOARD.cities) >= 33


def test_tracks_lie_inside_the_score_track_and_mostly_on_land() -> None:
    geography, rim = read_geography(), CHOICES.paper.rim
    scale, middle, corner = CHOICES.paper.millimetres_a_mile, CHOICES.paper.miles, CHOICES.paper.miles_at
    on_land = 0
    for x, y in BOARD.places.values():
        assert rim < x < BOARD.heading.size[0] - rim
        assert rim < y < BOARD.heading.size[1] - rim
        miles = ((x - corner[0]) / scale + middle[0], (y - corner[1]) / scale + middle[1])
        on_land += is_inside(miles, geography.land)
    assert on_land / len(BOARD.places) > 0.9


# --- cards ---


def test_36_double_sided_contract_cards_six_contracts_a_good() -> None:
    assert Counter(contract.contract for contract in CARDS.contracts.values()) == dict.fromkeys(
        BOARD.goods, 6
    )


def test_every_contract_can_be_delivered_and_pays_by_the_distance() -> None:
    for contract in CARDS.contracts.values():
        tracks = nearest_supply(BOARD, contract.contract)
        for city, pays in contract.pays.items():
            assert tracks[city] >= CHOICES.contracts.nearest
            assert pays == dollars(CHOICES.contracts, tracks[city])


def test_contracts_name_a_near_and_a_far_city_and_are_worth_about_the_same() -> None:
    for contract in CARDS.contracts.values():
        assert len(contract.pays) == 4
        assert list(contract.pays.values()) == sorted(contract.pays.values())
        assert max(contract.pays.values()) >= min(contract.pays.values()) + 2
    sums = [sum(contract.pays.values()) for contract in CARDS.contracts.values()]
    assert max(sums) <= 1.8 * min(sums)


def test_every_city_is_asked_for_about_as_often() -> None:
    asked = Counter(city for contract in CARDS.contracts.values() for city in contract.pays)
    assert set(asked) == set(BOARD.cities)
    assert max(asked.values()) - min(asked.values()) <= 2


def test_a_route_card_for_every_city_worth_more_the_farther_it_leads() -> None:
    assert set(CARDS.routes) == set(BOARD.cities)
    for start, route in CARDS.routes.items():
        assert len(route.pays) == 4
        for city, pays in route.pays.items():
            assert pays == CHOICES.routes.value(HOPS[start][city])
        assert max(route.pays.values()) == 6
        assert len(set(route.pays.values())) == 4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_contracts_can_be_dealt_equally(seats: int) -> None:
    assert BOOK.goods % seats == 0
