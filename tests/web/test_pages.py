"""What a reader gets without any JavaScript, and what never stands in a page."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.games.railroad_ink.rules.boards.words import route_words
from companion.languages import LANGUAGES
from companion.service.service import Service
from tests.web.houses import accepted, begin, play_rounds, play_steps
from tests.web.people import seated
from web.pages.assets import style, style_hash
from web.ui.languages import LANGUAGE_COOKIE
from web.ui.scene import scene_of


class Tags(HTMLParser):
    """Collects what a page consists of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.inline: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style") and data.strip():
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def attributes(self, name: str) -> list[str]:
        return [
            value or "" for _, attributes in self.tags for key, value in attributes.items() if key == name
        ]


def page(client: FlaskClient, path: str = "/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return answer.get_data(as_text=True)


def test_before_the_first_match_the_page_says_so(client: FlaskClient) -> None:
    assert "No match yet" in page(client)


def test_every_name_total_and_board_is_there_without_javascript(client: FlaskClient, house: Service) -> None:
    begin(house, "East", "North", "South")
    play_rounds(house, 2)
    match = house.table.current
    assert match is not None
    html = page(client)
    scores = {row["seat"]: row["so_far"]["total"] for row in match.game.view(match.state, None)["scores"]}
    for seat, player in match.players.items():
        article = re.search(rf'<article class="seat" data-piece="seat-{seat}".*?</article>', html, re.S)
        assert article is not None
        assert f"<h2>{player.name}</h2>" in article[0]
        assert f"</span>{scores[seat]}</p>" in article[0]
        drawn = len(match.state.boards[seat].drawings)
        assert article[0].count('class="drawn') == drawn > 0
    assert "Round 3 of 7" in html


def test_open_ends_are_no_errors_before_the_last_round(house: Service) -> None:
    begin(house, "East", "North")
    play_rounds(house, 3)
    match = house.table.current
    assert match is not None
    seats = scene_of(match, None).seats
    rows = {row["seat"]: row for row in match.game.score(match.state)}
    for one in seats:
        assert one.total == rows[one.number]["total"] - rows[one.number]["errors"]
        assert one.note == f"open ends {-rows[one.number]['errors']}"
        assert sum(row.points for row in one.rows if row.counts) == one.total
        assert "Errors" not in {row.name for row in one.rows}
    assert [one.place for one in sorted(seats, key=lambda one: -one.total)] == [1, 2]
    play_rounds(house, 3)
    match = house.table.current
    assert match is not None
    assert match.state.round == 7
    assert {one.note for one in scene_of(match, None).seats} == {""}


def test_every_point_of_a_score_is_explained_and_adds_up(house: Service) -> None:
    begin(house, "East", "North")
    play_rounds(house, 7)
    match = house.table.current
    assert match is not None
    assert match.finished
    for seat in scene_of(match, None).seats:
        assert sum(row.points for row in seat.rows) == seat.total
        for row in seat.rows:
            assert sum(line.points or 0 for line in row.lines) == row.points, row


def test_the_board_is_told_in_words_too(client: FlaskClient, house: Service) -> None:
    begin(house, "East")
    play_rounds(house, 1)
    html = page(client)
    assert "The board in words" in html
    match = house.table.current
    assert match is not None
    for drawing in match.state.boards[1].drawings:
        assert re.search(rf"<dd>[^<]*\b{drawing.cell}: {re.escape(route_words(drawing.route))}", html)


def test_the_rolled_dice_are_named_and_their_source_too(client: FlaskClient, house: Service) -> None:
    begin(house)
    assert "not rolled yet" in page(client)
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    html = page(client)
    for words in ("straight highway", "railway curve", "highway terminal", "overpass", "entered by hand"):
        assert words in html


def test_a_finished_match_names_its_winner(client: FlaskClient, house: Service) -> None:
    begin(house, "East", "North")
    play_rounds(house, 7)
    match = house.table.current
    assert match is not None
    best = match.game.score(match.state)[0]
    assert f"{match.players[best['seat']].name} wins with {best['total']} points" in page(client)


@pytest.mark.parametrize(
    ("game", "unit"),
    [
        ("railroad-ink", "Points"),
        ("derailed", "Points"),
        ("spike", "Dollars"),
        ("empire-builder", "Millions"),
    ],
)
def test_it_is_said_what_is_counted(client: FlaskClient, house: Service, game: str, unit: str) -> None:
    accepted(house, Action("start", data={"game": game, "players": ["North", "South"]}))
    assert f">{unit} by round<" in page(client, "/match/current")


@pytest.mark.parametrize("path", ["/", "/nowhere"])
def test_nothing_inline_and_nothing_from_outside(client: FlaskClient, house: Service, path: str) -> None:
    begin(house)
    play_rounds(house, 1)
    html = client.get(path).get_data(as_text=True)
    tags = Tags(html)
    assert tags.inline == [style()], "the style sheet, which the policy knows by its hash, and nothing else"
    assert style_hash() in client.get(path).headers["Content-Security-Policy"]
    assert tags.attributes("style") == []
    assert [name for _, found in tags.tags for name in found if name.startswith("on")] == []
    for address in tags.attributes("href") + tags.attributes("src") + tags.attributes("action"):
        assert address.startswith(("/", "#")), address
        assert not address.startswith("//"), address
    assert len(tags.attributes("id")) == len(set(tags.attributes("id")))


def test_a_name_is_text_wherever_it_stands(client: FlaskClient, house: Service) -> None:
    begin(house, '<img src=x onerror="a">', "\"'><script>")
    play_rounds(house, 1)
    for path in ("/", "/api/v1/pieces"):
        answer = client.get(path)
        text = answer.get_data(as_text=True)
        html = text if path == "/" else "".join(answer.get_json()["pieces"].values())
        assert "<img" not in html
        assert "<script>" not in html
        assert Tags(html).inline in ([], [style()])


STEPS = {
    "railroad-ink": 60,
    "derailed": 90,
    "spike": 230,
    "empire-builder": 160,
}  # of bots


@pytest.mark.parametrize("game", STEPS)
def test_a_page_is_small_over_the_wire(client: FlaskClient, house: Service, game: str) -> None:
    players = ["East", "North", "South", "Dev"]
    accepted(house, Action("start", data={"game": game, "players": players}))
    play_steps(house, STEPS[game])
    for language in LANGUAGES:
        client.set_cookie(LANGUAGE_COOKIE, language)
        html = client.get("/").get_data(as_text=True)
        found = Tags(html).attributes("href") + Tags(html).attributes("src")
        addresses = ["/", *{address for address in found if "/static/" in address and ".png" not in address}]
        assert len(addresses) >= 10
        assert over_the_wire(client, addresses) < 60_000, language


@pytest.mark.parametrize("game", STEPS)
def test_a_seat_s_page_is_small_over_the_wire(app: Flask, house: Service, game: str) -> None:
    """The first page of whoever joins, in every language, with the words of the scripts."""
    accepted(house, Action("start", data={"game": game, "players": ["", "North", "South", "Dev"]}))
    phone = seated(app, house, 1, "East")
    play_steps(house, STEPS[game] // 2)
    for language in LANGUAGES:
        phone.set_cookie(LANGUAGE_COOKIE, language)
        html = phone.get("/play").get_data(as_text=True)
        found = Tags(html).attributes("href") + Tags(html).attributes("src")
        scripts = {address for address in found if "/static/" in address and ".png" not in address}
        assert any("/play.js" in address for address in scripts)
        assert over_the_wire(phone, ["/play", *scripts]) < 60_000, language


def test_the_typeface_is_ours_small_and_kept_for_ever(client: FlaskClient) -> None:
    fonts = re.findall(r"url\((/static/[^)]+[.]woff2[^)]*)\)", page(client))
    assert len(fonts) == 2
    assert over_the_wire(client, fonts) < 20_000
    for address in fonts:
        answer = client.get(address)
        assert (answer.status_code, answer.content_type) == (200, "font/woff2")
        assert "immutable" in answer.headers["Cache-Control"]
    assert page(client).count("font-display: swap") == 2


def over_the_wire(client: FlaskClient, addresses: list[str]) -> int:
    """The bytes of these, as a browser asks for them."""
    total = 0
    for address in addresses:
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        total += len(answer.data)
        if answer.headers.get("Content-Encoding") == "gzip":
            assert gzip.decompress(answer.data)
    return total


def test_assets_are_kept_for_ever_by_their_hash_only(client: FlaskClient) -> None:
    html = page(client)
    address = next(one for one in Tags(html).attributes("src") if "live.js" in one)
    assert "immutable" in client.get(address).headers["Cache-Control"]
    assert client.get(address.partition("?")[0]).headers["Cache-Control"] == "no-cache"
    assert client.get("/static/nothing.css").status_code == 404
    assert client.get("/static/..%2fapp.py").status_code == 404


def test_a_game_s_own_files_are_served_under_its_name(client: FlaskClient, house: Service) -> None:
    begin(house, "East", "North")
    address = next(one for one in Tags(page(client)).attributes("href") if "/railroad-ink/" in one)
    sent = client.get(address)
    assert sent.status_code == 200
    assert "immutable" in sent.headers["Cache-Control"]
    assert ".kerb" in sent.get_data(as_text=True)
    assert client.get("/static/railroad-ink/map.js").status_code == 404  # another game has one
