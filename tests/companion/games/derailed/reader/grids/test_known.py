"""Hypotheses come from whatever is known; whatever is missing makes none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion.games.derailed.reader.grids.grid import Detections, Grid, hypotheses
from companion.games.derailed.reader.grids.known import (
    grids_in_mat,
    marked_grids,
    neighbouring_grids,
    tag_pose_grids,
)
from companion.games.derailed.reader.grids.lattice import Lattice, field_of, moved
from companion.games.derailed.reader.grids.likelihood import DetectedEvidence, log_likelihood
from companion.games.derailed.reader.grids.refinement import most_off, refined
from tests.companion.games.derailed.reader.grids.test_lattice import TILTED, table

LANES = 3
CARDS = table(TILTED, [(0, 1), (1, 1), (1, 2), (2, 3), (0, 4)], LANES)
TRUE = Lattice(TILTED, {})


def test_marked_corners_may_have_any_number_of_lanes() -> None:
    marked = Detections(lanes=(2, LANES), corners=TRUE.pixels(field_of(LANES)))
    two, three = marked_grids(marked)
    assert (two.lanes, three.lanes) == (2, LANES)
    assert most_off(three.lattice, TRUE, LANES) < 0.01
    assert most_off(two.lattice, TRUE, LANES) > 0.5


@pytest.mark.parametrize(
    "wrong",
    [(1, 0), (0, -1), np.array([[1, 1 / 5, 0], [0, 1, 0], [0, 0, 1]])],
    ids=["a lane on", "a row back", "sheared"],
)
def test_the_likeliest_neighbour_of_a_grid_that_lies_off_is_the_true_one(wrong: tuple[int, int]) -> None:
    off = moved(TRUE, *wrong) if isinstance(wrong, tuple) else Lattice(TILTED @ wrong, {})
    neighbours = hypotheses(Detections(CARDS, rough=Grid(off, LANES)), (neighbouring_grids,))
    evidence = DetectedEvidence(CARDS)
    likeliest = max(neighbours, key=lambda grid: log_likelihood(grid, evidence))
    assert most_off(likeliest.lattice, TRUE, LANES) < 0.1


def test_a_grid_is_refined_by_the_cards_that_lie_in_it() -> None:
    rough = Grid(Lattice(TILTED @ np.array([[1, 0, 0.15], [0, 1, -0.1], [0, 0, 1]]), {}), LANES)
    found = refined(rough, CARDS)
    assert most_off(found.lattice, TRUE, LANES) < 0.02
    assert len(found.lattice.cards) == len(CARDS)


def test_nothing_known_makes_no_grid() -> None:
    for way in (marked_grids, grids_in_mat, tag_pose_grids, neighbouring_grids):
        assert list(way(Detections(CARDS))) == []


def test_a_way_is_gone_only_if_others_lead_nowhere() -> None:
    def never(detections: Detections) -> Iterator[Grid]:
        raise AssertionError(detections)

    known = Detections(corners=TRUE.pixels(field_of(2)))
    assert next(hypotheses(known, (marked_grids, never))).lanes in known.lanes
