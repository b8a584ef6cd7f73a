"""The other pages as a reader without JavaScript gets them."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.game.bots import any_action
from companion.games.derailed.ui.presenter import DerailedPresenter
from companion.games.railroad_ink.ui.quick import quick_board
from companion.service.service import Service
from companion.table.chance import SeededChance
from tests.web.houses import accepted, begin, play_rounds
from tests.web.people import good, post, seated, the_host
from tests.web.test_pages import Tags
from web.pages.assets import style
from web.ui.parts import Controls

PAGES = ("/", "/tv", "/join", "/host", "/history", "/score", "/help")


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_stands_before_and_during_a_match_without_anything_inline(
    client: FlaskClient, house: Service, path: str
) -> None:
    for stage in ("before", "during"):
        html = text(client, path)
        tags = Tags(html)
        assert tags.inline == [style()], stage
        assert tags.attributes("style") == []
        assert [name for _, found in tags.tags for name in found if name.startswith("on")] == []
        assert len(tags.attributes("id")) == len(set(tags.attributes("id"))), path
        assert html.count("<h1") == 1, path
        assert 'lang="en"' in html
        begin(house)
        play_rounds(house, 1)


@pytest.mark.parametrize("path", [*PAGES, "/play", "/match/m1"])
def test_help_is_on_every_page(app: Flask, house: Service, path: str) -> None:
    begin(house, "", "")
    east = seated(app, house, 1, "East")
    html = text(east, path)
    assert 'href="/help"' in html or 'class="help"' in html or path == "/tv"


def test_help_leads_to_the_rules_of_every_game(client: FlaskClient, house: Service) -> None:
    tags = Tags(text(client, "/help"))
    aims = {link[1:] for link in tags.attributes("href") if link.startswith("#") and link != "#main"}
    assert aims >= {f"rules-{game}" for game in house.games}
    assert aims <= set(tags.attributes("id"))


def test_the_play_page_offers_exactly_what_the_rules_allow(app: Flask, house: Service) -> None:
    begin(house, "", "")
    east = seated(app, house, 1, "East")
    assert "Throw the dice" in text(east, "/play")
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    html = text(east, "/play")
    match = house.table.current
    assert match is not None
    legal = {
        action.data["from"] + ":" + action.data["route"]
        for action in match.game.legal(match.state, 1)
        if action.kind == "draw"
    }
    assert legal
    assert html.count('class="choice') >= 4
    assert "Done" in html
    good(
        post(
            east,
            "/matches/current/actions",
            {"kind": "draw", "data": {"cell": "b1", "route": "NS", "from": "die"}},
        )
    )
    assert "drawn" in text(east, "/play")


def test_of_two_equal_dice_the_first_is_drawn_first_and_done_leaves_them_as_they_are(
    app: Flask, house: Service
) -> None:
    begin(house, "East", "North")
    east = seated(app, house, 1, "East")
    accepted(house, Action("roll", data={"faces": ["NS", "NS", "N*", "NS|ew"]}))

    def drawn() -> list[bool]:
        return ["drawn" in one for one in re.findall(r'class="choice([^"]*from-die)"', text(east, "/play"))]

    assert drawn() == [False] * 4
    accepted(house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
    assert drawn() == [True, False, False, False]
    match = house.table.current
    chance = SeededChance(3)
    while match is not None and 1 not in match.state.done:
        action = any_action(match.game, match.state, 1, chance)
        assert action is not None
        accepted(house, action)
        match = house.table.current
    assert drawn()[0], "after Done they do not look undrawn"


def test_a_scorekeepers_play_page_reports_boards(app: Flask, house: Service) -> None:
    begin(house, "", "", mode="scorekeeper")
    east = seated(app, house, 1, "East")
    assert "Tap a cell to enter" in text(east, "/play")
    assert "Round of new routes" in text(east, "/play")
    report = {"kind": "report", "data": {"cells": {"b1": "NS", "b2": "NE"}, "rounds": {"b1": 1, "b2": 2}}}
    good(post(east, "/matches/current/actions", report))
    assert 'data-cell="b2"' in text(east, "/play")
    good(post(east, "/matches/current/actions", {"kind": "done"}))
    assert "Your board is final" in text(east, "/play")


def test_a_finished_match_has_a_report_with_boards_chart_and_timeline(
    client: FlaskClient, house: Service
) -> None:
    match = begin(house, "East", "North")
    play_rounds(house, 7)
    html = text(client, f"/match/{match}")
    assert html.count('class="board usual"') == 2
    assert 'class="chart"' in html
    assert "Add to Board Game Stats" in html
    current = house.table.current
    assert current is not None
    assert html.count("<time datetime") == len(current.events) + 1
    assert client.get("/match/nothing").status_code == 404


def test_history_lists_matches_and_players(client: FlaskClient, app: Flask, house: Service) -> None:
    first = begin(house, "East", "North")
    play_rounds(house, 7)
    second = begin(house, "East", "South")
    play_rounds(house, 1)
    host = the_host(app, house)
    good(post(host, "/matches/current/actions", {"kind": "end", "as_host": True}))
    html = text(client, "/history")
    assert html.index(f"/match/{second}") < html.index(f"/match/{first}")
    players = re.findall(r'<th scope="row"><a [^>]+>(\w+)</a></th><td>(\d+)</td>', html)
    assert sorted(players) == [("East", "1"), ("North", "1")], "an early end counts for nobody"


def test_quick_score_counts_a_board_by_hand(client: FlaskClient) -> None:
    position = {"cells": {"b1": "NS", "b2": "NW", "a2": "Ew*"}}
    told = good(post(client, "/scores", {"game": "railroad-ink", "position": position}))
    assert told["score"]["total"] == 8
    assert told["lines"][-1] == "Total: 8"
    assert "Network of 2 exits" in told["html"]
    for bad in ({"cells": {"z9": "NS"}}, {"cells": {"b1": "n*s"}}, {"cells": 1}, {}):
        answer = post(client, "/scores", {"game": "railroad-ink", "position": bad})
        assert answer.status_code == 422, bad
    assert post(client, "/scores", {"game": "chess", "position": {}}).status_code == 422


@pytest.mark.parametrize(
    ("game", "position", "said"),
    [
        ("derailed", {"starts": "AB", "destinations": "BA", "grid": {"a1": "TB"}}, "Ashfield"),
        ("spike", {"tracks": {"1": ["topeka-i2", "i1-i2"], "2": []}, "money": {"1": 5, "2": 9}}, "Seat 2"),
        ("empire-builder", {"track": {"1": ["ao38 an39 am40"]}, "cash": {"1": 31}}, "Seat 1"),
    ],
)
def test_quick_score_counts_a_position_of_every_game(
    client: FlaskClient, game: str, position: object, said: str
) -> None:
    told = good(post(client, "/scores", {"game": game, "position": position}))
    assert told["lines"]
    assert said in told["html"]
    assert "None" not in told["html"]


def test_a_game_without_a_show_of_its_own_can_be_watched_and_played(
    app: Flask, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.ui.packages", dict)
    host = the_host(app, house)
    good(post(host, "/matches", {"game": "derailed", "players": ["", ""]}))
    east = seated(app, house, 1, "East")
    for path in ("/", "/tv", "/play", "/match/m1", "/history"):
        assert "East" in text(east, path), path
    play, match = text(east, "/play"), house.table.current
    assert match is not None
    buttons, legal = len(re.findall(r'data-action="([^"]+)"', play)), len(match.game.legal(match.state, 1))
    assert 0 < buttons <= legal
    assert re.findall(r"and (\d+) more", play) == ([str(legal - buttons)] if legal > buttons else [])


def test_quick_score_lets_people_choose_where_several_games_offer_it(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 'aria-label="Game"' not in text(client, "/score")
    assert client.get("/score?game=derailed").status_code == 404
    empty = Controls("railroad-ink/quick.html", quick_board().told)
    monkeypatch.setattr(DerailedPresenter, "quick", lambda self: empty, raising=False)
    first, second = text(client, "/score"), text(client, "/score?game=derailed")
    assert 'data-game="railroad-ink"' in first
    assert 'data-game="derailed"' in second
    assert "/static/derailed/play.js" in second
    for page in (first, second):
        assert 'href="/score?game=derailed"' in page
        assert 'href="/score?game=railroad-ink"' in page


def test_a_solo_player_with_research_labs_is_offered_to_roll_dice_again(app: Flask, house: Service) -> None:
    begin(house, "", options={"labs": "b3"})
    east = seated(app, house, 1, "East")
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    page = text(east, "/play")
    assert "Roll dice again: 3 research points" in page
    assert page.count('name="again"') == 4
    good(post(east, "/matches/current/actions", {"kind": "reroll", "data": {"dice": [1, 2]}}))
    assert "Roll dice again: 2 research points" in text(east, "/play")
