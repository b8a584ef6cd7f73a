"""Questions for plans: the answers are what the rules then do, and nothing hidden is in them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Refusal
from companion.games.empire_builder.rules.cards.events import EVENTS
from companion.games.empire_builder.rules.match.state import State, Turn
from companion.games.empire_builder.rules.moves.building import building_site, way_to
from companion.games.empire_builder.rules.moves.trips import trips
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    after,
    begun,
    laid,
    running,
    struck,
    train_at,
    way,
    with_cash,
)


def asked(state: State, about: str, seat: int = 1, **data: Any) -> JsonObject:
    answer = GAME.ask(state, seat, Action(about, seat, data))
    assert not isinstance(answer, Refusal), answer
    return answer


def unanswered(state: State, about: str, seat: int = 1, **data: Any) -> Refusal:
    answer = GAME.ask(state, seat, Action(about, seat, data))
    assert isinstance(answer, Refusal), answer
    return answer


def test_the_game_is_one_that_answers() -> None:
    assert GAME.answers_questions


def test_a_way_is_what_building_there_then_costs() -> None:
    state = begun()
    found = asked(state, "way", through=["Des Moines"])
    best = way_to(building_site(state, 1), BOARD.cities["Des Moines"].middle)
    assert best is not None
    assert found["price"] == best.price
    assert found["now"] == {"path": found["path"], "price": found["price"]}
    assert (found["turns"], found["says"]) == (1, "")
    built = after(state, "build", 1, path=found["now"]["path"])
    assert built.players[1].ledger.track == found["price"]


def test_a_long_way_says_how_many_turns_and_what_can_be_built_now() -> None:
    state = with_cash(begun(), 1, 200)
    found = asked(state, "way", through=["Denver", "Salt Lake City"])
    assert found["price"] > 20
    assert found["turns"] >= 2
    assert found["now"]["price"] <= 20
    assert found["path"][: len(found["now"]["path"])] == found["now"]["path"]
    assert "the 20 million for building in one turn" in found["says"]
    built = after(state, "build", 1, path=found["now"]["path"])
    assert built.turn.spent == found["now"]["price"]


def test_a_way_leads_through_every_milepost_that_was_named() -> None:
    names = ["ao38", "Omaha", "Minneapolis", "Omaha"]
    found = asked(begun(), "way", through=names)
    stops = [found["path"].index(BOARD.names[BOARD.milepost(name)]) for name in names[1:3]]
    assert stops == sorted(stops)
    assert found["path"][-1] == BOARD.names[BOARD.milepost("Omaha")]
    assert found["price"] == asked(begun(), "way", through=names[:3])["price"], "the way back is built then"


def test_plans_can_be_made_while_others_play() -> None:
    found = asked(begun(), "way", seat=2, through=["Boise"])
    assert found["now"] is None
    assert found["says"] == "it is the turn of seat 1"
    table = asked(begun(mode="scorekeeper", first=1), "way", through=["Boise"])
    assert (table["now"], table["says"]) == (None, "")
    assert table["price"] == found["price"]


def test_what_forbids_the_rest_of_a_way_is_said() -> None:
    poor = with_cash(begun(), 1, 2)
    found = asked(poor, "way", through=["Denver"])
    assert "there is no credit" in found["says"]
    upgraded = after(with_cash(running(), 1, 50), "upgrade", 1, to="fast")
    assert "a better train was bought" in asked(upgraded, "way", through=["Denver"])["says"]


def test_a_milepost_on_ones_own_track_costs_nothing() -> None:
    state = laid(begun(), 1, way("Chicago", "Des Moines"))
    assert asked(state, "way", through=["Des Moines"])["price"] == 0


def test_questions_that_cannot_be_understood() -> None:
    assert unanswered(begun(), "weather").code == "unknown-question"
    assert unanswered(begun(), "way", through=[]).code == "bad-question"
    assert unanswered(begun(), "way", through=["Omaha"] * 41).code == "bad-question"
    for about, data in (("way", {"through": ["Atlantis"]}), ("run", {"to": 7}), ("here", {})):
        with pytest.raises(NotationError):
            GAME.ask(begun(), 1, Action(about, 1, data))


def test_a_run_says_what_is_paid_and_what_is_left() -> None:
    line = way("Chicago", "Des Moines")
    state = train_at(laid(running(), 2, line), 1, line[0])
    found = asked(state, "run", to=line[-1])
    assert found["fees"] == {"2": 4}
    assert found["left"] == 9 - len(found["path"])
    assert found["now"]
    moved = after(state, "move", 1, path=found["path"])
    assert moved.players[1].ledger.rent_paid == 4


def test_a_run_of_the_next_turn_is_planned_while_others_play() -> None:
    line = way("Chicago", "Des Moines")
    state = train_at(laid(running(), 2, line), 2, line[0])
    found = asked(state, "run", seat=2, to=line[-1])
    assert (found["now"], found["says"]) == (False, "it is the turn of seat 1")
    assert unanswered(state, "run", to=line[-1]).code == "not-placed"
    assert unanswered(state, "run", seat=2, to="Tampa").code == "out-of-reach"


def test_what_lies_at_a_milepost() -> None:
    chicago = asked(begun(), "here", at="Chicago")
    assert chicago["size"] == "major"
    assert chicago["supplies"] == dict.fromkeys(BOARD.cities["Chicago"].loads, 3)
    plain = next(name for number, name in enumerate(BOARD.names) if BOARD.city_at[number] is None)
    assert set(asked(begun(), "here", at=plain)) == {"at", "terrain", "price"}


def test_trips_and_the_board_can_be_asked_for() -> None:
    state = running()
    assert asked(state, "trips")["trips"] == trips(state, 1)
    assert len(asked(state, "board")["mileposts"]) == len(BOARD.names)


def test_no_answer_depends_on_the_order_of_the_deck() -> None:
    state = struck(running(), 1, "event-snow-denver")
    assert "event-snow-denver" in EVENTS
    turned = replaced(state, deck=state.deck[::-1])
    questions: list[tuple[str, JsonObject]] = [
        ("way", {"through": ["Denver", "Boise"]}),
        ("here", {"at": "Omaha"}),
        ("trips", {}),
        ("board", {}),
    ]
    for about, data in questions:
        assert asked(state, about, **data) == asked(turned, about, **data)


# --- plans begin at the player's own line ---

SOUTH = "ap39 ap41 ap43"  # from Chicago southwards


def southern() -> State:
    return laid(begun(), 1, SOUTH.split())


def test_a_way_begins_on_the_players_own_line_and_from_elsewhere_only_by_name() -> None:
    state = southern()
    found = asked(state, "way", through=["Birmingham"])
    line = {BOARD.numbers[name] for name in SOUTH.split()} | set(BOARD.cities["Chicago"].mileposts)
    assert BOARD.numbers[found["path"][0]] in line
    assert found["price"] > 4
    (other,) = found["others"]
    assert (other["start"], other["price"], other["joined"]) == ("Atlanta", 4, False)
    assert other["says"] == "from Atlanta for 4 million, not joined to your line"
    stub = asked(state, "way", through=["Birmingham"], start="Atlanta")
    assert (stub["price"], stub["others"]) == (4, [])


def test_another_major_city_may_be_where_a_plan_begins() -> None:
    (other,) = asked(southern(), "way", through=["Atlanta"])["others"]
    assert (other["start"], other["price"]) == ("Atlanta", 0)
    assert other["says"] == "begin at Atlanta, not joined to your line"
    assert asked(southern(), "way", through=["Atlanta"], start="Atlanta")["price"] == 0


def test_building_to_a_place_builds_from_the_players_own_line() -> None:
    state = southern()
    built = after(state, "build", 1, to="Birmingham")
    home = built.players[1].linked
    assert home[BOARD.cities["Birmingham"].middle] == home[BOARD.cities["Chicago"].middle]


def test_a_plan_begins_at_the_trains_part_of_a_line_in_two_parts() -> None:
    state = laid(running(), 1, way("Chicago", "Des Moines"), way("Atlanta", "Birmingham"))
    found = asked(train_at(state, 1, "Des Moines"), "way", through=["Memphis"])
    assert BOARD.hub[BOARD.numbers[found["path"][0]]] in state.players[1].linked
    assert [other["joined"] for other in found["others"]] == [False]
    there = asked(train_at(state, 1, "Birmingham"), "way", through=["Memphis"])
    assert there["price"] < found["price"]


def test_segments_built_out_of_major_cities_in_this_turn_count_in_plans() -> None:
    state = southern()
    state = replaced(state, turn=replaced(state.turn, out_of_majors=2, spent=3))
    found = asked(state, "way", through=["Des Moines"])
    assert BOARD.major_at[BOARD.numbers[found["path"][0]]] is None
    assert found["now"]
    (later,) = [other for other in found["others"] if other["joined"]]
    assert later["start"] == "Chicago"
    assert later["says"].endswith("not before your next turn")
    built = after(state, "build", 1, to="Des Moines")
    assert built.turn.out_of_majors == 2
    fresh = asked(replaced(state, turn=Turn("build")), "way", through=["Des Moines"])
    assert fresh["price"] < found["price"]
    assert not [other for other in fresh["others"] if other["joined"]]


def test_what_is_left_of_this_turn_counts_among_the_turns_of_a_plan() -> None:
    state = with_cash(southern(), 1, 100)
    price = asked(state, "way", through=["Birmingham"])["price"]
    late = replaced(state, turn=replaced(state.turn, spent=20 - price + 1))
    assert asked(state, "way", through=["Birmingham"])["turns"] == 1
    assert asked(late, "way", through=["Birmingham"])["turns"] == 2
    assert asked(late, "way", seat=2, through=["Birmingham"])["turns"] == 1, "of another seat it is the next"


def test_a_plan_from_where_nothing_may_be_built_is_refused() -> None:
    assert unanswered(southern(), "way", through=["Omaha"], start="Denver").code == "not-connected"
