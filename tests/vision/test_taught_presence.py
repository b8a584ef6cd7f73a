"""Whether there is a piece is judged beside the segments of the same picture that are surely empty."""

import numpy as np
import pytest

from vision.pieces.against_blank import Compared
from vision.pieces.trained import COLOURS, TrainedLooks
from vision.taught.presence import WEIGHTS, evidence, with_presence

COUNT, GROUP = 60, 3
UNSURE = [19, 20, 18]  # one group that the network is unsure of
GROUPS = [np.arange(first, first + GROUP) for first in range(0, COUNT, GROUP)]
SEEN = np.ones(COUNT, bool)


def looks(difference: float, noise: float = 0.5, empty: float = 0.98) -> TrainedLooks:
    """An empty board but for the unsure segments, perhaps, which differ so much from their print."""
    rng = np.random.default_rng(3)
    shares = np.full((COUNT, len(COLOURS) + 1), (1 - empty) / len(COLOURS))
    shares[:, 0] = empty
    shares[UNSURE] = (0.5, *[0.5 / len(COLOURS)] * len(COLOURS))
    differences = rng.normal(0, noise, (COUNT, 4)) * [1, 1, 1, 0.01]
    differences[UNSURE, 0] += difference
    prints = np.tile([[60.0, 10.0, 20.0]], (COUNT, 1))
    unused = Compared(
        np.zeros((1, 1, 3), np.uint8), np.eye(3, 7, dtype=np.float32), np.zeros((1, 1), bool), 1, 0
    )
    return TrainedLooks(shares, np.zeros(COUNT), prints, prints, prints, differences, unused)


def pieces(seen: TrainedLooks) -> np.ndarray:
    return 1 - with_presence(seen, SEEN, GROUPS)[:, 0]


def test_what_differs_more_than_empty_segments_do_is_a_piece() -> None:
    plain, strange = pieces(looks(0.0)), pieces(looks(25.0))
    assert (strange[UNSURE] > 0.5).all()
    assert (plain[UNSURE] < 0.5).all()
    others = np.setdiff1d(np.arange(COUNT), UNSURE)
    assert (strange[others] < 0.5).all()


def test_in_a_noisy_picture_the_same_difference_says_less() -> None:
    assert (pieces(looks(6.0, noise=4.0))[UNSURE] < pieces(looks(6.0))[UNSURE]).all()


def test_without_surely_empty_segments_the_network_has_the_last_word() -> None:
    crowded = looks(25.0, empty=0.05)
    assert evidence(crowded, SEEN, GROUPS) is None
    assert with_presence(crowded, SEEN, GROUPS) is crowded.shares


def test_shares_add_up_and_colours_keep_their_order() -> None:
    seen = looks(25.0)
    shares = with_presence(seen, SEEN, GROUPS)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert np.array_equal(shares[:, 1:].argmax(axis=1), seen.shares[:, 1:].argmax(axis=1))
    assert WEIGHTS.shape == (9,)
