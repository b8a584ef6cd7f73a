"""Photographs of a map by the API: proposed or entered, in parts read as one, with what lies over them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Action
from companion.reading.evidence import RulingSummary
from companion.reading.types import BoardReading, LaidSlot, Overlay, Shown
from companion.service.photos.queries import NO_QUERY, MatchContext, Photo, PhotoQuery, PhotoRead, Shot
from companion.service.service import Service
from companion.table.match import Match
from tests.web.houses import accepted, with_eye
from tests.web.people import good, post, problem, seated
from tests.web.test_photos import StandInEye

NEW, DOUBT = "h19-i20", "i20-j21"
LINE = ((10.0, 20.0), (30.0, 20.0))


@dataclass
class MapEye(StandInEye):
    """One new segment, perhaps one in doubt; a part of the map is missing until two pictures are joined."""

    doubtful: bool = False
    halves: bool = False
    options: tuple[tuple[str | None, float], ...] = (("1", 0.6), (None, 0.4))

    def read_boards(
        self, match: MatchContext, photos: tuple[Photo, ...], seat: int | None, query: PhotoQuery = NO_QUERY
    ) -> PhotoRead:
        """The map as it was arranged."""
        photo = photos[-1]
        camera = b"from the camera %d" % len(self.asked) if isinstance(photo, Shot) else None
        new = photo if isinstance(photo, bytes) else camera
        digest = sha256(new).hexdigest() if new is not None else getattr(photo, "stem", "0" * 64)
        board = BoardReading(digest, None, None, ("the map is not in the picture",))
        if new != b"nothing":
            board = self._map(seat, query, digest)
        return PhotoRead(digest, new, {seat or 1: board})

    def _map(self, seat: int | None, query: PhotoQuery, digest: str) -> BoardReading:
        questions: JsonObject = {DOUBT: [list(option) for option in self.options]}
        open_questions = questions if self.doubtful and DOUBT not in query.answers else {}
        told: JsonObject = {
            "outcome": "ask" if open_questions else "accepted",
            "cells": {NEW: "1"},
            "changed": [NEW],
            "doubtful": list(open_questions),
            "questions": open_questions,
        }
        ruling = RulingSummary(told["outcome"], told["cells"], uncertain=tuple(open_questions), told=told)
        parts = list(query.parts)
        picture = {"photo": digest, "settled": dict(query.answers), **({"parts": parts} if parts else {})}
        report = Action("report", seat, {"track": {"1": [NEW.replace("-", " ")]}, "picture": picture})
        slots = {NEW: LaidSlot(LINE, "new"), **{name: LaidSlot(LINE) for name in open_questions}}
        missing = "the right half" if self.halves and not parts else ""
        shown = (
            Shown(("the left half", "the right half")[: 1 + len(parts)], missing) if self.halves else Shown()
        )
        return BoardReading(
            digest,
            ruling,
            None if open_questions else report,
            (m("what to know of {edge}", edge="h19-i20"),),
            b"from above",
            (300, 200),
            Overlay(slots, {"1": (1,)}),
            shown,
        )


@pytest.fixture
def eye(house: Service) -> MapEye:
    made = MapEye()
    with_eye(house, made)
    return made


@pytest.fixture
def east(app: Flask, house: Service, eye: MapEye) -> FlaskClient:
    data = {"game": "empire-builder", "players": ["", ""], "mode": "scorekeeper"}
    accepted(house, Action("start", data=data))
    return seated(app, house, 1, "East")


def sent(client: FlaskClient, photo: bytes = b"one", **asked: Any) -> JsonObject:
    path = "/api/v1/matches/current/photos"
    told: JsonObject = good(client.post(path, data=photo, query_string=asked, content_type="image/jpeg"))
    return told


def match_of(house: Service) -> Match:
    match = house.table.current
    assert match is not None
    return match


def test_slots_have_their_places_and_people_their_names(east: FlaskClient) -> None:
    told = sent(east)
    assert told["overlay"]["size"] == [300, 200]
    assert told["overlay"]["slots"][NEW] == {
        "line": [[10, 20], [30, 20]],
        "look": "new",
        "says": "near Seattle",
    }
    assert told["overlay"]["marks"]["1"] == {"says": "East", "colours": ["red"]}
    assert told["says"] == ["what to know of near Seattle"]


def test_a_photograph_is_the_report_unless_somebody_wants_to_be_asked(
    east: FlaskClient, house: Service
) -> None:
    proposed = sent(east, propose="always")
    assert (proposed["done"], proposed["proposed"]["kind"]) == (None, "report")
    assert match_of(house).state.track == {}
    done = good(post(east, "/matches/current/actions", proposed["proposed"]))
    assert done["data"]["picture"]["photo"] == proposed["photo"]
    assert len(match_of(house).state.track) == 1
    entered = sent(east, b"another", propose="parts")
    assert (entered["done"]["kind"], entered["proposed"]) == ("report", None)


def test_what_is_asked_about_reaches_the_reader(east: FlaskClient, eye: MapEye, house: Service) -> None:
    eye.doubtful = True
    told = sent(east, scope="turn")
    assert (eye.asked[-1].query.scope, told["done"]) == ("turn", None)
    answers = {"answers": {DOUBT: "1"}, "scope": "whole", "propose": "always"}
    settled = good(post(east, f"/matches/current/photos/{told['photo']}/answers", answers))
    assert eye.asked[-1].query.scope == "whole"
    assert settled["proposed"]["data"]["picture"]["settled"] == {DOUBT: "1"}
    house.camera.usual = "studio"
    good(post(east, "/matches/current/photos/camera", {"scope": "turn", "propose": "always"}))
    assert eye.asked[-1].query.scope == "turn"
    problem(post(east, "/matches/current/photos/camera", {"scope": "half"}), 422, "bad-shape")


def test_the_reader_is_told_which_colours_people_chose(
    app: Flask, house: Service, eye: MapEye, east: FlaskClient
) -> None:
    sent(east)
    assert eye.asked[-1].match.players == (("red", 1), ("blue", 2))
    sit = {"name": "West", "colour": "violet", "shape": "star"}
    accepted(house, Action("sit", 2, sit))
    told = sent(east, b"another", propose="always")
    assert eye.asked[-1].match.players == (("red", 1), ("violet", 2))
    good(post(east, f"/matches/current/photos/{told['photo']}/answers", {"answers": {}}))
    assert eye.asked[-1].match.players == (("red", 1), ("violet", 2))


def test_a_part_waits_for_the_other_and_all_of_them_are_kept(
    east: FlaskClient, eye: MapEye, house: Service
) -> None:
    eye.halves = True
    left = sent(east, b"left", propose="parts")
    assert (left["done"], left["shown"]["missing"]) == (None, "the right half")
    both = sent(east, b"right", propose="parts", parts=left["photo"])
    assert both["shown"] == {"parts": ["the left half", "the right half"], "missing": ""}
    assert both["done"]["data"]["picture"]["parts"] == [left["photo"]]
    kept = {path.stem for path in (house.store.folder / "photos").iterdir()}
    assert kept == {left["photo"], both["photo"]}
    sent(east, b"later", propose="always")
    assert kept < {path.stem for path in (house.store.folder / "photos").iterdir()}
    assert house.store.named_digests() == kept
    page = east.get("/match/current").get_data(as_text=True)
    assert all(page.count(f"/api/v1/photos/{digest}") == 2 for digest in kept)


def test_parts_that_nothing_refers_to_make_room(east: FlaskClient, eye: MapEye, house: Service) -> None:
    eye.halves = True
    left = sent(east, b"left", propose="always")
    both = sent(east, b"right", propose="always", parts=left["photo"])
    assert len(list((house.store.folder / "photos").iterdir())) == 2
    new = sent(east, b"new", propose="always")
    assert [path.stem for path in (house.store.folder / "photos").iterdir()] == [new["photo"]]
    answers = {"answers": {}, "parts": left["photo"]}
    problem(post(east, f"/matches/current/photos/{both['photo']}/answers", answers), 409, "no-photo")
    path = "/api/v1/matches/current/photos?parts=../x"
    problem(east.post(path, data=b"x", content_type="image/jpeg"), 422, "bad-query")


def test_a_picture_of_something_else_is_said(east: FlaskClient) -> None:
    told = sent(east, b"nothing")
    assert (told["overlay"], told["says"]) == (None, ["the map is not in the picture"])


def test_the_page_has_a_camera_at_the_map(east: FlaskClient, house: Service) -> None:
    page = east.get("/play").get_data(as_text=True)
    assert "data-large" in page
    assert "data-camera" not in page
    assert 'data-do="photo"' in page
