"""SPIKE's page over random matches: all that is legal is there, nothing hidden, the markup well made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest
from flask import Flask

from companion.core.jsontext import JsonObject, as_plain
from companion.game.base import Action
from companion.games.spike.rules.match.game import Spike
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.offers import PATHS
from companion.games.spike.ui.presenter import SpikePresenter
from companion.service.service import Service
from companion.table.chance import SeededChance
from companion.table.match import Match
from companion.table.seats import default_player
from lab.spike.randomplay import random_match, random_start
from lab.spike.rules_bench import request
from tests.companion.games.spike.rules.matches import (
    playing,
    with_contracts,
    with_hand,
    with_network,
    with_train,
)
from tests.companion.games.spike.rules.test_hidden import exchanged
from tests.web.houses import accepted
from web.ui import presenter_of
from web.ui.scene import FragmentCache

GAME = Spike()
PRESENTER = SpikePresenter()
VOID = ("path", "circle", "rect", "use", "polygon", "polyline", "input", "br", "line", "ellipse")


class WellFormed(HTMLParser):
    """Every element is closed, in order, and no identifier comes twice."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: set[str] = set()
        self.feed(html)
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if (name := told.get("id")) is not None:
            if name in self.ids:
                self.faults.append(f"the id {name} comes twice")
            self.ids.add(name)
        if "style" in told or any(key.startswith("on") for key in told):
            self.faults.append(f"<{tag}> carries style or script")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed in itself."""

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")


def positions(number: int, every: int = 11) -> Iterator[State]:
    """Moments of a whole random match; every number has other options."""
    chance = SeededChance(number)
    state = random_start(request(number), chance)
    yield state
    for at, (_, now) in enumerate(random_match(state, chance)):
        if at % every == 0 or now.phase != "play":
            yield now


def buttons(told: JsonObject) -> set[str]:
    """What one tap, or a tap and a confirmation, sends."""
    choices = [choice for task in told["tasks"] for choice in task.choices if choice.open]
    return {_text(choice.kind, choice.data) for choice in [*choices, *told["now"]]}


def _text(kind: str, data: JsonObject) -> str:
    return json.dumps([kind, as_plain(data)], sort_keys=True)


def is_reachable(action: Action, told: JsonObject) -> bool:
    asked = told["preparing"]
    match action.kind:
        case "build":
            return _build_is_reachable(action, told)
        case "sides":
            names = {contract["name"] for contract in asked["contracts"]}
            return names >= set(action.data["turned"])
        case "give":
            return action.data["card"] in {card.suit for card in told["hand"]} and bool(asked)
        case "route":
            cards = [card for card, _ in asked.get("routes", asked.get("starts", ()))]
            return action.data["card"] in cards
        case "declare" | "market":
            return "contracts" in asked
        case _:
            return _text(action.kind, action.data) in buttons(told)


def _build_is_reachable(action: Action, told: JsonObject) -> bool:
    suits = told["plan"]["suits"]
    wanted = [action.data["cards"].get(suit, 0) for suit in suits]
    for city in told["plan"]["offers"].values():
        for path in city["paths"]:
            if list(path["path"]) == action.data["path"]:
                return wanted in path["ways"]
    # The longest ways of big hands are tapped track by track.
    return any(city["total"] > PATHS for city in told["plan"]["offers"].values())


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5, 9, 14, 25, 49])
def test_every_legal_action_can_be_reached_and_every_button_is_legal(number: int) -> None:
    for state in positions(number):
        for seat in state.players:
            told = PRESENTER.controls(state, seat).told
            legal = [] if state.finished else GAME.legal(state, seat)
            missing = [action for action in legal if not is_reachable(action, told)]
            assert missing == []
            allowed = {_text(action.kind, action.data) for action in legal}
            assert buttons(told) <= allowed


def test_every_build_offered_is_accepted_with_every_payment() -> None:
    state = with_hand(playing("topeka", "norfolk"), 1, white=3, blue=3, red=2, green=2, yellow=1)
    plan = PRESENTER.controls(state, 1).told["plan"]
    assert plan["offers"]
    for city in plan["offers"].values():
        for path in city["paths"]:
            for way in path["ways"]:
                cards = {suit: count for suit, count in zip(plan["suits"], way, strict=True) if count}
                data = {"path": list(path["path"]), "cards": cards}
                fact = GAME.decide(state, Action("build", 1, data), SeededChance(1))
                assert isinstance(fact, Action), fact


def test_what_follows_from_a_movement_is_said_before() -> None:
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa")
    contracts = state.options.pack.contracts
    contract = next(one for one in contracts.values() if "tulsa" in one.pays)
    here = next(one for one in contracts.values() if one.contract == state.options.on.cities["tulsa"].good)
    state = with_contracts(state, 1, contract.name, here.name)
    state = with_train(state, 1, at=state.players[1].tracks[-1], aboard=(contract.contract,))
    told = PRESENTER.controls(state, 1).told
    going = next(task for task in told["tasks"] if task.name == "move")
    after = {choice.data["to"]: choice.after for choice in going.choices}
    assert f"deliver {contract.contract} for ${contract.pays['tulsa']}" in after["tulsa"]
    assert f"load {here.contract}, after dumping something" in after["tulsa"]
    assert "stays in motion" in after[state.players[1].tracks[-2]]
    assert told["plan"]["places"]["move"].keys() == after.keys()


def match_of(house: Service, state: State, players: int) -> Match:
    """A match at the table with some other state."""
    accepted(house, Action("start", data={"game": "spike", "players": [""] * players}))
    match = house.table.current
    assert match is not None
    return replace(match, state=state)


PAGES = [("watch", None), ("tv", None), ("play", 1), ("play", 2)]


def html_of(match: Match, page: Any, seat: int | None) -> str:
    return "".join(FragmentCache().pieces(match, page, seat).html.values())


@pytest.mark.parametrize(("number", "seed"), [(0, 1), (1, 2), (3, 3), (5, 4)])
def test_no_page_depends_on_what_its_reader_must_not_know(
    app: Flask, house: Service, number: int, seed: int
) -> None:
    random = Random(seed)
    players = request(number).seats
    with app.test_request_context():
        for state in positions(number, every=40):
            if state.finished:
                continue
            match = match_of(house, state, players)
            for page, seat in PAGES:
                other = replace(match, state=exchanged(state, seat, random))
                assert html_of(match, page, seat) == html_of(other, page, seat)


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_the_markup_is_well_formed(app: Flask, house: Service, number: int) -> None:
    players = request(number).seats
    with app.test_request_context():
        for state in positions(number, every=60):
            match = match_of(house, state, players)
            assert match.game.name == "spike"
            assert presenter_of(match.game) is not None
            for page, seat in PAGES:
                assert WellFormed(html_of(match, page, seat)).faults == [], (page, seat)


def test_a_match_with_a_scorekeeper_and_one_with_own_cards_have_their_forms(
    app: Flask, house: Service
) -> None:
    for mode, options, wanted in (
        ("scorekeeper", {}, 'data-form="report"'),
        ("umpire", {"deal": "table"}, 'data-form="declare"'),
    ):
        data: JsonObject = {"game": "spike", "players": ["", ""], "mode": mode, "options": options}
        accepted(house, Action("start", data=data))
        match = house.table.current
        assert match is not None
        with app.test_request_context():
            html = html_of(match, "play", 1)
        assert wanted in html
        assert WellFormed(html).faults == []
    assert "You need 6 contracts, of different goods" in html


def test_the_final_score_says_what_money_and_route_were_paid_for() -> None:
    *_, state = positions(2)
    assert state.finished
    rows = GAME.view(state, None)["scores"]
    for row in rows:
        lines = PRESENTER.score_rows(row)
        assert [line.points for line in lines[:2]] == [row["money"], row["route"]]
        assert sum(line.points or 0 for line in lines[0].lines) == row["money"]
        assert len(lines[1].lines) == 1
    assert any(row["route_cities"] for row in rows) or all(row["route"] == 0 for row in rows)


def test_the_map_is_no_part_of_what_is_sent_at_every_event(app: Flask, house: Service) -> None:
    *_, state = positions(0)
    match = match_of(house, state, request(0).seats)
    with app.test_request_context():
        for page, seat in PAGES:
            pieces = FragmentCache().pieces(match, page, seat).html
            assert 'class="city"' not in "".join(pieces.values())
            assert sum(map(len, pieces.values())) < 45_000, (page, seat)
    ground = PRESENTER.ground(state)
    cities = state.options.on.cities
    assert ground.count('class="city"') == len(cities)
    assert PRESENTER.ground(state) is ground


def test_what_a_tapped_city_says_knows_the_market() -> None:
    *_, state = positions(0)
    view = GAME.view(state, None)
    board = PRESENTER.shared_board(view, {seat: default_player(seat) for seat in state.players})
    told = json.loads(unescape(re.findall(r'data-prices="([^"]*)"', board)[0]))
    assert told == {
        good: price for column in state.market for good, price in zip(column, view["prices"], strict=False)
    }
    assert told
