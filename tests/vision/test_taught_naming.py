"""The colours of all pieces in a picture are named together."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.pieces.trained import COLOURS
from vision.taught.naming import named_together

RED, BLUE, YELLOW, ORANGE, PINK = (
    COLOURS.index(name) + 1 for name in ("red", "blue", "yellow", "orange", "pink")
)
LOOKS = {RED: (45.0, 60, 40), BLUE: (35.0, 10, -45), YELLOW: (84.0, 3, 75), ORANGE: (64.0, 38, 62)}


def sure_of(mark: int, p: float = 0.9) -> np.ndarray:
    shares = np.full(len(COLOURS) + 1, (1 - p) / len(COLOURS))
    shares[mark] = p
    return shares


def named(shares: list[np.ndarray], looks: Sequence[tuple[float, float, float]]) -> list[int]:
    colours = np.array(looks, np.float64)
    pieces = np.array(shares)[:, 0] < 0.5
    result = named_together(np.array(shares), pieces, (colours, colours))
    assert np.allclose(result.sum(axis=1), 1)
    return [int(mark) for mark in result.argmax(axis=1)]


def test_pieces_that_look_alike_have_one_name() -> None:
    shares = [sure_of(RED)] * 12 + [sure_of(BLUE)] * 12 + [sure_of(0)] * 12
    shares[3] = 0.5 * sure_of(PINK) + 0.5 * sure_of(RED, 0.6)  # in odd light
    looks = [LOOKS[RED]] * 12 + [LOOKS[BLUE]] * 12 + [(80.0, 0, 0)] * 12
    assert named(shares, looks) == [RED] * 12 + [BLUE] * 12 + [0] * 12


def test_two_paints_that_differ_have_two_names() -> None:
    unsure = 0.55 * sure_of(YELLOW) + 0.45 * sure_of(ORANGE)
    shares = [sure_of(YELLOW)] * 9 + [unsure] * 9
    assert named(shares, [LOOKS[YELLOW]] * 9 + [LOOKS[ORANGE]] * 9) == [YELLOW] * 9 + [ORANGE] * 9


def test_a_paint_by_itself_is_called_what_the_looks_say() -> None:
    assert named([sure_of(BLUE)] * 3, [(50.0, 5, -30)] * 3) == [BLUE] * 3
    assert named([sure_of(0)] * 3, [(50.0, 5, -30)] * 3) == [0] * 3


@given(arrays(np.float64, (7, len(COLOURS) + 1), elements=st.floats(1e-6, 1)), st.integers(0, 127))
def test_names_move_nothing_on_or_off_the_board(raw: np.ndarray, bits: int) -> None:
    shares = raw / raw.sum(axis=1, keepdims=True)
    pieces = np.array([bits >> n & 1 for n in range(7)], bool)
    looks = np.array([LOOKS[mark] for mark in (RED, BLUE, YELLOW, RED, ORANGE, RED, BLUE)], np.float64)
    result = named_together(shares, pieces, (looks, looks))
    assert np.isfinite(result).all()
    assert np.allclose(result[:, 0], shares[:, 0])
    assert np.allclose(result.sum(axis=1), 1)
    assert np.array_equal(result[~pieces], shares[~pieces])
