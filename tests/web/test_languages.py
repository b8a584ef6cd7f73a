"""In which language a request is answered, and how a browser or the host chooses."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from companion.box.service import Service
from tests.web.people import the_host
from web.languages import SCREEN_LANGUAGE


def spoken_by(client: FlaskClient, path: str = "/", asked: str = "") -> str:
    headers = {"Accept-Language": asked} if asked else {}
    page = client.get(path, headers=headers).get_data(as_text=True)
    return page.partition('<html lang="')[2].partition('"')[0]


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
    assert house.setting(SCREEN_LANGUAGE) == "it"
    assert spoken_by(screen, "/tv", asked="de") == "it"
    assert spoken_by(screen, "/", asked="de") == "de"
    assert app.test_client().post("/api/v1/host/language", json={"language": "it"}).status_code == 403
