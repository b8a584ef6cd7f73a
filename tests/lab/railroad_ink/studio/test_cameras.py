import numpy as np
import pytest

from lab.studio.cameras import Frame, camera_over, surface_map

PLACES = np.array([[0.0, 0], [132, 0], [132, 196], [0, 196]])


@pytest.mark.parametrize("tilt", [0, 20, 45])
@pytest.mark.parametrize("k1", [-0.16, 0.0, 0.08])
def test_places_are_in_the_picture_and_come_back(tilt: float, k1: float) -> None:
    camera = camera_over(PLACES, (1200, 1600), tilt, 30, 1.1, (1400, k1))
    pixels = camera.project(PLACES)
    assert (pixels >= 0).all()
    assert (pixels <= camera.size).all()
    np.testing.assert_allclose(camera.table_at(pixels), PLACES, atol=0.02)


def test_a_camera_goes_as_near_as_it_can() -> None:
    camera = camera_over(PLACES, (1200, 1600), 0, 0, 1.0, (1400, 0))
    pixels = camera.project(PLACES)
    assert (np.ptp(pixels, axis=0) / camera.size).max() == pytest.approx(1, abs=0.01)


def test_tilt_makes_the_far_side_shorter() -> None:
    camera = camera_over(PLACES, (1200, 1600), 40, 0, 1.1, (1400, 0))
    pixels = camera.project(PLACES)
    sides = sorted(np.hypot(*(pixels[a] - pixels[b])) for a, b in ((0, 1), (2, 3)))
    assert sides[1] / sides[0] > 1.1


def test_the_map_of_the_surface_is_exact_between_its_grid() -> None:
    camera = camera_over(PLACES, (1200, 1600), 40, 20, 1.1, (1400, -0.1))
    frame = Frame(130, 470, (300, 200))
    ground = surface_map(camera, frame)
    for x, y in ((0, 0), (7, 3), (151, 99), (299, 199)):
        exact = camera.table_at(np.array([130 + x + 0.5, 470 + y + 0.5]))
        np.testing.assert_allclose(ground[y, x], exact, atol=0.01)


def test_what_is_behind_the_camera_is_cut_off() -> None:
    camera = camera_over(PLACES, (1200, 1600), 45, 0, 1.1, (1400, -0.1))
    strip = np.array([[0.0, -20000], [100, -20000], [100, 20000], [0, 20000]])
    seen = camera.in_front(strip)
    assert len(seen) == 4
    assert np.ptp(seen[:, 1]) < 30000
    pixels = camera.project(seen)
    assert np.ptp(pixels[:, 0]) < 4000
    np.testing.assert_array_equal(camera.in_front(PLACES), PLACES)


def test_places_far_outside_do_not_fold_back_into_the_picture() -> None:
    camera = camera_over(PLACES, (1200, 1600), 30, 0, 1.1, (1400, -0.16))
    far = camera.project(np.array([[5000.0, 98], [-5000, 98]]))
    assert far[0, 0] > 1200
    assert far[1, 0] < 0
