"""Boards without tags found on their own print: made-up boards with pieces, in other light, bowed."""

from functools import lru_cache
from multiprocessing import get_context
from resource import RUSAGE_SELF, getrusage

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from lab.taught.studio.scenes import Scene, make_scene
from vision.decoding import decoded
from vision.register.rectify import Placement, Sag
from vision.taught.boards import TaughtBoard, segment_sheet, teach_segments
from vision.taught.finding import find_taught, spread_features


@lru_cache(maxsize=2)
def scene_of(seed: int) -> tuple[Scene, TaughtBoard]:
    scene = make_scene(seed, 1)
    corners = [(float(x), float(y)) for x, y in scene.corners]
    return scene, teach_segments("board", decoded(scene.blank.jpeg, 1).image, corners, scene.board)


@pytest.mark.parametrize("seed", [960_001, 960_002])
def test_segments_lie_where_they_are_printed(seed: int) -> None:
    scene, board = scene_of(seed)
    shot = scene.matches[0].shot
    sheet = segment_sheet("board", scene.board)
    found = find_taught(decoded(shot.jpeg, 1).image, board, sheet)
    assert found is not None
    assert found.found_by == "taught"
    true = shot.pixels(np.array([quad.mean(axis=0) for quad in scene.plan.slots.values()]))
    seen = found.placement.pixels(np.array([slot.quad for slot in sheet.slots.values()]).mean(axis=1))
    width = scene.plan.segment[1] * shot.camera.scale_at(np.array(scene.plan.size) / 2)
    assert np.hypot(*(seen - true).T).max() < 0.3 * width


def test_another_board_is_not_taken_for_it() -> None:
    _, board = scene_of(960_001)
    other, _ = scene_of(960_002)
    sheet = segment_sheet("board", scene_of(960_001)[0].board)
    assert find_taught(decoded(other.matches[0].shot.jpeg, 1).image, board, sheet) is None


def test_the_sag_is_added_and_taken_out_again() -> None:
    moves = np.zeros((3, 4, 2), np.float32)
    moves[1, 2] = 5, -3
    homography = np.array([[2.0, 0.1, 30], [0, 2.0, 20], [0.0001, 0, 1]])
    flat = Placement(homography)
    sagging = Placement(homography, sag=Sag((0.0, 0.0), (90.0, 60.0), moves))
    places = np.array([[60.0, 30.0], [0, 0], [45, 30], [200, 90]])
    off = sagging.pixels(places) - flat.pixels(places)
    assert np.abs(off[:3] - np.array([[5, -3], [0, 0], [2.5, -1.5]])).max() < 1e-9
    assert np.abs(sagging.places(sagging.pixels(places)) - places).max() < 0.05
    bigger = sagging.scaled((2, 2))
    assert np.allclose(bigger.pixels(places), 2 * sagging.pixels(places))


def test_a_marked_board_is_put_on_its_print() -> None:
    scene, board = scene_of(960_001)
    image = decoded(scene.matches[0].shot.jpeg, 1).image
    sheet = segment_sheet("board", scene.board)
    exact = find_taught(image, board, sheet)
    assert exact is not None
    corners = exact.placement.pixels(np.array(sheet.area)) + np.array([[4, -5]])
    marked = Placement(
        np.asarray(
            cv2.getPerspectiveTransform(np.array(sheet.area, np.float32), corners.astype(np.float32)),
            np.float64,
        )
    )
    found = find_taught(image, board, sheet, marked=marked)
    assert found is not None
    middles = np.array([slot.quad for slot in sheet.slots.values()]).mean(axis=1)
    assert np.abs(found.placement.pixels(middles) - exact.placement.pixels(middles)).max() < 1.5


def test_features_are_the_strongest_of_every_part_and_no_strip_loses_any() -> None:
    rng = np.random.default_rng(3)
    coarse = rng.integers(0, 255, (70, 45, 3)).astype(np.uint8)
    picture = np.asarray(cv2.resize(coarse, (900, 1400), interpolation=cv2.INTER_CUBIC), np.uint8)
    places, descriptors = spread_features(picture, None, 1400)
    assert len(places) == len(descriptors) <= 5000
    assert np.bincount((places[:, 1] / 140).astype(int), minlength=10).min() > 100
    # Where two strips meet there are as many features as elsewhere
    border = np.abs(places[:, 1] - 480) < 40
    assert border.sum() > 0.7 * (np.abs(places[:, 1] - 240) < 40).sum()


def test_a_board_is_found_without_much_memory() -> None:
    """Enlarged and blurred copies of a photograph are made of a strip, never of the whole."""
    coarse = np.random.default_rng(4).integers(0, 255, (700, 700, 3)).astype(np.uint8)
    child = get_context("spawn").Process(target=_needs_at_most, args=(coarse, 200))
    child.start()
    child.join()
    assert child.exitcode == 0


def _needs_at_most(coarse: NDArray[np.uint8], megabytes: float) -> None:
    picture = np.asarray(cv2.resize(coarse, None, fx=2, fy=2), np.uint8)
    spread_features(picture[:300, :300], None, 1400)
    before = getrusage(RUSAGE_SELF).ru_maxrss
    spread_features(picture, None, 1400)
    assert (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024 < megabytes
