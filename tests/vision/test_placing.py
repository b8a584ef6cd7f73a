"""From matched points to a placement and the lens."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.register.placing import UNKNOWN_LENS, Bend, Match, by_tags, fitted, is_turned, misses
from vision.register.rectify import Placement, Places

SIZE = (2000, 1500)
LENS = ((1000.0, 750.0), 1000.0)


def crossings() -> Places:
    x, y = np.meshgrid(np.arange(8) * 16 + 10.0, np.arange(8) * 16 + 27.0)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def placement(bend: float, tilt: float = 0.0008, turned: float = 0.3) -> Placement:
    """A grid of 112 mm around the middle of the picture."""
    cos, sin = 9 * np.cos(turned), 9 * np.sin(turned)
    middle = np.array([[1, 0, -66.0], [0, 1, -83.0], [0, 0, 1]])
    seen = np.array([[1, 0, 1000.0], [0, 1, 750.0], [0, 0, 1]]) @ np.array(
        [[cos, -sin, 0], [sin, cos, 0], [tilt, -tilt, 1.0]]
    )
    return Placement(seen @ middle, *LENS, bend)


def seen(true: Placement, noise: float, seed: int = 1) -> Match:
    pixels = true.pixels(crossings()) + np.random.default_rng(seed).normal(0, noise, (64, 2))
    return Match(crossings(), pixels, np.ones(64))


def rough(match: Match) -> Placement:
    found = by_tags(match.only(np.isin(np.arange(64), (0, 7, 56, 63))), SIZE)
    assert found is not None
    return found


@settings(deadline=None, max_examples=40)
@given(bend=st.floats(-0.2, 0.15), tilt=st.floats(-0.001, 0.001), turned=st.floats(-3, 3))
def test_bend_and_perspective_are_found(bend: float, tilt: float, turned: float) -> None:
    true = placement(bend, tilt, turned)
    match = seen(true, 0.1)
    found = fitted(match, rough(match), SIZE, UNKNOWN_LENS)
    assert found is not None
    assert np.hypot(*(found[0].pixels(crossings()) - true.pixels(crossings())).T).max() < 0.5


def test_points_that_do_not_belong_hardly_count() -> None:
    true = placement(-0.1)
    match = seen(true, 0.2)
    wrong = match.pixels.copy()
    wrong[::5] += np.array([9.0, -6.0])
    found = fitted(Match(match.places, wrong, match.weights), true, SIZE, UNKNOWN_LENS)
    assert found is not None
    assert np.hypot(*(found[0].pixels(crossings()) - true.pixels(crossings())).T).max() < 0.6
    assert float(np.median(misses(found[0], match))) < 0.4


def test_few_points_follow_what_is_known_of_the_lens() -> None:
    true = placement(-0.12)
    few = seen(true, 1.0).only(np.arange(64) % 5 == 0)
    sure = fitted(few, placement(0.0), SIZE, Bend(-0.12, 1 / 0.005**2))
    assert sure is not None
    assert sure[0].bend == pytest.approx(-0.12, abs=0.01)


def test_what_a_sheet_says_of_the_lens_by_itself_leaves_out_what_was_known() -> None:
    match = seen(placement(-0.08), 0.5)
    pulled = fitted(match, rough(match), SIZE, Bend(-0.06, 1 / 0.003**2))
    free = fitted(match, rough(match), SIZE, Bend(0.0, 1e-6))
    assert pulled is not None
    assert free is not None
    assert pulled[1].value == pytest.approx(free[1].value, abs=0.02)
    assert pulled[1].value == pytest.approx(-0.08, abs=0.02)
    assert pulled[0].bend > pulled[1].value + 0.002


def test_points_on_a_line_place_nothing() -> None:
    line = np.stack([np.arange(5.0), np.zeros(5)], axis=1)
    assert by_tags(Match(line, line * 3 + 100, np.ones(5)), SIZE) is None
    match = Match(line, np.zeros((5, 2)), np.ones(5))
    assert fitted(match, placement(0.0), SIZE, UNKNOWN_LENS) is None


@pytest.mark.parametrize("plane", [(90.0, 60.0), (60.0, 90.0), (130.0, 100.0), (200.0, 70.0)])
def test_corners_of_a_long_board_that_begin_at_another_corner_are_known(plane: tuple[float, float]) -> None:
    """From any side at up to fifty degrees, by any camera, also where the picture was cut a little."""
    rng, size = np.random.default_rng(4), (4000, 3000)
    outline = np.array([(0, 0), (plane[0], 0), plane, (0, plane[1])])
    wrong = []
    for _ in range(200):
        focal, tilt, heading, spin = 4000 * rng.uniform(0.65, 2), *np.radians(rng.uniform(0, (50, 360, 360)))
        axis = np.array([np.cos(heading), np.sin(heading), 0.0])
        turn = cv2.Rodrigues(tilt * axis)[0] @ cv2.Rodrigues(np.array([0, 0, spin]))[0]
        seen = (turn @ np.column_stack([outline - np.array(plane) / 2, np.zeros(4)]).T).T
        seen[:, 2] += 1.9 * max(plane) * focal / 4000 + max(plane) * 0.5
        pixels = focal * seen[:, :2] / seen[:, 2:] + np.array(size) / 2 + rng.uniform(-150, 150, 2)
        for shift in (0, 1):
            marked = np.roll(pixels, -shift, axis=0).astype(np.float32)
            homography = cv2.getPerspectiveTransform(outline.astype(np.float32), marked)
            placement = Placement(np.asarray(homography, np.float64))
            wrong.append(is_turned(placement, plane, size) != bool(shift))
    assert np.mean(wrong[::2]) == 0, "right corners are never refused"
    assert np.mean(wrong[1::2]) < 0.15
