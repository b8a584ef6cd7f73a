"""Pieces with a height: where the camera is, how they lean, what they shade."""

from __future__ import annotations

import numpy as np
import pytest

from lab.studio.cameras import camera_over
from lab.studio.pieces import HELD_OUT, SETS, box_for, pieces_on
from lab.studio.settings import Lamp, Light
from lab.studio.solids import Solid, lit_faces, shadows_of
from lab.studio.strokes import as_points
from vision.pieces.lean import camera_place, leans
from vision.register.rectify import Placement

PLACES = as_points([(0, 0), (300, 0), (300, 200), (0, 200)])
QUAD = ((40.0, 40.0), (58.0, 40.0), (58.0, 46.0), (40.0, 46.0))


@pytest.mark.parametrize("tilt", [0.0, 15.0, 40.0])
def test_what_is_right_under_the_camera_does_not_lean(tilt: float) -> None:
    camera = camera_over(PLACES, (1600, 1200), tilt, 30.0, 1.1, (1500.0, 0.0))
    under = camera.place[:2]
    assert camera.lifted(under[None], 20.0)[0] == pytest.approx(under)
    beside = under + np.array([100.0, 0.0])
    assert camera.lifted(beside[None], 20.0)[0, 0] > beside[0] + 1


@pytest.mark.parametrize("tilt", [12.0, 40.0])
def test_a_reader_estimates_how_things_lean(tilt: float) -> None:
    camera = camera_over(PLACES, (1600, 1200), tilt, 30.0, 1.1, (1450.0, 0.0))
    placement = Placement(camera.table_to_ideal, (800.0, 600.0))
    estimated = leans(camera_place(placement, camera.size), PLACES)
    true = camera.lifted(PLACES, 1.0) - PLACES
    assert np.abs(estimated - true).max() < 0.12


def test_a_piece_is_lit_from_above_and_throws_its_shadow_away_from_the_lamp() -> None:
    lamp = Lamp(np.array([-400.0, 43.0]), 500.0, np.full(3, 0.6))
    light = Light(np.full(3, 0.4), [lamp], [], [], 0.0, np.zeros(2))
    camera = camera_over(PLACES, (1600, 1200), 25.0, 0.0, 1.1, (1450.0, 0.0))
    solid = Solid(as_points(QUAD), 8.0, (0.5, 0.1, 0.1))
    thrown = list(shadows_of(solid, light))[-1]
    assert thrown.outline[:, 0].max() > 58 + 5
    assert thrown.outline[:, 0].min() == pytest.approx(40, abs=0.1)
    faces = list(lit_faces(solid, light, camera))
    assert 2 <= len(faces) <= 3  # one or two sides, and the top
    assert faces[-1].reflects == pytest.approx([0.5, 0.1, 0.1])


@pytest.mark.parametrize("name", SETS)
def test_every_set_lies_on_its_segment(name: str) -> None:
    rng = np.random.default_rng(3)
    box = box_for(rng, 3, (), name)
    for colour in box.paints:
        (solid,) = pieces_on(rng, box, QUAD, [colour])
        assert solid.outline.mean(axis=0) == pytest.approx([49, 43], abs=5)


def test_sets_can_be_held_out() -> None:
    rng = np.random.default_rng(1)
    assert HELD_OUT
    assert not {box_for(rng, 2).kind.name for _ in range(60)} & set(HELD_OUT)
