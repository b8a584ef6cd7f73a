"""Whole matches over the API: no answer to anybody holds what the rules hide from him.

That views and events themselves depend on nothing hidden is proved beside the game; here everything the API
says is compared with just these.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.jsontext import JsonObject, as_plain
from companion.game.base import Action
from companion.service.service import Service
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match, fact_of
from companion.table.standings import ranked
from lab.spike.randomplay import random_action
from tests.web.houses import accepted
from tests.web.people import get, good, post, problem, seated, the_host

LOOK_EVERY = 40


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def unplaced(view: JsonObject) -> list[JsonObject]:
    """The scores without places: the table, not the game, knows which seats nobody plays."""
    rows = [
        {name: value for name, value in row.items() if name not in ("place", "absent")}
        for row in view["scores"]
    ]
    return sorted(rows, key=lambda row: row["seat"])


def current(house: Service) -> Match:
    match = house.table.current
    assert match is not None
    return match


def look(client: FlaskClient, match: Match, seat: int | None) -> None:
    """Everything this browser can ask for is what the game shows to its seat."""
    state = get(client, "/matches/current")
    assert state["you"] == seat
    seen = as_plain(match.game.view(match.state, seat))
    assert {**state["view"], "scores": unplaced(state["view"])} == {**seen, "scores": unplaced(seen)}
    assert state["view"]["scores"] == as_plain(ranked(match, seen["scores"]))
    events = get(client, "/matches/current/events")
    for line, event in zip(events, match.events, strict=True):
        assert not {"chance", "decks", "rails", "routes"} & keys(line)
        if event.kind not in ("start", "sit"):
            assert line["data"] == as_plain(match.game.seen(match.state, fact_of(event), seat).data)
    if seat is not None and not match.finished:
        legal = get(client, "/matches/current/legal")
        assert [one["data"] for one in legal] == as_plain(
            [a.data for a in match.game.legal(match.state, seat)]
        )


def look_at_pages(client: FlaskClient, match: Match, seat: int | None) -> None:
    """The pages as they are drawn: one's own hand and route on one's own page, and no other anywhere."""
    for page in ("watch", "tv"):
        html = "".join(get(client, f"/pieces?page={page}")["pieces"].values())
        assert "data-plan" not in html
        assert match.finished or "route-card" not in html
    if seat is None or match.finished:
        return
    html = "".join(get(client, "/pieces?page=play")["pieces"].values())
    carried = re.search(r"""data-plan=(["'])(.*?)\1""", html)
    assert carried is not None
    plan = json.loads(unescape(carried[2]))
    own = match.state.players[seat]
    assert plan["hand"] == (list(own.hand) or None)
    shown = {own.route, *own.offered} - {None} if match.state.phase not in ("sides", "give") else set()
    cities = match.state.options.on.cities
    told = {title.partition("from ")[2] for title in re.findall(r"<h3 data-cells=[^>]*>([^<]*)</h3>", html)}
    assert told == {cities[card].name for card in shown}


def play(house: Service, client: FlaskClient, action: Action) -> None:
    """Seat 1 acts through its browser, the others through the table."""
    if action.seat != 1:
        accepted(house, action, Actor("player", action.seat))
        return
    done = good(post(client, "/matches/current/actions", {"kind": action.kind, "data": action.data}))
    match = current(house)
    shown = match.game.seen(match.state, fact_of(match.events[-1]), 1).data
    assert done["data"] == as_plain(shown)
    if not match.finished:
        assert not {"chance", "decks"} & keys(done)


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_match_of_spike(app: Flask, house: Service, client: FlaskClient, players: int) -> None:
    data: JsonObject = {"game": "spike", "players": [""] * players, "options": {"play": "advanced"}}
    accepted(house, Action("start", data=data))
    one = seated(app, house, 1, "East")
    chance = SeededChance(players)
    count = 0
    while not current(house).finished:
        play(house, one, random_action(current(house).state, chance))
        count += 1
        if count % LOOK_EVERY == 1:
            look(one, current(house), 1)
            look(client, current(house), None)
            look_at_pages(one, current(house), 1)
            look_at_pages(client, current(house), None)
    assert any("chance" in event.data for event in current(house).events)
    routes = get(client, "/matches/current")["view"]["seats"]
    assert all(seat["route"] for seat in routes.values())


def test_not_even_the_host_gets_the_decks_before_the_match_is_over(app: Flask, house: Service) -> None:
    accepted(house, Action("start", data={"game": "spike", "players": ["", ""]}))
    host = the_host(app, house)
    match = current(house)
    deck = ",".join(map(str, as_plain(match.opening["setup"])["rails"][:6]))
    sentence = problem(host.get(f"/api/v1/matches/{match.id}/export?form=journal"), 403, "not-finished")
    assert "when the match is over" in sentence
    assert "form=journal" not in host.get(f"/match/{match.id}").get_data(as_text=True)
    for path in (f"/api/v1/matches/{match.id}/export?form=json", f"/api/v1/matches/{match.id}/export"):
        told = host.get(path)
        assert told.status_code == 200
        assert deck not in told.get_data(as_text=True).replace(" ", "")
    good(post(host, "/matches/current/actions", {"kind": "end", "as_host": True}))
    journal = host.get(f"/api/v1/matches/{match.id}/export?form=journal")
    assert journal.status_code == 200
    assert deck in journal.get_data(as_text=True).replace(" ", "").replace(chr(34), "")
