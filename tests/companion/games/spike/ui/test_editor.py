"""Describing one's own SPIKE board: the page, every fault with its line, and a match on what was kept."""

from __future__ import annotations

import json

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games.spike.rules.boards.board import board_text, shipped_text
from companion.games.spike.rules.boards.owners import option_faults
from companion.games.spike.rules.match.game import Spike
from companion.games.spike.ui.editor import empty_board
from companion.service.service import Service
from tests.web.people import good, post, problem, the_host

BOARD = board_text("eastern-states").replace("Eastern States", "My own")
CARDS = shipped_text("eastern-states", "cards")


def keep(client: FlaskClient, option: str, text: str) -> TestResponse:
    return post(client, "/host/options", {"game": "spike", "option": option, "text": text})


def test_the_editor_is_the_hosts(app: Flask, house: Service, client: FlaskClient) -> None:
    assert "Host PIN" in client.get("/host/spike").get_data(as_text=True)
    page = the_host(app, house).get("/host/spike").get_data(as_text=True)
    assert "My board" in page
    assert page.count("&#34;suit&#34;") >= 6


def test_an_empty_board_has_everything_but_places_and_tracks() -> None:
    lines = [json.loads(line) for line in empty_board().splitlines()]
    kinds = [next(iter(line)) for line in lines]
    assert (kinds[0], kinds.count("suit"), kinds.count("good")) == ("board", 6, 12)
    assert all("suit" in fault or "supplies" in fault for fault in option_faults({"board": empty_board()}))


def test_every_fault_is_said_with_its_file_and_line(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    wrong = BOARD.replace('"topeka"', '"paris"', 1)
    answer = keep(host, "board", wrong)
    problem(answer, 422, "bad-option")
    faults = answer.get_json()["error"]["detail"]["faults"]
    assert len(faults) > 1
    assert all(fault.startswith("board, line ") for fault in faults)
    wrong_cards = CARDS.replace('"miami"', '"paris"', 1)
    assert "cards, line 2: there is no city 'paris'" in problem(
        keep(host, "cards", wrong_cards), 422, "bad-option"
    )


def test_a_match_is_played_on_what_was_kept(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    good(keep(host, "board", BOARD))
    good(keep(host, "cards", CARDS))
    page = host.get("/host").get_data(as_text=True)
    assert "My own" in page
    assert "/host/spike" in page
    assert "My own" in host.get("/host/spike").get_data(as_text=True)
    options = {"board": BOARD, "cards": CARDS}
    good(post(host, "/matches", {"game": "spike", "players": ["East", "North"], "options": options}))
    match = house.table.current
    assert match is not None
    assert match.state.options.on.heading.board == "My own"
    watched = host.get("/").get_data(as_text=True)
    assert "The map My own" in watched
    assert "spike-land" not in watched.partition("rail-map")[2]


def test_empty_files_are_the_shipped_ones(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    body = {"game": "spike", "players": ["East", "North"], "options": {"board": "", "cards": ""}}
    good(post(host, "/matches", body))
    match = house.table.current
    assert match is not None
    assert match.opening["setup"]["options"]["board"] == "eastern-states"
    assert option_faults({"board": "", "cards": ""}) == []
    assert option_faults({"cards": CARDS}) == []
    assert {option.name for option in Spike.options if option.default == ""} == {"board", "cards"}
