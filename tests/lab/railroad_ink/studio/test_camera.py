"""The studio's camera: a table that stays as it is while the boards on it grow."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.games.railroad_ink.rules.boards.position import read_cells
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.camera import StudioCamera
from vision.cameras.watching import without_glare
from vision.register.rectify import Image


def test_the_studio_shows_the_boards_of_the_match_as_they_grow() -> None:
    cells = {"b1": "NS"}
    camera = StudioCamera(
        lambda: [GivenBoard(2, SheetMarks("challenge", read_cells(cells), {}), 5)], 3, "clean", 0.5
    )
    first, second = camera.take(), camera.take()
    assert first.shape == second.shape
    noise = np.abs(first.astype(int) - second)
    assert 0 < noise.mean() < 3, "another frame of the same table"
    cells["b2"] = "NESW"
    third = camera.take()
    assert np.abs(third.astype(int) - second).max() > 100
    camera.close()


def test_the_studio_has_two_lamps_that_are_mirrored_in_the_boards() -> None:
    camera = StudioCamera(seed=4, level="table", megapixels=0.5)
    with camera.lit(left=True):
        left, again = calm(camera.take()), calm(camera.take())
    with camera.lit(right=True):
        right = calm(camera.take())
    assert np.abs(left - right).max() > 4 * np.abs(left - again).max()
    assert (
        np.abs(without_glare([camera_picture(left), camera_picture(right)]) - calm(camera.take())).max() < 60
    )


def camera_picture(image: Any) -> Image:
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def calm(image: Image) -> Any:
    return cv2.GaussianBlur(image.astype(np.float32), (0, 0), 3)
