"""In which language a request is answered, and how a browser or the host chooses."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game import registry
from companion.game.base import Action
from companion.languages import LANGUAGES, said
from companion.service.service import Service
from tests.web.houses import accepted, begin, play_steps
from tests.web.people import the_host
from web.site import site_of
from web.ui import presenter_of
from web.ui.languages import SCREEN_LANGUAGE
from web.ui.timeline import event_line, event_words

GAMES = ("railroad-ink", "derailed", "spike", "empire-builder")
ENGLISH = {
    "the",
    "of",
    "at",
    "and",
    "built",
    "laid",
    "took",
    "drew",
    "red",
    "white",
    "dead",
    "left",
    "free",
    "then",
}


def spoken_by(client: FlaskClient, path: str = "/", asked: str = "") -> str:
    headers = {"Accept-Language": asked} if asked else {}
    page = client.get(path, headers=headers).get_data(as_text=True)
    return page.partition('<html lang="')[2].partition('"')[0]


def test_who_is_turned_away_hears_it_in_the_own_language_and_not_in_that_of_the_guest_before(
    client: FlaskClient,
) -> None:
    told = []
    for before in ("de", "fr"):
        client.get("/", headers={"Accept-Language": before})
        answer = client.get("/api/v1/me", headers={"Host": "rebound.example", "Accept-Language": "fr"})
        told.append(answer.get_json()["error"])
    assert told[0]["code"] == "foreign-host"
    assert told[0] == told[1]


def test_the_phone_s_language_counts_and_what_is_not_spoken_is_english(client: FlaskClient) -> None:
    assert spoken_by(client) == "en"
    assert spoken_by(client, asked="de-AT,de;q=0.9,en;q=0.5") == "de"
    assert spoken_by(client, asked="fr-CA") == "fr"
    assert spoken_by(client, asked="fi,sv;q=0.8") == "en"
    assert spoken_by(client, asked="xx, ;;,,q=") == "en"


def test_a_browser_chooses_and_goes_back_to_its_page(client: FlaskClient) -> None:
    answer = client.get("/language/es?back=/history")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/history")
    assert spoken_by(client, asked="de") == "es"


def test_nobody_is_sent_to_other_sites(client: FlaskClient) -> None:
    for back in ("//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "elsewhere"):
        assert client.get("/language/it", query_string={"back": back}).headers["Location"] == "/"
    assert client.get("/language/tlh").status_code == 404


def test_the_table_s_screen_speaks_as_the_host_says(app: Flask, house: Service) -> None:
    host, screen = the_host(app, house), app.test_client()
    assert host.post("/api/v1/host/language", json={"language": "it"}).status_code == 200
    assert house.store.setting(SCREEN_LANGUAGE) == "it"
    assert spoken_by(screen, "/tv", asked="de") == "it"
    assert spoken_by(screen, "/", asked="de") == "de"
    assert app.test_client().post("/api/v1/host/language", json={"language": "it"}).status_code == 403
    for language in (*LANGUAGES, ""):
        assert host.post("/api/v1/host/language", json={"language": language}).status_code == 200
    assert host.post("/api/v1/host/language", json={"language": "tlh"}).status_code == 422


def told(client: FlaskClient, path: str, asked: str) -> str:
    return client.get(path, headers={"Accept-Language": asked}).get_data(as_text=True)


def test_two_phones_of_one_match_read_their_own_language(app: Flask, house: Service) -> None:
    begin(house, "East", "North")
    phone = app.test_client()
    assert "Nothing is drawn yet." in told(phone, "/api/v1/pieces?page=watch", "en")
    german = told(phone, "/api/v1/pieces?page=watch", "de")
    assert "Noch ist nichts gezeichnet." in german
    assert "Nothing is drawn yet." not in german
    assert "Nothing is drawn yet." not in told(phone, "/api/v1/pieces?page=watch", "fr")


def test_a_refusal_comes_in_the_language_of_whoever_is_refused(app: Flask, house: Service) -> None:
    match = begin(house, "East", "North")
    watcher = app.test_client()
    answers = {
        asked: watcher.post(
            f"/api/v1/matches/{match}/actions", json={"kind": "done"}, headers={"Accept-Language": asked}
        ).get_json()["error"]
        for asked in LANGUAGES
    }
    assert {answer["code"] for answer in answers.values()} == {"watching"}
    assert answers["en"]["message"] == "you are watching: take a seat to play"
    assert answers["de"]["message"] == "du siehst zu: nimm Platz, um zu spielen"
    assert len({answer["message"] for answer in answers.values()}) == len(LANGUAGES)
    plain = watcher.post(f"/api/v1/matches/{match}/actions", json={"kind": "done"}).get_json()["error"]
    assert plain == answers["en"]


def test_live_news_is_told_to_each_stream_in_its_language(app: Flask, house: Service) -> None:
    match = begin(house, "East", "North")
    live = site_of(app).live
    german, english = live.take(language="de"), live.take()
    assert german is not None
    assert english is not None
    streams = [live.stream(german), live.stream(english)]
    for stream in streams:
        next(stream)
    live.start()
    accepted(house, Action("hold", 1, {"by": "bot"}))
    said = [next(told for told in stream if b'"hold"' in told).decode() for stream in streams]
    assert "East wird jetzt von einem Bot gespielt" in said[0]
    assert "East is played by a bot now" in said[1]
    assert match in said[0]


def test_names_stay_names_whatever_they_mean(app: Flask, house: Service) -> None:
    begin(house, "Mark", "Coal")
    page = told(app.test_client(), "/", "de")
    assert "<h2>Mark</h2>" in page
    assert "<h2>Coal</h2>" in page


def test_sheets_are_printed_in_the_language_of_the_page(client: FlaskClient) -> None:
    def printed(language: str) -> bytes:
        address = "/sheets/derailed.pdf?part=extras"
        pdf: bytes = client.get(address, headers={"Accept-Language": language}).data
        return pdf

    assert len({printed(language) for language in LANGUAGES}) == len(LANGUAGES)
    page = told(client, "/sheets", "de")
    for words in ("Pläne", "Bahnhöfe", "6 Bahnen", "Spielplan in einem Stück", "Warenchips"):
        assert words in page


@pytest.mark.parametrize("game", GAMES)
def test_the_news_of_every_game_is_told_in_the_reader_s_language(house: Service, game: str) -> None:
    accepted(house, Action("start", data={"game": game, "players": ["East", "North", "South"]}))
    play_steps(house, 60)
    match = house.table.current
    assert match is not None
    left = set()
    for event in match.events:
        english = event_words(presenter_of(match.game), event_line(match, event, event.seat))
        for language in set(LANGUAGES) - {"en"}:
            other = said(english, language)
            if set(re.findall(r"[a-z]+", other)) & ENGLISH or other == english:
                left.add((language, english, other))
    assert not left


def test_a_script_that_comes_later_brings_its_words(app: Flask, house: Service) -> None:
    begin(house, "East", "North")
    phone = app.test_client()
    words = phone.get("/words/de/photo.js").get_json()
    assert words["Photograph {number} of {files}"] == "Foto {number} von {files}"
    page = told(phone, "/", "de")
    assert "data-words" in page
    assert "Foto {number} von {files}" not in page
    assert phone.get("/words/tlh/photo.js").status_code == 404
    assert phone.get("/words/de/nothing.js").status_code == 404


def test_a_script_counts_with_words_that_have_both_forms(client: FlaskClient) -> None:
    words = client.get("/words/de/spike/play.js").get_json()
    assert (words["{n} track"], words["{n} tracks"]) == ("{n} Gleis", "{n} Gleise")


def test_what_was_said_is_not_said_again(app: Flask, house: Service) -> None:
    """German for "the" is an English word for a cube."""
    page = the_host(app, house).get("/host", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Die Zielkarten auf eurem Tisch" in page
    assert "wie es die Regel sagt" in page
    assert "Würfel auf eurem" not in page


@pytest.mark.parametrize("game", GAMES)
def test_choices_before_a_match_are_told_in_words(game: str) -> None:
    for option in registry.GAMES[game].options:
        told = [option.words_of(choice) for choice in option.choices]
        assert len(set(told)) == len(told), option.name
        assert all(told)
