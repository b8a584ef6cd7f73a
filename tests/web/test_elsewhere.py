"""Out of the box: other apps, sheets, the dice and their proof, notes, what is taken out of the history."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.service.service import Service
from companion.table.standings import standings
from tests.web.houses import accepted, begin, play_rounds
from tests.web.people import get, good, post, problem, seated, the_host
from web.pages.dice_statistics import DieCount, FaceCount, dice_counts


@pytest.fixture
def over(house: Service) -> str:
    """A match of Railroad Ink that is over, with people who come again."""
    players = [
        {"name": "North", "colour": "red", "shape": "circle", "person": "n0rth"},
        {"name": "East", "colour": "blue", "shape": "square"},
    ]
    wanted = {"game": "railroad-ink", "players": players, "options": {"edition": "classic"}}
    match = accepted(house, Action("start", data=wanted)).event.match
    play_rounds(house, 9)
    return match


def told(house: Service, match: str) -> Any:
    """The play in a link to Board Game Stats."""
    found = house.table.match(match)
    assert found is not None
    return json.loads(unquote(house.export.bgstats_link(found).partition("data=")[2]))


def test_board_game_stats_knows_players_game_and_place(app: Flask, house: Service, over: str) -> None:
    play = told(house, over)
    assert play["game"]["bggId"] == 245654
    assert play["durationMin"] == 1
    assert "location" not in play
    by_name = {one["name"]: one for one in play["players"]}
    assert by_name["North"]["sourcePlayerId"] == "n0rth", "the same from match to match"
    assert sorted(one["rank"] for one in play["players"])[0] == 1
    host = the_host(app, house)
    wanted = {"place": "At home", "numbers": {"railroad-ink/classic": 999, "derailed": 0}}
    good(post(host, "/host/elsewhere", wanted))
    play = told(house, over)
    assert (play["game"]["bggId"], play["location"]) == (999, "At home")
    assert 'value="999"' in host.get("/host/box").get_data(as_text=True)
    problem(post(host, "/host/elsewhere", {"numbers": {"chess": 1}}), 404, "no-game")
    problem(post(app.test_client(), "/host/elsewhere", {}), 403, "host-only")


def test_who_began_is_told_where_somebody_begins(house: Service) -> None:
    accepted(house, Action("start", data={"game": "derailed", "players": ["North", "East", "South"]}))
    match = house.table.current
    assert match is not None
    first = match.state.turn
    accepted(house, match.game.legal(match.state, first)[0])
    accepted(house, Action("end"))
    play = told(house, match.id)
    assert [one["name"] for one in play["players"] if one["startPlayer"]] == [match.players[first].name]
    assert "bggId" not in play["game"], "nobody has said which number it has"


def test_the_file_for_boardgamegeek_has_every_finished_match(
    client: FlaskClient, house: Service, over: str
) -> None:
    begin(house, "<North>", "East")
    answer = client.get("/api/v1/export?form=bgg")
    assert answer.mimetype == "application/xml"
    (play,) = fromstring(answer.get_data(as_text=True))
    item = play.find("item")
    assert item is not None
    assert (item.get("objectid"), play.get("length"), play.get("incomplete")) == ("245654", "1", "0")
    match = house.table.match(over)
    assert match is not None
    scores = {match.players[row["seat"]].name: str(row["total"]) for row in standings(match)}
    assert {one.get("name"): one.get("score") for one in play.iter("player")} == scores


def test_every_part_of_the_scores_as_csv_adds_up(client: FlaskClient, over: str) -> None:
    rows = list(csv.DictReader(StringIO(client.get(f"/api/v1/matches/{over}/export?form=rows").text)))
    parts = ("exits", "highway", "railway", "centre", "villages", "goals", "errors", "expansion")
    for name in ("North", "East"):
        found = [row for row in rows if row["player"] == name]
        assert sum(int(row["points"]) for row in found if row["row"] in parts) == int(found[0]["total"])


def test_a_match_that_was_ended_early_has_no_winner_in_any_file(client: FlaskClient, house: Service) -> None:
    begin(house, "North", "East")
    play_rounds(house, 2)
    accepted(house, Action("end"))
    match = house.table.current
    assert match is not None
    assert not any(one["winner"] for one in told(house, match.id)["players"])
    (play,) = fromstring(client.get("/api/v1/export?form=bgg").get_data(as_text=True))
    assert [one.get("win") for one in play.iter("player")] == ["0", "0"]
    rows = list(csv.DictReader(StringIO(client.get(f"/api/v1/matches/{match.id}/export?form=rows").text)))
    parts = ("exits", "highway", "railway", "centre", "villages", "goals", "errors", "expansion")
    for name in ("North", "East"):
        found = [row for row in rows if row["player"] == name]
        assert sum(int(row["points"]) for row in found if row["row"] in parts) == int(found[0]["total"])


@pytest.mark.parametrize("game", ["railroad-ink", "derailed", "spike", "empire-builder"])
def test_sheets_are_printed_from_a_page(client: FlaskClient, game: str) -> None:
    assert f'action="/sheets/{game}.pdf"' in client.get("/sheets").text
    answer = client.get(f"/sheets/{game}.pdf?paper=letter")
    assert answer.content_type == "application/pdf"
    assert "Set-Cookie" not in answer.headers
    asked = client.get(f"/sheets/{game}.pdf?paper=letter&asked=m1x")  # the page waits for this cookie
    assert "sheet=m1x;" in asked.headers["Set-Cookie"]
    assert "Set-Cookie" not in client.get(f"/sheets/{game}.pdf?asked=%0d%0aM").headers
    assert answer.data.startswith(b"%PDF-")
    assert client.get(f"/sheets/{game}.pdf?part=../x").status_code == 404
    assert client.get("/sheets/chess.pdf").status_code == 404
    look = client.get(f"/sheets/{game}.png")
    assert (look.status_code, look.mimetype) == (200, "image/png")
    assert len(look.data) < 60_000
    assert client.get(f"/sheets/{game}.png?part=../x").status_code == 404
    assert client.get("/sheets/chess.png").status_code == 404


def test_faces_are_counted_by_kind_of_die(house: Service, over: str) -> None:
    match = house.table.match(over)
    assert match is not None
    counts = dice_counts([match])
    assert {die.name: die.thrown for die in counts} == {"A": 21, "B": 7}
    for die in counts:
        assert sum(one.seen for one in die.faces) == die.thrown
        assert sum(one.expected for one in die.faces) == pytest.approx(die.thrown)


def test_loaded_dice_are_noticed_and_few_throws_say_nothing() -> None:
    def die(*seen: int) -> DieCount:
        share = sum(seen) / len(seen)
        faces = tuple(FaceCount(str(at), number, share) for at, number in enumerate(seen))
        return DieCount("A", sum(seen), faces)

    fair, loaded = die(10, 11, 9, 10, 12, 8).chance, die(40, 4, 4, 4, 4, 4).chance
    assert fair is not None
    assert fair > 0.9
    assert loaded is not None
    assert loaded < 0.0001
    assert "too few" in die(1, 0, 2, 0, 1, 0).sentence


def test_the_page_of_the_dice_says_what_can_be_proved(client: FlaskClient, over: str) -> None:
    html = client.get(f"/match/{over}/dice").text
    assert "No seed was committed to" in html
    assert html.count("<svg") > 10


def test_a_note_is_written_by_those_who_played_and_read_by_all(app: Flask, house: Service) -> None:
    match = begin(house, "", "East")
    north, other = seated(app, house, 1, "North"), app.test_client()
    good(post(north, f"/matches/{match}/note", {"note": "The evening of the <b>long</b> railway"}))
    problem(post(other, f"/matches/{match}/note", {"note": "x"}), 403, "no-seat")
    german = {"Accept-Language": "de"}
    kept = north.post(f"/api/v1/matches/{match}/note", json={"note": ""}, headers=german)
    assert good(kept)["message"] == "gespeichert"
    good(post(north, f"/matches/{match}/note", {"note": "The evening of the <b>long</b> railway"}))
    for path in ("/history", f"/match/{match}"):
        assert "The evening of the &lt;b&gt;long&lt;/b&gt; railway" in other.get(path).text


def test_a_deleted_match_is_kept_and_comes_back(app: Flask, house: Service, over: str) -> None:
    begin(house, "North", "East")
    host, other = the_host(app, house), app.test_client()
    problem(host.delete("/api/v1/matches/m2"), 409, "still-playing")
    problem(other.delete(f"/api/v1/matches/{over}"), 403, "host-only")
    before = house.store.events(over)
    good(host.delete(f"/api/v1/matches/{over}"))
    assert over not in {one["match"] for one in get(other, "/matches")}
    assert over not in other.get("/api/v1/export?form=csv").text
    assert f"/match/{over}" not in other.get("/history").text
    assert f"/api/v1/matches/{over}/back" in host.get("/history").text
    assert house.store.events(over) == before
    good(post(host, f"/matches/{over}/back"))
    assert f"/match/{over}" in other.get("/history").text


def test_a_match_with_bots_does_not_begin_where_none_can_play(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    wanted = {"game": "spike", "players": ["North"], "bots": 1, "options": {"deal": "table"}}
    problem(post(host, "/matches", wanted), 409, "no-bot")
    assert house.table.current is None
