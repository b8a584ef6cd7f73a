"""The page of Empire Builder over whole matches: everything legal can be reached, nothing hidden is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import fromstring

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import Markup

from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Fact
from companion.game.bots import any_action
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.cards.events import EVENTS
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.state import State, Turn
from companion.games.empire_builder.ui.controls import controls
from companion.games.empire_builder.ui.plane import PITCH, spot_of, view_box
from companion.games.empire_builder.ui.presenter import EmpireBuilderPresenter
from companion.languages import said
from companion.service.service import Service
from companion.sheets.lattice import distance
from companion.table.chance import SeededChance
from companion.table.seats import Player, default_player
from lab.empire_builder import rules_bench as bench
from tests.companion.games.empire_builder.rules.tables import begun, laid, running, struck, train_at, way
from tests.web.houses import accepted
from tests.web.people import get, seated
from web.ui.wording import for_people

GAME = EmpireBuilder()
PRESENTER = EmpireBuilderPresenter()
LOOK_EVERY = 97
ROUNDS = 40


def players_of(state: State) -> dict[int, Player]:
    return {seat: default_player(seat) for seat in state.players}


def moments(seats: int) -> Iterator[tuple[State, Fact]]:
    """Now and then a moment of a match in which now and then anything legal is done."""
    for number, (before, fact, _) in enumerate(bench.played(seats, seed=100 + seats, odd=6)):
        if before.round > ROUNDS:
            return
        if number % LOOK_EVERY == 0 or before.losing or fact.kind == "upgrade":
            yield before, fact


def well_formed(markup: Markup) -> None:
    fromstring(f"<all>{markup}</all>")


# --- what can be done ---


def reached(told: JsonObject, action: Action) -> bool:
    """Is there a lit place or a button for this action?"""
    lit = told["lit"]
    match action.kind:
        case "place":
            return action.data["at"] in lit["place"]
        case "move":
            return action.data["path"][-1] in lit["run"]
        case "build":
            one, other = action.data["path"]
            return one in lit["build"][other]
        case "done" | "report":
            return action.kind in told["may"]
    plain = {"kind": action.kind, "data": action.data}
    return any(button.action == plain for button in told["buttons"])


@pytest.mark.parametrize(
    "seats", [2, 3, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (4, 5, 6))]
)
def test_every_legal_action_can_be_reached_and_nothing_else_is_lit(seats: int) -> None:
    for state, _ in moments(seats):
        for seat in state.players:
            legal = GAME.legal(state, seat)
            told = PRESENTER.controls(state, seat).told
            assert all(reached(told, action) for action in legal)
            lit = told["lit"]
            shown = len(lit["place"]) + len(lit["run"]) + sum(map(len, lit["build"].values()))
            assert shown + len(told["buttons"]) + len(told["may"]) - len(
                {action.kind for action in legal} - {"done", "report"}
            ) == len(legal)


@pytest.mark.parametrize("seats", [2, 4, pytest.param(6, marks=pytest.mark.slow)])
def test_every_moment_is_drawn_and_said(seats: int) -> None:
    for state, fact in moments(seats):
        players = players_of(state)
        view = GAME.view(state, None)
        names = {seat: player.name for seat, player in players.items()}
        assert PRESENTER.headline(view)
        assert PRESENTER.status(view, names)
        assert "did something" not in PRESENTER.event_words(fact.kind, fact.data)
        for markup in (PRESENTER.shared_board(view, players), PRESENTER.beside_shared(view, players)):
            well_formed(markup)
        for seat in players:
            well_formed(PRESENTER.board(view, seat, names[seat]))
            well_formed(PRESENTER.beside_board(view, seat))
            assert PRESENTER.board_words(view, seat)
        for row in view["scores"]:
            assert sum(line.points for line in PRESENTER.score_rows(row)) == row["total"]


def test_no_part_of_a_page_depends_on_the_order_of_the_deck() -> None:
    state = struck(running(3), 1, "event-gale-gulf")
    turned = replaced(state, deck=state.deck[::-1])
    players = players_of(state)
    for seat in (None, 1, 2):
        one, other = GAME.view(state, seat), GAME.view(turned, seat)
        assert PRESENTER.shared_board(one, players) == PRESENTER.shared_board(other, players)
        assert PRESENTER.beside_shared(one, players) == PRESENTER.beside_shared(other, players)
    assert PRESENTER.controls(state, 1).told == PRESENTER.controls(turned, 1).told


# --- what a tap is about ---


def test_what_a_tap_on_the_map_is_about() -> None:
    line = way("Chicago", "Des Moines")
    assert PRESENTER.controls(begun(), 1).told["doing"] == "build"
    assert PRESENTER.controls(begun(), 2).told["doing"] == "wait"
    waiting = laid(running(), 1, line)
    assert PRESENTER.controls(waiting, 1).told["doing"] == "place"
    moving = train_at(waiting, 1, line[0])
    told = PRESENTER.controls(moving, 1).told
    assert told["doing"] == "run"
    assert told["turn"]["steps"] == 9
    assert set(told["lit"]["run"].values()) == {0}
    scored = PRESENTER.controls(begun(mode="scorekeeper", first=1), 1).told
    assert (scored["doing"], scored["may"]) == ("report", ["done", "report"])


def test_fees_are_said_before_a_run() -> None:
    line = way("Chicago", "Des Moines")
    state = train_at(laid(running(), 2, line), 1, line[0])
    assert PRESENTER.controls(state, 1).told["lit"]["run"][line[-1]] == 4


def test_a_demand_says_what_it_pays_and_costs() -> None:
    for card in PRESENTER.controls(running(), 1).told["cards"]:
        assert len(card["demands"]) == 3
        for demand in card["demands"]:
            assert demand["net"] == demand["payout"] - demand["best"]["build"]
            assert demand["sources"]
            assert demand["load"] in board().cities[next(iter(demand["sources"]))].loads


# --- events, history, corrections ---


@pytest.mark.parametrize(
    "card", [card for card in EVENTS if not card.startswith(("event-tax", "event-derailment"))]
)
def test_an_event_in_force_is_shown_with_its_area_and_its_end(card: str) -> None:
    state = struck(running(), 1, card)
    view, players = GAME.view(state, None), players_of(state)
    drawn = PRESENTER.shared_board(view, players)
    assert re.search('class="eb-(area|flooded)', drawn)
    beside = PRESENTER.beside_shared(view, players)
    assert EVENTS[card].title in Markup(beside).striptags()
    assert f"of round {state.round + 1} is over" in beside


def test_an_owners_corrections_are_on_the_map() -> None:
    plain = next(name for name, kind in zip(board().names, board().terrain, strict=True) if kind == "clear")
    own = begun(map=f"terrain {plain} mountain")
    assert PRESENTER.ground(own) != PRESENTER.ground(begun())
    well_formed(PRESENTER.ground(own))
    assert PRESENTER.rematch_options({"options": {"cards": "", "map": "x", "first": 2}}, [])["first"] == 0


def test_the_page_measures_as_the_board_does() -> None:
    on = board()
    left, top, width, height = view_box()
    for one, other in on.edges:
        (x1, y1), (x2, y2) = spot_of(on.places[one]), spot_of(on.places[other])
        assert distance(on.places[one], on.places[other]) == 1
        assert abs(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 - PITCH) < 0.05
        assert left < x1 < left + width
        assert top < y1 < top + height


# --- the pages themselves ---


def test_the_first_page_is_small_and_the_map_is_sent_once(
    app: Flask, house: Service, client: FlaskClient
) -> None:
    accepted(house, Action("start", data={"game": "empire-builder", "players": ["", "North"]}))
    east = seated(app, house, 1, "East")
    sent = 0
    for path in (
        "/play",
        # Each once, as browsers do: what is fetched ahead is named again where it is used.
        *dict.fromkeys(
            re.findall(r'(?:src|href)="(/static/[^"]+)"', east.get("/play").get_data(as_text=True))
        ),
    ):
        sent += len(east.get(path, headers={"Accept-Encoding": "gzip"}).data)
    assert sent < 68_500  # with what a photograph, the room and notices need; who only looks fetches 52,000
    pieces = get(east, "/pieces?page=play")["pieces"]
    assert "eb-now" in pieces["shared"]
    assert "eb-ground" not in "".join(pieces.values())
    assert sum(map(len, pieces.values())) < 40_000


def test_pages_without_javascript_have_everything(house: Service, client: FlaskClient) -> None:
    accepted(house, Action("start", data={"game": "empire-builder", "players": ["East", "North"]}))
    match = house.table.current
    assert match is not None
    chance = SeededChance(4)
    for _ in range(40):
        match = house.table.current
        assert match is not None
        action = any_action(match.game, match.state, match.state.seat, chance)
        assert action is not None
        accepted(house, action)
    for path in ("/", "/tv", "/match/current"):
        page = client.get(path).get_data(as_text=True)
        assert page.count("eb-ground") >= 1
        assert "East" in page
        assert "Money over the turns" in page


def test_with_cards_on_the_table_the_page_asks_what_a_card_pays_and_which_event_was_drawn(
    app: Flask, house: Service, client: FlaskClient
) -> None:
    options = {"deal": "table", "first": 1, "new_hand": "turn"}
    accepted(house, Action("start", data={"game": "empire-builder", "players": ["", ""], "options": options}))
    east = seated(app, house, 1, "East")
    page = east.get("/play").get_data(as_text=True)
    assert 'id="eb-event"' in page
    assert "The Mississippi floods" in page
    assert 'id="eb-deliver"' not in page
    match = house.table.current
    assert match is not None
    there = train_at(replaced(match.state, round=3, turn=Turn()), 1, "Des Moines", loads=("coal", "corn"))
    told = controls(there, 1).told
    assert told["table"]["loads"] == [("coal", "coal")]
    assert [button.words for button in told["buttons"] if button.action["kind"] == "new_hand"] == [
        "Take a new hand"
    ]


def test_a_remark_that_was_stored_names_places_in_every_language(house: Service) -> None:
    data = {"game": "empire-builder", "players": ["Ada", "Ben"], "mode": "scorekeeper"}
    accepted(house, Action("start", data=data))
    accepted(house, Action("report", 1, {"track": {"1": ["au56 at55 as54"]}}))
    remark = accepted(house, Action("report", 1, {"track": {"1": []}})).event.data["remarks"][0]
    match = house.table.current
    assert match is not None
    assert for_people(remark, match).endswith(": near Birmingham and Atlanta")
    assert said(for_people(remark, match), "de").endswith(": bei Birmingham und Atlanta")
