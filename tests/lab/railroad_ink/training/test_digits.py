"""Round numbers in anybody's writing."""

import numpy as np
import pytest

from companion.games.railroad_ink.reader import signs
from companion.games.railroad_ink.reader.signs import SIGN_SIZE, read_signs
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


def test_digits_in_anybodys_writing_are_read_wherever_they_stand() -> None:
    rng, digits = np.random.default_rng(77), list("1234567") * 30
    views = np.stack([digit_in_box(rng, BOX, digit) for digit in digits])
    read = [next(iter(found)) for found in read_signs(views, ["round"] * len(digits))]
    assert sum(one == true for one, true in zip(read, digits, strict=True)) >= 0.85 * len(digits)


def test_unsure_digits_are_looked_at_again_and_sure_ones_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, digits = np.random.default_rng(78), list("1234567") * 60
    views = np.stack([digit_in_box(rng, BOX, digit) for digit in digits])
    again = read_signs(views, ["round"] * len(digits))
    monkeypatch.setattr(signs, "_SURE", 0.0)
    once = read_signs(views, ["round"] * len(digits))
    right = [sum(next(iter(found)) == true for found, true in zip(read, digits, strict=True))
             for read in (again, once)]  # fmt: skip
    assert right[0] > right[1]
    for after, before in zip(again, once, strict=True):
        assert sum(after.values()) == pytest.approx(1)
        assert after == before or max(before.values()) < 0.7
