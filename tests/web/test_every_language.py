"""Matches that were played to their end, in every language: what pages tell has no English left in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.games.empire_builder.ui.ground import ground
from companion.games.empire_builder.ui.words import seat_words, train_words
from companion.languages import said
from companion.service.service import Service
from companion.table.match import Match
from tests.web.english import LANGUAGES_BUT_ENGLISH, left_english, lines_of
from tests.web.houses import accepted, play_steps
from tests.web.people import seated, the_host
from web.ui import presenter_of
from web.ui.parts import photo_sheet_of
from web.ui.plain import PlainPresenter
from web.ui.signs import signs_of
from web.ui.speaking import speaking, spoken

NAMES = ("Ben", "the box", "Your turn")  # of which two are messages of the catalogues
_DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.\d(?![\d.])")  # versions and addresses have two and more
STEPS = {"railroad-ink": 2000, "derailed": 2000, "spike": 2000, "empire-builder": 60}  # its matches are long


@LANGUAGES_BUT_ENGLISH
@pytest.mark.parametrize(
    ("game", "players"), [*((game, NAMES) for game in STEPS), ("railroad-ink", NAMES[:1])]
)
def test_a_whole_match_is_told_in_every_language(
    app: Flask, house: Service, game: str, players: Sequence[str], languages: Sequence[str]
) -> None:
    accepted(house, Action("start", data={"game": game, "players": list(players)}))
    match = house.table.current
    assert match is not None
    host, player = the_host(app, house), seated(app, house, 1, "Ben")
    left = []
    for steps in (1, 11, STEPS[game]):  # with dice on the table, under way, over
        play_steps(house, steps)
        for language in languages:
            for path in (
                "/",
                "/tv",
                "/play",
                "/host",
                "/history",
                "/history/person?name=Ben",
                f"/match/{match.id}",
                "/score",
                "/learn",
                "/match/current/dice",
            ):
                browser = host if path == "/host" else player
                page = browser.get(path, headers={"Accept-Language": language}).get_data(as_text=True)
                for name in NAMES:
                    page = page.replace(name, "Ada")
                wrong = {*left_english(page, language), *filter(_DECIMAL_POINT.search, lines_of(page))}
                left += [(language, path, line[:200]) for line in wrong]
    assert left == [], "\n".join(map(str, sorted(left)))


def test_people_are_called_as_they_call_themselves(app: Flask, house: Service) -> None:
    """A name may be a message of the catalogues."""
    accepted(house, Action("start", data={"game": "railroad-ink", "players": list(NAMES)}))
    play_steps(house, 2000)
    browser = seated(app, house, 1, "Ben")
    for path in ("/", "/tv", "/play", "/history"):
        page = browser.get(path, headers={"Accept-Language": "de"}).get_data(as_text=True)
        told = " ".join(lines_of(page))
        assert "the box" in told
        assert "Die Box" not in told
        assert "Your turn" in told
        assert "Dein Zug" not in told


@pytest.mark.parametrize("path", ["/", "/tv", "/play", "/history", "/host", "/match/current"])
def test_who_has_no_name_is_called_by_the_seat(app: Flask, house: Service, path: str) -> None:
    accepted(house, Action("start", data={"game": "railroad-ink", "players": ["Ada", ""]}))
    browser = the_host(app, house) if path == "/host" else seated(app, house, 1, "Ada")
    told = " ".join(lines_of(german(browser, path)))
    assert "Platz 2" in told
    assert "Seat" not in told


def german(client: FlaskClient, path: str) -> str:
    return client.get(path, headers={"Accept-Language": "de"}).get_data(as_text=True)


def begun(house: Service, game: str, steps: int = 0) -> Match:
    accepted(house, Action("start", data={"game": game, "players": ["Ada", "Ben"]}))
    play_steps(house, steps)
    match = house.table.current
    assert match is not None
    return match


@pytest.mark.parametrize(
    ("game", "data", "words"),
    [
        ("spike", {"good": "corn"}, "hat geliefert: Mais"),
        (
            "empire-builder",
            {"load": "lead", "city": "Tulsa", "payout": 12},
            "hat Blei nach Tulsa geliefert, für 12 Millionen",
        ),
    ],
)
def test_a_delivery_is_announced_in_german(house: Service, game: str, data: JsonObject, words: str) -> None:
    match = begun(house, "railroad-ink", 6)
    told = presenter_of(GAMES[game]).event_words("deliver", data)

    class Delivering(PlainPresenter[Any]):
        """Every drawing is announced as this delivery."""

        feats = frozenset({"draw"})

        def event_words(self, kind: str, data: JsonObject) -> str:
            return told

    presenter = Delivering(match.game)
    with speaking("de"):
        says = {
            spoken(feat.says)
            for feat in signs_of(presenter, match, match.game.view(match.state, None), [], [], []).feats
        }
    assert says
    assert says <= {f"Ada {words}", f"Ben {words}"}


def test_an_arrival_and_its_place_are_told_in_german(house: Service) -> None:
    match = begun(house, "derailed")
    presenter = presenter_of(match.game)
    view = {
        **match.game.view(match.state, None),
        "arrived": [{"seat": 1, "points": 2, "path": [], "first": True}],
    }
    with speaking("de"):
        feats = signs_of(presenter, match, view, [], [], presenter.asides(view)).feats
        assert [spoken(feat.says) for feat in feats] == ["Ada: Ankünfte +2"]
        assert re.search(r'class="order"[^>]*>1\.<', presenter.shared_board(view, match.players))


def test_what_happened_last_is_not_said_twice(
    app: Flask, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """German for "the" is an English word for a cube."""
    begun(house, "derailed")
    monkeypatch.setattr("web.ui.scene.event_words", lambda *_: m("took a card, the discards being shuffled"))
    page = german(app.test_client(), "/tv")
    assert "hat eine Karte gezogen, die Ablage wurde gemischt" in page
    assert "Würfel Ablage" not in page


def test_goods_on_the_map_are_told_in_the_language_of_each_reader() -> None:
    pages = {}
    for language in ("de", "en", "de"):
        with speaking(language):
            pages[language] = ground("")
    assert ">Maschinen<" in pages["de"]
    assert "machinery" not in pages["de"]
    assert ">machinery<" in pages["en"]


@pytest.mark.parametrize(
    ("city", "at", "loads", "words"),
    [
        ("", None, [], "Güterzug, noch nicht auf der Karte"),
        ("", 7, [], "Güterzug unterwegs, leer"),
        ("", 7, ["coal", "swine"], "Güterzug unterwegs, Ladung: Kohle, Schweine"),
        ("Kansas City", 7, [], "Güterzug in Kansas City, leer"),
        ("Kansas City", 7, ["bauxite"], "Güterzug in Kansas City, Ladung: Bauxit"),
    ],
)
def test_a_train_is_told_in_german(city: str, at: int | None, loads: list[str], words: str) -> None:
    train = {"title": "Freight", "city": city, "at": at, "loads": loads}
    player = {"train": train, "majors": ["Chicago"], "owed": 0}
    assert said(train_words(player), "de") == words
    assert said(seat_words(player, 13), "de") == f"13 Abschnitte; Großstädte 1 von 6: Chicago; {words}"


def test_what_a_photograph_brought_is_counted_in_german() -> None:
    with speaking("de"):
        told = {name: photo_sheet_of(presenter_of(game)).entered for name, game in GAMES.items()}
    assert told["railroad-ink"] == ("Eingetragen: {n} neue Strecke", "Eingetragen: {n} neue Strecken")
    assert all("Eingetragen: {n} neue" in words for pair in told.values() for words in pair)


def test_the_host_reads_yes_no_and_headings_in_german(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    page = german(host, "/host")
    assert ">nein<" in page
    assert ">ja<" in page
    assert ">no<" not in page
    settings = german(host, "/host/settings")
    assert ">Kamera</h2>" in settings
    assert ">Aktualisierungen</h2>" in settings
