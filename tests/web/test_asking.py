"""Questions to the rules over the API: for seats only, and nothing happens by them."""

from __future__ import annotations

from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.jsontext import JsonObject, json_of
from companion.game.base import Action
from companion.service.service import Service
from companion.table.events import Actor
from tests.web.houses import accepted, begin
from tests.web.people import good, problem, seated


def ask(client: FlaskClient, about: str, data: JsonObject | str) -> TestResponse:
    text = data if isinstance(data, str) else json_of(data).decode()
    return client.get(f"/api/v1/matches/current/ask?about={about}&data={quote(text)}")


def empire(app: Flask, house: Service) -> FlaskClient:
    accepted(house, Action("start", data={"game": "empire-builder", "players": ["", ""]}))
    return seated(app, house, 1, "East")


def test_a_plan_has_its_price_from_the_rules_and_nothing_happens(app: Flask, house: Service) -> None:
    east = empire(app, house)
    match = house.table.current
    assert match is not None
    version, seat = match.version, match.state.seat
    told = good(ask(east, "way", {"through": ["Boise"]}))
    assert told["about"] == "way"
    assert told["answer"]["price"] > 0
    after = house.table.current
    assert after is not None
    assert after.version == version
    path = told["answer"]["path"]
    request = Action("build", seat, {"path": path[:2]})
    assert accepted(house, request, Actor("player", seat)).event.data["price"] <= told["answer"]["price"]


def test_what_cannot_be_asked_is_said(app: Flask, house: Service, client: FlaskClient) -> None:
    east = empire(app, house)
    problem(ask(client, "way", {"through": ["Boise"]}), 403, "no-seat")
    problem(ask(east, "weather", {}), 409, "unknown-question")
    problem(ask(east, "run", {"to": "Boise"}), 409, "not-placed")
    problem(ask(east, "way", {"through": ["Atlantis"]}), 422, "unknown-milepost")
    problem(ask(east, "way", "nonsense"), 422, "not-json")
    problem(ask(east, "way", {"through": "x" * 1500}), 422, "bad-question")
    assert ask(east, "way", {"through": "x" * 3000}).status_code == 414


def test_a_game_that_answers_nothing_says_so(app: Flask, house: Service) -> None:
    begin(house, "")
    problem(ask(seated(app, house, 1, "East"), "way", {}), 404, "no-answers")
