"""Photographs by the API: sent, read, doubted, settled, entered, shown. The reader is a stand-in here."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, m
from companion.game.base import Action
from companion.reading.evidence import Outcome, RulingSummary
from companion.reading.types import (
    BoardReading,
    CameraView,
    Corners,
    FoundBoard,
    ReadHints,
    ScoredPhoto,
    SeenSheet,
    TaughtBoardAnswer,
    View,
)
from companion.service.photos.eye import Answer, Eye, Given
from companion.service.photos.queries import (
    NO_QUERY,
    CleanPhoto,
    MatchContext,
    Photo,
    PhotoQuery,
    PhotoRead,
    Shot,
)
from companion.service.photos.shelf import PhotoShelf
from companion.service.photos.worker import Worker
from companion.service.service import Service
from companion.table.exc import TableError
from tests.web.houses import accepted, begin, with_eye
from tests.web.people import get, good, post, problem, seated, the_host
from web.site import site_of

TABLE = "/matches/current/photos/table"
MOVES = [{"cell": "b1", "route": "NS", "from": "die"}]


@dataclass
class StandInEye(Eye):
    """Reads what it is told to, and notes what it was asked."""

    questions: Mapping[str, list[list[Any]]] = field(default_factory=dict)
    against: tuple[str, ...] = ()
    nothing: bool = False  # no board is found
    there: tuple[int, ...] = ()  # only these boards are found
    asked: list[Any] = field(default_factory=list)

    def start(self, game: str = "") -> None:
        """Nothing to load."""

    def stop(self) -> None:
        """Nothing to end."""

    def call(
        self, function: Callable[[Worker, *Given], Answer], *given: *Given, plays: bool = True
    ) -> Answer:
        """The method here that is called as the function there; what it was given is noted by name."""
        told = signature(function).bind(None, *given)
        told.apply_defaults()
        self.asked.append(SimpleNamespace(name=function.__name__, **told.arguments))
        answer: Answer = getattr(self, function.__name__)(*given)
        return answer

    def read_boards(
        self, match: MatchContext, photos: tuple[Photo, ...], seat: int | None, query: PhotoQuery = NO_QUERY
    ) -> PhotoRead:
        """The boards as they were arranged."""
        cleaned = None
        match photos[-1]:
            case Path() as path:
                digest = path.stem
            case Shot():
                cleaned = b"from the camera"
            case real if real[:2] == b"\xff\xd8":
                cleaned = real  # browsers show it
            case some:
                cleaned = b"clean:" + some
        if cleaned is not None:
            digest = sha256(cleaned).hexdigest()
        seats = (1, 2) if seat is None else (seat,)
        return PhotoRead(digest, cleaned, {one: self._board(query.answers, one, digest) for one in seats})

    def _board(self, answers: Mapping[str, str], seat: int, digest: str) -> BoardReading:
        if self.nothing or (self.there and seat not in self.there):
            return BoardReading(
                digest, None, None, (m("the board of {seat} is not in the picture", seat=Seat(seat)),)
            )
        open_questions = {cell: found for cell, found in self.questions.items() if cell not in answers}
        outcome: Outcome = "refused" if self.against else "ask" if open_questions else "accepted"
        told: JsonObject = {
            "outcome": outcome,
            "cells": {"b1": "NS"},
            "changed": ["b1"],
            "doubtful": list(open_questions),
            "questions": open_questions,
        }
        ruling = RulingSummary(told["outcome"], told["cells"], uncertain=tuple(open_questions), told=told)
        picture = {"photo": digest, "settled": dict(answers)}
        action = Action("turn", seat, {"moves": MOVES, "picture": picture})
        return BoardReading(
            digest, ruling, action if outcome == "accepted" else None, self.against, b"from above"
        )

    def clean_photo(self, photo: bytes, longest: int = 0) -> CleanPhoto:
        """As it came, but for its name."""
        cleaned = b"clean:" + photo
        return CleanPhoto(sha256(cleaned).hexdigest(), cleaned, (640, 480))

    def teach_board(
        self, match: MatchContext, photo: Path, seat: int, corners: Corners, folder: Path
    ) -> TaughtBoardAnswer:
        """Keep a file, as the real one does."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "challenge-own.json").write_text("{}")
        return TaughtBoardAnswer("challenge-own", "This print is hard to find again.")

    def look(self, match: MatchContext, shot: Shot) -> CameraView:
        """One board, not well."""
        square = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
        sheets = (SeenSheet(2, Seat(2, begins=True), square, ("blurred",)),)
        return CameraView(
            b"from the camera", View(sheets, (m("{seat}: too dark", seat=Seat(1, begins=True)),))
        )

    def score_boards(self, photo: bytes, game: str, hints: ReadHints) -> ScoredPhoto:
        """Two boards, of which the rules like one."""
        if game == "derailed":
            grid = {"a1": "TB"}
            position: JsonObject = {"starts": "AB", "destinations": "BA", "grid": grid}
            return ScoredPhoto("derailed", (FoundBoard(1, position, grid, "accepted", (), (), b"g"),), ())
        cells = {"b1": "NS", "b2": "NW", "a2": "Ew*"}
        fine = {"edition": "challenge", "cells": cells, "rounds": {}}
        odd = {"edition": "classic", "cells": {"b1": "ns"}, "rounds": {}}
        boards = (
            FoundBoard(1, fine, cells, "ask", ("a2",), (), b"g"),
            FoundBoard(2, odd, {"b1": "ns"}, "refused", (), ("b1 meets the highway",), b"g"),
        )
        return ScoredPhoto("railroad-ink", boards, ("one board is cut off",))


@pytest.fixture
def eye(house: Service) -> StandInEye:
    made = StandInEye()
    with_eye(house, made)
    return made


@pytest.fixture
def east(app: Flask, house: Service, eye: StandInEye) -> FlaskClient:
    begin(house, "", "")
    client = seated(app, house, 1, "East")
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    return client


def send(
    client: FlaskClient, photo: bytes = b"jpeg", path: str = "/matches/current/photos", **more: Any
) -> TestResponse:
    return client.post(f"/api/v1{path}", data=photo, **{"content_type": "image/jpeg", **more})


def test_a_clear_photograph_is_entered_at_once(east: FlaskClient, house: Service) -> None:
    told = good(send(east, headers={"Idempotency-Key": "p1"}))
    assert told["outcome"] == "accepted"
    assert told["done"]["kind"] == "turn"
    assert told["done"]["seat"] == 1
    assert b64decode(told["picture"].partition("base64,")[2]) == b"from above"
    match = house.table.current
    assert match is not None
    assert [drawing.cell for drawing in match.state.boards[1].drawings] == ["b1"]
    assert good(send(east, headers={"Idempotency-Key": "p1"})) == told
    assert match.version == told["done"]["version"]


def test_doubts_are_asked_and_settled(east: FlaskClient, eye: StandInEye, house: Service) -> None:
    eye.questions = {"b1": [["NS", 0.6], [None, 0.4]]}
    told = good(send(east))
    assert (told["outcome"], told["done"]) == ("ask", None)
    assert told["ruling"]["questions"] == {"b1": [["NS", 0.6], [None, 0.4]]}
    settled = good(post(east, f"/matches/current/photos/{told['photo']}/answers", {"answers": {"b1": "NS"}}))
    assert settled["done"]["data"]["picture"] == {"photo": told["photo"], "settled": {"b1": "NS"}}
    assert eye.asked[-1].photos[-1].read_bytes() == b"clean:jpeg"


def test_what_the_rules_mind_is_said_and_nothing_entered(
    east: FlaskClient, eye: StandInEye, house: Service
) -> None:
    eye.against = ("the highway of c3 meets a railway",)
    told = good(send(east))
    assert (told["outcome"], told["done"], told["says"]) == ("refused", None, list(eye.against))
    match = house.table.current
    assert match is not None
    assert match.state.boards[1].drawings == ()


def test_whose_board_is_missing_is_said_by_name(east: FlaskClient, eye: StandInEye) -> None:
    eye.nothing = True
    assert good(send(east))["says"] == ["the board of East is not in the picture"]


def test_somebody_elses_board_is_offered_for_that_seat(
    east: FlaskClient, app: Flask, eye: StandInEye, house: Service
) -> None:
    """Where nobody sits with a phone, or this phone plays for the seat; not for who has a phone."""
    eye.there = (2,)
    told = good(send(east))
    assert (told["outcome"], told["done"]) == ("refused", None)
    assert told["others"] == [{"seat": 2, "name": "Seat 2"}]
    entered = good(post(east, f"/matches/current/photos/{told['photo']}/answers", {"seat": 2}))
    assert entered["done"]["seat"] == 2
    match = house.table.current
    assert match is not None
    assert match.state.boards[1].drawings == ()
    assert match.state.boards[2].drawings
    seated(app, house, 2, "North")
    assert good(send(east))["others"] == []
    answer = post(east, f"/matches/current/photos/{told['photo']}/answers", {"seat": 2})
    problem(answer, 403, "not-your-seat")


def test_who_has_no_phone_plays_by_the_camera_alone(
    east: FlaskClient, eye: StandInEye, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole turn that the box's camera has seen is over by itself; with a phone one says so there."""
    match = house.table.current
    assert match is not None
    moves, state = [], match.state
    while legal := [one for one in match.game.legal(state, 2) if one.data.get("from") == "die"]:
        moves.append({key: legal[0].data[key] for key in ("cell", "route", "from")})
        state = match.game.apply(state, legal[0])
    monkeypatch.setattr("tests.web.test_photos.MOVES", moves)
    house.camera.usual = "studio"
    house.photos.shutter_pressed()
    now = house.table.current
    assert now is not None
    assert now.state.done == (2,)


def test_only_a_seat_photographs_and_only_its_own_board(
    east: FlaskClient, app: Flask, eye: StandInEye, house: Service
) -> None:
    problem(send(app.test_client()), 403, "no-seat")
    problem(post(app.test_client(), "/matches/current/photos/camera"), 403, "no-seat")
    north = seated(app, house, 2, "North")
    good(send(north))
    assert eye.asked[-1].seat == 2


@pytest.mark.parametrize("kind", ["image/heic", "image/heif", "image/png", "image/webp"])
def test_whatever_phones_make_of_a_picture_is_taken(east: FlaskClient, eye: StandInEye, kind: str) -> None:
    good(send(east, content_type=kind))
    assert kind in east.get("/play").get_data(as_text=True)


@pytest.mark.parametrize("kind", ["text/html", "application/octet-stream", "image/svg+xml", "image/gif", ""])
def test_other_content_is_not_taken(east: FlaskClient, kind: str) -> None:
    problem(send(east, content_type=kind), 415, "not-a-picture")


def test_too_large_a_photograph_is_refused(east: FlaskClient, eye: StandInEye) -> None:
    problem(send(east, bytes(21 * 2**20)), 413, "too-large")
    assert send(east, bytes(26 * 2**20)).status_code == 413
    assert eye.asked == []


def test_what_the_reader_says_of_a_picture_reaches_the_phone(
    east: FlaskClient, eye: StandInEye, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> PhotoRead:
        raise TableError("bad-photo", "the picture is damaged: take or send it again")

    monkeypatch.setattr(eye, "read_boards", broken)
    assert "damaged" in problem(send(east), 409, "bad-photo")


def test_nobody_keeps_the_reader_busy_all_the_time(east: FlaskClient, app: Flask, eye: StandInEye) -> None:
    site_of(app).limiter.clock = lambda: 0.0
    answers = [send(east, path="/scores/photos").status_code for _ in range(25)]
    assert answers[:20] == [200] * 20
    assert answers[20:] == [429] * 5


def test_a_kept_photograph_is_shown_and_stands_in_the_report(east: FlaskClient, client: FlaskClient) -> None:
    told = good(send(east))
    picture = client.get(f"/api/v1/photos/{told['photo']}")
    content = picture.data
    picture.close()
    assert content == b"clean:jpeg"
    assert picture.mimetype == "image/jpeg"
    assert f"/api/v1/photos/{told['photo']}" in client.get("/match/current").get_data(as_text=True)
    for name in ("x", "..%2f..%2fstationmaster.db", "0" * 64):
        assert client.get(f"/api/v1/photos/{name}").status_code == 404


def test_photographs_that_nothing_refers_to_make_room(
    east: FlaskClient, eye: StandInEye, house: Service
) -> None:
    eye.against = ("not now",)
    for number in range(4):
        good(send(east, b"try %d" % number))
    folder = house.store.folder / "photos"
    assert len(list(folder.iterdir())) == 1
    eye.against = ()
    entered = good(send(east, b"good"))
    eye.against = ("not now",)
    good(send(east, b"later"))
    good(send(east, b"latest"))
    assert {path.stem for path in folder.iterdir()} == {entered["photo"], sha256(b"clean:latest").hexdigest()}


def test_the_boxs_camera_needs_one(east: FlaskClient, house: Service, eye: StandInEye) -> None:
    problem(post(east, "/matches/current/photos/camera"), 409, "no-camera")
    assert (
        "camera"
        not in east.get("/play").get_data(as_text=True).partition('id="usual"')[2].partition("</div>")[0]
    )
    house.camera.usual = "studio"
    assert good(post(east, "/matches/current/photos/camera"))["done"]
    assert eye.asked[-1].photos[-1].camera == "studio"


def test_boards_are_scored_from_a_photograph_without_a_match(client: FlaskClient, eye: StandInEye) -> None:
    told = good(send(client, path="/scores/photos"))
    fine, odd = told["boards"]
    assert fine["score"]["total"] == 8
    assert "Network of 2 exits" in fine["html"]
    assert fine["doubtful"] == ["a2"]
    assert (odd["score"], odd["says"]) == (None, ["b1 meets the highway"])
    assert told["notes"] == ["one board is cut off"]
    assert (eye.asked[-1].game, eye.asked[-1].hints) == ("", ReadHints())
    good(send(client, path="/scores/photos?game=railroad-ink&expansion=forest"))
    assert (eye.asked[-1].game, eye.asked[-1].hints) == ("railroad-ink", ReadHints(expansion="forest"))


def test_cards_are_scored_from_a_photograph_when_asked_for(client: FlaskClient, eye: StandInEye) -> None:
    told = good(send(client, path="/scores/photos?game=derailed"))
    (board,) = told["boards"]
    assert (board["score"]["points"], board["says"]) == ({"A": 0, "B": 0}, [])
    assert board["marks"] == {"a1": "TB"}  # whatever the game calls them in its positions
    problem(send(client, path="/scores/photos?match=1"), 422, "bad-query")


def test_the_play_page_offers_the_camera_only_where_boards_can_be_read(
    east: FlaskClient, app: Flask, house: Service
) -> None:
    assert 'data-do="photo"' in east.get("/play").get_data(as_text=True)
    accepted(house, Action("start", data={"game": "derailed", "players": ["", ""]}))
    north = seated(app, house, 1, "North")
    assert 'data-do="photo"' not in north.get("/play").get_data(as_text=True)


CORNERS = [[10, 10], [90, 12], [88, 95], [8, 90]]


def test_marked_corners_go_to_the_reader(east: FlaskClient, eye: StandInEye) -> None:
    told = good(send(east))
    path = f"/matches/current/photos/{told['photo']}"
    good(post(east, "/matches/current/actions", {"kind": "undo"}))
    good(post(east, f"{path}/answers", {"answers": {}, "corners": CORNERS}))
    assert eye.asked[-1].query.corners == tuple(map(tuple, CORNERS))
    for bad in (CORNERS[:3], [[1, "x"]] * 4, [[1e9, 0]] * 4, "corners"):
        assert post(east, f"{path}/answers", {"answers": {}, "corners": bad}).status_code == 422
    problem(post(east, "/matches/current/photos/0/answers", {"answers": {}}), 409, "no-photo")


def test_a_taught_board_is_looked_for_until_the_host_forgets_it(
    east: FlaskClient, app: Flask, eye: StandInEye, house: Service
) -> None:
    told = good(send(east))
    said = good(post(east, f"/matches/current/photos/{told['photo']}/teach", {"corners": CORNERS}))
    assert said["message"] == "remembered as challenge-own. This print is hard to find again."
    good(post(east, "/matches/current/actions", {"kind": "undo"}))
    good(send(east, b"second"))
    assert [path.stem for path in eye.asked[-1].match.taught] == house.taught.boards()
    host = the_host(app, house)
    (name,) = get(host, "/host")["taught"]
    assert name in host.get("/host/box").get_data(as_text=True)
    problem(east.delete(f"/api/v1/host/taught/{name}"), 403, "host-only")
    problem(host.delete("/api/v1/host/taught/..%2fx"), 404, "not-found")
    good(host.delete(f"/api/v1/host/taught/{name}"))
    problem(host.delete(f"/api/v1/host/taught/{name}"), 404, "no-board")


def test_the_host_looks_through_the_camera_and_photographs_the_table(
    east: FlaskClient, app: Flask, eye: StandInEye, house: Service
) -> None:
    host = the_host(app, house)
    problem(host.get("/api/v1/host/camera"), 409, "no-camera")
    house.camera.usual = "studio"
    problem(east.get("/api/v1/host/camera"), 403, "host-only")
    view = get(host, "/host/camera")
    assert (view["boards"][0]["seat"], view["boards"][0]["says"]) == (2, ["blurred"])
    assert (view["boards"][0]["name"], view["notes"]) == ("Seat 2", ["East: too dark"])  # seat 2 has no name
    assert (eye.asked[-1].match.game, eye.asked[-1].shot.camera) == ("railroad-ink", "studio")
    problem(post(east, "/matches/current/photos/table"), 403, "host-only")
    seats = good(post(host, "/matches/current/photos/table"))
    assert [(one["seat"], one["entered"]) for one in seats] == [(1, True), (2, True)]
    assert [one["name"] for one in seats] == ["East", "Seat 2"]
    assert [task.seat for task in eye.asked[1:] if task.name == "read_boards"] == [None], (
        "one reading for all"
    )
    assert len(list((house.store.folder / "photos").iterdir())) == 1
    assert all(one["picture"].startswith("data:image/jpeg") for one in seats)
    again = good(post(host, "/matches/current/photos/table"))
    assert [one["entered"] for one in again] == [False, False]
    assert all("drawn" in one["says"][0] for one in again)


def test_the_host_settles_what_is_doubtful_in_a_picture_of_the_whole_table(
    east: FlaskClient, app: Flask, eye: StandInEye, house: Service
) -> None:
    """Taken with a phone, without any camera of the box; for every seat, and for nobody else's browser."""
    host = the_host(app, house)
    eye.questions = {"b1": [["NS", 0.6], [None, 0.4]]}
    problem(send(east, path=f"{TABLE}/sent"), 403, "host-only")
    boards = good(send(host, path=f"{TABLE}/sent"))
    assert [(one["name"], one["entered"], one["outcome"]) for one in boards] == [
        ("East", False, "ask"),
        ("Seat 2", False, "ask"),
    ]
    assert [list(one["ruling"]["questions"]) for one in boards] == [["b1"], ["b1"]]
    path = f"/matches/current/photos/{boards[0]['photo']}/answers"
    entered = good(post(host, path, {"answers": {"b1": "NS"}, "seat": 1}))
    assert entered["done"]["seat"] == 1
    problem(post(host, path, {"answers": {"b1": "NS"}}), 403, "no-seat")  # of no board in particular
    match = house.table.current
    assert match is not None
    assert (match.state.boards[1].drawings != (), match.state.boards[2].drawings) == (True, ())


def test_the_panels_shutter_photographs_the_table(east: FlaskClient, eye: StandInEye, house: Service) -> None:
    house.photos.shutter_pressed()  # no camera: only a line in the log
    house.camera.usual = "studio"
    house.photos.shutter_pressed()
    match = house.table.current
    assert match is not None
    assert [event.actor.role for event in match.events].count("device") == 2


def test_a_board_that_cannot_be_taught_is_said(app: Flask, house: Service) -> None:
    """The real reader is asked here, in its own process."""
    digest = sha256(b"kept").hexdigest()
    PhotoShelf(house.store.folder).keep(digest, b"kept")
    for game, code in (("derailed", "not-teachable"), ("spike", "not-teachable")):
        accepted(house, Action("start", data={"game": game, "players": ["", ""]}))
        east = seated(app, house, 1, "East")
        answer = post(east, f"/matches/current/photos/{digest}/teach", {"corners": CORNERS})
        assert "cannot be" in problem(answer, 409, code)
    house.eye.stop()


def test_a_games_slots_and_marks_may_be_many_and_long(east: FlaskClient, eye: StandInEye) -> None:
    """A map has thousands of slots."""
    eye.questions = {"b1": [["NS", 0.6], [None, 0.4]]}
    told = good(send(east))
    path = f"/matches/current/photos/{told['photo']}/answers"
    answers = {f"milepost-{n}": "a crayon of some colour" for n in range(8000)}
    good(post(east, path, {"answers": answers}))
    assert eye.asked[-1].query.answers == answers
    assert post(east, path, {"answers": {"b1": "x" * 41}}).status_code == 422


def test_a_photograph_to_remember_a_match_by(
    east: FlaskClient, app: Flask, eye: StandInEye, house: Service
) -> None:
    """It stays while others come and go, is shown with the match, and the next one takes its place."""
    path = "/matches/current/photograph"
    problem(send(app.test_client(), path=path), 403, "no-seat")
    good(send(east, b"first", path=path))
    good(send(east, b"second", path=path))
    match = house.table.current
    assert match is not None
    digest = house.photos.memories()[match.id]
    good(send(east))  # a board's photograph
    house.tidy_photos()
    stored = {one.stem for one in (house.store.folder / "photos").iterdir()}
    assert digest in stored
    assert sha256(b"clean:first").hexdigest() not in stored
    accepted(house, Action("end"))
    page = east.get("/match/current").get_data(as_text=True)
    assert f"/api/v1/photos/{digest}" in page
    finale = app.test_client().get("/tv").get_data(as_text=True)
    assert f'class="finale-photo" src="/api/v1/photos/{digest}"' in finale
    good(east.delete(f"/api/v1{path}"))
    assert house.photos.find(digest) is None
    assert "finale-photo" not in app.test_client().get("/tv").get_data(as_text=True)


def test_a_picture_of_the_whole_table_is_shown_when_all_is_over(
    east: FlaskClient, app: Flask, eye: StandInEye, house: Service
) -> None:
    good(send(the_host(app, house), path=f"{TABLE}/sent"))
    accepted(house, Action("end"))
    assert "finale-photo" in app.test_client().get("/tv").get_data(as_text=True)
