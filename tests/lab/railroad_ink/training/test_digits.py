"""Round numbers in anybody's writing."""

import numpy as np
import pytest

from companion.games.railroad_ink.eye.signs import SIGN_SIZE
from lab.railroad_ink.training.digits import digit_in_box

BOX = np.full((SIGN_SIZE, SIGN_SIZE, 3), 235, np.uint8)


@pytest.mark.parametrize("digit", list("1234567"))
def test_a_digit_is_ink_somewhere_in_its_box(digit: str) -> None:
    middles = []
    for seed in range(40):
        picture = digit_in_box(np.random.default_rng(seed), BOX, digit)
        inked = np.argwhere(picture.min(axis=2) < 205)
        assert 4 < len(inked) < 0.7 * SIGN_SIZE**2
        middles.append((inked.min(axis=0) + inked.max(axis=0)) / 2)
    assert (np.ptp(middles, axis=0) > 0.25 * SIGN_SIZE).all(), "anywhere in the box"
