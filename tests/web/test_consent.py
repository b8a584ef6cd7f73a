"""Old ink: others read from where to where it is moved, and everybody is asked."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.games.railroad_ink.rules.boards.placement import legal_routes
from companion.games.railroad_ink.rules.boards.routes import parse_route, shape_of
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.service.service import Service
from tests.web.houses import accepted, begin, play_rounds
from tests.web.people import get, good, post, problem, seated, the_host

ACTIONS = "/matches/current/actions"


@pytest.fixture
def phones(app: Flask, house: Service) -> tuple[FlaskClient, FlaskClient]:
    """Two phones after the roll of the second round."""
    begin(house, "", "")
    phones = seated(app, house, 1, "East"), seated(app, house, 2, "West")
    play_rounds(house, 1)
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    return phones


@pytest.fixture
def moved(house: Service, phones: tuple[FlaskClient, FlaskClient]) -> JsonObject:
    """The last drawing of East's first round, somewhere else."""
    match = house.table.current
    assert match is not None
    event = next(one for one in reversed(match.events) if (one.kind, one.seat) == ("draw", 1))
    board = match.state.boards[1]
    others = {GRID.cell(one.cell): one.drawn for one in board.drawings if one.cell != event.data["cell"]}
    spots = legal_routes(others, match.state.options.walls, shape_of(parse_route(event.data["route"])))
    cell, route = next(spot for spot in spots if GRID.names[spot[0]] != event.data["cell"])
    return {"seq": event.seq, "data": {**event.data, "cell": GRID.names[cell], "route": route.text}}


def test_everybody_is_asked_and_reads_from_where_to_where(
    house: Service, phones: tuple[FlaskClient, FlaskClient], moved: JsonObject
) -> None:
    east, west = phones
    match = house.table.current
    assert match is not None
    old, new = match.events[moved["seq"] - 1].data["cell"], moved["data"]["cell"]
    problem(post(east, ACTIONS, {"kind": "correct", "data": moved}), 409, "everybody")
    asked = good(post(east, ACTIONS, {"kind": "propose", "data": moved}))
    page = str(get(west, "/pieces?page=play&match=current")["pieces"]["asked"])
    assert "asks everybody to change" in page
    assert "Still to agree" not in page, "who is asked needs no list of who else is"
    assert all(f"in {cell}" in page for cell in (old, new))
    assert f'data-change="agree" data-seq="{asked["seq"]}"' in page
    pieces = get(east, "/pieces?page=play&match=current")["pieces"]
    own, controls = str(pieces["asked"]), str(pieces["controls"])
    assert "Take it back" in own
    assert "Still to agree: West." in own
    whole = east.get("/play").get_data(as_text=True)
    assert whole.index("Take it back") < whole.index('data-piece="headline"'), "what is asked stands first"
    assert 'data-change="agree"' not in own
    assert 'data-do="done"' in controls or "data-source" in controls, "the round goes on meanwhile"
    told = good(post(west, ACTIONS, {"kind": "agree", "data": {"seq": asked["seq"]}}))["data"]
    assert (told["was"]["cell"], told["now"]["cell"]) == (old, new)
    cells = get(west, "/matches/current")["view"]["boards"]["1"]["cells"]
    assert new in cells
    assert old not in cells
    assert "asks everybody" not in str(get(east, "/pieces?page=play&match=current")["pieces"]["asked"])


def test_the_table_reads_what_the_host_corrected(
    house: Service, client: FlaskClient, phones: tuple[FlaskClient, FlaskClient], moved: JsonObject
) -> None:
    accepted(house, Action("correct", 1, moved))
    latest = str(get(client, "/pieces?page=tv&match=current")["pieces"]["latest"])
    assert "corrected &#34;drew the" in latest
    assert f"in {moved['data']['cell']}" in latest.partition("&#34; to &#34;")[2]


def test_what_is_not_possible_anyway_is_put_to_nobody(
    house: Service, phones: tuple[FlaskClient, FlaskClient], moved: JsonObject
) -> None:
    match = house.table.current
    assert match is not None
    board = match.state.boards[1]
    taken = next(one.cell for one in board.drawings if one.cell != moved["data"]["cell"])
    occupied = {**moved, "data": {**moved["data"], "cell": taken}}
    answer = post(phones[0], ACTIONS, {"kind": "correct", "data": occupied})
    assert answer.status_code == 409
    told = answer.get_json()["error"]
    assert told["code"] != "everybody"
    assert "Take that back or change it first" in told["message"]


def test_a_roll_is_corrected_from_what_was_entered_and_says_its_round(app: Flask, house: Service) -> None:
    begin(house, "", "")
    north = seated(app, house, 1, "North")
    good(post(north, ACTIONS, {"kind": "roll", "data": {"faces": ["NS", "ne", "N*", "NS|ew"]}}))
    piece = str(get(north, "/pieces?page=play&match=current")["pieces"]["correct-dice"])
    assert "Round 1 of 7: What do the dice really show?" in piece
    assert re.findall(r'data-slot="\d" data-face="([^"]+)"', piece) == ["NS", "ne", "N*", "NS|ew"]
    whole = north.get("/play").get_data(as_text=True)
    assert whole.index('data-do="correct-roll"') < whole.index('class="mine seat"'), (
        "above the bar of buttons"
    )


def test_dice_of_the_box_stay_and_it_says_what_helps(app: Flask, house: Service) -> None:
    begin(house, "", "")
    host = the_host(app, house)
    accepted(house, Action("roll"))
    told = problem(post(host, ACTIONS, {"kind": "undo", "as_host": True}), 409, "behind-a-roll")
    assert "set your own dice to show the same" in str(told)
    assert "Rolls come from" in str(told)
