"""Our map against the figures measured on the genuine one, and what an owner may correct."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations

import pytest

from companion.core.errors import NotationError
from companion.games.empire_builder.rules.boards.board import Board, board, own_map
from companion.games.empire_builder.rules.boards.names import edge_called, edge_name, place_called
from companion.games.empire_builder.rules.boards.tracks import searched_groups
from companion.games.empire_builder.rules.rulebook import LOADS, RULES
from companion.sheets.lattice import are_neighbours, distance

BOARD = board()

# Cheapest price to build without rivers, and mileposts of the shortest way, from middle to middle.
REFERENCE = """
Seattle-Los Angeles 25/18, Seattle-Kansas City 37/29, Seattle-Chicago 40/35, Los Angeles-Kansas City 35/29,
Los Angeles-Mexico City 38/34, Kansas City-Chicago 9/7, Kansas City-Atlanta 16/14,
Kansas City-Mexico City 33/28,
Chicago-New York 18/16, Chicago-Atlanta 17/13, New York-Atlanta 19/16, Atlanta-Mexico City 37/30,
Seattle-New York 57/51
"""


def references() -> Iterator[tuple[str, str, int, int]]:
    for entry in REFERENCE.replace("\n", " ").split(","):
        cities, _, figures = entry.strip().rpartition(" ")
        one, other = cities.split("-")
        price, steps = figures.split("/")
        yield one, other, int(price), int(steps)


def spread(on: Board, start: int, *, steps: bool, rivers: bool = False) -> dict[int, int]:
    """Prices (or steps) to everywhere, found plainly with a heap."""
    found = {start: 0}
    waiting = [(0, start)]
    while waiting:
        cost, here = heapq.heappop(waiting)
        if cost > found[here]:
            continue
        for there, edge in on.ways[here]:
            price = 0 if on.red[edge] else on.price[there] + (on.surcharge[edge] if rivers else 0)
            after = cost + (1 if steps else price)
            if after < found.get(there, 10**9):
                found[there] = after
                heapq.heappush(waiting, (after, there))
    return found


@pytest.mark.parametrize(("one", "other", "price", "steps"), list(references()))
def test_reference_distances_are_within_ten_per_cent(one: str, other: str, price: int, steps: int) -> None:
    start, goal = BOARD.cities[one].middle, BOARD.cities[other].middle
    assert spread(BOARD, start, steps=False)[goal] == pytest.approx(price, rel=0.1)
    assert spread(BOARD, start, steps=True)[goal] == pytest.approx(steps, rel=0.1)


def test_the_minimum_tree_of_the_major_cities_costs_125_to_150_million() -> None:
    costs = {city.name: spread(BOARD, city.middle, steps=False) for city in BOARD.majors}
    joined, total = {BOARD.majors[0].name}, 0
    while len(joined) < len(BOARD.majors):
        price, nearest = min(
            (costs[name][city.middle], city.name)
            for name in joined
            for city in BOARD.majors
            if city.name not in joined
        )
        joined.add(nearest)
        total += price
    assert 125 <= total <= 150


def test_the_map_has_the_measured_shape() -> None:
    assert own_map().columns == 67
    assert len(BOARD.places) == pytest.approx(2134, rel=0.02)
    mountains = sum(kind == "mountain" for kind in BOARD.terrain)
    assert mountains / len(BOARD.places) == pytest.approx(0.30, abs=0.02)
    crossings = {edge for edges in BOARD.river_edges.values() for edge in edges} | set(BOARD.channels)
    assert len(crossings) == pytest.approx(385, rel=0.1)
    assert len(BOARD.channels) == 9
    assert len(BOARD.closed) >= 30


def test_the_mileposts_of_each_country_are_about_as_many_as_measured() -> None:
    for country, count in {"USA": 1256, "CAN": 572, "MEX": 306}.items():
        assert BOARD.country.count(country) == pytest.approx(count, rel=0.05)


def test_the_62_cities_have_their_sizes_and_goods() -> None:
    sizes = [city.size for city in BOARD.cities.values()]
    assert [sizes.count(size) for size in ("major", "medium", "small")] == [7, 14, 41]
    supplied = [load for city in BOARD.cities.values() for load in city.loads]
    assert len(supplied) == 86
    assert set(supplied) == set(LOADS)
    assert BOARD.cities["Cincinnati"].loads == ("coal", "machinery")


def test_every_milepost_can_be_reached() -> None:
    open_edges = range(len(BOARD.edges))
    (everything,) = searched_groups(BOARD, open_edges)
    assert everything == {BOARD.hub[milepost] for milepost in range(len(BOARD.places))}


def test_a_major_city_has_seven_mileposts_and_no_two_cities_touch() -> None:
    for city in BOARD.majors:
        middle = BOARD.places[city.middle]
        assert sorted(distance(middle, BOARD.places[one]) for one in city.mileposts) == [0, 1, 1, 1, 1, 1, 1]
    for one, other in combinations(BOARD.cities.values(), 2):
        assert not set(one.mileposts) & set(other.mileposts)


def test_named_rivers_are_crossed_where_cities_lie_on_both_sides() -> None:
    assert {"Mississippi", "Missouri", "Ohio", "Colorado", "Columbia", "Rio Grande"} <= set(BOARD.river_edges)
    for edges in BOARD.river_edges.values():
        assert all(BOARD.surcharge[edge] == RULES.building.river for edge in edges)


def test_the_map_says_what_it_was_made_of() -> None:
    made = json.loads(
        files("companion.games.empire_builder.rules").joinpath("data/north_america.json").read_text()
    )["made"]
    assert "public domain" in made["licence"]
    assert [len(source["sha256"]) for source in made["sources"]] == [64, 64, 64]


# --- names ---


def test_every_milepost_and_edge_has_one_name_that_is_read_back() -> None:
    assert len(set(BOARD.names)) == len(BOARD.places)
    assert [place_called(name) for name in BOARD.names] == list(BOARD.places)
    for name in BOARD.edge_names:
        one, other = edge_called(name)
        assert are_neighbours(one, other)
        assert edge_name((one, other)) == name


@pytest.mark.parametrize("name", ["", "ao", "38", "ao39", "a0", "aaa2", "ao38x", "AO38", "ao038"])
def test_what_is_no_name_is_said(name: str) -> None:
    with pytest.raises(NotationError):
        place_called(name)


def test_a_city_may_be_named_for_its_middle() -> None:
    assert BOARD.milepost("Chicago") == BOARD.cities["Chicago"].middle
    with pytest.raises(NotationError, match="no milepost 'Atlantis'"):
        BOARD.milepost("Atlantis")


# --- an owner's corrections ---


def middle(city: str) -> str:
    return BOARD.names[BOARD.cities[city].middle]


def plain() -> tuple[str, str, str]:
    """Two clear mileposts on the plains and the edge between them."""
    for one, other in BOARD.edges:
        ends = (one, other)
        edge = BOARD.edge_numbers[ends]
        dry = not BOARD.surcharge[edge]
        if dry and all(BOARD.city_at[end] is None and BOARD.terrain[end] == "clear" for end in ends):
            return BOARD.names[one], BOARD.names[other], BOARD.edge_names[edge]
    raise AssertionError


def test_a_tapped_milepost_changes_its_terrain() -> None:
    name, _, _ = plain()
    changed = board(f"terrain {name} mountain")
    assert changed.terrain[changed.numbers[name]] == "mountain"
    assert changed.price[changed.numbers[name]] == RULES.building.mountain
    assert name not in board(f"terrain {name} none").numbers


def test_a_milepost_may_be_added_where_there_was_none() -> None:
    name, _, _ = plain()
    text = f"terrain {name} none\nterrain {name} clear  # and back"
    assert board(text).names == BOARD.names
    with pytest.raises(NotationError, match=r"line 1: bo1[0-9]+ touches no other milepost"):
        board("terrain bo104 clear")


def test_rivers_channels_and_open_water_may_be_corrected() -> None:
    _, _, edge = plain()
    wet = board(f"river {edge} Red River of the North")
    assert wet.surcharge[wet.edges_called[edge]] == RULES.building.river
    assert board(f"river {edge} Ohio\nriver {edge} none").surcharge == BOARD.surcharge
    channel = board(f"channel {edge} New Locks")
    assert channel.channels[channel.edges_called[edge]] == "New Locks"
    assert edge not in board(f"closed {edge}").edges_called
    assert edge in board(f"closed {edge}\nopen {edge}").edges_called


def test_cities_may_move_change_places_and_supply_something_else() -> None:
    name, _, _ = plain()
    moved = board(f"city {name} medium Omaha\nloads Omaha: oil, wheat")
    assert moved.cities["Omaha"].size == "medium"
    assert moved.cities["Omaha"].loads == ("oil", "wheat")
    swapped = board(f"city {middle('Omaha')} small Fargo\ncity {middle('Fargo')} small Omaha")
    assert swapped.cities["Fargo"].middle == BOARD.cities["Omaha"].middle


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"\ncity {middle('Chicago')} small Omaha", "line 2: two cities in one place: Chicago and Omaha"),
        (f"city {middle('Omaha')} small Springfield", "line 1: there is no city 'Springfield'"),
        ("loads Omaha: gold", "line 1: Omaha supplies 'gold', which is none of the loads"),
        ("# a comment\n\nriver a22-a24 Ohio", "line 3: the river Ohio touches nothing at a22-a24"),
        (f"river {BOARD.names[0]}-{BOARD.names[-1]} Ohio", "line 1: .* is not an edge"),
        ("terrain ao38 none", "line 1: Chicago lies on .* where there is no milepost"),
        (f"terrain {BOARD.names[0]} swamp", "line 1: 'swamp' is not a terrain"),
        (f"city {BOARD.names[0]} huge Omaha", "line 1: 'huge' is not a size of a city"),
        ("loads Omaha oil", "line 1: write the city, a colon"),
        (f"open {plain()[2]}", "line 1: .* is not closed"),
        ("closed bo102-bo104", "line 1: bo102-bo104 cannot be closed"),
        ("volcano ao38", "line 1: 'volcano ao38' cannot be understood"),
        ("river", "line 1: 'river' cannot be understood"),
    ],
)
def test_a_fault_in_a_correction_is_one_sentence_with_its_line(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as raised:
        board(text)
    assert "\n" not in str(raised.value)
