"""The QR code leads whoever sees it to the box, in whatever network that is."""

from __future__ import annotations

import re
import threading

import pytest
from flask import Flask

from companion.service.service import Service
from companion.service.system.access_point import AccessPoint, OwnNetwork
from web.pages import addresses


def way(app: Flask, host: str, remote: str = "127.0.0.1") -> str:
    """The link in the lobby's QR code, for a page opened under that name."""
    page = app.test_client().get("/tv", headers={"Host": host}, environ_overrides={"REMOTE_ADDR": remote})
    found = re.search(r"QR code: ([^<]*)/j/", page.get_data(as_text=True))
    return found[1] if found else ""


def test_opened_by_an_address_it_is_that_address(app: Flask) -> None:
    assert way(app, "10.42.0.1:8080") == "http://10.42.0.1:8080"


def test_opened_on_the_box_itself_it_is_the_address_of_the_moment(app: Flask, house: Service) -> None:
    assert way(app, "localhost:8080") == "http://192.168.1.20:8080"
    house.links = ["http://10.42.0.1/"]
    assert way(app, "localhost:8080") == "http://10.42.0.1"
    assert way(app, "[fe80::1]:8080") == "http://10.42.0.1"


def test_without_any_network_there_is_a_sentence_and_no_code(app: Flask, house: Service) -> None:
    house.links = []
    assert way(app, "localhost:8080") == ""
    page = app.test_client().get("/tv", headers={"Host": "localhost:8080"}).get_data(as_text=True)
    assert "in no network yet" in page
    house.links = ["http://192.168.1.31:8080/"]
    pieces = app.test_client().get("/api/v1/pieces?page=lobby").get_json()["pieces"]
    assert "http://192.168.1.31:8080/j/" in pieces["way"]


def test_names_of_the_local_network_become_addresses_for_phones_that_do_not_know_them(
    house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    from web import create_app
    from web.app import WebSettings

    monkeypatch.setattr(addresses, "address_towards", {"192.168.1.77": "192.168.1.20"}.get)
    app = create_app(house, WebSettings(more_names=lambda: frozenset({"stationmaster.local", "table.lan"})))
    assert way(app, "stationmaster.local", "192.168.1.77") == "http://192.168.1.20"
    assert way(app, "stationmaster.local:8080", "192.168.1.77") == "http://192.168.1.20:8080"
    assert way(app, "stationmaster.local", "127.0.0.1") == "http://stationmaster.local"
    assert way(app, "table.lan", "192.168.1.77") == "http://table.lan"


# --- the box's own Wi-Fi ---


@pytest.mark.parametrize(
    ("path", "host", "says"),
    [
        ("/generate_204", "connectivitycheck.gstatic.com", ""),
        ("/hotspot-detect.html", "captive.apple.com", "Success"),
        ("/connecttest.txt", "www.msftconnecttest.com", "Microsoft Connect Test"),
        ("/ncsi.txt", "www.msftncsi.com", "Microsoft NCSI"),
        ("/success.txt", "detectportal.firefox.com", "success"),
    ],
)
def test_phones_stay_in_the_boxs_own_network(
    app: Flask, house: Service, path: str, host: str, says: str
) -> None:
    client = app.test_client()
    assert client.get(path, headers={"Host": host}).status_code == 421, "elsewhere these are foreign names"
    house.access_point = AccessPoint(OwnNetwork("Attic", "trains-and-dice"), threading.Event())
    house.access_point.is_open = True
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == (200 if says else 204)
    assert says in answer.get_data(as_text=True)
    assert client.get("/host", headers={"Host": host}).status_code == 421
    assert client.post(path, headers={"Host": host}).status_code == 421


def test_the_screen_shows_the_wifis_code_before_the_pages(app: Flask, house: Service) -> None:
    assert "WIFI:" not in app.test_client().get("/tv").get_data(as_text=True)
    house.access_point = AccessPoint(OwnNetwork("Attic", "trains-and-dice"), threading.Event())
    house.access_point.is_open = True
    house.links = ["http://10.42.0.1/"]
    page = app.test_client().get("/tv").get_data(as_text=True)
    assert page.index("WIFI:T:WPA;S:Attic;P:trains-and-dice;;") < page.index("QR code: http://10.42.0.1/j/")
