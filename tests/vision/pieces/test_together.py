"""All segments of one picture weighed together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.pieces.together import weighed_together

RED, BLUE, PINK = 1, 2, 3


def sure_of(mark: int, p: float = 0.97, marks: int = 4) -> np.ndarray:
    shares = np.full(marks, (1 - p) / (marks - 1))
    shares[mark] = p
    return shares


def seen(count: int) -> np.ndarray:
    return np.ones(count, bool)


def test_a_route_is_taken_as_a_whole() -> None:
    routes = [sure_of(n % 3) for n in range(12) for _ in range(4)]
    routes[5] = np.array([0.55, 0.4, 0.02, 0.03])  # of a red route, taken for empty
    groups = [np.arange(4 * n, 4 * n + 4) for n in range(12)]
    weighed = weighed_together(np.array(routes), seen(48), groups)
    assert weighed.segments[5].argmax() == RED
    assert weighed.groups.argmax(axis=1).tolist() == [n % 3 for n in range(12)]
    assert weighed.whole > 0.85


def test_groups_that_mean_nothing_bend_nothing() -> None:
    rng = np.random.default_rng(1)
    marks = rng.integers(0, 3, 60)
    shares = np.array([sure_of(mark, 0.9) for mark in marks])
    weighed = weighed_together(shares, seen(60), [np.arange(5 * n, 5 * n + 5) for n in range(12)])
    assert (weighed.segments.argmax(axis=1) == marks).all()
    assert weighed.whole < 0.5


def test_a_colour_that_nobody_has_is_unlikely() -> None:
    shares = np.array([sure_of(RED)] * 30 + [sure_of(0)] * 30 + [np.array([0.02, 0.46, 0.01, 0.51])])
    weighed = weighed_together(shares, seen(61), [])
    assert weighed.segments[-1].argmax() == RED


def test_what_is_not_seen_is_told_by_its_group_only() -> None:
    shares = np.array([sure_of(BLUE)] * 3 + [sure_of(RED)] + [sure_of(0)] * 8)
    hidden = seen(12)
    hidden[3] = False
    weighed = weighed_together(shares, hidden, [np.arange(4), np.arange(4, 8), np.arange(8, 12)])
    assert weighed.segments[3].argmax() == BLUE


@given(arrays(np.float64, (9, 5), elements=st.floats(1e-6, 1)), st.integers(0, 2**9 - 1))
def test_shares_stay_shares(raw: np.ndarray, bits: int) -> None:
    shares = raw / raw.sum(axis=1, keepdims=True)
    visible = np.array([bits >> n & 1 for n in range(9)], bool)
    weighed = weighed_together(shares, visible, [np.arange(3), np.arange(4, 6)])
    for found in (weighed.segments, weighed.groups):
        assert np.isfinite(found).all()
        assert (found >= 0).all()
        assert np.allclose(found.sum(axis=1), 1)
