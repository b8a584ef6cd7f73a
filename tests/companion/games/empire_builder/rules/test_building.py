"""Building track and what limits it, sentence by sentence."""

from __future__ import annotations

import pytest

from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.empire_builder.rules.boards.tracks import edges_of
from companion.games.empire_builder.rules.match.state import State, with_turn
from companion.games.empire_builder.rules.moves.building import building_site, legal_builds, way_to
from companion.games.empire_builder.rules.rulebook import RULES
from companion.sheets.lattice import neighbours
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    after,
    begun,
    decided,
    ended,
    laid,
    refused,
    way,
    with_cash,
)


def segment_into(kind: str, *, wet: bool = False) -> tuple[str, str, str]:
    """(from, to, the one before) so that ``to`` is of that kind; the first two are no city."""
    for number, (one, other) in enumerate(BOARD.edges):
        for here, there in ((one, other), (other, one)):
            city = BOARD.city_at[there]
            found = city.size if city else BOARD.terrain[there]
            if found != kind or BOARD.city_at[here] or bool(BOARD.surcharge[number]) != wet:
                continue
            for before, edge in BOARD.ways[here]:
                if before != there and not BOARD.city_at[before] and not BOARD.surcharge[edge]:
                    return BOARD.names[here], BOARD.names[there], BOARD.names[before]
    raise AssertionError


def joined(kind: str, *, wet: bool = False) -> tuple[State, list[str]]:
    here, there, before = segment_into(kind, wet=wet)
    return laid(begun(), 1, [before, here]), [here, there]


@pytest.mark.parametrize(
    ("kind", "price"), [("clear", 1), ("mountain", 2), ("small", 3), ("medium", 3), ("major", 5)]
)
def test_costs_per_milepost_type(kind: str, price: int) -> None:
    state, path = joined(kind)
    fact = decided(state, "build", 1, path=path)
    assert not isinstance(fact, Refusal)
    assert fact.data["price"] == price
    assert after(state, "build", 1, path=path).players[1].cash == 50 - price


def test_a_river_crossing_costs_2_more() -> None:
    state, path = joined("clear", wet=True)
    edge = BOARD.edge_numbers[BOARD.numbers[path[0]], BOARD.numbers[path[1]]]
    assert BOARD.rivers[edge]
    assert after(state, "build", 1, path=path).players[1].ledger.track == 1 + 2


def test_a_lake_channel_costs_2_more() -> None:
    for edge in BOARD.channels:
        one, other = BOARD.edges[edge]
        assert BOARD.surcharge[edge] == 2
        site = building_site(laid(begun(), 1, way("Chicago", "Detroit")), 1)
        site.places.add(one)
        assert site.add(one, other) is None
        assert site.price == BOARD.price[other] + 2


def test_an_ocean_inlet_is_not_allowed() -> None:
    numbers = BOARD.place_numbers
    one, other = next(pair for pair in sorted(BOARD.closed) if pair[0] in numbers and pair[1] in numbers)
    path = [BOARD.names[numbers[one]], BOARD.names[numbers[other]]]
    site_state = begun()
    assert refused(site_state, "build", 1, path=path).code == "closed"


def test_build_from_any_major_city_milepost() -> None:
    state = begun()
    starts = {BOARD.major_at[one] for one, _, _ in legal_builds(state, 1)}
    assert starts == set(BOARD.majors)
    outer = {one for one, _, _ in legal_builds(state, 1)}
    assert len(outer) > 30  # the outer mileposts of all seven


def test_build_from_any_milepost_already_connected_to_your_track() -> None:
    line = way("Chicago", "Des Moines")
    state = laid(begun(), 1, line)
    end = BOARD.numbers[line[-1]]
    assert end in {one for one, _, _ in legal_builds(state, 1)}
    assert end not in {one for one, _, _ in legal_builds(replaced(state, order=(2, 1)), 2)}
    other = BOARD.names[BOARD.ways[end][0][0]]
    assert refused(replaced(state, order=(2, 1)), "build", 2, path=[line[-1], other]).code == "not-connected"


def test_a_refusal_says_the_cheapest_way_to_build_there_and_its_price() -> None:
    fargo, near = BOARD.cities["Fargo"].middle, BOARD.ways[BOARD.cities["Fargo"].middle][0][0]
    refusal = refused(begun(), "build", 1, path=[BOARD.names[fargo], BOARD.names[near]])
    best = way_to(building_site(begun(), 1), fargo)
    assert best is not None
    assert (refusal.code, refusal.detail["price"]) == ("not-connected", best.price)
    assert f"the cheapest way there costs {best.price} million" in refusal.message


def outward(city: str, count: int) -> list[tuple[str, str]]:
    found = [
        (BOARD.names[one], BOARD.names[other])
        for one in BOARD.cities[city].mileposts
        for other, edge in BOARD.ways[one]
        if not BOARD.red[edge]
    ]
    return found[:count]


def test_max_2_track_segments_built_from_major_city_mileposts_per_turn() -> None:
    state = begun()
    first, second, third = outward("Atlanta", 3)
    state = after(after(state, "build", 1, path=first), "build", 1, path=second)
    assert refused(state, "build", 1, path=third).code == "out-of-majors"
    assert refused(state, "build", 1, path=outward("Chicago", 1)[0]).code == "out-of-majors"
    assert not any(BOARD.major_at[one] for one, _, _ in legal_builds(state, 1))
    assert after(ended(state, 3), "build", 1, path=third)


def test_unlimited_segments_into_major_cities_at_5_each() -> None:
    state = begun()
    outs = outward("Atlanta", 2)
    state = with_turn(laid(state, 1, *map(list, outs)), out_of_majors=2)
    into = [
        (other, one)
        for one, other in outward("Atlanta", 18)
        if BOARD.numbers[other] in {BOARD.numbers[end] for _, end in outs} and (one, other) not in outs
    ]
    assert into
    for path in into:
        before = state.players[1].ledger.track
        state = after(state, "build", 1, path=path)
        assert (
            state.players[1].ledger.track - before
            == 5 + BOARD.surcharge[BOARD.edge_numbers[BOARD.numbers[path[0]], BOARD.numbers[path[1]]]]
        )


def test_you_can_build_into_a_major_city_more_than_once() -> None:
    test_unlimited_segments_into_major_cities_at_5_each()


def test_you_cannot_build_from_a_major_city_more_than_twice_per_turn() -> None:
    test_max_2_track_segments_built_from_major_city_mileposts_per_turn()


def reaching(name: str, seats: int) -> tuple[State, list[list[str]]]:
    """Each seat's track ends beside a city; the last segment of each is returned."""
    city = BOARD.cities[name].middle
    lasts = []
    state = begun(seats)
    ways = [(near, edge) for near, edge in BOARD.ways[city] if BOARD.city_at[near] is None]
    for seat, (near, _) in enumerate(ways[:seats], start=1):
        beyond = next(
            far
            for far, edge in BOARD.ways[near]
            if far != city and edge not in state.track and BOARD.city_at[far] is None
        )
        state = laid(state, seat, [BOARD.names[beyond], BOARD.names[near]])
        lasts.append([BOARD.names[near], BOARD.names[city]])
    return state, lasts


@pytest.mark.parametrize(("city", "limit"), [("Denver", 3), ("Fargo", 2)])
def test_only_3_players_may_build_into_a_medium_city_and_only_2_into_a_small_city(
    city: str, limit: int
) -> None:
    state, lasts = reaching(city, limit + 1)
    for seat in range(1, limit + 1):
        state = after(state, "build", seat, path=lasts[seat - 1])
        state = after(state, "done", seat)
    last = limit + 1
    refusal = refused(state, "build", last, path=lasts[last - 1])
    assert refusal.code == "city-full"
    assert refusal.detail["builders"] == list(range(1, limit + 1))
    target = BOARD.cities[city].middle
    assert target not in {other for _, other, _ in legal_builds(state, last)}
    assert refused(state, "build", last, to=city).code == "city-full"


def test_who_is_in_a_city_may_build_into_it_again() -> None:
    state, lasts = reaching("Fargo", 2)
    for seat in (1, 2):
        state = after(after(state, "build", seat, path=lasts[seat - 1]), "done", seat)
    target = BOARD.cities["Fargo"].middle
    fresh = next(near for near, edge in BOARD.ways[target] if edge not in state.track)
    site = building_site(state, 1)
    site.places.add(fresh)  # as if the track of seat 1 came this way, too
    assert site.add(fresh, target) is None


def test_no_credit() -> None:
    state, path = joined("mountain")
    refusal = refused(with_cash(state, 1, 1), "build", 1, path=path)
    assert refusal.code == "no-money"
    assert "no credit" in refusal.message
    assert legal_builds(with_cash(state, 1, 0), 1) == []


def test_spend_up_to_20_million() -> None:
    state = with_turn(joined("mountain")[0], spent=19)
    path = joined("mountain")[1]
    refusal = refused(state, "build", 1, path=path)
    assert (refusal.code, refusal.detail["left"]) == ("turn-limit", 1)
    assert "1 of the 20 million for building in one turn are left" in refusal.message
    spent = refused(with_turn(state, spent=20), "build", 1, path=path)
    assert spent.message == "the 20 million for building in one turn are spent: build on in your next turn"
    assert after(with_turn(state, spent=18), "build", 1, path=path).turn.spent == 20


def test_a_long_path_is_refused_with_the_part_that_is_legal() -> None:
    line = way("Chicago", "Denver")
    refusal = refused(begun(), "build", 1, path=line)
    assert refusal.code == "turn-limit"
    legal = refusal.detail["legal"]
    assert line[: len(legal)] == legal
    assert after(begun(), "build", 1, path=legal).turn.spent <= 20


def test_either_build_new_track_segments_or_upgrade_your_locomotive() -> None:
    state, path = joined("clear")
    built = after(state, "build", 1, path=path)
    assert refused(built, "upgrade", 1, to="fast").code == "built"
    upgraded = after(state, "upgrade", 1, to="fast")
    assert refused(upgraded, "build", 1, path=path).code == "upgraded"
    assert legal_builds(upgraded, 1) == []


def test_one_line_only_fits_between_two_mileposts() -> None:
    line = way("Chicago", "Des Moines")
    state = laid(begun(), 2, line)
    assert refused(state, "build", 1, path=line).code == "taken"
    assert refused(laid(begun(), 1, line), "build", 1, path=line).code == "nothing-new"


def test_nothing_is_built_inside_a_red_area() -> None:
    one, other = BOARD.cities["Chicago"].mileposts[:2]
    path = [BOARD.names[one], BOARD.names[other]]
    assert refused(begun(), "build", 1, path=path).code == "nothing-new"


def test_a_path_may_run_over_what_is_there_already() -> None:
    line = way("Chicago", "Des Moines")
    state = laid(begun(), 1, line[:3])
    whole, rest = decided(begun(), "build", 1, path=line), decided(state, "build", 1, path=line)
    assert not isinstance(whole, Refusal)
    assert not isinstance(rest, Refusal)
    assert rest.data["price"] == whole.data["price"] - 2


def test_building_to_a_milepost_takes_the_cheapest_way() -> None:
    state = begun()
    best = way_to(building_site(state, 1), BOARD.cities["Des Moines"].middle)
    assert best is not None
    fact = decided(state, "build", 1, to="Des Moines")
    assert not isinstance(fact, Refusal)
    assert fact.data == {"path": [BOARD.names[one] for one in best.mileposts], "price": best.price}


def test_every_listed_build_is_legal_and_no_other_segment_is() -> None:
    """The list against the plain question, asked for every segment near the track."""
    state = laid(begun(3), 1, way("Chicago", "Des Moines"))
    state = laid(state, 2, way("Kansas City", "Omaha"))
    listed = {(one, other): price for one, other, price in legal_builds(state, 1)}
    places = {end for edge in edges_of(state.track, 1) for end in BOARD.edges[edge]}
    places |= {end for one in list(places) for end, _ in BOARD.ways[one]}
    for one in sorted(places):
        for other, _ in BOARD.ways[one]:
            fact = decided(state, "build", 1, path=[BOARD.names[one], BOARD.names[other]])
            legal = not isinstance(fact, Refusal)
            assert legal == ((one, other) in listed)
            if not isinstance(fact, Refusal):
                assert fact.data["price"] == listed[one, other]


def test_a_citys_name_is_the_milepost_beside_the_next() -> None:
    """Out of every milepost of a major city, and into it."""
    city = BOARD.cities["Chicago"]
    seen = set()
    for one in city.mileposts:
        for other, _ in BOARD.ways[one]:
            if other in city.mileposts:
                continue
            names = ["Chicago", BOARD.names[other]]
            for path, ends in ((names, (0, 1)), (names[::-1], (1, 0))):
                found = BOARD.path(path)
                assert found[ends[1]] == other
                assert BOARD.edge_between(*found) is not None
                seen.add(found[ends[0]])
            fact = decided(begun(), "build", 1, path=names)
            exact = decided(begun(), "build", 1, path=[BOARD.names[BOARD.path(names)[0]], names[1]])
            assert fact == exact
    assert len(seen) > 1, "not from the middle alone"
    far = next(name for name in BOARD.names if name not in {BOARD.names[one] for one in city.mileposts})
    assert BOARD.path(["Chicago", far])[0] == city.middle


def test_wishes_that_make_no_sense_are_one_sentence() -> None:
    state = begun()
    far = BOARD.names[0], BOARD.names[-1]
    assert refused(state, "build", 1).code == "bad-action"
    assert refused(state, "build", 1, path=[BOARD.names[BOARD.majors[0].mileposts[1]], far[0]]).code == (
        "not-neighbours"
    )
    assert (
        refused(laid(state, 1, way("Chicago", "Des Moines")), "build", 1, to="Des Moines").code
        == "nothing-new"
    )
    assert neighbours(BOARD.places[0])
    assert RULES.building.a_turn == 20
