"""Pages of matches under way and over: whatever they say is a message, a name or a notation."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.game.packages import packages
from companion.game.registry import GAMES
from companion.games.derailed.rules.rulebook import COMPANIES
from companion.games.empire_builder.rules.boards.board import board
from companion.games.spike.rules.boards.board import board_called
from companion.languages import LANGUAGES
from companion.service.service import Service
from tests.web.houses import accepted, play_steps
from tests.web.people import get, good, post, seated, the_host
from tests.web.pseudo import PSEUDO, pseudo_language, unmarked
from web.access.setup import NEW, SETUP_SETTING
from web.ui import presenter_of

PLAYERS = ("Zoë", "Yann", "Xaver")
STEPS = {"railroad-ink": 2000, "derailed": 2000, "spike": 2000, "empire-builder": 60}  # its matches are long
PATHS = (
    "/",
    "/tv",
    "/play",
    "/host",
    "/learn",
    "/history",
    "/history/person?name=Yann",
    "/score",
    "/match/m1",
    "/match/current/dice",
    "/help",
    "/sheets",
    "/host/nothing",  # no such page
)
EDITORS = {link.address for game in GAMES.values() for link in presenter_of(game).editor_links}
OF_THE_HOST = ("/host", "/host/boards", "/host/settings", *EDITORS)
OF_STRANGERS = ("/", "/join", "/j/ZZZZ", "/host", "/setup", "/tv", "/learn")
NAMES = {
    *PLAYERS, "Stationmaster", "Python", "SQLite", "Pseudo", *LANGUAGES.values(),
    "Letter", "CSV", "JSON",
    *(package.title for package in packages().values()),
    "Railroad Ink",  # its classic edition
    *(word for company in COMPANIES.values() for word in (company.name, company.name.split()[0])),
    *(city.name for city in board().data.cities), *(river.name for river in board().data.rivers),
    *(city.name for city in board_called("eastern-states").cities.values()),
}  # fmt: skip
_NAMES = re.compile("|".join(map(re.escape, sorted(NAMES, key=len, reverse=True))))
# Addresses, versions, folders, units of all languages; codes of rooms and cities; cells, columns, routes.
_NOTATION = re.compile(
    r"https?:\S+|\b[0-9A-Z]{5}(?=\b|192\.)|\d+(\.\d+){2,}(:\d+)?|/\S+|docs/\S+|\d+ (min|h|MB|GB)"
    r"|[a-z]+(,[a-z]+)+|terrain ao38 mountain|Europe/Berlin|trains\.home|Pi usb usb:Logitech phone|\bAuto$"
    r"|x86_64|aarch64|\b[A-Z]{2,3}\b|^[a-k]{3,11}(?=\d)|[a-z]{1,2}\d+|\b[NESWnesw|*]+\b|\b[A-H]{1,16}\b"
)


@pytest.mark.parametrize("game", STEPS)
def test_whatever_a_page_says_is_a_message(app: Flask, house: Service, game: str) -> None:
    accepted(house, Action("start", data={"game": game, "players": list(PLAYERS)}))
    left: list[tuple[str, str]] = []
    with pseudo_language():
        host, player = the_host(app, house), seated(app, house, 1, PLAYERS[0])
        for steps in (1, 11, STEPS[game]):  # with dice on the table, under way, over
            play_steps(house, steps)
            for path in (*PATHS, f"/learn/{game}", f"/score?game={game}"):
                left += no_messages(player, path)
            for path in OF_THE_HOST:
                left += no_messages(host, path)
            for path in OF_STRANGERS:
                left += no_messages(app.test_client(), path)
    assert left == [], "\n".join(map(str, sorted(set(left))))


def test_before_the_first_match_everything_is_a_message_too(app: Flask, house: Service) -> None:
    with pseudo_language():
        left = [found for path in OF_STRANGERS for found in no_messages(app.test_client(), path)]
        host, guest = the_host(app, house), app.test_client()
        for path in OF_THE_HOST:
            left += no_messages(host, path)
        good(post(guest, "/room", {"code": get(guest, "/room")["code"], "name": PLAYERS[0]}))
        for path in (*PATHS, "/join?name"):
            left += no_messages(guest, path)
        house.store.put_setting(SETUP_SETTING, NEW)
        for path in ("/", "/setup"):
            left += no_messages(app.test_client(), path)
    assert left == [], "\n".join(map(str, sorted(set(left))))


def no_messages(browser: FlaskClient, path: str) -> list[tuple[str, str]]:
    """The lines of a page in which something is neither a message nor a name nor a notation."""
    page = browser.get(path, headers={"Accept-Language": PSEUDO}).get_data(as_text=True)
    bare = {line: _NOTATION.sub(" ", _NAMES.sub(" ", line)) for line in unmarked(page)}
    return [(path, line) for line, rest in bare.items() if re.search(r"[^\W\d_]{2}", rest)]
