"""An old phone on a stand as the table's camera: only for the host, one at a time, and never too much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.game.base import Action
from companion.service.photos.sent_pictures import GONE
from companion.service.service import Service
from tests.web.houses import accepted, begin, small_house
from tests.web.people import good, problem, the_host
from vision.cameras.pushed import PushedCamera
from vision.errors import CameraError, PictureError
from web.api.watching import MOST_BYTES, PICTURES
from web.app import create_app

JPEG = b"\xff\xd8\xff" + bytes(100)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[tuple[Service, Flask]]:
    with small_house(tmp_path) as house:
        house.settings.change({"camera": {"name": "phone", "watch": True}})
        yield house, create_app(house)


def send(
    client: FlaskClient, sender: str = "phone-one", data: bytes = JPEG, kind: str = "image/jpeg"
) -> TestResponse:
    return client.post(f"/api/v1/host/camera/pictures?sender={sender}", data=data, content_type=kind)


def test_only_the_host_opens_the_page_and_sends(box: tuple[Service, Flask]) -> None:
    house, app = box
    stranger, host = app.test_client(), the_host(app, house)
    assert "Host PIN" in stranger.get("/camera").get_data(as_text=True)
    assert "Watch the table from here" in host.get("/camera").get_data(as_text=True)
    problem(send(stranger), 403, "host-only")
    assert house.camera.sent.take() == b""
    assert good(send(host))["again"] >= 2, "nobody plays: seldom"
    begin(house)
    assert good(send(host))["again"] < 1.5
    assert house.camera.sent.take() == JPEG
    accepted(house, Action("end"))
    assert good(send(host))["again"] >= 2


def test_one_camera_at_a_time(box: tuple[Service, Flask]) -> None:
    house, app = box
    host, now = the_host(app, house), [100.0]
    house.camera.sent._clock = lambda: now[0]
    good(send(host))
    problem(send(host, "phone-two"), 409, "other-camera")
    now[0] += GONE
    good(send(host, "phone-two"))
    problem(send(host), 409, "other-camera")
    house.camera.sent.leave("phone-two")
    good(send(host))
    house.settings.change({"camera": {"name": "usb"}})
    problem(send(host), 409, "no-camera")


def test_what_is_too_large_too_often_or_no_picture_is_refused(box: tuple[Service, Flask]) -> None:
    house, app = box
    host = the_host(app, house)
    problem(send(host, data=JPEG + bytes(MOST_BYTES)), 413, "too-large")
    problem(send(host, data=b"<svg/>"), 415, "not-a-picture")
    problem(send(host, kind="image/png"), 415, "not-a-picture")
    problem(send(host, sender="x"), 422, "bad-query")
    for _ in range(PICTURES[0][0]):
        answer = send(host)
    problem(answer, 429, "slow-down")


def test_a_sent_picture_is_looked_at_once_and_taken_as_often_as_wanted() -> None:
    import cv2
    import numpy as np

    camera = PushedCamera()
    with pytest.raises(CameraError, match="sends no pictures"):
        camera.take()
    picture = np.full((1500, 2000, 3), 128, np.uint8)
    camera.push(bytes(cv2.imencode(".jpg", picture)[1]))
    assert camera.glance().shape == (750, 1000, 3)
    with pytest.raises(CameraError, match="sends no pictures"):
        camera.glance()
    assert camera.take().shape == camera.take().shape == (1500, 2000, 3)
    camera.push(b"rubbish")
    with pytest.raises(PictureError):
        camera.take()
    camera.close()
    with pytest.raises(CameraError):
        camera.take()
