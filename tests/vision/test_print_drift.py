"""A print that does not lie flat is found where it is, place by place."""

import cv2
import numpy as np
import pytest

from vision.register.print_drift import BlankTiles, print_drift
from vision.register.rectify import Image


def dotted(seed: int = 3) -> Image:
    """A sheet with so many different marks that every part of it is like no other."""
    random = np.random.default_rng(seed)
    sheet = np.full((700, 800, 3), 235, np.uint8)
    for x, y, radius in zip(*random.uniform(0, (800, 700, 7), (900, 3)).T, strict=True):
        cv2.circle(sheet, (int(x), int(y)), int(radius) + 2, random.integers(0, 200, 3).tolist(), -1)
    return np.asarray(cv2.GaussianBlur(sheet, (0, 0), 1.0), np.uint8)


def waved(sheet: Image, most: float) -> tuple[Image, np.ndarray]:
    """The sheet pushed about by slow waves, and by how much at every pixel."""
    y, x = np.mgrid[: sheet.shape[0], : sheet.shape[1]].astype(np.float32)
    move = most * np.stack([np.sin(x / 260 + y / 400), np.cos(y / 290)], axis=-1).astype(np.float32)
    pushed = cv2.remap(
        sheet, x - move[..., 0], y - move[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(pushed, np.uint8), move


@pytest.mark.parametrize("most", [0.0, 1.5, 3.0])
def test_slow_waves_are_followed(most: float) -> None:
    sheet = dotted()
    seen, move = waved(sheet, most)
    places = np.stack(np.meshgrid(np.arange(80, 720, 40), np.arange(80, 620, 40)), axis=-1)
    found = print_drift(seen, BlankTiles.of(sheet, 1.25)).at(places.astype(np.float32))
    true = move[places[..., 1], places[..., 0]]
    assert np.abs(found - true).max() < 0.25 + 0.25 * most


def test_what_covers_a_part_of_it_moves_nothing() -> None:
    sheet = dotted()
    seen, move = waved(sheet, 1.0)
    seen[200:420, 300:560] = np.random.default_rng(1).integers(0, 255, (220, 260, 3))
    found = print_drift(seen, BlankTiles.of(sheet, 1.25)).at(np.array([[150.0, 500.0], [700.0, 100.0]]))
    assert np.abs(found - move[[500, 100], [150, 700]]).max() < 0.5


def test_a_blank_picture_drifts_nowhere() -> None:
    sheet = dotted()
    found = print_drift(np.full_like(sheet, 128), BlankTiles.of(sheet, 1.25)).at(np.array([[400.0, 300.0]]))
    assert np.abs(found).max() == 0
