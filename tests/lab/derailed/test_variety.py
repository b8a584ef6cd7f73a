"""Pictures are learnt from straightened or not, in any size, with stations of other styles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.detection import through
from companion.games.derailed.reader.grids.tilt import Tilt
from lab.derailed.training.station_styles import restyled
from lab.derailed.training.variety import varied_picture

SIZE = (640, 480)
SLANT = Tilt(np.radians(40), 1.0)


def slanted_cards() -> NDArray[np.float32]:
    """Nine cards on a table seen at a slant, every other one a station."""
    card = np.array([(-20, -28), (20, -28), (20, 28), (-20, 28)], np.float64)
    matrix = SLANT.matrix(SIZE)
    aside = [(70 * x, 80 * y) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    above = through(matrix, np.array(SIZE) / 2) + np.array([card + step for step in aside])
    seen = through(np.asarray(np.linalg.inv(matrix), np.float64), above)
    told = [[*quad.ravel(), 0.0, n % 2] for n, quad in enumerate(seen)]
    return np.array(told, np.float32)


@pytest.mark.parametrize("slant", [None, SLANT])
def test_cards_lie_where_they_are_said_to_be(slant: Tilt | None) -> None:
    cards = slanted_cards()
    picture = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    for quad in cards[:, :8].reshape(-1, 4, 2):
        cv2.fillPoly(picture, [np.rint(quad).astype(np.int32)], (40, 40, 40))
    seen = []
    for seed in range(20):
        varied, told = varied_picture(np.random.default_rng(seed), picture, cards, 320, (), slant)
        grey = cv2.GaussianBlur(varied[..., 0], (0, 0), 1.5).astype(float)
        assert (told[:, 8:] == cards[:, 8:]).all()
        for quad in told[:, :8].reshape(-1, 4, 2):
            middle = quad.mean(axis=0)
            within, without = middle + (quad - middle) * 0.75, middle + (quad - middle) * 1.2
            if without.min() < 2 or without.max() > 317:
                continue
            inside = [grey[int(y), int(x)] for x, y in within]
            outside = [grey[int(y), int(x)] for x, y in without]
            seen.append(np.mean(inside) < np.mean(outside))
    assert len(seen) > 60
    assert np.mean(seen) > 0.95  # the rest lies in glare, or where a shadow begins


def test_straightened_cards_are_all_of_one_size() -> None:
    cards, picture = slanted_cards(), np.full((SIZE[1], SIZE[0], 3), 60, np.uint8)
    before = spread_of(cards)
    spreads = [
        spread_of(varied_picture(np.random.default_rng(seed), picture, cards, 320, (), SLANT)[1])
        for seed in range(40)
    ]
    assert min(spreads) < 0.4 * before
    assert np.mean(np.array(spreads) < 0.7 * before) == pytest.approx(0.45, abs=0.2)


def spread_of(cards: NDArray[np.float32]) -> float:
    """Biggest by smallest, in logarithms."""
    areas = [cv2.contourArea(quad) for quad in cards[:, :8].reshape(-1, 4, 2)]
    return float(np.log(max(areas) / min(areas)))


def test_stations_are_drawn_over_and_nothing_else() -> None:
    picture = np.full((200, 240, 3), 120, np.uint8)
    station = np.array([[(60, 50), (100, 50), (100, 110), (60, 110)]], np.float64)
    around = np.ones((200, 240), bool)
    around[48:113, 58:103] = False
    looks = set()
    for seed in range(12):
        drawn = restyled(np.random.default_rng(seed), picture, station)
        assert (drawn[around] == 120).all()
        assert (drawn[52:108, 62:98] != 120).any()
        looks.add(drawn.tobytes())
    assert len(looks) == 12
