"""Whether there is a piece is judged beside the segments of the same picture that are surely empty."""

import numpy as np

from vision.pieces.against_blank import Compared
from vision.pieces.trained import COLOURS, TrainedLooks
from vision.taught.presence import WEIGHTS, evidence, presence

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
    nats = presence(seen, SEEN, GROUPS)
    assert nats is not None
    return np.asarray(1 / (1 + np.exp(-nats)))


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
    assert presence(crowded, SEEN, GROUPS) is None


def test_there_is_a_weight_for_each_part_of_the_evidence() -> None:
    found = evidence(looks(0.0), SEEN, GROUPS)
    assert found is not None
    assert WEIGHTS.shape == (1 + found.shape[1],)
