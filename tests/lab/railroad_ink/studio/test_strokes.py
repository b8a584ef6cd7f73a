"""People's lines bow rather than jitter, by figures measured on real drawings."""

import numpy as np
import pytest

from lab.railroad_ink.studio.hands import STYLES, Hand, hand_of
from lab.studio.habits import PENS
from lab.studio.strokes import as_points, stroke


def _hand(sloppy: float = 1.0) -> Hand:
    hand = hand_of(np.random.default_rng(1), STYLES["two-lines"], PENS["black-fine"])
    return Hand(**{**hand.__dict__, "sloppy": sloppy})


def _deviations(count: int) -> np.ndarray:
    """How far each of many straight strokes leaves its own chord, in shares of its length."""
    rng, hand = np.random.default_rng(5), _hand()
    found = []
    for _ in range(count):
        points = stroke(rng, hand, as_points([(0, 0), (16, 0)])).points
        chord = points[-1] - points[0]
        length = np.hypot(*chord)
        found.append(
            np.abs(np.cross(np.append(chord / length, 0), _flat(points - points[0]))[:, 2]).max() / length
        )
    return np.array(found)


def _flat(points: np.ndarray) -> np.ndarray:
    return np.column_stack([points, np.zeros(len(points))])


def test_straight_lines_bow_as_much_as_peoples() -> None:
    deviations = _deviations(1500)
    # Measured on people: the largest deviation has a median of 2.2 % and a 90th percentile of 5.1 %.
    assert 0.012 < np.median(deviations) < 0.028
    assert 0.035 < np.quantile(deviations, 0.9) < 0.065


def test_the_wobble_is_slow() -> None:
    """Second differences are tiny beside the deviation: no white jitter."""
    rng, hand = np.random.default_rng(6), _hand()
    bends = []
    for _ in range(200):
        points = stroke(rng, hand, as_points([(0, 0), (16, 0)])).points
        bends.append(np.abs(np.diff(points, 2, axis=0)).max())
    assert np.median(bends) < 0.12  # mm


def test_ends_run_over_more_often_than_short() -> None:
    rng, hand = np.random.default_rng(7), _hand()
    lengths = [np.ptp(stroke(rng, hand, as_points([(0, 0), (16, 0)])).points[:, 0]) for _ in range(500)]
    assert 16.0 < np.median(lengths) < 17.0
    assert min(lengths) < 15.7
    assert max(lengths) > 16.8


@pytest.mark.parametrize("pen", PENS)
@pytest.mark.parametrize("style", STYLES)
def test_no_hand_draws_both_types_alike_and_two_lines_stay_two(style: str, pen: str) -> None:
    for seed in range(5):
        hand = hand_of(np.random.default_rng(seed), STYLES[style], PENS[pen])
        assert (hand.highway, hand.railway) != ("single", "single")
        assert 2 * hand.half_road > hand.width
        assert hand.half_station * 2 > hand.width
