"""Pages are drawn once each, and different ones at the same time."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.game.bots import greedy_action
from companion.games.railroad_ink.rules.scoring.goals import BOXES
from companion.service.service import Service
from companion.table.match import Match
from companion.table.standings import has_won, standings
from tests.web.houses import accepted, begin, play_rounds, play_steps
from web.pages.history import played
from web.site import site_of
from web.ui.plain import PlainPresenter
from web.ui.progress import progress
from web.ui.scene import FragmentCache, Pieces, drawn_dice, scene_of
from web.ui.signs import Feat


@pytest.fixture
def match(house: Service) -> Match:
    begin(house, "East", "North")
    found = house.table.current
    assert found is not None
    return found


def test_different_pages_are_drawn_at_the_same_time(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2, timeout=20)

    def drawn(match: Match, page: str, seat: int | None, photos: object) -> Pieces:
        both.wait()  # passed only when two are being drawn
        return Pieces(match.id, match.version, {"page": f"{page} {seat}"})

    monkeypatch.setattr("web.ui.scene._rendered", drawn)
    book = FragmentCache()
    with ThreadPoolExecutor(2) as pool:
        pages = pool.map(lambda seat: book.pieces(match, "play", seat).html["page"], (1, 2))
        assert list(pages) == ["play 1", "play 2"]


def test_many_who_ask_for_the_same_page_wait_for_one_of_them(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings: Counter[str] = Counter()

    def drawn(match: Match, page: str, seat: int | None, photos: object) -> Pieces:
        drawings[page] += 1
        time.sleep(0.1)
        return Pieces(match.id, match.version, {})

    monkeypatch.setattr("web.ui.scene._rendered", drawn)
    book = FragmentCache()
    with ThreadPoolExecutor(12) as pool:
        made = list(pool.map(lambda _: book.pieces(match, "tv", None), range(12)))
    assert drawings == {"tv": 1}
    assert all(one is made[0] for one in made)


def test_a_page_that_cannot_be_drawn_is_tried_again(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = [ValueError("not now")]

    def drawn(*_: object) -> Pieces:
        if failures:
            raise failures.pop()
        return Pieces(match.id, match.version, {})

    monkeypatch.setattr("web.ui.scene._rendered", drawn)
    book = FragmentCache()
    with pytest.raises(ValueError, match="not now"):
        book.pieces(match, "tv", None)
    assert book.pieces(match, "tv", None).html == {}


def test_the_dice_alone_are_those_of_the_page(
    app: Flask, house: Service, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def same(match: Match | None) -> None:
        assert match is not None
        with app.test_request_context():
            page = site_of(app).pieces.pieces(match, "watch", None).html["dice"]
            assert drawn_dice(match) == page

    def no_view(*_: object) -> None:
        raise AssertionError("boards and scores are not looked at for the dice")

    same(match)
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "NSe*", "NS|ew"]}))
    same(house.table.current)
    play_rounds(house, 7)
    same(house.table.current)
    monkeypatch.setattr(type(match.game), "view", no_view)
    with app.test_request_context():
        assert drawn_dice(match)


def test_a_match_that_was_ended_early_has_places_and_no_winner_the_same_everywhere(
    house: Service, client: FlaskClient
) -> None:
    """An open end is no error yet: whoever drew does not stand behind those who did nothing."""
    begin(house, "Mia", "Ben", "Opa")
    faces = ["NS", "ne", "N*", "NS|ew"]
    accepted(house, Action("roll", data={"faces": faces}))
    accepted(house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
    for ended in (False, True):
        if ended:
            accepted(house, Action("end"))
        match = house.table.current
        assert match is not None
        scene = scene_of(match, None)
        assert {seat.player.name: (seat.place, seat.total) for seat in scene.seats} == {
            result.name: (result.place, result.total) for result in played(match).results
        }
        assert scene.seats[0].place == 1
        assert all(seat.total >= 0 for seat in scene.seats)
        last = progress(match)[-1].totals
        assert last == {seat.number: seat.total for seat in scene.seats}, "the chart ends where the list is"
        assert last == {row["seat"]: row["total"] for row in standings(match)}, "and so do the files"
        assert [bool(seat.place_said) for seat in scene.seats] == [not ended] * 3
        assert not any(has_won(match, row) for row in standings(match))
    assert "1st" not in client.get("/match/current").text
    assert not re.search(r"\d\. Mia", client.get("/history").text)
    assert scene.headline == "Ended early"
    assert "win" not in scene.status.replace("No winner", "")
    assert not any(seat.note for seat in scene.seats)


def test_a_game_without_a_page_of_its_own_tells_no_raw_data(house: Service) -> None:
    presenter = PlainPresenter(house.games["railroad-ink"])
    source = {"kind": "virtual", "uid": "feed00d1ce", "by": "request"}
    assert presenter.event_words("roll", {"faces": ["3", "5"], "source": source}) == "rolled 3, 5"
    assert presenter.event_words("lay", {"card": "A7", "chance": {"order": [1, 2]}}) == "lay card A7"


def test_a_reached_goal_is_signalled_with_its_cells(house: Service) -> None:
    """What the table's screen lights up: by the names that the drawings give to their parts."""
    goals = [goal for cards in BOXES.values() for goal in cards][:3]
    begin(house, "North", "East", "South", options={"goals": goals})
    found: list[Feat] = []
    while not found:
        play_rounds(house, 1, think=greedy_action)
        match = house.table.current
        assert match is not None
        assert not match.finished, "the bots have reached no goal"
        found = [feat for feat in scene_of(match, None).signs.feats if ": " in feat.key]
    match = house.table.current
    assert match is not None
    for feat in found:
        board = next(one.board for one in scene_of(match, None).seats if one.number == feat.seat)
        assert feat.cells
        assert all(f'data-cell="{cell}"' in board for cell in feat.cells)


def test_the_last_round_is_signalled_once_and_who_leads_alone(house: Service) -> None:
    begin(house, "North", "East")
    play_rounds(house, 6, seed=5, think=greedy_action)
    match = house.table.current
    assert match is not None
    signs = scene_of(match, None).signs
    assert [feat.says for feat in signs.feats if feat.key == "last round"] == ["The last round"]
    rows = {one.number: one.place for one in scene_of(match, None).seats}
    alone = list(rows.values()).count(1) == 1
    assert (signs.lead is not None) == alone
    if signs.lead:
        assert rows[signs.lead.seat] == 1
    accepted(house, Action("end"))
    match = house.table.current
    assert match is not None
    signs = scene_of(match, None).signs
    assert (signs.lead, signs.over) == (None, True)


def test_the_screen_shows_what_the_one_whose_turn_it_is_may_deliver(app: Flask, house: Service) -> None:
    """Demand cards lie open; games whose cards nobody else may see show nothing."""
    accepted(house, Action("start", data={"game": "empire-builder", "players": ["Ada", "Ben"]}))
    play_steps(house, 8)
    match = house.table.current
    assert match is not None
    seat = int(match.game.view(match.state, None)["seat"])
    page = app.test_client().get("/tv").get_data(as_text=True)
    shown = page.partition('data-piece="turn"')[2].partition("</section>")[0]
    assert f"What {match.players[seat].name} may deliver" in shown
    view = match.game.view(match.state, None)["players"][str(seat)]
    assert shown.count("<li>") == sum(len(card["demands"]) for card in view["hand"]) == 9
    accepted(house, Action("start", data={"game": "derailed", "players": ["Ada", "Ben"]}))
    page = app.test_client().get("/tv").get_data(as_text=True)
    assert "may deliver" not in page
