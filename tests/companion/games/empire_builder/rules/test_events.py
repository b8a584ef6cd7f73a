"""Each of the twenty event cards, and how long they last."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.empire_builder.rules.boards.tracks import connected_majors
from companion.games.empire_builder.rules.cards.events import (
    EVENTS,
    Derailment,
    Flood,
    Fog,
    Gale,
    Snow,
    Strike,
    Tax,
    derailed_area,
    strike_area,
    weather_area,
)
from companion.games.empire_builder.rules.match.state import State, with_player, with_turn
from companion.games.empire_builder.rules.moves.building import legal_builds
from companion.games.empire_builder.rules.moves.moving import reachable
from companion.games.empire_builder.rules.rulebook import RULES
from companion.sheets.lattice import distance
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    after,
    begun,
    decided,
    ended,
    laid,
    refused,
    running,
    struck,
    train_at,
    way,
    with_cash,
)

CARDS = list(EVENTS.values())


def cards_of(kind: type) -> list[str]:
    return [card.card for card in CARDS if isinstance(card, kind)]


def test_the_twenty_cards_by_category() -> None:
    kinds = Counter(type(card).__name__ for card in CARDS)
    assert kinds == {"Flood": 6, "Derailment": 5, "Strike": 3, "Snow": 3, "Tax": 1, "Fog": 1, "Gale": 1}


@pytest.mark.parametrize("event", CARDS, ids=lambda event: event.card)
def test_what_stands_on_a_card_is_on_the_map(event: object) -> None:
    if isinstance(event, Flood):
        assert BOARD.river_edges[event.river]
    if isinstance(event, Derailment):
        assert len(event.cities) == 6
        assert all(city in BOARD.cities and city in event.text for city in event.cities)
    if isinstance(event, Snow | Fog):
        assert event.city in BOARD.cities
    if isinstance(event, Gale):
        assert BOARD.coasts[event.sea]
    assert isinstance(event, Flood | Derailment | Strike | Tax | Snow | Fog | Gale)


# --- floods ---


def bridge(river: str) -> tuple[str, str, int]:
    """The ends of a crossing that touches no city, and its edge."""
    for edge in BOARD.river_edges[river]:
        one, other = BOARD.edges[edge]
        if BOARD.city_at[one] is None and BOARD.city_at[other] is None:
            return BOARD.names[one], BOARD.names[other], edge
    raise AssertionError


@pytest.mark.parametrize("card", cards_of(Flood))
def test_floods_destroy_bridges_over_named_rivers(card: str) -> None:
    flood = EVENTS[card]
    assert isinstance(flood, Flood)
    one, other, edge = bridge(flood.river)
    state = laid(running(), 2, [one, other])
    after_it = struck(state, 1, card)
    assert edge in state.track
    assert edge not in after_it.track
    assert GAME.faults(after_it) == []
    assert all(number not in BOARD.river_edges[flood.river] for number in after_it.track)


@pytest.mark.parametrize("card", cards_of(Flood))
def test_no_building_and_no_movement_across_until_the_flood_ends(card: str) -> None:
    flood = EVENTS[card]
    assert isinstance(flood, Flood)
    one, other, edge = bridge(flood.river)
    beyond = next(
        BOARD.names[far]
        for far, way_edge in BOARD.ways[BOARD.numbers[one]]
        if BOARD.names[far] != other and not BOARD.surcharge[way_edge] and BOARD.city_at[far] is None
    )
    state = train_at(laid(running(), 1, [beyond, one, other]), 1, one)
    after_it = struck(state, 2, card)
    assert refused(after_it, "build", 1, path=[one, other]).code == "event"
    assert refused(after_it, "move", 1, path=[other]).code == "event"
    assert BOARD.numbers[other] not in reachable(after_it, 1)
    assert all({one, other} != {BOARD.names[a], BOARD.names[b]} for a, b, _ in legal_builds(after_it, 1))
    over = ended(after_it, 4)  # the end of the drawing player's next turn
    assert not over.in_force
    assert edge not in over.track
    assert not isinstance(decided(over, "build", 1, path=[one, other]), Refusal)


def test_a_flood_may_part_what_was_connected() -> None:
    state = laid(running(), 1, way("Chicago", "Kansas City"))
    assert len(connected_majors(BOARD, state.players[1].linked)) == 2
    after_it = struck(state, 2, "event-flood-mississippi")
    assert len(connected_majors(BOARD, after_it.players[1].linked)) == 1


# --- derailments ---


@pytest.mark.parametrize("card", cards_of(Derailment))
def test_derailments_lose_one_load_within_3_mileposts_of_listed_cities_and_the_next_turn(card: str) -> None:
    event = EVENTS[card]
    assert isinstance(event, Derailment)
    area = derailed_area(BOARD, event)
    city = BOARD.cities[event.cities[0]]
    edge_of_area = max(area, key=lambda at: distance(BOARD.places[at], BOARD.places[city.middle]))
    assert (
        min(
            distance(BOARD.places[edge_of_area], BOARD.places[one])
            for name in event.cities
            for one in BOARD.cities[name].mileposts
        )
        == 3
    )
    outside = next(at for at in range(len(BOARD.places)) if at not in area)
    state = train_at(running(3), 2, BOARD.names[edge_of_area], loads=("coal",))
    state = train_at(state, 3, BOARD.names[outside], loads=("coal",))
    after_it = struck(state, 1, card)
    assert after_it.players[2].train.loads == ()
    assert after_it.players[3].train.loads == ("coal",)
    assert [player.lost_turns for player in after_it.players.values()] == [0, 1, 0]
    assert ended(after_it).seat == 3  # seat 2 is passed over
    assert ended(ended(after_it), 2).seat == 2  # and plays again the round after
    assert card in after_it.discards


def derailed_with(*loads: str) -> State:
    state = train_at(running(3), 2, "Chicago", kind="super", loads=tuple(sorted(loads)))
    return struck(state, 1, "event-derailment-midwest")


def test_who_derails_with_different_loads_chooses_which_is_lost() -> None:
    state = derailed_with("coal", "oil")
    assert state.losing == {2: 1}
    assert refused(state, "done", 1).code == "derailed"
    assert {action.data["load"] for action in GAME.legal(state, 2)} == {"coal", "oil"}
    assert GAME.legal(state, 1) == []
    assert refused(state, "lose", 2, load="fish").code == "not-carried"
    assert refused(state, "lose", 3, load="coal").code == "nothing-to-lose"
    lost = after(state, "lose", 2, load="coal")
    assert (lost.players[2].train.loads, lost.losing) == (("oil",), {})


def test_equal_loads_leave_no_choice() -> None:
    state = derailed_with("coal", "coal")
    assert (state.players[2].train.loads, state.losing) == (("coal",), {})


def test_two_derailments_before_the_choice_lose_two_loads() -> None:
    state = struck(derailed_with("coal", "oil", "wood"), 1, "event-derailment-midwest")
    assert state.losing == {2: 2}
    one = after(state, "lose", 2, load="coal")
    assert one.losing == {2: 1}
    assert after(one, "lose", 2, load="oil").players[2].train.loads == ("wood",)
    everything = struck(derailed_with("coal", "oil"), 1, "event-derailment-midwest")
    assert (everything.players[2].train.loads, everything.losing) == ((), {})


def test_who_draws_the_derailment_loses_the_rest_of_this_turn_and_the_next() -> None:
    state = struck(train_at(running(2), 1, "Chicago"), 1, "event-derailment-midwest")
    assert refused(state, "build", 1, to="Des Moines").code == "stopped"
    assert [action.kind for action in GAME.legal(state, 1)] == ["done"]
    assert ended(ended(state), 1).seat == 2


# --- strikes ---


@pytest.mark.parametrize("card", cards_of(Strike))
def test_rail_strikes_cannot_pick_up_or_deliver_at_border_mileposts(card: str) -> None:
    event = EVENTS[card]
    assert isinstance(event, Strike)
    area = strike_area(BOARD, event)
    city = next(city for city in BOARD.cities.values() if city.loads and city.middle in area)
    inland = next(city for city in BOARD.cities.values() if city.loads and city.middle not in area)
    state = struck(train_at(running(), 1, city.name, loads=("oil",)), 2, card)
    assert refused(state, "pickup", 1, load=city.loads[0]).code == "event"
    assert refused(state, "deliver", 1, load="oil").code == "event"
    assert not {"pickup", "deliver"} & {action.kind for action in GAME.legal(state, 1)}
    assert after(state, "drop", 1, load="oil").players[1].train.loads == ()
    assert after(train_at(state, 1, inland.name), "pickup", 1, load=inland.loads[0])
    assert after(ended(state, 4), "pickup", 1, load=city.loads[0])


def test_the_border_lies_where_two_countries_meet() -> None:
    for country, cities in {"CAN": ("Detroit", "Buffalo"), "MEX": ("Juarez", "San Diego")}.items():
        near = BOARD.near(BOARD.border(country), 2)
        assert all(BOARD.cities[city].middle in near for city in cities)
        assert BOARD.cities["Kansas City"].middle not in near


# --- tax ---


@pytest.mark.parametrize(
    ("cash", "tax"), [(0, 0), (49, 0), (50, 10), (99, 10), (100, 15), (150, 20), (200, 25), (400, 25)]
)
def test_rail_tax_is_paid_by_what_everybody_has(cash: int, tax: int) -> None:
    state = struck(with_cash(running(), 1, cash), 2, "event-tax")
    assert state.players[1].cash == cash - tax
    assert state.players[2].cash == 40
    assert not state.in_force
    assert "event-tax" in state.discards


def test_the_tax_reveals_all_cash() -> None:
    view = GAME.view(struck(running(), 1, "event-tax"), None)
    assert [player["cash"] for player in view["players"].values()] == [40, 40]


# --- snow, fog, gale ---


def approach(area: frozenset[int] | set[int], city: str) -> tuple[State, list[str], int]:
    """A line into the area, with a fast train where it begins, and how many steps lead to its rim."""
    start = max(
        (one for one in BOARD.cities.values() if one.middle not in area and one.size != "major"),
        key=lambda one: -len(way(one.name, city)) if len(way(one.name, city)) > 13 else -99,
    )
    line = way(start.name, city)
    rim = next(step for step, name in enumerate(line) if BOARD.numbers[name] in area)
    return train_at(laid(running(), 1, line), 1, line[0], kind="fast"), line, rim


@pytest.mark.parametrize("card", cards_of(Snow))
def test_snow_half_rate_around_the_city_and_no_mountain_moved_or_built(card: str) -> None:
    event = EVENTS[card]
    assert isinstance(event, Snow)
    area = BOARD.around(BOARD.cities[event.city].middle, event.radius)
    mountains = {at for at in area if BOARD.terrain[at] == "mountain"}
    assert mountains
    state = struck(running(), 2, card)
    for at in mountains:
        for there, edge in BOARD.ways[at]:
            line = [BOARD.names[at], BOARD.names[there]]
            laid_there = train_at(laid(state, 1, line), 1, line[0])
            assert refused(laid_there, "move", 1, path=[line[1]]).code == "event"
            if BOARD.major_at[there] is None and not BOARD.red[edge]:
                built = laid(
                    state, 1, [line[1], BOARD.names[next(n for n, _ in BOARD.ways[there] if n != at)]]
                )
                assert refused(built, "build", 1, path=[line[1], line[0]]).code == "event"
    assert not {other for _, other, _ in legal_builds(state, 1)} & mountains


def clear_line(area: frozenset[int] | set[int], shut: set[int]) -> list[str]:
    """Eight mileposts in a row without a city, the first four of them outside the area."""
    for start in range(len(BOARD.places)):
        for step in BOARD.ways[start]:
            line = [start, step[0]]
            while len(line) < 8:
                a, b = (BOARD.places[one] for one in line[-2:])
                ahead = BOARD.place_numbers.get((2 * b[0] - a[0], 2 * b[1] - a[1]))
                if ahead is None or BOARD.edge_between(line[-1], ahead) is None:
                    break
                line.append(ahead)
            inside = [one in area for one in line]
            plain = not any(BOARD.city_at[one] or one in shut for one in line)
            if len(line) == 8 and plain and inside[4] and not any(inside[:4]) and all(inside[4:7]):
                return [BOARD.names[one] for one in line]
    raise AssertionError


def weather() -> list[tuple[str, frozenset[int]]]:
    found = []
    for event in CARDS:
        if isinstance(event, Snow):
            found.append((event.card, BOARD.around(BOARD.cities[event.city].middle, event.radius)))
        elif isinstance(event, Fog | Gale):
            found.append((event.card, weather_area(BOARD, event)))
    return found


@pytest.mark.parametrize(
    ("card", "area"), weather(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_trains_run_at_half_rate_from_the_first_step_to_the_area(card: str, area: frozenset[int]) -> None:
    shut = {at for at in area if BOARD.terrain[at] == "mountain"} if "snow" in card else set()
    try:
        line = clear_line(area, shut)
    except AssertionError:
        line = []
    if not line:
        pytest.skip(
            f"no straight open line leads into the area of {card}: the next test asks the same of one step"
        )
    state = struck(train_at(laid(running(), 1, line), 1, line[0], kind="freight"), 2, card)
    slow = after(state, "move", 1, path=line[1:5])  # the fourth step enters the area
    assert slow.turn.slowed
    assert after(slow, "move", 1, path=[line[5]]).turn.moved == 5
    assert refused(slow, "move", 1, path=line[5:7]).code in ("too-far", "event")
    fast = with_turn(state, moved=5)  # too far already to enter
    assert refused(fast, "move", 1, path=line[1:5]).code == "event"
    assert after(fast, "move", 1, path=line[1:4]).turn.moved == 8


@pytest.mark.parametrize(
    ("card", "area"), weather(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_train_that_starts_in_the_area_runs_at_half_rate(card: str, area: frozenset[int]) -> None:
    shut = {at for at in area if BOARD.terrain[at] == "mountain"} if "snow" in card else set()
    one, other = next(
        ends
        for ends in BOARD.edges
        if set(ends) <= area and not set(ends) & shut and not any(BOARD.city_at[e] for e in ends)
    )
    line = [BOARD.names[one], BOARD.names[other]]
    state = struck(train_at(laid(running(), 1, line), 1, line[0]), 2, card)
    assert after(state, "move", 1, path=[line[1]]).turn.slowed
    assert refused(with_turn(state, moved=5), "move", 1, path=[line[1]]).code == "event"
    assert not after(ended(state, 4), "move", 1, path=[line[1]]).turn.slowed


@pytest.mark.parametrize("card", [*cards_of(Fog), *cards_of(Gale)])
def test_nobody_builds_in_fog_or_gale(card: str) -> None:
    event = EVENTS[card]
    assert isinstance(event, Fog | Gale)
    area = weather_area(BOARD, event)
    one, other = next(
        ends for ends in BOARD.edges if set(ends) <= area and not any(BOARD.city_at[e] for e in ends)
    )
    beyond = next(there for there, _ in BOARD.ways[one] if there != other)
    state = struck(laid(running(), 1, [BOARD.names[beyond], BOARD.names[one]]), 2, card)
    assert refused(state, "build", 1, path=[BOARD.names[one], BOARD.names[other]]).code == "event"
    assert not {at for build in legal_builds(state, 1) for at in build[:2]} & area
    assert not isinstance(
        decided(ended(state, 4), "build", 1, path=[BOARD.names[one], BOARD.names[other]]), Refusal
    )


# --- how long they last ---


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_most_remain_active_until_the_end_of_the_drawing_players_next_turn(seat: int) -> None:
    state = running(3)
    state = struck(ended(state, seat - 1), seat, "event-flood-ohio")
    for _ in range(3):
        assert state.in_force
        state = ended(state)
    assert state.seat == seat
    assert state.in_force
    over = ended(state)
    assert not over.in_force
    assert "event-flood-ohio" in over.discards
    assert GAME.faults(over) == [] or all("three demand" not in fault for fault in GAME.faults(over))


def test_an_event_also_ends_when_the_drawing_player_has_lost_that_turn() -> None:
    state = struck(running(2), 1, "event-flood-ohio")
    state = with_player(state, 1, lost_turns=1)
    assert ended(state, 2).in_force == ()


def test_the_drawing_players_turn_goes_on_after_an_event_that_spares_him() -> None:
    state = struck(laid(running(2), 1, way("Chicago", "Des Moines")), 1, "event-flood-colorado")
    assert after(state, "build", 1, to="Omaha").turn.spent > 0
    assert RULES.match.hand == 3
    assert replaced(state, round=9).round == 9
    assert begun().in_force == ()
