"""The room: joining before a match, beginning with whoever is there, coming late, and being let in again."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.service.service import Service
from companion.table.match import Match
from tests.web.houses import accepted, begin
from tests.web.people import get, good, joined, post, problem, seated, the_host
from web import create_app
from web.access.joining import join_code
from web.access.room import MOST_GUESTS
from web.site import site_of


def code_of(app: Flask) -> str:
    return site_of(app).room.code


def now(house: Service) -> Match:
    match = house.table.current
    assert match is not None
    return match


def there(client: FlaskClient) -> list[str]:
    return [one["name"] for one in get(client, "/room")["guests"]]


def test_people_join_before_there_is_a_match_and_everybody_sees_it(app: Flask, client: FlaskClient) -> None:
    assert there(client) == []
    version = site_of(app).room.version
    north, east = joined(app, "North"), joined(app, "East")
    assert site_of(app).room.version == version + 2
    assert there(client) == ["North", "East"]
    assert [one["you"] for one in get(east, "/room")["guests"]] == [False, True]
    marks = {(one["colour"], one["shape"]) for one in get(north, "/room")["guests"]}
    assert len(marks) == 2, "both had asked for the same colour"


def test_the_code_is_needed_and_guessing_it_cools_down(app: Flask, client: FlaskClient) -> None:
    for _ in range(3):
        problem(post(client, "/room", {"code": "22222", "name": "North"}), 403, "bad-code")
    problem(post(client, "/room", {"code": code_of(app), "name": "North"}), 429, "slow-down")


def test_a_name_that_is_there_is_refused_and_a_name_can_be_changed(app: Flask) -> None:
    north = joined(app, "North")
    problem(post(app.test_client(), "/room", {"code": code_of(app), "name": " north "}), 409, "taken")
    good(post(north, "/room", {"name": "Nora"}))
    assert there(north) == ["Nora"]


def test_a_phone_that_lost_its_cookies_is_the_same_guest(app: Flask) -> None:
    joined(app, "North", device="a number the phone keeps")
    again = joined(app, "North", device="a number the phone keeps")
    assert there(again) == ["North"]


def test_the_room_outlives_a_restart_and_ends_with_the_evening(app: Flask, house: Service) -> None:
    north = joined(app, "North")
    cookie = north.get_cookie("stationmaster_guest")
    assert cookie is not None
    other = create_app(house)
    again = other.test_client()
    again.set_cookie("stationmaster_guest", cookie.value)
    assert get(again, "/room")["guests"][0]["you"]
    room = site_of(other).room
    code, late = room.code, room.clock() + 13 * 3600
    room.clock = lambda: late
    assert room.guests == ()
    assert room.code != code


def test_a_full_room_says_so(app: Flask) -> None:
    for number in range(MOST_GUESTS):
        joined(app, f"P{number}")
    problem(post(app.test_client(), "/room", {"code": code_of(app), "name": "Late"}), 409, "room-full")


def test_the_host_begins_with_whoever_is_there_and_phones_go_to_their_seats(
    app: Flask, house: Service
) -> None:
    north, east, host = joined(app, "North", device="n"), joined(app, "East"), the_host(app, house)
    problem(post(north, "/seats/follow"), 404, "no-match")
    numbers = [one["number"] for one in get(host, "/room")["guests"]]
    request = {"game": "railroad-ink", "guests": numbers, "players": ["Grandpa"], "bots": 1}
    good(post(host, "/matches", request))
    match = now(house)
    assert [one.name for one in match.players.values()] == ["North", "East", "Grandpa", "Bot 1"]
    assert len({one.colour for one in match.players.values()}) == 4
    assert match.holder(4).by == "bot"
    for seat, phone in enumerate((north, east), start=1):
        assert good(post(phone, "/seats/follow"))["seat"] == seat
        assert get(phone, "/me")["seat"] == seat
    assert get(host, "/room")["guests"][0]["seat"] == 1


def test_a_host_without_a_seat_can_always_join_with_that_phone(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    for _ in range(2):  # nobody is there, and somebody is
        page = host.get("/host").text
        assert "join with this phone" in page
        form = host.get("/play", follow_redirects=True).text
        assert f'value="{code_of(app)}"' in form
        assert 'name="name"' in form
        joined(app, "East", device="phone of East")
    good(post(host, "/room", {"code": code_of(app), "name": "North"}))
    assert "join with this phone" not in host.get("/host").text


def test_whose_cards_are_played_with_is_asked_and_remembered(app: Flask, house: Service) -> None:
    host = the_host(app, house)

    def chosen() -> str:
        """In the form for the next match."""
        asked = host.get("/host").text.partition('value="derailed"')[2].partition(">")[0]
        return asked.partition('data-deal="')[2].partition('"')[0]

    assert chosen() == "box"
    for deal in ("table", "box"):
        body = {"game": "derailed", "players": ["East", "North", "South"], "options": {"deal": deal}}
        good(post(host, "/matches", body))
        assert chosen() == deal
        accepted(house, Action("end"))


def test_nobody_takes_a_guests_seat_before_the_guests_phone_comes(app: Flask, house: Service) -> None:
    north, east, host = joined(app, "North"), joined(app, "East"), the_host(app, house)
    good(post(host, "/matches", {"game": "railroad-ink", "guests": [1]}))
    assert "North" in problem(post(east, "/seats", {"seat": 1}), 409, "kept")
    problem(post(east, "/seats/look-after", {"seat": 1}), 409, "kept")
    assert good(post(north, "/seats/follow"))["seat"] == 1
    good(post(north, "/seats/leave"))
    assert good(post(east, "/seats", {"seat": 1}))["seat"] == 1, "who got up keeps nothing"


def test_seats_of_the_next_match_are_where_its_people_sit(app: Flask, house: Service) -> None:
    north, east, host = joined(app, "North"), joined(app, "East"), the_host(app, house)
    for order in ([1, 2], [2, 1], [2]):
        good(post(host, "/matches", {"game": "railroad-ink", "guests": order}))
        for phone, number in ((north, 1), (east, 2)):
            if number in order:
                assert good(post(phone, "/seats/follow"))["seat"] == order.index(number) + 1
    problem(post(north, "/seats/follow"), 409, "other-people")


def test_names_colours_and_empty_seats_beside_guests(app: Flask, house: Service) -> None:
    joined(app, "North", colour="blue", shape="square")
    request = {"game": "railroad-ink", "guests": [1], "players": ["", "Grandpa"]}
    good(post(the_host(app, house), "/matches", request))
    players = now(house).players.values()
    assert [one.name for one in players] == ["North", "Seat 2", "Grandpa"]
    assert len({one.colour for one in players}) == len({one.shape for one in players}) == 3


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [({}, 422, "bad-shape"), ({"guests": [77]}, 409, "no-guest"), ({"bots": 1}, 409, "bad-seats")],
)
def test_what_cannot_begin_is_said(
    app: Flask, house: Service, request_: dict[str, Any], status: int, code: str
) -> None:
    problem(post(the_host(app, house), "/matches", {"game": "spike", **request_}), status, code)


def test_a_late_guest_takes_a_seat_more_where_the_rules_allow_it(app: Flask, house: Service) -> None:
    begin(house, "North")
    late = joined(app, "Late", device="l")
    assert good(post(late, "/seats", {}))["seat"] == 2
    assert now(house).players[2].name == "Late"
    accepted(house, Action("hold", 1, {"by": "nobody"}))
    later = joined(app, "Later")
    assert good(post(later, "/seats", {}))["seat"] == 3
    accepted(house, Action("end"))
    problem(post(joined(app, "Last"), "/seats", {}), 409, "finished")


def test_a_late_guest_takes_over_from_a_bot(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    first = joined(app, "North")
    good(post(host, "/matches", {"game": "spike", "guests": [1], "bots": 1}))
    good(post(first, "/seats/follow"))
    late = joined(app, "Late")
    problem(post(late, "/seats", {}), 409, "full" if len(now(house).players) > 5 else "too-late")
    assert good(post(late, "/seats", {"seat": 2}))["player"]["name"] == "Late"
    assert now(house).holders == {}


def test_getting_up_frees_the_seat_which_keeps_its_name(app: Flask, house: Service) -> None:
    begin(house, "", "")
    east, north = seated(app, house, 1, "East"), seated(app, house, 2, "North")
    good(post(east, "/seats/leave"))
    assert get(east, "/me")["seat"] is None
    assert now(house).players[1].name == "East"
    assert now(house).holder(1).by == "nobody"
    assert good(post(east, "/seats", {"seat": 1}))["player"]["name"] == "East"
    assert now(house).holders == {}
    good(post(north, "/seats/leave", {"then": "bot"}))
    assert now(house).holder(2).by == "bot"
    problem(post(north, "/seats/leave"), 403, "no-seat")


# --- one phone for several seats ---


def test_one_phone_looks_after_somebody_without_one(app: Flask, house: Service) -> None:
    begin(house, "", "Grandpa", "")
    east, west = seated(app, house, 1, "East"), seated(app, house, 3, "West")
    assert good(post(east, "/seats/look-after", {"seat": 2}))["seat"] == 2
    assert get(east, "/me")["seat"] == 2
    assert good(post(east, "/seats/turn", {"seat": 1}))["seat"] == 1
    assert get(east, "/me")["seat"] == 1
    problem(post(east, "/seats/look-after", {"seat": 3}), 409, "taken")
    problem(post(west, "/seats/turn", {"seat": 2}), 403, "not-your-seat")
    problem(post(app.test_client(), "/seats/look-after", {"seat": 2}), 403, "no-seat")
    accepted(house, Action("end"))
    good(post(east, "/matches/current/rematch"))
    good(post(east, "/seats/follow"))
    assert good(post(east, "/seats/turn", {"seat": 2}))["player"]["name"] == "Grandpa"


def test_a_guest_is_not_offered_the_seat_that_another_phone_plays(app: Flask, house: Service) -> None:
    begin(house, "", "Grandpa")
    east = seated(app, house, 1, "East")
    guest = app.test_client()
    assert 'name="seat" value="2"' in page(guest, f"/j/{site_of(app).room.code}")
    good(post(east, "/seats/look-after", {"seat": 2}))
    offered = page(guest, f"/j/{site_of(app).room.code}")
    assert 'name="seat" value="2"' not in offered
    assert 'data-again="2"' in offered, "Grandpa has a phone now: it asks, and East says yes"
    good(post(east, "/seats/turn", {"seat": 1}))
    good(post(east, "/seats/leave", {"then": "nobody"}))
    assert 'name="seat" value="2"' in page(guest, f"/j/{site_of(app).room.code}")


def page(client: FlaskClient, path: str) -> str:
    return client.get(path).get_data(as_text=True)


# --- being let in ---


def test_a_screen_is_let_in_by_the_host(app: Flask, house: Service) -> None:
    begin(house, "", "")
    host, screen, east = the_host(app, house), app.test_client(), seated(app, house, 1, "East")
    assert "/j/" not in screen.get("/tv").get_data(as_text=True)
    asked = good(post(screen, "/room/knocks", {"what": "screen"}))
    assert get(screen, f"/room/knocks/{asked['knock']}")["state"] == "waiting"
    problem(post(screen, f"/room/knocks/{asked['knock']}/enter"), 403, "not-let-in")
    problem(post(east, "/room/knocks/answers", {"number": asked["number"]}), 403, "not-yours")
    assert get(east, "/room")["knocks"] == []
    assert [one["number"] for one in get(host, "/room")["knocks"]] == [asked["number"]]
    good(post(host, "/room/knocks/answers", {"number": asked["number"]}))
    good(post(screen, f"/room/knocks/{asked['knock']}/enter"))
    assert "/j/" in screen.get("/tv").get_data(as_text=True)
    problem(post(app.test_client(), f"/room/knocks/{asked['knock']}/enter"), 403, "not-let-in")


def test_another_player_gives_a_lost_seat_back_with_one_tap(app: Flask, house: Service) -> None:
    begin(house, "", "")
    lost, north, found = seated(app, house, 1, "East"), seated(app, house, 2, "North"), app.test_client()
    code = join_code(house.store, now(house))
    problem(post(found, "/room/knocks", {"what": "seat", "seat": 1}), 403, "bad-code")
    asked = good(post(found, "/room/knocks", {"what": "seat", "seat": 1, "code": code}))
    assert get(lost, "/room")["knocks"] == [], "nobody says yes to oneself"
    (line,) = get(north, "/room")["knocks"]
    assert (line["what"], line["name"]) == ("seat", "East")
    good(post(north, "/room/knocks/answers", {"number": asked["number"]}))
    assert good(post(found, f"/room/knocks/{asked['knock']}/enter"))["page"] == "/play"
    assert get(found, "/me")["seat"] == 1
    assert get(lost, "/me")["seat"] is None
    assert get(found, "/room")["guests"][0]["you"], "and it is the same guest"


def test_who_is_not_let_in_stays_out(app: Flask, house: Service) -> None:
    begin(house, "", "")
    north, stranger = seated(app, house, 2, "North"), app.test_client()
    asked = good(post(stranger, "/room/knocks", {"what": "join", "name": "Sam"}))
    good(post(north, "/room/knocks/answers", {"number": asked["number"], "yes": False}))
    assert get(stranger, f"/room/knocks/{asked['knock']}")["state"] == "refused"
    problem(post(stranger, f"/room/knocks/{asked['knock']}/enter"), 403, "not-let-in")
    problem(post(north, "/room/knocks/answers", {"number": asked["number"]}), 404, "no-knock")
    asked = good(post(stranger, "/room/knocks", {"what": "join", "name": "Sam"}))
    good(post(north, "/room/knocks/answers", {"number": asked["number"]}))
    page = good(post(stranger, f"/room/knocks/{asked['knock']}/enter"))["page"]
    assert page == f"/j/{join_code(house.store, now(house))}"


def test_knocking_cools_down_and_is_forgotten(app: Flask, house: Service) -> None:
    stranger, later = app.test_client(), [0.0]
    site_of(app).door.clock = lambda: later[0]
    asked = good(post(stranger, "/room/knocks", {"what": "screen"}))
    for _ in range(5):
        good(post(stranger, "/room/knocks", {"what": "screen"}))
    problem(post(stranger, "/room/knocks", {"what": "screen"}), 429, "slow-down")
    later[0] = 601
    problem(stranger.get(f"/api/v1/room/knocks/{asked['knock']}"), 404, "no-knock")
    assert get(the_host(app, house), "/room")["knocks"] == []


def test_in_a_match_the_code_is_for_those_who_belong_to_it(app: Flask, house: Service) -> None:
    stranger = app.test_client()
    assert get(stranger, "/room")["code"] == code_of(app)
    begin(house, "", "")
    assert get(stranger, "/room")["code"] is None
    assert get(seated(app, house, 1, "East"), "/room")["code"] == join_code(house.store, now(house))
    assert get(the_host(app, house), "/room")["code"]


def test_only_the_host_sends_people_away(app: Flask, house: Service) -> None:
    north = joined(app, "North")
    problem(north.delete("/api/v1/room/guests/1"), 403, "host-only")
    host = the_host(app, house)
    good(host.delete("/api/v1/room/guests/1"))
    problem(host.delete("/api/v1/room/guests/1"), 404, "no-guest")
    good(joined(app, "East").delete("/api/v1/room"))
    assert there(host) == []
