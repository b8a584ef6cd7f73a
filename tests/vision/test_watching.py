"""Waiting for a still table, and one good picture of several, in made-up time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from lab.railroad_ink.studio.photographs import photograph
from lab.railroad_ink.studio.scenes import SceneSpec, make_scene
from lab.studio.levels import level_named
from lab.studio.settings import SoftShape
from vision.cameras.watching import (
    Patience,
    has_moved,
    median_of,
    still_picture,
    wait_for_stillness,
    without_glare,
)
from vision.errors import CameraError
from vision.register.rectify import Image

RNG = np.random.default_rng(1)
TABLE = np.asarray(RNG.uniform(60, 220, (240, 320, 3)), np.uint8)
TABLE = np.asarray(np.kron(TABLE[::40, ::40], np.ones((40, 40, 1))), np.uint8)


class Hours:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


class Scripted:
    """A camera whose frames follow from the time and the lamp."""

    def __init__(self, hours: Hours, frame: Callable[[float], Image]) -> None:
        self.hours, self.frame = hours, frame
        self.taken = 0
        self.lamp = 0
        self.log: list[int] = []
        self.has_two_lamps = True

    def take(self) -> Image:
        self.taken += 1
        self.log.append(self.lamp)
        return self.frame(self.hours.time)

    def close(self) -> None:
        raise AssertionError("whoever opened it closes it")

    @contextmanager
    def lit(self, *, left: bool = False, right: bool = False) -> Iterator[None]:
        self.lamp = right - left
        yield
        self.lamp = 0


def noisy(image: Image, strength: float = 4.0) -> Image:
    return np.asarray(np.clip(image + RNG.normal(0, strength, image.shape), 0, 255), np.uint8)


def with_hand(at: float) -> Image:
    picture = TABLE.copy()
    x = int(at)
    picture[100:160, x : x + 50] = (120, 150, 200)
    return picture


def moving_until(time: float) -> Callable[[float], Image]:
    return lambda now: noisy(with_hand(20 + 100 * now) if now < time else TABLE)


def test_it_waits_until_the_hand_has_gone() -> None:
    hours = Hours()
    frame = wait_for_stillness(Scripted(hours, moving_until(1.5)), Patience(), hours)
    assert hours.time >= 1.5
    assert hours.time < 2.6
    assert not has_moved(frame, TABLE)


def test_it_does_not_wait_for_ever() -> None:
    hours = Hours()
    with pytest.raises(CameraError, match="something keeps moving"):
        wait_for_stillness(Scripted(hours, lambda now: noisy(with_hand(now * 97 % 250))), Patience(), hours)
    assert 20 <= hours.time < 21


@pytest.mark.parametrize("strength", [0.0, 3.0, 12.0])
def test_noise_is_no_movement(strength: float) -> None:
    assert not has_moved(noisy(TABLE, strength), noisy(TABLE, strength))


def test_a_cloud_is_no_movement() -> None:
    assert not has_moved(noisy(TABLE), noisy(np.asarray(TABLE * 0.8, np.uint8)))


def test_a_pen_is_movement() -> None:
    picture = TABLE.copy()
    picture[50:90, 60:66] = 20
    assert has_moved(noisy(TABLE), noisy(picture))
    assert has_moved(TABLE, TABLE[:100])


@pytest.mark.parametrize("count", [1, 3, 5, 7])
def test_the_median_is_the_median(count: int) -> None:
    frames = [np.asarray(RNG.integers(0, 256, (9, 8, 3)), np.uint8) for _ in range(count)]
    middle = np.median(frames, axis=0)
    assert (median_of(frames) == middle).all()
    over = [frame.copy() for frame in frames]
    assert median_of(over, into=over[0]) is over[0]
    assert (over[0] == middle).all()


def test_frames_of_different_sizes_are_no_picture() -> None:
    with pytest.raises(CameraError, match="changed the size"):
        median_of([TABLE, TABLE[:10]])


def test_several_frames_have_less_noise_and_no_passing_fly() -> None:
    hours = Hours()
    count = 0

    def frame(_now: float) -> Image:
        nonlocal count
        count += 1
        picture = noisy(TABLE, 10)
        if count == 7:
            picture[5:9, 5:9] = 0
        return picture

    still = still_picture(Scripted(hours, frame), clock=hours)
    assert (still.frames, still.lamps) == (5, 1)
    error = np.abs(still.image.astype(int) - TABLE)
    assert error.mean() < 0.65 * np.abs(noisy(TABLE, 10).astype(int) - TABLE).mean()
    assert error[5:9, 5:9].max() < 40


def test_each_side_is_lit_in_turn() -> None:
    hours = Hours()
    camera = Scripted(hours, lambda _now: noisy(TABLE))
    still = still_picture(camera, camera, Patience(frames=3), hours)
    assert camera.log[-6:] == [-1, -1, -1, 1, 1, 1]
    assert still.lamps == 2
    camera.has_two_lamps = False
    assert still_picture(camera, camera, clock=hours).lamps == 1


def test_glare_that_moves_with_the_lamp_is_gone() -> None:
    shots = []
    for x, slope in ((60, 1.15), (220, 0.9)):
        shot = TABLE * np.linspace(slope, 2 - slope, 320)[None, :, None]
        shot[80:120, x : x + 40] = 255
        shots.append(np.asarray(np.clip(shot, 0, 255), np.uint8))
    mixed = without_glare(shots)
    assert mixed[85:115, 65:95].max() < 250
    for x in (60, 220):
        error = np.abs(mixed[84:116, x + 4 : x + 36].astype(int) - TABLE[84:116, x + 4 : x + 36])
        assert error.mean() < 20
    assert np.abs(mixed.astype(int) - TABLE).mean() < 14


def test_glare_in_the_studio_is_gone() -> None:
    """A lamp mirrored in the board drowns cells; from the other side it drowns others."""
    scene = make_scene(8, level_named("clean"), SceneSpec(sheets=1, megapixels=0.8))
    middle = scene.camera.table_at(np.array([scene.camera.centre]))[0]
    box = np.array([(-14, -14), (14, -14), (14, 14), (-14, 14)])
    shapes = [[SoftShape(middle + box + np.array([x, 0]), 3.0, 0.9)] for x in (-35.0, 35.0)]
    none, left, right = (
        photograph(replace(scene, light=replace(scene.light, reflections=reflections)))
        for reflections in ([], *shapes)
    )
    mixed = without_glare([left, right])
    before = np.abs(left.astype(int) - none)
    after = np.abs(mixed.astype(int) - none)
    assert before.max() > 100, "ink was drowned"
    assert after.mean() < 0.25 * before.mean() + 0.6
    assert (after > 40).mean() < 0.05 * (before > 40).mean() + 1e-4


def test_what_flits_by_in_the_studio_is_not_in_the_picture() -> None:
    scene = make_scene(9, level_named("clean"), SceneSpec(sheets=1, megapixels=0.5))
    frames = [photograph(replace(scene, seed=scene.seed + n)) for n in range(5)]
    calm = median_of(frames)
    frames[2] = frames[2].copy()
    frames[2][100:200, 100:200] = 0
    assert np.abs(median_of(frames).astype(int) - calm).max() < 30
