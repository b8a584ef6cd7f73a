"""Nobody is called by a number where a name is known."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.box.service import Service
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
        ("it is the turn of seat 2", "it is the turn of East"),
        ("it is the turn of seat 2, Crimson", "it is the turn of East, Crimson"),
        ("seat 1 has track there", "North has track there"),
        ("Seat 1: too dark", "North: too dark"),
        ("the seats 1 and 2 both have track on it", "North and East both have track on it"),
        ("waiting for seat 1, 2 and 3", r"waiting for North, East and So\1uth"),
        ("waiting for seat 1 and seat 3", r"waiting for North and So\1uth"),
        ("it is the turn of seat 4", "it is the turn of seat 4"),  # nobody has said a name
        ("waiting for seat 1 and 4", "waiting for North and seat 4"),
        ("red and circle belong to seat 2, East", "red and circle belong to East"),
        ("there is no seat 2 in this match", "there is no seat 2 in this match"),
        ("you sit at seat 1 and cannot act", "you sit at seat 1 and cannot act"),
        ("the order names each of the seats 1 to 4 once", "the order names each of the seats 1 to 4 once"),
        ("the board of seat 3 is not in the picture", r"the board of So\1uth is not in the picture"),
        ("seat 12 is the turn of unseat 1", "seat 12 is the turn of unseat 1"),
    ],
)
def test_sentences_of_the_rules(rules: str, people: str) -> None:
    assert by_name(rules, PLAYERS) == people


def test_only_sentences_are_changed() -> None:
    told = {"says": ["seat 1 waits"], "cell": "seat 1", "deep": [{"message": "seat 2 waits", "seat": 2}]}
    assert told_by_name(told, PLAYERS) == {
        "says": ["North waits"],
        "cell": "seat 1",
        "deep": [{"message": "East waits", "seat": 2}],
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
    wish = {"kind": "report", "data": {"track": {"1": ["ao38 an39 am40"]}}}
    remarks = good(post(north, "/matches/current/actions", wish))["data"]["remarks"]
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
