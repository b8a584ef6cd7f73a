"""What a phone sees first: what it can do now, and never an evening that is long over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.service.service import Service
from companion.service.system.clock import BoxClock
from tests.web.houses import accepted, begin, play_rounds
from tests.web.people import get, good, post, seated, the_host

OFFER = 'href="/join">There is a place for you: sit down'


def page(client: FlaskClient, path: str = "/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def clock_ahead(hours: float) -> BoxClock:
    then = datetime.now(UTC) + timedelta(hours=hours)
    return BoxClock(then.timestamp, lambda: True)


def test_a_phone_of_nobodys_is_offered_the_free_seat(app: Flask, client: FlaskClient, house: Service) -> None:
    begin(house, "East", "North")
    seated(app, house, 1, "East")
    assert OFFER in page(client)
    seated(app, house, 2, "North")
    accepted(house, Action("roll"))
    assert OFFER in page(client), "who comes late draws what was missed"
    while house.table.current is not None and not house.table.current.state.last_round:
        play_rounds(house, 1)
    assert OFFER not in page(client), "all seats are taken, and in the last round nobody can come late"


def test_who_sits_or_runs_the_table_is_asked_nothing(app: Flask, house: Service) -> None:
    begin(house, "East", "North")
    for browser in (seated(app, house, 1, "East"), the_host(app, house)):
        assert OFFER not in page(browser)
        assert get(browser, "/pieces?page=watch")["pieces"]["sit"].strip() == ""


def test_after_a_match_a_new_phone_sees_first_how_to_join(
    app: Flask, client: FlaskClient, house: Service
) -> None:
    begin(house, "East", "North")
    player = seated(app, house, 1, "East")
    play_rounds(house, 7)
    seen, board = page(client), 'data-piece="seat-1"'
    assert seen.index("The next match") < seen.index(board)
    assert seen.count('data-piece="between"') == 1
    players = page(player)
    assert players.index(board) < players.index("The next match"), "who played reads how it ended"


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_another_evening_begins_in_the_lobby(client: FlaskClient, house: Service, path: str) -> None:
    match = begin(house, "East", "North")
    play_rounds(house, 7)
    over = "Final score"
    assert over in page(client, path)
    house.clock = clock_ahead(20)
    seen = page(client, path)
    assert over not in seen
    assert 'class="code"' in seen, "the code of this evening's room"
    if path == "/":
        assert f'href="/match/{match}"' in seen
        assert over in page(client, f"/?match={match}"), "who asks for it still sees it"


def test_a_match_that_waits_overnight_is_shown(client: FlaskClient, house: Service) -> None:
    begin(house, "East", "North")
    house.clock = clock_ahead(20)
    assert "Round 1 of 7" in page(client)


def test_who_reads_how_a_match_went_is_told_of_the_next_one(
    app: Flask, client: FlaskClient, house: Service
) -> None:
    older = begin(house, "East", "North")
    play_rounds(house, 7)
    match = begin(house, "East", "North")
    player = seated(app, house, 1, "East")
    play_rounds(house, 7)
    news = f"/pieces?page=report&match={match}"
    assert get(player, news)["pieces"]["begun"].strip() == ""
    good(post(player, "/matches/current/rematch"))
    assert 'href="/play">To my place' in get(player, news)["pieces"]["begun"]
    assert 'href="/">Watch' in get(client, news)["pieces"]["begun"]
    for path in (f"/match/{match}", f"/match/{match}/dice"):
        assert 'href="/play">To my place' in page(player, path)
    assert "A new match has begun" not in page(player, f"/match/{older}"), "long ago"
