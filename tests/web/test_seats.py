"""Sitting down, coming back, moving to another phone, and who cannot."""

from __future__ import annotations

import threading

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.game.base import Action
from companion.service.service import Service
from companion.table.sitting import taken_seats
from tests.web.houses import accepted, begin, play_rounds
from tests.web.people import get, good, post, problem, seated, the_host
from web import create_app
from web.access.joining import ALPHABET, Joining, join_code
from web.site import site_of


def code_of(house: Service) -> str:
    match = house.table.current
    assert match is not None
    return join_code(house.store, match)


def request(house: Service, **changes: object) -> dict[str, object]:
    usual = {"code": code_of(house), "seat": 1, "name": "East", "colour": "red", "shape": "circle"}
    return {**usual, **changes}


def test_a_phone_sits_down_and_is_known_from_then_on(app: Flask, house: Service) -> None:
    match = begin(house, "", "")
    phone = app.test_client()
    answer = post(phone, "/seats", request(house))
    assert good(answer)["seat"] == 1
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    me = get(phone, "/me")
    assert (me["match"], me["seat"], me["host"]) == (match, 1, False)
    assert "East" in phone.get("/play").get_data(as_text=True)
    now = house.table.current
    assert now is not None
    assert taken_seats(now) == {1}


def test_a_seat_outlives_a_restart_of_the_pages(app: Flask, house: Service) -> None:
    begin(house, "", "")
    phone = seated(app, house, 2, "North")
    cookie = phone.get_cookie("stationmaster_seat")
    assert cookie is not None
    again = create_app(house).test_client()
    again.set_cookie("stationmaster_seat", cookie.value)
    assert get(again, "/me")["seat"] == 2


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"code": "AAAAA"}, 403, "bad-code"),
        ({"seat": 3}, 404, "no-seat"),
        ({"colour": "pink"}, 409, "bad-colour"),
        ({"name": " "}, 409, "bad-name"),
        ({"name": "\u3164"}, 409, "bad-name"),
        ({"name": "\u2800 \uffa0\u115f"}, 409, "bad-name"),
        ({"name": "\u0301"}, 409, "bad-name"),
        ({"name": "x" * 25}, 422, "bad-shape"),
        ({"colour": "blue"}, 409, "taken"),
        ({"seat": "one"}, 422, "bad-shape"),
        ({"extra": 1}, 422, "bad-shape"),
    ],
)
def test_what_is_wrong_is_said(
    client: FlaskClient, house: Service, changes: dict[str, object], status: int, code: str
) -> None:
    begin(house, "", "")
    problem(post(client, "/seats", request(house, **changes)), status, code)
    assert get(client, "/me")["seat"] is None


def test_a_taken_seat_stays_with_its_player(app: Flask, house: Service) -> None:
    begin(house, "", "")
    first = seated(app, house, 1, "East")
    sentence = problem(post(app.test_client(), "/seats", request(house, name="Harbour")), 409, "taken")
    assert "East" in sentence
    assert get(first, "/me")["seat"] == 1


def test_two_phones_that_want_one_seat_never_both_get_it(app: Flask, house: Service) -> None:
    begin(house, *["" for _ in range(6)])
    answers: list[TestResponse] = []
    together = threading.Barrier(6)

    def want(number: int) -> None:
        phone = app.test_client()
        phone.environ_base["REMOTE_ADDR"] = f"192.168.7.{number}"
        together.wait()
        answers.append(post(phone, "/seats", request(house, name=f"P{number}")))

    threads = [threading.Thread(target=want, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409, 409]


def test_a_tap_that_is_sent_twice_is_one_seat(app: Flask, house: Service) -> None:
    begin(house, "", "")
    phone = app.test_client()
    first = post(phone, "/seats", request(house), key="k1")
    phone.delete_cookie("stationmaster_seat")  # the first answer was lost on the way
    second = post(phone, "/seats", request(house), key="k1")
    assert good(first) == good(second)
    assert get(phone, "/me")["seat"] == 1
    problem(post(app.test_client(), "/seats", request(house, seat=2), key="k1"), 409, "key-used")


def test_wrong_codes_cool_down_and_nobody_is_locked_out_for_ever(house: Service, app: Flask) -> None:
    begin(house, "", "")
    now = [0.0]
    from web.site import site_of

    site_of(app).limiter.clock = lambda: now[0]
    phone = app.test_client()
    for _ in range(3):
        problem(post(phone, "/seats", request(house, code="22222")), 403, "bad-code")
    answer = post(phone, "/seats", request(house))
    assert "60 seconds" in problem(answer, 429, "slow-down")
    assert answer.headers["Retry-After"] == "60" or int(answer.headers["Retry-After"]) <= 61
    now[0] = 61
    assert good(post(phone, "/seats", request(house)))["seat"] == 1


def test_the_typed_code_may_be_untidy(client: FlaskClient, house: Service) -> None:
    begin(house, "", "")
    code = code_of(house)
    assert set(code) <= set(ALPHABET)
    untidy = f" {code[:2].lower()}-{code[2:].lower()} "
    assert good(post(client, "/seats", request(house, code=untidy)))["seat"] == 1


def test_a_seat_moves_to_another_phone_once(app: Flask, house: Service) -> None:
    begin(house, "", "")
    old, new, late = seated(app, house, 1, "East"), app.test_client(), app.test_client()
    code = good(post(old, "/seats/move"))["code"]
    assert good(post(new, "/seats/arrive", {"code": code}))["seat"] == 1
    assert get(new, "/me")["seat"] == 1
    assert get(old, "/me")["seat"] is None
    problem(post(late, "/seats/arrive", {"code": code}), 403, "bad-code")


def test_the_phone_that_had_a_moved_seat_is_told_at_once(app: Flask, house: Service) -> None:
    begin(house, "", "")
    old, new = seated(app, house, 1, "East"), app.test_client()
    code = good(post(old, "/seats/move"))["code"]
    before = site_of(app).room.version
    good(post(new, "/seats/arrive", {"code": code}))
    assert site_of(app).room.version > before
    problem(old.get("/api/v1/pieces?page=play"), 403, "no-seat")


def test_whose_seat_in_the_rematch_another_phone_took_is_not_sent_round_in_a_circle(
    app: Flask, house: Service
) -> None:
    """The page that follows by itself would be refused, and the way to sit down led back to it."""
    begin(house, "", "")
    east, north = seated(app, house, 1, "East"), seated(app, house, 2, "North")
    accepted(house, Action("end"))
    match = house.table.current
    assert match is not None
    good(post(north, f"/matches/{match.id}/rematch"))
    assert "data-follow" in east.get("/play").text
    site_of(app).joining.sit_down("m2", 1, match.players[1])
    page = east.get("/play").text
    assert "data-follow" not in page
    assert 'href="/join"' in page or 'data-piece="mine"' in page
    assert east.get("/join").status_code == 200 or 'data-piece="mine"' in page


def test_a_move_code_is_good_for_five_minutes(house: Service) -> None:
    match = begin(house, "", "")
    now = [0.0]
    joining = Joining(house.table, clock=lambda: now[0])
    early, late = joining.offer_move(match, 1), joining.offer_move(match, 2)
    now[0] = 299
    assert joining.take_move(early) is not None
    now[0] = 301
    assert joining.take_move(late) is None


def test_a_new_move_code_replaces_the_one_before(house: Service) -> None:
    match = begin(house, "", "")
    joining = Joining(house.table)
    first, second = joining.offer_move(match, 1), joining.offer_move(match, 1)
    assert joining.take_move(first) is None
    assert joining.take_move(second) is not None


def test_watchers_have_no_seat_to_move(client: FlaskClient, house: Service) -> None:
    begin(house)
    problem(post(client, "/seats/move"), 403, "no-seat")
    assert client.get("/play").status_code == 302


def test_getting_up_leaves_the_seat_to_its_other_browsers(app: Flask, house: Service) -> None:
    begin(house, "", "")
    phone = seated(app, house, 1, "East")
    cookie = phone.get_cookie("stationmaster_seat")
    assert cookie is not None
    assert good(phone.delete("/api/v1/seats"))
    assert get(phone, "/me")["seat"] is None
    other = app.test_client()
    other.set_cookie("stationmaster_seat", cookie.value)
    assert get(other, "/me")["seat"] == 1


def test_the_same_people_play_again_without_scanning(app: Flask, house: Service) -> None:
    begin(house, "", "")
    east, north = seated(app, house, 1, "East"), seated(app, house, 2, "North")
    problem(post(east, "/matches/current/rematch"), 409, "still-playing")
    play_rounds(house, 7)
    old = get(east, "/me")["match"]
    made = good(post(east, f"/matches/{old}/rematch", key="again"))
    assert made["match"] != old
    assert good(post(east, f"/matches/{old}/rematch", key="again")) == made
    state = get(east, "/matches/current")
    assert {seat: player["name"] for seat, player in state["players"].items()} == {"1": "East", "2": "North"}
    assert len(state["view"]["goals"]) == 3
    for phone, seat in ((east, 1), (north, 2)):
        assert good(post(phone, "/seats/follow"))["seat"] == seat
        assert get(phone, "/me")["match"] == made["match"]
    problem(post(east, "/seats/follow"), 409, "same-match")


def test_only_those_who_played_ask_for_a_rematch(client: FlaskClient, house: Service) -> None:
    old = begin(house)
    play_rounds(house, 7)
    problem(post(client, f"/matches/{old}/rematch"), 403, "no-seat")


def test_a_freed_seat_is_free_and_its_phone_only_watches(app: Flask, house: Service) -> None:
    begin(house, "", "")
    host, phone = the_host(app, house), seated(app, house, 1, "East")
    good(post(host, "/matches/current/seats/1", {"name": "Ida"}))
    assert get(phone, "/me")["seat"] == 1
    problem(post(app.test_client(), "/seats", request(house, name="Harbour")), 409, "taken")
    good(post(host, "/matches/current/seats/1", {"free": True}))
    assert get(phone, "/me")["seat"] is None
    assert good(post(app.test_client(), "/seats", request(house, name="Harbour")))["seat"] == 1


def test_nobody_but_the_host_changes_seats(app: Flask, house: Service) -> None:
    begin(house, "", "")
    phone = seated(app, house, 1, "East")
    problem(post(phone, "/matches/current/seats/2", {"name": "Harbour"}), 403, "host-only")
    answer = post(
        phone,
        "/matches/current/actions",
        {"kind": "sit", "data": {"name": "Harbour", "colour": "red", "shape": "circle"}},
    )
    problem(answer, 403, "host-only")


def test_the_join_page_offers_free_seats_only_with_the_code(app: Flask, house: Service) -> None:
    begin(house, "East", "")
    seated(app, house, 1, "East")
    visitor = app.test_client()
    assert 'name="seat"' not in visitor.get("/join").get_data(as_text=True)
    assert "not the code" in visitor.get("/j/22222").get_data(as_text=True)
    page = visitor.get(f"/j/{code_of(house)}").get_data(as_text=True)
    assert page.count('name="seat"') == 1
    seated(app, house, 2, "North")
    assert "All seats are taken" in visitor.get(f"/j/{code_of(house)}").get_data(as_text=True)
