"""The host's side of a club: joining it, what counts, calling for help; nobody else may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.club.messages import Seating
from companion.club.outbox import Outbox
from companion.languages import said
from companion.service.service import Service
from tests.hub.houses import Night, embedded, needs_signing, sent_all
from tests.web.houses import begin, play_rounds
from tests.web.people import good, post
from web.access.people import new_pin

pytestmark = needs_signing


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = embedded(tmp_path / "hub")
    yield made
    made.database.close()


@pytest.fixture
def outbox(night: Night, house: Service, monkeypatch: pytest.MonkeyPatch) -> Outbox:
    made = night.joined(house, night.wire(), monkeypatch)
    house.outbox = made
    return made


def host(house: Service, client: FlaskClient) -> FlaskClient:
    good(post(client, "/host", {"pin": new_pin(house.store)}))
    return client


def test_the_host_joins_with_the_code_of_the_hub(
    night: Night, house: Service, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.club.desk.HubClient", lambda _: night.wire())
    host(house, client)
    wrong = client.post("/api/v1/host/club", json={"hub": "http://hub", "code": "WRONG"})
    assert wrong.status_code == 502
    assert wrong.json is not None
    assert wrong.json["error"]["code"] == "bad-code"
    joined = client.post("/api/v1/host/club", json={"hub": "http://hub", "code": night.code.lower()})
    assert joined.json == {"message": "this box is table 1 of The Roundhouse now"}
    page = client.get("/host/box").text
    assert "The Roundhouse" in page
    assert client.delete("/api/v1/host/club").status_code == 200
    assert "Join this club" in client.get("/host/box").text


def test_watchers_change_nothing_about_the_club(house: Service, client: FlaskClient, outbox: Outbox) -> None:
    match = begin(house)
    for address, body in (
        ("/api/v1/host/club", {"hub": "http://hub", "code": "X"}),
        ("/api/v1/host/club/every", {"counts": False}),
        (f"/api/v1/matches/{match}/club", {"counts": False}),
        ("/api/v1/room/help", {"words": "help"}),
    ):
        assert client.post(address, json=body).status_code == 403
    assert client.get("/api/v1/host/club").status_code == 403
    assert client.delete("/api/v1/host/club").status_code == 403
    assert "The Roundhouse" not in client.get("/api/v1/pieces?page=host").text


def test_what_counts_is_the_host_s_word(
    night: Night, house: Service, client: FlaskClient, outbox: Outbox
) -> None:
    host(house, client)
    assert client.post("/api/v1/host/club/every", json={"counts": False}).status_code == 200
    match = begin(house)
    play_rounds(house, 1)
    sent_all(outbox)
    assert night.rows("SELECT count(*) FROM matches") == [(0,)]
    assert client.post(f"/api/v1/matches/{match}/club", json={"counts": True}).status_code == 200
    sent_all(outbox)
    assert night.rows("SELECT match FROM matches") == [(match,)]
    told = client.get("/api/v1/host/club").json
    assert told is not None
    assert told["club"]["counts"] is True
    assert told["club"]["waiting"] == 0


def test_help_is_called_from_the_host_s_page(
    night: Night, house: Service, client: FlaskClient, outbox: Outbox
) -> None:
    host(house, client)
    assert client.post("/api/v1/room/help", json={"words": "somebody is needed"}).status_code == 200
    sent_all(outbox)
    assert night.rows("SELECT help FROM boxes") == [("somebody is needed",)]
    night.house.state.refresh()
    assert said(night.house.state.tables()[0].help, "de") == "jemand wird gebraucht"
    assert "All is well again" in client.get("/host/box").text


def test_the_round_that_the_club_has_begun_stands_before_everything_else(
    night: Night, house: Service, client: FlaskClient, outbox: Outbox
) -> None:
    host(house, client)
    assert "Begin this round" not in client.get("/host").text
    outbox.seating = Seating(3, "spike", ["Ada", "Ben"], {}, "umpire")
    page = client.get("/host").text
    assert page.index("Begin this round") < page.index("New match")
    assert "A match is under way" not in page.partition("Begin this round")[0]
    begin(house)
    assert "A match is under way" in client.get("/host").text.partition("Begin this round")[0]


def test_without_a_club_there_is_nothing_to_count(house: Service, client: FlaskClient) -> None:
    host(house, client)
    match = begin(house)
    assert client.post(f"/api/v1/matches/{match}/club", json={"counts": True}).status_code == 409
    assert client.post("/api/v1/host/club/every", json={"counts": True}).status_code == 409
    told = client.post("/api/v1/host/club", json={"hub": "nonsense", "code": "X"})
    assert told.status_code == 409
