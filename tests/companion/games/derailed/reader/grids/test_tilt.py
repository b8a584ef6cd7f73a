"""How steeply a table is seen comes from the cards alone, and straightened they are all alike."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.classification import ImagePyramid
from companion.games.derailed.reader.cards.detection import through
from companion.games.derailed.reader.grids.tilt import LONG_SIDE, Tilt, estimated_tilt, rectified, tilt_of
from vision.register.rectify import Places

SIZE = (1000, 750)


def table_from_above(middle: Places) -> Places:
    """Three by three cards around a place, (9, 4, 2), a little askew."""
    card = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * PRINTED.card.size * 1.1
    turns = np.radians(np.random.default_rng(5).normal(0, 2, 9))
    cards = []
    for n, turn in enumerate(turns):
        c, s = np.cos(turn), np.sin(turn)
        aside = ((n % 3 - 1) * 80, (n // 3 - 1) * 110)
        cards.append(card @ np.array([[c, s], [-s, c]]) + middle + aside)
    return np.array(cards)


def as_seen(tilt: Tilt) -> Places:
    """The table in the middle of the picture."""
    matrix = tilt.matrix(SIZE)
    above = table_from_above(through(matrix, np.array(SIZE) / 2))
    return through(np.asarray(np.linalg.inv(matrix), np.float64), above)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 50.0])
def test_the_tilt_is_known_from_where_the_table_is(tilt: float) -> None:
    to_pixels = np.linalg.inv(Tilt(np.radians(tilt), 2.0).matrix(SIZE)) @ np.array(
        [[40, 9, 300], [-12, 55, 200], [0, 0, 1]]
    )
    assert np.degrees(tilt_of(to_pixels, SIZE)) == pytest.approx(tilt, abs=1e-4)


@pytest.mark.parametrize("azimuth", [0.0, 100.0, 250.0])
@pytest.mark.parametrize("tilt", [20.0, 35.0, 50.0])
def test_the_slant_is_that_of_the_camera(tilt: float, azimuth: float) -> None:
    found = estimated_tilt(as_seen(Tilt(np.radians(tilt), np.radians(azimuth))), SIZE)
    assert np.degrees(found.angle) == pytest.approx(tilt, abs=4)
    apart = (np.degrees(found.azimuth) - azimuth + 180) % 360 - 180
    assert apart == pytest.approx(0, abs=10)


def test_the_shapes_of_boxes_that_do_not_follow_the_slant_hardly_count() -> None:
    tilt = Tilt(np.radians(40), np.radians(200))
    boxes = []
    for corners in as_seen(tilt):  # as whoever finds cards draws them: as from above
        middle, down = corners.mean(axis=0), (corners[2] + corners[3] - corners[0] - corners[1]) / 4
        area = abs(cv2.contourArea(corners.astype(np.float32)))
        down = down / np.hypot(*down) * np.sqrt(area * 88 / 63) / 2
        across = np.array([-down[1], down[0]]) * 63 / 88
        boxes.append(
            [middle - across - down, middle + across - down, middle + across + down, middle - across + down]
        )
    found = estimated_tilt(np.array(boxes), SIZE)
    assert np.degrees(found.angle) == pytest.approx(40, abs=10)


def test_from_straight_above_there_is_none() -> None:
    assert np.degrees(estimated_tilt(table_from_above(np.array(SIZE) / 2), SIZE).angle) < 5


def test_what_is_no_card_does_not_count() -> None:
    tilt = Tilt(np.radians(35), np.radians(60))
    cards = as_seen(tilt)
    box = np.array([(20, 30), (420, 10), (440, 60), (10, 80)], np.float64)
    assert estimated_tilt(np.concatenate([cards, box[None]]), SIZE).angle == pytest.approx(
        tilt.angle, abs=np.radians(4)
    )


def test_straightened_every_card_has_one_size() -> None:
    tilt = Tilt(np.radians(45), np.radians(90))
    cards = as_seen(tilt)
    photo = np.full((SIZE[1], SIZE[0], 3), 40, np.uint8)
    cv2.fillPoly(photo, list(np.rint(cards).astype(np.int32)), (240, 240, 240))
    flat = rectified(ImagePyramid(photo), tilt, cards)
    corners = through(flat.matrix, cards)
    assert np.hypot(*(corners[:, 3] - corners[:, 0]).T) == pytest.approx(LONG_SIDE, rel=0.02)
    middles = np.rint(corners.mean(axis=1)).astype(int)
    assert flat.image[middles[:, 1], middles[:, 0]].min() > 230
    between = np.rint((corners[0] + corners[4]).mean(axis=0) / 2).astype(int)
    assert flat.image[between[1], between[0]].max() < 60
