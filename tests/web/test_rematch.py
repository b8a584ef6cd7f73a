"""A rematch: bots are bots again, who has left is not waited for, and who came late is in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.service.service import Service
from companion.table.match import Match
from tests.web.houses import accepted, begin
from tests.web.people import get, good, joined, post, problem, seated, the_host
from web.access.joining import join_code

Leave: TypeAlias = Callable[[FlaskClient, FlaskClient], object]
ACTIONS = "/matches/current/actions"


def now(house: Service) -> Match:
    match = house.table.current
    assert match is not None
    return match


def table_of_three(app: Flask, house: Service) -> tuple[FlaskClient, list[FlaskClient]]:
    """The host, and three phones that play with a bot at seat 4."""
    host = the_host(app, house)
    good(post(host, "/matches", {"game": "railroad-ink", "players": ["", "", ""], "bots": 1}))
    return host, [seated(app, house, seat, name) for seat, name in enumerate(("North", "East", "South"), 1)]


def end(host: FlaskClient) -> None:
    good(post(host, ACTIONS, {"kind": "end", "as_host": True}))


def who_plays(match: Match) -> list[tuple[str, str]]:
    return [(player.name, match.holder(seat).by) for seat, player in match.players.items()]


def hold(by: str) -> dict[str, object]:
    return {"kind": "hold", "seat": 2, "data": {"by": by}, "as_host": True}


def sent_home(host: FlaskClient, _phone: FlaskClient) -> None:
    number = next(one["number"] for one in get(host, "/room")["guests"] if one["name"] == "East")
    assert host.delete(f"/api/v1/room/guests/{number}").status_code == 200


PEOPLE = [("North", "person"), ("South", "person"), ("Bot 1", "bot")]
WHILE_PLAYING: dict[str, Leave] = {
    "gets up": lambda _, phone: good(post(phone, "/seats/leave", {"then": "nobody"})),
    "the host says so": lambda host, _: good(post(host, ACTIONS, hold("nobody"))),
    "the host frees the seat": lambda host, _: good(post(host, "/matches/current/seats/2", {"free": True})),
}
ALWAYS: dict[str, Leave] = {
    "goes home": lambda _, phone: phone.delete("/api/v1/room"),
    "is sent home": sent_home,
}
AFTERWARDS: dict[str, Leave] = {
    "gets up after the end": lambda _, phone: good(post(phone, "/seats/leave", {"then": "nobody"})),
}


@pytest.mark.parametrize("way", [*WHILE_PLAYING, *ALWAYS])
def test_who_left_while_it_was_played_is_not_seated(app: Flask, house: Service, way: str) -> None:
    host, phones = table_of_three(app, house)
    {**WHILE_PLAYING, **ALWAYS}[way](host, phones[1])
    end(host)
    good(post(phones[0], "/matches/current/rematch"))
    assert who_plays(now(house)) == PEOPLE
    assert [good(post(phone, "/seats/follow"))["seat"] for phone in (phones[0], phones[2])] == [1, 2]
    assert phones[1].post("/api/v1/seats/follow", json={}).status_code in (403, 409)


@pytest.mark.parametrize("way", [*AFTERWARDS, *ALWAYS])
def test_who_left_after_the_end_is_not_seated(app: Flask, house: Service, way: str) -> None:
    host, phones = table_of_three(app, house)
    end(host)
    {**AFTERWARDS, **ALWAYS}[way](host, phones[1])
    good(post(host, "/matches/current/rematch"))
    assert who_plays(now(house)) == PEOPLE


def test_who_let_a_bot_play_for_a_while_plays_the_next_match(app: Flask, house: Service) -> None:
    host, phones = table_of_three(app, house)
    good(post(phones[1], ACTIONS, {"kind": "hold", "seat": 2, "data": {"by": "bot"}}))
    end(host)
    good(post(phones[1], "/matches/current/rematch"))
    assert ("East", "person") in who_plays(now(house))
    assert good(post(phones[1], "/seats/follow"))["seat"] == 2


@pytest.mark.parametrize("way", ["the phone", "the host"])
def test_a_bot_that_stood_in_goes_on_under_a_bots_name(app: Flask, house: Service, way: str) -> None:
    host, phones = table_of_three(app, house)
    if way == "the phone":
        good(post(phones[1], "/seats/leave", {"then": "bot"}))
    else:
        good(post(host, ACTIONS, hold("bot")))
    end(host)
    good(post(phones[2], "/matches/current/rematch"))
    match = now(house)
    assert who_plays(match) == [("North", "person"), ("Bot 2", "bot"), ("South", "person"), ("Bot 1", "bot")]
    assert match.players[2].person == ""
    problem(post(phones[1], "/seats/follow"), 409, "other-people")
    assert good(post(phones[2], "/seats/follow"))["seat"] == 3
    body = {"code": join_code(house.store, match), "seat": 2, "name": "East", "colour": "", "shape": ""}
    assert good(post(phones[1], "/seats", body))["seat"] == 2, "the seat is free for whoever comes back"
    assert now(house).holder(2).by == "person"


def test_who_came_back_or_came_late_is_in_and_who_only_watches_keeps_the_seat(
    app: Flask, house: Service
) -> None:
    host, phones = table_of_three(app, house)
    good(post(phones[1], "/seats/leave", {"then": "bot"}))
    late = app.test_client()
    body = {"code": join_code(house.store, now(house)), "name": "Late", "colour": "", "shape": ""}
    assert good(post(late, "/seats", {**body, "seat": None}))["seat"] == 5
    good(post(phones[1], "/seats", {**body, "name": "East", "seat": 2}))
    assert phones[2].delete("/api/v1/seats").status_code == 200  # plays with another browser, perhaps
    end(host)
    good(post(late, "/matches/current/rematch"))
    assert who_plays(now(house)) == [
        ("North", "person"),
        ("East", "person"),
        ("South", "person"),
        ("Bot 1", "bot"),
        ("Late", "person"),
    ]
    assert good(post(late, "/seats/follow"))["seat"] == 5


def test_after_a_rematch_nobody_absent_is_waited_for(app: Flask, house: Service) -> None:
    """And once more: the second rematch has the same people as the first."""
    host, phones = table_of_three(app, house)
    good(post(phones[1], "/seats/leave", {"then": "nobody"}))
    for _ in range(2):
        end(host)
        made = good(post(host, "/matches/current/rematch", key="once"))
        assert who_plays(now(house)) == PEOPLE
        assert now(house).id == made["match"]


def test_a_seat_that_nobody_ever_took_is_not_there_again(app: Flask, house: Service) -> None:
    begin(house, "", "", "")
    host, phone = the_host(app, house), seated(app, house, 3, "South")
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    end(host)
    good(post(phone, "/matches/current/rematch"))
    assert who_plays(now(house)) == [("South", "person")]
    assert good(post(phone, "/seats/follow"))["seat"] == 1


def test_too_few_are_told_so(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    good(post(host, "/matches", {"game": "derailed", "players": ["", ""]}))
    north, east = seated(app, house, 1, "North"), seated(app, house, 2, "East")
    good(post(east, "/seats/leave", {"then": "nobody"}))
    end(host)
    assert "not 1" in problem(post(north, "/matches/current/rematch"), 409, "bad-seats")
    good(post(north, "/seats/leave"))
    assert "everybody has left" in problem(post(host, "/matches/current/rematch"), 409, "bad-seats")


@pytest.mark.parametrize(("first", "begins"), [(1, 0), (2, 1), (3, 2)])
def test_the_seat_that_was_to_begin_moves_up_with_its_player(
    app: Flask, house: Service, first: int, begins: int
) -> None:
    host = the_host(app, house)
    request = {"game": "spike", "players": ["North", "East", "South"], "options": {"first": first}}
    good(post(host, "/matches", request))
    good(post(host, ACTIONS, {**hold("nobody"), "seat": 1}))
    end(host)
    good(post(host, "/matches/current/rematch"))
    assert now(house).opening["setup"]["options"]["first"] == begins


def test_a_match_begun_with_bots_is_begun_once(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    request = {"game": "railroad-ink", "players": ["North"], "bots": 1}
    made = good(post(host, "/matches", request, key="k"))
    assert good(post(host, "/matches", request, key="k")) == made
    assert who_plays(now(house)) == [("North", "person"), ("Bot 1", "bot")]


def test_who_came_too_late_has_a_place_in_the_rematch(app: Flask, house: Service) -> None:
    host, guests = the_host(app, house), [joined(app, name) for name in ("North", "East")]
    good(post(host, "/matches", {"game": "spike", "guests": [1, 2]}))
    for guest in guests:
        good(post(guest, "/seats/follow"))
    late = joined(app, "Late", device="late")
    assert "Your place in the next match is kept" in late.get("/play").get_data(as_text=True)
    assert "Late came too late for this match" in host.get("/host").get_data(as_text=True)
    end(host)
    good(post(guests[0], "/matches/current/rematch"))
    assert who_plays(now(house)) == [("North", "person"), ("East", "person"), ("Late", "person")]
    assert good(post(late, "/seats/follow"))["seat"] == 3


def test_bots_make_room_for_who_waited(app: Flask, house: Service) -> None:
    host, guest = the_host(app, house), joined(app, "North")
    good(post(host, "/matches", {"game": "spike", "guests": [1], "bots": 3}))
    good(post(guest, "/seats/follow"))
    joined(app, "Late", device="late")
    end(host)
    good(post(guest, "/matches/current/rematch"))
    assert [name for name, _ in who_plays(now(house))] == ["North", "Bot 1", "Bot 2", "Late"]
