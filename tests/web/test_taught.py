"""Boards of the owner's own by the API: kept, described, learnt, tried; the host alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.spike.rules.boards.board import SHIPPED, board_called, board_text
from companion.reading.evidence import RulingSummary
from companion.reading.types import BoardReading, Corners, LaidSlot, Overlay, TaughtBoardAnswer
from companion.service.photos.queries import CleanPhoto
from companion.service.service import Service
from companion.table.exc import TableError
from tests.web.houses import with_eye
from tests.web.people import get, good, post, problem, the_host
from tests.web.test_photos import StandInEye

CORNERS = [[10, 10], [90, 12], [88, 95], [8, 90]]
SLOTS = {"size": [100, 80], "slots": {"r0": [[1, 1], [9, 1], [9, 3], [1, 3]]}, "groups": {"g": ["r0"]}}


@dataclass
class OwnersEye(StandInEye):
    """Learns and reads as it is told to."""

    refuses: str = ""

    def clean_photo(self, photo: bytes, longest: int = 0) -> CleanPhoto:
        """As it is."""
        return CleanPhoto(sha256(photo).hexdigest(), photo, (640, 480))

    def teach_segments(self, photo: Path, corners: Corners, segments: bytes, path: Path) -> TaughtBoardAnswer:
        """Keep a file, as the real one does."""
        self._write(path, segments)
        return TaughtBoardAnswer(path.stem, "This print is hard to find again.")

    def teach_deck(self, game: str, number: int, photo: Any, path: Path, *_: object) -> TaughtBoardAnswer:
        """Keep a file, as the real one does."""
        self._write(path, b"{}")
        return TaughtBoardAnswer("ours", "Photograph 2 of the order is still wanted.")

    def _write(self, path: Path, content: bytes) -> None:
        if self.refuses:
            raise TableError("bad-photo", self.refuses)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def read_taught_board(self, board: Path, photo: bytes) -> BoardReading:
        """One red piece."""
        if photo == b"nothing":
            return BoardReading("", None, None, ("the board was not found",))
        ruling = RulingSummary("accepted", {"r0": "red"})
        overlay = Overlay({"r0": LaidSlot(((1.0, 2.0), (9.0, 2.0)), "new", "r0")}, {})
        return BoardReading("", ruling, None, (), b"above", (180, 144), overlay)


@pytest.fixture
def eye(house: Service) -> OwnersEye:
    made = OwnersEye()
    with_eye(house, made)
    return made


def kept(host: FlaskClient, photo: bytes = b"empty") -> str:
    told = good(host.post("/api/v1/host/photos", data=photo, content_type="image/jpeg"))
    assert told["size"] == [640, 480]
    return str(told["photo"])


def test_a_board_is_learnt_from_an_owners_file_and_tried(app: Flask, house: Service, eye: OwnersEye) -> None:
    host = the_host(app, house)
    photo = kept(host)
    entry = {"name": "shelf", "photo": photo, "corners": CORNERS, "slots": SLOTS}
    assert good(post(host, "/host/taught", entry))["message"] == (
        "shelf is remembered. This print is hard to find again."
    )
    assert json.loads(eye.asked[-1].segments) == SLOTS
    assert eye.asked[-1].corners == tuple(map(tuple, CORNERS))
    assert get(host, "/host")["taught"] == ["shelf"]
    assert 'data-try="shelf"' in host.get("/host/boards").get_data(as_text=True)
    path = "/api/v1/host/taught/shelf/photos"
    told = good(host.post(path, data=b"evening", content_type="image/jpeg"))
    assert (told["cells"], told["overlay"]["marks"]["red"]["colours"]) == ({"r0": "red"}, ["red"])
    nothing = good(host.post(path, data=b"nothing", content_type="image/jpeg"))
    assert (nothing["overlay"], nothing["says"]) == (None, ["the board was not found"])
    problem(host.post(path.replace("shelf", "x"), data=b"e", content_type="image/jpeg"), 409, "no-board")


def test_the_places_of_a_games_board_are_known(app: Flask, house: Service, eye: OwnersEye) -> None:
    host = the_host(app, house)
    places = get(host, "/host/places?game=spike")
    board = board_called(SHIPPED[0])
    assert (set(places["slots"]), tuple(places["size"])) == (set(board.tracks), board.heading.size)
    photo = kept(host)
    entry = {"name": "genuine", "photo": photo, "corners": CORNERS, "game": "spike"}
    good(post(host, "/host/taught", entry))
    assert len(json.loads(eye.asked[-1].segments)["slots"]) == len(board.tracks)
    problem(host.get("/api/v1/host/places?game=spike&own=true"), 404, "no-places")
    good(post(host, "/host/options", {"game": "spike", "option": "board", "text": board_text(SHIPPED[0])}))
    assert get(host, "/host/places?game=spike&own=true") == places
    page = host.get("/host/boards").get_data(as_text=True)
    assert "spike/own" in page
    assert 'value="empire-builder"' not in page
    for game in ("railroad-ink", "empire-builder", "chess"):  # no eye has a use for such a board of theirs
        problem(host.get(f"/api/v1/host/places?game={game}"), 404, "no-places")


def test_a_deck_is_taught_photograph_by_photograph_and_forgotten(
    app: Flask, client: FlaskClient, house: Service, eye: OwnersEye
) -> None:
    path = "/api/v1/host/decks/ours/photos?game=derailed&number="
    problem(client.post(f"{path}1", data=b"cards", content_type="image/jpeg"), 403, "host-only")
    host = the_host(app, house)
    said = good(host.post(f"{path}1", data=b"cards", content_type="image/jpeg"))["message"]
    assert said == "ours is remembered. Photograph 2 of the order is still wanted."
    task = eye.asked[-1]
    assert (task.game, task.number, task.photo, task.path.name) == ("derailed", 1, b"cards", "ours.deck.json")
    assert (house.taught.decks(), house.taught.boards()) == (["ours"], [])
    page = host.get("/host/boards").get_data(as_text=True)
    assert 'href="/sheets/derailed.pdf?part=deck-order&amp;edition=lanes-6"' in page
    assert 'data-photographs="5"' in page  # with two lanes more photographs are needed
    assert 'data-post="/api/v1/host/decks/ours"' in page
    for number in ("0", "x"):
        assert host.post(f"{path}{number}", data=b"c", content_type="image/jpeg").status_code == 422
    other = path.replace("derailed", "spike")
    problem(host.post(f"{other}1", data=b"c", content_type="image/jpeg"), 404, "no-decks")
    named = path.replace("/ours/", "/a.b/")
    problem(host.post(f"{named}1", data=b"c", content_type="image/jpeg"), 422, "bad-name")
    eye.refuses = "no card is seen at b2"
    assert "b2" in problem(host.post(f"{path}2", data=b"c", content_type="image/jpeg"), 409, "bad-photo")
    problem(client.delete("/api/v1/host/decks/ours"), 403, "host-only")
    good(host.delete("/api/v1/host/decks/ours"))
    problem(host.delete("/api/v1/host/decks/ours"), 404, "no-deck")
    assert house.taught.decks() == []


def test_a_kept_photograph_of_a_deck_is_taught_by_its_corners(
    app: Flask, client: FlaskClient, house: Service, eye: OwnersEye
) -> None:
    host = the_host(app, house)
    entry = {"name": "ours", "photo": kept(host), "game": "derailed", "number": 2, "edition": "lanes-4"}
    problem(post(client, "/host/decks", entry), 403, "host-only")
    good(post(host, "/host/decks", entry))
    assert eye.asked[-1].corners is None
    said = good(post(host, "/host/decks", entry | {"corners": CORNERS}))["message"]
    assert said.startswith("ours is remembered. Photograph 2")
    task = eye.asked[-1]
    assert task.corners == tuple(map(tuple, CORNERS))
    assert (task.number, task.edition, task.photo.read_bytes()) == (2, "lanes-4", b"empty")
    for change in ({"name": "a.b"}, {"corners": CORNERS[:3]}, {"number": 0}, {"photo": "x"}):
        assert post(host, "/host/decks", entry | change).status_code == 422
    problem(post(host, "/host/decks", entry | {"edition": "lanes-9"}), 404, "unknown-edition")
    problem(post(host, "/host/decks", entry | {"game": "spike"}), 404, "no-decks")
    problem(post(host, "/host/decks", entry | {"photo": "0" * 64}), 409, "no-photo")


def test_what_makes_no_sense_is_one_sentence(app: Flask, house: Service, eye: OwnersEye) -> None:
    host = the_host(app, house)
    photo = kept(host)
    fine = {"name": "shelf", "photo": photo, "corners": CORNERS, "slots": SLOTS}
    for change in ({"name": "../up"}, {"corners": CORNERS[:3]}, {"photo": "x"}):
        assert post(host, "/host/taught", fine | change).status_code == 422
    problem(post(host, "/host/taught", fine | {"game": "spike"}), 422, "bad-places")
    problem(post(host, "/host/taught", fine | {"photo": "0" * 64}), 409, "no-photo")
    eye.refuses = "these corners make no board"
    assert "corners" in problem(post(host, "/host/taught", fine), 409, "bad-photo")
    assert get(host, "/host")["taught"] == []


def test_only_the_host_teaches_and_pictures_make_room(
    app: Flask, client: FlaskClient, house: Service, eye: OwnersEye
) -> None:
    problem(client.post("/api/v1/host/photos", data=b"x", content_type="image/jpeg"), 403, "host-only")
    problem(client.get("/api/v1/host/places?game=spike"), 403, "host-only")
    problem(
        post(client, "/host/taught", {"name": "a", "photo": "0" * 64, "corners": CORNERS}), 403, "host-only"
    )
    problem(
        client.post("/api/v1/host/taught/a/photos", data=b"x", content_type="image/jpeg"), 403, "host-only"
    )
    assert "Remember it" not in client.get("/host/boards").get_data(as_text=True)
    host = the_host(app, house)
    kept(host, b"one")
    second = kept(host, b"two")
    assert [path.stem for path in (house.store.folder / "photos").iterdir()] == [second]
