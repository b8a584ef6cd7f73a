"""Derailed! on the page, over random positions of whole matches: what is drawn, said, offered, and hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from random import Random
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject, builtins_of
from companion.core.records import replaced
from companion.game.base import Action, MatchRequest, Refusal
from companion.games.derailed.rules.cards import parse_face
from companion.games.derailed.rules.state import State
from companion.games.derailed.ui.controls import controls
from companion.games.derailed.ui.presenter import DerailedPresenter
from companion.service.service import Service
from companion.table.events import FIRST_HASH, Actor, Event, sealed
from companion.table.match import Match, opened
from companion.table.seats import default_player
from lab.derailed.rules_bench import GAME, Tally, random_options, step
from tests.web.houses import accepted
from tests.web.people import good, post, problem, seated, the_host
from tests.web.test_pages import Tags
from web.ui.scene import FragmentCache, Photos

PRESENTER = DerailedPresenter()
PAGES = ("watch", "tv", "play")
LOOK_EVERY = 9


def begun(seats: int, mode: Any, options: JsonObject, seed: int = 1) -> Match:
    setup = GAME.setup(MatchRequest(seats, mode, options), SeededChance(seed))
    assert not isinstance(setup, Refusal), setup
    players = [builtins_of(default_player(seat)) for seat in range(1, seats + 1)]
    data = {"game": GAME.name, "mode": mode, "players": players, "setup": setup}
    start = Event(
        "m1", 1, "2026-05-01T19:00:00.000+00:00", "start", data, None, Actor("host"), None, FIRST_HASH
    )
    return opened(sealed(start), GAME)


def positions(seats: int, seed: int, every: int = LOOK_EVERY, **fixed: object) -> Iterator[Match]:
    """Every so many moves of a whole match of random legal moves, and its end."""
    random = Random(seed)
    options = {**random_options(random, seats), **fixed}
    match, tally = begun(seats, "umpire", options, seed), Tally()
    chance = SeededChance(random)
    yield match
    while not match.finished:
        match = replace(match, state=step(match.state, random, chance, tally))
        if tally.moves % every == 0 or match.finished or match.state.phase == "between":
            yield match


def pieces(app: Flask, match: Match, page: str, seat: int | None) -> dict[str, str]:
    with app.app_context():
        return FragmentCache().pieces(match, page, seat).html


def told(html: str, name: str) -> Any:
    found = re.search(rf"""data-{name}=(["'])(.*?)\1""", html)
    assert found is not None, name
    return msgspec.json.decode(unescape(found.group(2)))


def deeds(html: str) -> set[str]:
    return set(re.findall(r'data-do="([^"]+)"', html))


def drawn_lanes(html: str) -> ElementTree.Element:
    found = re.search(r'<svg class="board lanes.*?</svg>(?=<div class="toggles")', html, re.DOTALL)
    assert found is not None
    return ElementTree.fromstring(found.group())


@pytest.mark.parametrize(
    ("seats", "deal"),
    [
        *((seats, "box") for seats in range(2, 7)),
        *(
            pytest.param(seats, "table", marks=pytest.mark.slow if seats in (3, 5) else ())
            for seats in range(2, 7)
        ),
    ],
)
def test_every_legal_action_is_within_reach_and_nothing_else(app: Flask, seats: int, deal: str) -> None:
    for match in positions(seats, seed=seats, deal=deal):
        for seat in match.players:
            if match.finished:
                continue
            html = pieces(app, match, "play", seat)["controls"]
            legal = GAME.legal(match.state, seat)
            kinds = {action.kind for action in legal}
            offered = deeds(html) - {"turn", "drop", "palette", "undo"}
            assert offered == kinds, (match.state.phase, seat)
            laid = {
                (cell, face)
                for cells in told(html, "open").values()
                for cell, faces in cells.items()
                for face in faces
            }
            legal_places = {(one.data["cell"], one.data["card"]) for one in legal if one.kind == "place"}
            assert not legal_places or laid == legal_places
            assert bool(re.search(r'data-turn="1"', html)) == ("place" in kinds)
            _check_cards(match.state, seat, html, set(told(html, "open")))


def _check_cards(state: State, seat: int, html: str, open_cards: set[str]) -> None:
    held = [
        unescape(card) for card in re.findall(r'class="hand-card" id="hand-\d" data-card="([^"]+)"', html)
    ]
    palette = [unescape(card) for card in re.findall(r'data-palette="([^"]+)"', html)]
    assert held == list(state.hands.get(seat, ()))
    assert bool(palette) != state.dealt
    assert open_cards <= {*held, *palette}


@pytest.mark.parametrize("seats", [2, 6])
def test_the_drawing_is_whole_and_refers_only_to_what_is_there(app: Flask, seats: int) -> None:
    symbols = set(re.findall(r'id="([^"]+)"', PRESENTER.sprite))
    for match in positions(seats, seed=10 + seats):
        view = GAME.view(match.state, None)
        html = pieces(app, match, "watch", None)["shared"]
        root = drawn_lanes(html)
        ids = {element.get("id") for element in root.iter()}
        used = {str(element.get("href"))[1:] for element in root.iter() if element.tag.endswith("use")}
        assert used <= symbols | ids
        cells = {element.get("data-cell"): element for element in root.iter() if element.get("data-cell")}
        assert len(cells) == 4 * seats
        for cell, element in cells.items():
            assert (element.find("use") is not None) == (cell in view["grid"])
        orders = [element.text for element in root.iter() if element.get("class") == "order"]
        assert sorted(map(str, orders)) == ["1st", "2nd", "3rd", "4th", "5th", "6th"][: len(view["arrived"])]
        _check_tracks(view, root)


def _check_tracks(view: JsonObject, root: ElementTree.Element) -> None:
    """As many lines as tracks; a track under a bridge is drawn in two."""
    arrived = {str(one["seat"]): one["path"] for one in view["arrived"] if one["path"]}
    for seat, company in view["companies"].items():
        steps = arrived.get(seat, view["reach"][seat])
        line = root.find(f".//path[@id='track-{company['letter']}']")
        assert (line is not None) == bool(steps)
        if line is not None:
            assert str(line.get("d")).count("M") == len(steps) + sum(_under(view, one) for one in steps)


def _under(view: JsonObject, track: str) -> bool:
    cell, _, ports = track.partition(":")
    face = view["grid"].get(cell)
    return face is not None and parse_face(face).text == "LR|TB" and set(ports) == {"T", "B"}


@pytest.mark.parametrize("seats", [2, 3, pytest.param(5, marks=pytest.mark.slow)])
def test_no_page_depends_on_what_its_reader_may_not_see(app: Flask, seats: int) -> None:
    """With other cards in all other hands and in the deck, every page stays as it is."""
    looked = 0
    for match in positions(seats, seed=20 + seats, every=17, deal="box"):
        for reader in (None, *match.players):
            another = replace(match, state=_other_cards(match.state, reader))
            for page in PAGES if reader else PAGES[:2]:
                assert pieces(app, match, page, reader) == pieces(app, another, page, reader)
                looked += 1
    assert looked > 20


def _other_cards(state: State, reader: int | None) -> State:
    hidden = [card for seat, hand in state.hands.items() if seat != reader for card in hand] + list(
        state.deck
    )
    turned, hands = hidden[::-1], dict(state.hands)
    for seat, hand in state.hands.items():
        if seat != reader:
            hands[seat], turned = tuple(turned[: len(hand)]), turned[len(hand) :]
    return replaced(state, hands=hands, deck=tuple(turned))


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_points_are_explained_to_the_last_one(seats: int) -> None:
    explained = 0
    for match in positions(seats, seed=30 + seats):
        for row in GAME.score(match.state):
            rows = PRESENTER.score_rows(row)
            assert [one.name for one in rows] == ["Round 1", "Round 2", "Round 3"]
            assert sum(one.points for one in rows) == row["total"]
            assert all(sum(line.points or 0 for line in one.lines) == one.points for one in rows)
            explained += sum(len(one.lines) for one in rows)
    assert explained


def test_what_is_foreseen_is_what_happens() -> None:
    """Whoever arrives by a card is said beforehand, and only he."""
    arrivals = 0
    for match in positions(3, seed=5, every=2):
        state = match.state
        if state.phase != "place":
            continue
        before = GAME.view(state, state.turn)
        for action in GAME.legal(state, state.turn):
            if action.kind != "place":
                continue
            later = GAME.apply(state, action)
            after = GAME.view(later, state.turn)
            says = PRESENTER.foreseen(state, later, state.turn, match.players)
            new = len(after["arrived"]) - len(before["arrived"])
            assert sum("arrive" in line for line in says) == new
            assert any("That ends" in line for line in says) == (len(after["arrived"]) >= after["needed"])
            assert ("arrive" in says[0] or says[0].startswith("You")) if says else new == 0
            arrivals += new
    assert arrivals


def test_a_step_is_shown_beforehand_over_the_api_and_nothing_happens(app: Flask, house: Service) -> None:
    accepted(house, Action("start", data={"game": "derailed", "players": ["", ""]}))
    east, north = seated(app, house, 1, "East"), seated(app, house, 2, "North")
    match = house.table.current
    assert match is not None
    action = GAME.legal(match.state, 1)[0]
    request = {"kind": "place", "data": action.data}
    ahead = good(post(east, "/matches/current/preview", request))
    assert ahead["version"] == match.version
    assert f'data-cell="{action.data["cell"]}"' in ahead["board"]
    assert ahead["says"]
    assert house.table.current is match
    problem(post(north, "/matches/current/preview", request), 409, "not-your-turn")
    problem(post(app.test_client(), "/matches/current/preview", request), 403, "no-seat")
    problem(post(east, "/matches/current/preview", {"kind": "take"}), 409, "place-first")
    far = next(cell for cell in match.state.area().grid.names if cell[1] == "3")
    answer = post(east, "/matches/current/preview", {"kind": "place", "data": {**action.data, "cell": far}})
    assert "does not lead back to" in problem(answer, 409, "no-path")
    assert answer.get_json()["error"]["detail"]["cell"] == far


def test_the_pages_stand_without_javascript_and_without_anything_inline(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    good(post(host, "/matches", {"game": "derailed", "players": ["", "", ""]}))
    east = seated(app, house, 1, "East")
    for path in ("/", "/tv", "/play", "/match/m1"):
        html = _text(east, path)
        tags = Tags(html)
        assert "derailed/page.css" in html
        assert tags.attributes("style") == []
        assert len(tags.inline) == 1, "the one style sheet of the house"
        assert len(tags.attributes("id")) == len(set(tags.attributes("id")))
        assert "Ashfield Express" in html
        assert html.count("<h1") == 1
    good(post(host, "/matches", {"game": "railroad-ink", "players": ["East"]}))
    assert "derailed" not in _text(app.test_client(), "/")
    assert "Derailed! in brief" in _text(app.test_client(), "/help")


def _text(client: FlaskClient, path: str) -> str:
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


def test_the_first_page_is_light(app: Flask, house: Service) -> None:
    """Page, style sheet and scripts together, over the wire, in the middle of a match of six."""
    accepted(house, Action("start", data={"game": "derailed", "players": [""] * 6}))
    east = seated(app, house, 1, "East")
    for _ in range(30):
        match = house.table.current
        assert match is not None
        accepted(house, GAME.legal(match.state, match.state.turn)[0])
    packed = {"Accept-Encoding": "gzip"}
    for path in ("/", "/play", "/tv"):
        answer = east.get(path, headers=packed)
        html = east.get(path).get_data(as_text=True)
        parts = re.findall(r'(?:src|href)="(/static/[^"]+)"', html)
        sizes = [len(east.get(unescape(part), headers=packed).get_data()) for part in parts]
        assert len(answer.get_data()) + sum(sizes) < 60_000, path


def test_a_scorekeepers_page_offers_cards_stations_and_turns() -> None:
    match = begun(2, "scorekeeper", {})
    state = match.state
    state = GAME.apply(state, _fact(state, "report", None, grid={"a1": "TR", "b1": "LB"}))
    template = controls(state, 1)
    assert template.told["turns"] is None
    assert len(template.told["palette"]) == 25
    grid = {"a1": "TR", "b1": "LB", "b2": "TB", "b3": "TB", "b4": "TB|r"}
    for seats, turns in (
        (2, None),
        (3, 0),
    ):  # of two companies the first arrival ends the round: no turn comes after it
        match = begun(seats, "scorekeeper", {})
        ends = {"starts": list("ABC"[:seats]), "destinations": list("BAC" if seats == 2 else "CAB")[:seats]}
        state = GAME.apply(match.state, _fact(match.state, "report", None, grid=grid, **ends))
        assert controls(state, 1).told["turns"] == turns
        assert controls(state, 2).told["turns"] is None


def _fact(state: State, kind: str, seat: int | None, **data: Any) -> Action:
    decided = GAME.decide(state, Action(kind, seat, data), SeededChance(1))
    assert not isinstance(decided, Refusal), decided
    return decided


def test_the_host_chooses_companies_and_who_deals(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    fields = Tags(_text(host, "/host")).attributes("name")
    for option in GAME.options:
        assert f"options.{option.name}" in fields
    for companies, begun_with in (("", "AB"), ("FB", "FB")):
        options = {"companies": companies, "deal": "table"}
        good(post(host, "/matches", {"game": "derailed", "players": ["", ""], "options": options}))
        match = house.table.current
        assert match is not None
        assert (match.state.options.companies, match.state.dealt) == (begun_with, False)


def test_a_round_that_nobody_could_go_on_with_is_said_to_be_one() -> None:
    setup = GAME.setup(MatchRequest(2, "umpire", {}), SeededChance(1))
    assert not isinstance(setup, Refusal)
    state = replaced(GAME.start(setup), phase="between", endings=("stalemate",))
    status = PRESENTER.status(GAME.view(state, 1), {1: "Asha", 2: "Bo"})
    assert status == "Round 1 is over, for nobody could lay a card: set up the next one"
    assert "nobody could lay a card" in controls(state, 1).told["says"]
    assert PRESENTER.event_words("turns", {"count": 1}) == "has had 1 turn since arriving"


def test_a_rematch_is_begun_by_who_made_the_fewest_points() -> None:
    def chosen(first: int, *points: int) -> int:
        setup = GAME.setup(MatchRequest(3, "umpire", {"first": first}), SeededChance(1))
        assert not isinstance(setup, Refusal)
        scores = [{"seat": seat, "total": total} for seat, total in enumerate(points, start=1)]
        options = PRESENTER.rematch_options(setup, scores)
        again = GAME.setup(MatchRequest(3, "umpire", options), SeededChance(2))
        assert not isinstance(again, Refusal)
        assert (
            GAME.setup_fault(again, MatchRequest(3, "umpire", options if first else again["options"])) is None
        )
        assert again["drawn"] is (first == 0)
        return int(options["first"])

    assert chosen(1, 5, 2, 3) == 2
    assert chosen(1, 2, 4, 2) == 3  # among equals the next clockwise from who began
    assert chosen(3, 2, 4, 2) == 1
    assert chosen(0, 5, 2, 3) == 0


def test_who_holds_dealt_cards_reads_which_match_photographs_them(app: Flask) -> None:
    for deal, photographed in (("box", False), ("table", True)):
        with app.app_context():
            match = begun(2, "umpire", {"deal": deal})
            html = FragmentCache().pieces(match, "play", 1, Photos(True, False)).html["controls"]
            assert ('data-do="photo"' in html) is photographed
            assert ("For paper cards choose" in html) is not photographed
            assert "For paper cards" not in FragmentCache().pieces(match, "play", 1).html["controls"]


def test_the_help_says_how_cards_are_photographed(app: Flask) -> None:
    page = _text(app.test_client(), "/help")
    assert "Photographs of your cards" in page
    assert "Our own, on the table" in page
