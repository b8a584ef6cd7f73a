"""The coach's page: one's own rounds that are over, everybody's after the match, never a hint."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Action, Fact
from companion.games.railroad_ink.bot import coaching
from companion.games.railroad_ink.bot.levels import LEVELS
from companion.games.railroad_ink.bot.player import RailroadInkBot
from companion.games.railroad_ink.bot.thinking import Effort
from companion.service.coach import Coach
from companion.service.service import Service
from companion.table.match import Match
from tests.web.houses import accepted, begin, play_rounds
from tests.web.people import good, post, problem, seated


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot to whom every drawing costs two points, and nothing at all would have been best."""

    def coach(self: RailroadInkBot, before: Any, fact: Fact, /) -> JsonObject | None:
        told = {"cost": 2.0, "error": 0.4, "worth": 50.0, "made": [], "best": [], "why": [m("because")]}
        return {**told, "round": before.round} if fact.kind == "done" else None

    monkeypatch.setattr(RailroadInkBot, "coach", coach)
    monkeypatch.setattr(RailroadInkBot, "prepare", lambda *_args, **_named: None)


def page(house: Service, client: FlaskClient) -> str:
    """The page once the coach has thought."""
    match = current(house)
    house.coach.rounds(match)
    if house.coach._thread is not None:
        house.coach._thread.join()
    answer = client.get(f"/match/{match.id}/coach")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def current(house: Service) -> Match:
    match = house.table.current
    assert match is not None
    return match


@pytest.mark.usefixtures("priced")
def test_one_sees_ones_own_rounds_once_they_are_over_for_everybody(
    app: Flask, client: FlaskClient, house: Service
) -> None:
    begin(house, "East", "North")
    east = seated(app, house, 1, "East")
    accepted(house, Action("roll"))
    assert "Round 1 cost about" not in page(house, east)
    while current(house).state.round == 1:
        play_rounds(house, 1)
    found = page(house, east)
    assert "Round 1 cost about 2.0 points (give or take 0.4)" in found
    assert "because" in found
    assert found.count("Round 1 cost about") == 1, "North's price is North's"
    assert "Round 1 cost about" not in page(house, client)
    assert "What would have been better?" in east.get("/play").get_data(as_text=True)


@pytest.mark.usefixtures("priced")
def test_how_much_is_still_thought_about_is_told(
    client: FlaskClient, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Coach, "_begin", lambda *_args: None)
    begin(house, "East", "North")
    play_rounds(house, 1)
    found = page(house, client)
    assert "still thinking about 2 drawings" in found
    assert "coach.js" in found, "it looks again by itself"


@pytest.mark.usefixtures("priced")
def test_after_the_match_everybody_sees_all_of_it(client: FlaskClient, house: Service) -> None:
    begin(house, "East", "North")
    play_rounds(house, 7)
    found = page(house, client)
    assert found.count("Round 7 cost about 2.0 points") == 2
    assert found.count("<details open>") == 3, "the dearest ones"
    assert "Points to expect at the end" in found


def test_where_nobody_can_tell_it_says_so(
    client: FlaskClient, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RailroadInkBot, "prepare", lambda *_args, **_named: None)
    monkeypatch.setattr(RailroadInkBot, "coach", lambda *_args: None)
    begin(house, "East", "North")
    play_rounds(house, 1)
    assert "can tell nothing of this match yet" in page(house, client)


@pytest.mark.usefixtures("priced")
def test_on_the_tables_screen_everybody_is_told_where_that_was_chosen(
    client: FlaskClient, house: Service
) -> None:
    begin(house, "East", "North")
    play_rounds(house, 1)
    page(house, client)
    assert "points less than the best" not in client.get("/tv").get_data(as_text=True)
    begin(house, "East", "North", options={"coach": "screen"})
    play_rounds(house, 2)
    assert page(house, client).count("Round 1 cost about 2.0 points") == 2
    told = client.get("/tv").get_data(as_text=True)
    assert "North, round 2: 2.0 points less than the best (give or take 0.4)" in told
    assert "round 1: 2.0" not in told


def test_there_are_hints_for_whoever_draws_where_they_were_chosen(
    app: Flask, client: FlaskClient, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LEVELS, "best", Effort(4, 4))
    usual = begin(house, "East", "North")
    east = seated(app, house, 1, "East")
    accepted(house, Action("roll"))
    assert east.get(f"/match/{usual}/hint").status_code == 404
    assert "A hint" not in east.get("/play").get_data(as_text=True)
    chosen = begin(house, "East", "North", options={"coach": "hints"})
    east = seated(app, house, 1, "East")
    assert "nothing to draw for you now" in east.get(f"/match/{chosen}/hint").get_data(as_text=True)
    accepted(house, Action("roll"))
    assert "A hint" in east.get("/play").get_data(as_text=True)
    found = east.get(f"/match/{chosen}/hint").get_data(as_text=True)
    assert "The best that was found" in found
    best = house.coach.hint(current(house), 1)
    assert best is not None
    assert len(best.boards[1].drawings) >= 4
    assert current(house).state.boards[1].drawings == ()
    assert client.get(f"/match/{chosen}/hint").status_code == 404, "a watcher"


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coach that thinks little."""
    monkeypatch.setattr(coaching, "EFFORT", Effort(6, 6, playouts=12))
    monkeypatch.setattr(coaching, "BLOCK", 20)
    monkeypatch.setattr(coaching, "MOST", 20)


@pytest.mark.usefixtures("hurried")
def test_a_board_without_a_match_has_a_coach_too(client: FlaskClient) -> None:
    cells = {"b1": "NS", "b2": "NS", "d1": "ns", "d7": "ns"}
    position = {"edition": "classic", "cells": {**cells, "a2": "ew"}, "rounds": dict.fromkeys(cells, 2)}
    told = good(post(client, "/advice", {"game": "railroad-ink", "position": position}))
    assert told["advice"]["round"] == 2
    assert {move["cell"] for move in told["advice"]["made"]} == set(cells)
    assert ("Round 2 cost about" in told["html"]) == (told["advice"]["cost"] >= 1)
    assert told["html"].count("<svg") == 2 * (told["advice"]["cost"] > 0)


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ({"cells": {"b1": "NS"}}, "no-round"),
        ({"cells": {"b1": "NS"}, "rounds": {"b1": 12}}, "bad-round"),
        (
            {"cells": {f"{c}{r}": "NS" for c in "bcd" for r in range(2, 6)}, "rounds": "all"},
            "too-many-routes",
        ),
        ({"cells": {"b1": "NS"}, "rounds": {"b1": 1}, "size": "giant"}, "no-coach"),
    ],
)
def test_what_cannot_be_told_is_said_so(client: FlaskClient, position: JsonObject, code: str) -> None:
    if position.get("rounds") == "all":
        position = {**position, "rounds": dict.fromkeys(position["cells"], 1)}
    problem(post(client, "/advice", {"game": "railroad-ink", "position": position}), 422, code)
