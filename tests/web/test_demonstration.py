"""A demonstration says what it is, and takes a name and nothing else; no other table does."""

from __future__ import annotations

import threading

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.registry import GAMES
from companion.service.demonstration import Demonstration
from companion.service.service import Service
from companion.table.sitting import taken_seats
from companion.table.table import Accepted
from tests.web.houses import begin
from tests.web.people import get, good, post, problem, seated
from web import create_app
from web.app import WebSettings

STRIP = "This is a demonstration"


@pytest.fixture
def shown(house: Service) -> Flask:
    """The pages of a demonstration, in which four bots play."""
    begin(house, "North", "East", "South", "West")
    return create_app(house, WebSettings(demonstration=True))


def test_who_opens_the_address_sees_what_it_is_and_three_things_to_press(shown: Flask) -> None:
    visitor = shown.test_client()
    page = visitor.get("/").get_data(as_text=True)
    assert STRIP in page
    assert "Play with real boards, pens and cards" in page
    for way in ('href="/play">Play</a>', 'href="/learn">Learn</a>', 'href="/tv">Make this the table'):
        assert way in page.partition("<main")[2]
    assert "welcome-picture" in page
    code = get(visitor, "/room")["code"]
    good(post(visitor, "/seats", {"code": code, "name": "Ada"}))
    again = visitor.get("/").get_data(as_text=True)
    assert "welcome-picture" not in again, "who sits here knows"
    assert STRIP in again


def test_a_box_without_a_match_says_what_it_is(app: Flask, client: FlaskClient) -> None:
    code = get(client, "/room")["code"]
    page = client.get("/").get_data(as_text=True)
    assert "Play with real boards, pens and cards" in page
    assert f'href="/j/{code}">Play</a>' in page
    assert STRIP not in page
    good(post(client, "/room", {"code": code, "name": "Ada"}))
    assert "welcome-picture" not in client.get("/").get_data(as_text=True)
    assert "welcome-picture" not in client.get("/tv").get_data(as_text=True)


@pytest.mark.parametrize("path", ["/join", "/learn", "/history", "/score", "/help", "/sheets", "/host"])
def test_every_page_says_that_it_is_a_demonstration_and_what_to_press(shown: Flask, path: str) -> None:
    page = shown.test_client().get(path).get_data(as_text=True)
    assert STRIP in page
    assert '<a href="/play">Sit down</a>' in page
    assert '<a href="/learn">Learn by playing</a>' in page


def test_its_screen_says_how_one_sits_down(shown: Flask) -> None:
    page = shown.test_client().get("/tv").get_data(as_text=True)
    assert "A demonstration: sit down with your phone." in page
    assert STRIP not in page, "the corner says it"


def test_a_name_is_enough_to_take_a_bots_seat(shown: Flask, house: Service) -> None:
    for seat, name in ((1, "Ada"), (2, "Ben")):
        phone = shown.test_client()
        page = phone.get("/play", follow_redirects=True).get_data(as_text=True)
        for asked in ('name="seat"', 'name="colour"', 'id="code-form"', 'id="ask-in"'):
            assert asked not in page
        code = get(phone, "/room")["code"]
        assert f'name="code" value="{code}"' in page
        told = good(post(phone, "/seats", {"code": code, "name": name, "device": ""}))
        assert (told["seat"], told["player"]["name"]) == (seat, name)
        assert name in phone.get("/play").get_data(as_text=True)
        assert name in shown.test_client().get("/").get_data(as_text=True)
    match = house.table.current
    assert match is not None
    assert taken_seats(match) == {1, 2}


def test_who_gets_up_gives_the_seat_back_and_may_have_it_again(shown: Flask, house: Service) -> None:
    phone = shown.test_client()
    code = get(phone, "/room")["code"]
    good(post(phone, "/seats", {"code": code, "name": "Ada"}))
    good(post(phone, "/seats/leave", {"then": "bot"}))
    match = house.table.current
    assert match is not None
    assert (taken_seats(match), match.holder(1).by) == (frozenset(), "bot")
    page = phone.get("/play", follow_redirects=True).get_data(as_text=True)
    assert "a bot plays" in page
    assert "has no phone" not in page
    assert good(post(phone, "/seats", {"seat": 1}))["player"]["name"] == "Ada"


def test_who_gets_up_stays_up_when_the_bots_go_on_with_the_seat(shown: Flask, house: Service) -> None:
    phone, next_visitor = shown.test_client(), shown.test_client()
    code = get(phone, "/room")["code"]
    good(post(phone, "/seats", {"code": code, "name": "Ada"}))
    good(post(phone, "/seats/leave", {"then": "nobody"}))
    bots = Demonstration(house.table, threading.Event(), GAMES["railroad-ink"], taken=taken_seats)
    for _ in range(2):  # they throw the dice, and go on with the seat
        request = bots.next_request()
        assert request is not None
        assert isinstance(house.table.submit(*request), Accepted)
    match = house.table.current
    assert match is not None
    assert match.holder(1).by == "person", "the bots of the demonstration play it like their own"
    assert "data-claim" not in phone.get("/play", follow_redirects=True).get_data(as_text=True)
    problem(post(phone, "/seats/follow"), 409, "other-people")
    told = good(post(next_visitor, "/seats", {"code": code, "name": "Ben"}))
    assert told["seat"] == 1, "it is kept for nobody"


def test_where_people_play_the_code_stays_with_those_who_may_see_it(app: Flask, house: Service) -> None:
    begin(house, "North", "East", "South", "West")
    friend, stranger = seated(app, house, 1, "Ben"), app.test_client()
    assert get(stranger, "/room")["code"] is None
    for path in ("/", "/join", "/tv", "/learn"):
        page = stranger.get(path).get_data(as_text=True)
        assert STRIP not in page
        assert "A demonstration" not in page
    assert 'id="code-form"' in stranger.get("/play", follow_redirects=True).get_data(as_text=True)
    for body in ({"name": "Ada"}, {"name": "Ada", "seat": 2}):
        problem(post(stranger, "/seats", body), 403, "bad-code")
    code = get(friend, "/room")["code"]
    late = good(post(stranger, "/seats", {"name": "Ada", "code": code}))
    assert late["seat"] == 5, "one more, not the place of somebody who has no phone"
