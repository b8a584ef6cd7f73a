"""Grid hypotheses from marked corners, a mat's tags, or an earlier grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.grid import Detections, Grid
from companion.games.derailed.reader.grids.lattice import Lattice, lattice_between, moved
from companion.games.derailed.rules.rulebook import ROWS
from vision.register.placing import Match, by_pose

_C = CONSTANTS.known_grids


def marked_grids(detections: Detections) -> Iterator[Grid]:
    """Grids of the field marked by hand, one for each possible number of lanes."""
    if detections.corners is not None:
        for lanes in detections.lanes:
            yield Grid(lattice_between(detections.corners, lanes), lanes)


def grids_in_mat(detections: Detections) -> Iterator[Grid]:
    """Grids that embed one found among cards in the mat, in every orientation and lane that fit the tags."""
    rough = detections.rough
    if rough is None or detections.tags is None:
        return
    half_turn = np.array([[-1, 0, rough.lanes - 1], [0, -1, ROWS + 1], [0, 0, 1]], np.float64)
    places, pixels = detections.tags
    (lanes,) = detections.lanes
    for turn, first in product((np.eye(3), half_turn), range(lanes - rough.lanes + 1)):
        part = moved(Lattice(rough.lattice.matrix @ turn, {}), -first, 0)
        if np.abs(part.places(pixels) - places).max() < _C.tag_away:
            yield Grid(Lattice(part.matrix / part.matrix[2, 2], {}), lanes)


def tag_pose_grids(detections: Detections) -> Iterator[Grid]:
    """The mat's grid by the pose of two of its tags."""
    if detections.tags is None or len(detections.tags[0]) <= 4:
        return
    places, pixels = detections.tags
    (lanes,) = detections.lanes
    pose = by_pose(Match(places * PRINTED.mat.cell, pixels, np.ones(len(places))), detections.size)
    if pose is not None:
        yield Grid(Lattice(pose.homography @ np.diag([*PRINTED.mat.cell, 1.0]), {}), lanes)


def neighbouring_grids(detections: Detections) -> Iterator[Grid]:
    """An earlier grid shifted by one place, or sheared by a lane."""
    rough = detections.rough
    if rough is not None:
        for aside, lane, row in product((-1, 0, 1), repeat=3):
            shear = np.array([[1, aside / (ROWS + 1), 0], [0, 1, 0], [0, 0, 1]])
            yield Grid(moved(Lattice(rough.lattice.matrix @ shear, {}), lane, row), rough.lanes)
