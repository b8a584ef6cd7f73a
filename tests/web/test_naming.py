"""Nobody is called by a number where a name is known."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.core.messages import Seat, Seats, m
from companion.service.service import Service
from companion.table.seats import default_player
from tests.web.houses import begin
from tests.web.people import get, good, post, problem, seated, the_host
from web.access.joining import join_code
from web.ui.naming import by_name, told_by_name

PLAYERS = {seat: default_player(seat) for seat in (1, 2, 3, 4)}
PLAYERS |= {
    seat: type(PLAYERS[1])(name, PLAYERS[seat].colour, PLAYERS[seat].shape)
    for seat, name in ((1, "North"), (2, "East"), (3, r"So\1uth"))
}


@pytest.mark.parametrize(
    ("rules", "people"),
    [
        (m("it is the turn of {seat}", seat=Seat(2)), "it is the turn of East"),
        (m("{seat} has track there", seat=Seat(1)), "North has track there"),
        (m("{seat}: {says}", seat=Seat(1, begins=True), says=m("too dark")), "North: too dark"),
        (m("{seats} both have track on it", seats=Seats([1, 2])), "North and East both have track on it"),
        (m("waiting for {seats}", seats=Seats([1, 2, 3])), r"waiting for North, East and So\1uth"),
        (m("it is the turn of {seat}", seat=Seat(4)), "it is the turn of seat 4"),  # nobody has said a name
        (m("waiting for {seats}", seats=Seats([1, 4])), "waiting for North and seat 4"),
        (m("there is no seat {seat} in this match", seat=2), "there is no seat 2 in this match"),
        (m("the board of {seat} is not there", seat=Seat(3)), r"the board of So\1uth is not there"),
        ("what somebody wrote of seat 1", "what somebody wrote of seat 1"),
    ],
)
def test_sentences_of_the_rules(rules: str, people: str) -> None:
    assert by_name(rules, PLAYERS) == people


def test_only_messages_are_changed() -> None:
    seat = m("{seat} waits", seat=Seat(1))
    told = {"says": [seat], "cell": "seat 1", "deep": [{"message": m("{it}", it=seat), "seat": 2}]}
    assert told_by_name(told, PLAYERS) == {
        "says": ["North waits"],
        "cell": "seat 1",
        "deep": [{"message": "North waits", "seat": 2}],
    }


@pytest.mark.parametrize(
    ("game", "kind", "data"),
    [
        ("railroad-ink", "roll", {}),
        ("derailed", "pass", {}),
        ("spike", "give", {"card": "none"}),
        ("empire-builder", "build", {"path": "ao38 an39"}),
    ],
)
def test_a_refusal_of_any_game_names_who_is_awaited(
    app: Flask, house: Service, game: str, kind: str, data: dict[str, object]
) -> None:
    good(post(the_host(app, house), "/matches", {"game": game, "players": ["", ""]}))
    clients = [seated(app, house, seat, name) for seat, name in ((1, "North"), (2, "East"))]
    said = []
    for client in clients * 2:  # whoever's turn it is not, or who has done it already
        answer = post(client, "/matches/current/actions", {"kind": kind, "data": data})
        if answer.status_code == 409:
            said.append(answer.get_json()["error"]["message"])
    assert any("North" in one or "East" in one for one in said), said
    assert not any("seat 1" in one or "seat 2" in one for one in said), said


def test_remarks_about_a_report_name_the_players(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    begun = {"game": "empire-builder", "players": ["North", "East"], "mode": "scorekeeper"}
    good(post(host, "/matches", begun))
    north = seated(app, house, 1, "North")
    request = {"kind": "report", "data": {"track": {"1": ["ao38 an39 am40"]}}}
    remarks = good(post(north, "/matches/current/actions", request))["data"]["remarks"]
    assert any("North" in one for one in remarks), remarks
    assert not any("seat 1" in one for one in remarks), remarks
    assert get(north, "/matches/current/events")[-1]["data"]["remarks"] == remarks


def test_a_seat_that_is_taken_is_told_by_name(app: Flask, house: Service) -> None:
    begin(house, "", "")
    seated(app, house, 1, "North")
    player = default_player(1)
    body = {"seat": 2, "name": "East", "colour": player.colour, "shape": player.shape}
    match = house.table.current
    assert match is not None
    said = problem(
        post(app.test_client(), "/seats", {**body, "code": join_code(house.store, match)}), 409, "taken"
    )
    assert said == f"{player.colour} and {player.shape} belong to North"
