"""The API of a match: seeing, doing, being refused, and never twice."""

from __future__ import annotations

import json
import threading

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.service.service import Service
from companion.table.exc import FullError
from companion.table.journal import read_journal
from companion.table.replay import verified
from tests.web.houses import accepted, begin, play_rounds
from tests.web.people import get, good, post, problem, seated, the_host

FACES = ["NS", "ne", "N*", "NS|ew"]


@pytest.fixture
def east(app: Flask, house: Service) -> FlaskClient:
    begin(house, "", "")
    return seated(app, house, 1, "East")


def roll(house: Service) -> None:
    accepted(house, Action("roll", data={"faces": FACES}))


def draw(
    client: FlaskClient, cell: str = "b1", route: str = "NS", key: str = "", **more: object
) -> TestResponse:
    body = {"kind": "draw", "data": {"cell": cell, "route": route, "from": "die"}, **more}
    return post(client, "/matches/current/actions", body, key=key)


def test_a_player_draws_and_everybody_sees_it(east: FlaskClient, client: FlaskClient, house: Service) -> None:
    roll(house)
    done = good(draw(east))
    assert (done["kind"], done["seat"], done["again"]) == ("draw", 1, False)
    state = get(client, "/matches/current")
    assert state["version"] == done["version"] == done["seq"]
    assert state["view"]["boards"]["1"]["cells"] == {"b1": "NS"}
    assert state["you"] is None
    assert get(east, "/matches/current")["you"] == 1


def test_the_rules_refuse_with_their_sentence_and_places(east: FlaskClient, house: Service) -> None:
    roll(house)
    problem(draw(east, "d4", "NS"), 409, "not-connected")
    good(draw(east))
    answer = post(east, "/matches/current/actions", {"kind": "done"})
    assert answer.status_code == 409
    error = answer.get_json()["error"]
    assert error["code"] == "die-fits"
    assert error["detail"]["fits"]


def test_only_legal_actions_are_listed_and_all_of_them_are_accepted_rules(
    east: FlaskClient, house: Service
) -> None:
    roll(house)
    legal = get(east, "/matches/current/legal")
    match = house.table.current
    assert match is not None
    assert [(one["kind"], one["data"]) for one in legal] == [
        (action.kind, action.data) for action in match.game.legal(match.state, 1)
    ]
    assert good(post(east, "/matches/current/actions", legal[0]))["kind"] == "draw"


def test_watchers_only_watch(client: FlaskClient, house: Service) -> None:
    begin(house)
    roll(house)
    problem(draw(client), 403, "watching")
    problem(post(client, "/matches/current/roll"), 403, "watching")
    assert client.get("/api/v1/matches/current/legal").status_code == 403
    assert client.get("/api/v1/pieces?page=play").status_code == 403


def test_nobody_plays_for_another_seat(east: FlaskClient, house: Service) -> None:
    roll(house)
    problem(draw(east, seat=2), 403, "not-your-seat")


def test_only_the_host_ends_a_match(east: FlaskClient, app: Flask, house: Service) -> None:
    problem(post(east, "/matches/current/actions", {"kind": "end"}), 403, "host-only")
    problem(post(east, "/matches/current/actions", {"kind": "end", "as_host": True}), 403, "watching")
    host = the_host(app, house)
    assert good(post(host, "/matches/current/actions", {"kind": "end", "as_host": True}))["kind"] == "end"
    assert get(east, "/matches/current")["finished"]


def test_a_claimed_source_of_dice_is_not_believed(east: FlaskClient) -> None:
    request = {"kind": "roll", "data": {"faces": FACES, "source": {"kind": "roller", "uid": "fake"}}}
    assert good(post(east, "/matches/current/actions", request))["data"]["source"] == {"kind": "hand"}


def test_two_phones_that_roll_at_once_make_one_roll(app: Flask, east: FlaskClient, house: Service) -> None:
    north = seated(app, house, 2, "North")
    answers: list[TestResponse] = []
    together = threading.Barrier(2)

    def throw(client: FlaskClient) -> None:
        together.wait()
        answers.append(post(client, "/matches/current/roll"))

    threads = [threading.Thread(target=throw, args=(client,)) for client in (east, north)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    match = house.table.current
    assert match is not None
    assert [event.kind for event in match.events].count("roll") == 1


def test_the_same_key_is_the_same_action_even_after_a_restart(
    app: Flask, east: FlaskClient, house: Service
) -> None:
    from web import create_app

    roll(house)
    first = good(draw(east, key="tap-1"))
    again = good(draw(east, key="tap-1"))
    assert again == first
    cookie = east.get_cookie("stationmaster_seat")
    assert cookie is not None
    fresh = create_app(house).test_client()
    fresh.set_cookie("stationmaster_seat", cookie.value)
    assert good(draw(fresh, key="tap-1")) == {**first, "again": True}
    problem(draw(fresh, "f1", key="tap-1"), 409, "key-used")
    problem(draw(east, key="x" * 65), 422, "bad-key")


def test_undo_takes_back_what_the_page_names(east: FlaskClient, house: Service) -> None:
    roll(house)
    seq = good(draw(east))["seq"]
    undo = {"kind": "undo", "data": {"seq": seq}}
    assert good(post(east, "/matches/current/actions", undo))["kind"] == "undo"
    problem(post(east, "/matches/current/actions", undo), 409, "nothing-to-undo")
    assert get(east, "/matches/current")["view"]["boards"]["1"]["cells"] == {}


def test_state_is_sent_again_only_when_it_changed_and_never_across_seats(
    east: FlaskClient, client: FlaskClient, house: Service
) -> None:
    first = client.get("/api/v1/matches/current")
    tag = first.headers["ETag"]
    assert client.get("/api/v1/matches/current", headers={"If-None-Match": tag}).status_code == 304
    assert east.get("/api/v1/matches/current", headers={"If-None-Match": tag}).status_code == 200
    roll(house)
    assert client.get("/api/v1/matches/current", headers={"If-None-Match": tag}).status_code == 200


def test_the_timeline_tells_everything_but_what_is_hidden(client: FlaskClient, house: Service) -> None:
    match = begin(house, "East", "North")
    play_rounds(house, 1)
    events = get(client, f"/matches/{match}/events")
    assert [one["seq"] for one in events] == list(range(1, len(events) + 1))
    assert "setup" not in events[0]["data"]
    assert get(client, f"/matches/{match}/events?after=3")[0]["seq"] == 4
    problem(client.get("/api/v1/matches/current/events?after=-1"), 422, "bad-query")
    problem(client.get("/api/v1/matches/current/events?after=1&after=2"), 422, "bad-query")


def test_the_host_begins_a_match_once_a_key(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    request = {"game": "railroad-ink", "players": ["East", ""], "options": {"edition": "classic"}}
    first = good(post(host, "/matches", request, key="m"))
    assert good(post(host, "/matches", request, key="m")) == first
    assert [one["match"] for one in get(host, "/matches")] == [first["match"]]
    problem(post(app.test_client(), "/matches", request), 403, "host-only")
    problem(post(host, "/matches", {**request, "game": "chess"}), 409, "unknown-game")
    problem(post(host, "/matches", {**request, "options": {"colour": "red"}}), 409, "bad-option")
    problem(post(host, "/matches", {"game": "railroad-ink", "players": []}), 422, "bad-shape")


def test_results_grow_round_by_round_to_the_total(client: FlaskClient, house: Service) -> None:
    match = begin(house, "East", "North")
    play_rounds(house, 7)
    told = get(client, f"/matches/{match}/results")
    assert [one["label"] for one in told["rounds"]] == ["1", "2", "3", "4", "5", "6", "7"]
    totals = {str(row["seat"]): row["total"] for row in told["rows"]}
    assert told["rounds"][-1]["totals"] == totals
    assert told["bgstats"].startswith("https://app.bgstatsapp.com/")


def test_exports_can_be_read_by_others(
    client: FlaskClient, house: Service, tmp_path_factory: pytest.TempPathFactory
) -> None:
    match = begin(house, "=1+1", "North")
    problem(client.get(f"/api/v1/matches/{match}/export?form=journal"), 403, "not-finished")
    play_rounds(house, 7)
    csv = client.get(f"/api/v1/matches/{match}/export")
    assert "attachment" in csv.headers["Content-Disposition"]
    assert "'=1+1" in csv.get_data(as_text=True)
    parts = client.get(f"/api/v1/matches/{match}/export?form=rows")
    names = {one.headers["Content-Disposition"].rpartition("filename=")[2] for one in (csv, parts)}
    assert names == {f'"stationmaster-{match}.csv"', f'"stationmaster-{match}-parts.csv"'}
    rows = json.loads(client.get("/api/v1/export?form=json").get_data())
    assert [row["match"] for row in rows] == [match, match]
    path = tmp_path_factory.mktemp("exported") / "m.jsonl"
    path.write_bytes(client.get(f"/api/v1/matches/{match}/export?form=journal").data)
    assert verified(read_journal(path), house.games).fault is None
    problem(client.get("/api/v1/export?form=journal"), 422, "bad-query")


def test_a_full_disk_is_told_and_nothing_changed(
    east: FlaskClient, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    roll(house)
    before = get(east, "/matches/current")

    def full(*_: object, **__: object) -> None:
        raise FullError("disk-full", "no room left: free some space and try again")

    monkeypatch.setattr(house.store, "append", full)
    problem(draw(east), 503, "disk-full")
    assert get(east, "/matches/current") == before


@pytest.mark.parametrize(
    ("content", "kind", "status", "code"),
    [
        (b"{", "application/json", 422, "not-json"),
        (b"[]", "application/json", 422, "not-an-object"),
        (b'{"kind": "a", "kind": "b"}', "application/json", 422, "duplicate"),
        (b'{"kind": NaN}', "application/json", 422, "not-json"),
        (b"[" * 100_000, "application/json", 422, "not-json"),
        (b"\xff\xfe", "application/json", 422, "not-json"),
        (b"kind=end", "application/x-www-form-urlencoded", 415, "not-json"),
        (b"{}", "text/plain", 415, "not-json"),
        (b'{"kind": "x", "data": {"a": "' + b"y" * 1_100_000 + b'"}}', "application/json", 422, "too-long"),
    ],
)
def test_bad_bodies_are_one_sentence(
    east: FlaskClient, content: bytes, kind: str, status: int, code: str
) -> None:
    answer = east.post("/api/v1/matches/current/actions", data=content, content_type=kind)
    problem(answer, status, code)


def test_unknown_matches_are_not_there(client: FlaskClient, house: Service) -> None:
    begin(house)
    for name in ("nothing", "..", "%2e%2e%2f", "a" * 300):
        assert client.get(f"/api/v1/matches/{name}").status_code == 404


def test_dice_that_can_be_proved_are_asked_for_and_carried_to_the_rematch(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    request = {"game": "railroad-ink", "players": ["", ""]}
    first = good(post(host, "/matches", {**request, "fair": True}))["match"]
    assert opening_of(house, first)["fair"] is True
    accepted(house, Action("end"))
    again = good(post(host, f"/matches/{first}/rematch"))["match"]
    assert opening_of(house, again)["fair"] is True
    accepted(house, Action("end"))
    usual = good(post(host, "/matches", request))["match"]
    assert not opening_of(house, usual).get("fair")
    house.fair = True  # as `serve --fair` has it
    assert opening_of(house, good(post(host, "/matches", request))["match"])["fair"] is True
    assert b'name="fair" checked' in host.get("/host").data


def opening_of(house: Service, match_id: str) -> JsonObject:
    match = house.table.match(match_id)
    assert match is not None
    return match.opening
