"""A camera that watches: one look at a time, one picture for a change, nothing while hands are there."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.jsontext import JsonObject
from companion.reading.types import SeatPhoto
from companion.service.photos.eye_camera import EyeCamera
from companion.service.photos.queries import Shot
from companion.service.photos.scoring import has_changed
from companion.service.photos.table_watch import AFTER_A_FAULT, TableWatch
from companion.service.service import Service
from companion.table.exc import TableError
from tests.web.houses import begin, small_house
from vision.cameras.watching import Watcher

SIZE = (240, 320)


def table(
    *lines: tuple[int, int, int, int], hand: int | None = None, seed: int = 0, light: float = 1.0
) -> Any:
    """A sheet on a table with lines drawn on it, perhaps a hand, and noise."""
    picture = np.full((*SIZE, 3), 90, np.uint8)
    cv2.rectangle(picture, (60, 40), (260, 200), (235, 235, 235), -1)
    for x, y, right, bottom in lines:
        cv2.line(picture, (x, y), (right, bottom), (40, 30, 30), 6)
    if hand is not None:
        cv2.ellipse(picture, (hand, 150), (50, 35), 20, 0, 360, (120, 150, 200), -1)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


DRAWN = (100, 80, 200, 90)


def test_a_turn_is_seen_once_when_the_hand_is_away() -> None:
    watcher = Watcher()
    looks = [table(seed=n) for n in range(4)]  # an empty board at rest
    looks += [table(hand=x, seed=x) for x in (300, 240, 190, 160)]  # a hand comes
    looks += [table(DRAWN, hand=x, seed=x) for x in (150, 170, 220, 280)]  # draws, and goes
    looks += [table(DRAWN, seed=50 + n) for n in range(6)]
    told = [watcher.look(frame) for frame in looks]
    assert [place for place, changed in enumerate(told) if changed] == [2, 14]


def test_noise_and_a_cloud_before_the_sun_are_no_turn() -> None:
    watcher = Watcher()
    told = [watcher.look(table(DRAWN, seed=n, light=1 - 0.02 * n)) for n in range(15)]
    assert told.count(True) == 1


def test_a_hand_that_rests_is_a_change_and_its_leaving_another() -> None:
    watcher = Watcher()
    looks = [table(seed=n) for n in range(3)] + [table(hand=160, seed=n) for n in range(5)]
    looks += [table(seed=20 + n) for n in range(4)]
    assert [watcher.look(frame) for frame in looks].count(True) == 3


def test_the_cameras_process_looks_through_its_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = iter([table(seed=n) for n in range(3)])
    monkeypatch.setattr(EyeCamera, "glance", lambda self, shot: next(frames))
    camera = EyeCamera()
    assert [camera.watched(Shot("usb", 1)) for _ in range(3)] == [False, False, True]


class Watching:
    """The reader as the service sees it."""

    def __init__(self) -> None:
        self.changed = False
        self.asked: list[object] = []

    def call(self, function: object, shot: Shot) -> bool:
        assert function is has_changed
        self.asked.append(shot)
        return self.changed

    def stop(self) -> None:
        pass


def watch_wish(house: Service, **more: JsonObject) -> None:
    house.settings.change({"camera": {"name": "usb", "watch": True, **more}})


def test_only_a_wanted_camera_over_a_match_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_house(tmp_path) as house:
        eye = Watching()
        house.photos.eye = eye  # type: ignore[assignment]
        photographed: list[str] = []

        def photograph(match: Any) -> list[SeatPhoto]:
            photographed.append(match.id)
            return [SeatPhoto(1, False, ("not clear",)), SeatPhoto(2, True, ())]

        monkeypatch.setattr(house.photos, "read_table", photograph)
        assert not house.photos.watch()
        begin(house)
        assert not house.photos.watch(), "off by default"
        house.settings.change({"camera": {"name": "usb"}})
        assert not house.photos.watch()
        assert not eye.asked
        watch_wish(house)
        assert not house.photos.watch(), "nothing has changed"
        eye.changed = True
        assert house.photos.watch()
        assert photographed == ["m1"]
        house.settings.change({"camera": {"watch": False}})
        assert not house.photos.watch()
        assert len(eye.asked) == 2


def test_a_camera_that_is_gone_is_not_asked_all_the_time() -> None:
    now, asked, beeps = [0.0], [0], [0]

    def look() -> bool:
        asked[0] += 1
        if now[0] < AFTER_A_FAULT:
            raise TableError("bad-photo", "there is no camera")
        return True

    def beep() -> None:
        beeps[0] += 1

    watch = TableWatch(look, threading.Event(), entered=beep, clock=lambda: now[0])
    for now[0] in (0.0, 3.0, 30.0, AFTER_A_FAULT + 1):
        watch.look()
    assert (asked[0], beeps[0]) == (2, 1)
