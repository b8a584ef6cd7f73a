"""A mat of which only one or two corner tags are seen: placed by its cards and these tags together.

From a steep view, or under a hand, the far tags are lost while the cards are plain. The grid comes from the
cards, as on a bare table, or from the pose of two tags; what counts is that both agree. A table among cards
that does not agree with the tags of the mat it lies on is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from companion.games.derailed.eye.cards.classification import ImagePyramid
from companion.games.derailed.eye.grids.lattice import (
    FoundMat,
    Lattice,
    fitted_to,
    mat_points,
    moved,
    with_cards,
)
from companion.games.derailed.eye.grids.search import BareTable, cards_in_field
from companion.games.derailed.paper.printed import PRINTED
from companion.games.derailed.rules.rulebook import ROWS
from vision.placing import Match, by_pose
from vision.rectify import Places

_TAG_AWAY, _TAG_MISSED = 0.5, 0.12  # places: of a tag from where cards have it, before and after fitting


def find_mat_by_cards(
    picture: ImagePyramid, lanes: int, tags: Sequence[tuple[int, Places]], bare: BareTable | None
) -> FoundMat | None:
    """A mat with one or two tags in view: its cards and tags together, where they agree.

    The grid comes from the cards as on a bare table, or from the pose of two tags; then both are fitted to.
    """
    points = mat_points(lanes, tags)
    rough = [] if bare is None else list(_agreeing(bare, lanes, points))
    if len(tags) > 1:
        match = Match(points[0] * PRINTED.mat.cell, points[1], np.ones(len(points[0])))
        pose = by_pose(match, (picture.image.shape[1], picture.image.shape[0]))
        if pose is not None:
            rough.append(Lattice(pose.homography @ np.diag([*PRINTED.mat.cell, 1.0]), {}))
    for lattice in rough:
        found = cards_in_field(picture, lattice, lanes)
        filled = lattice
        for _ in range(2):
            filled, _ = with_cards(filled, found, range(lanes))
            filled = fitted_to(filled.cards, points) or filled
        filled, others = with_cards(filled, found, range(lanes))
        missed = float(np.abs(filled.places(points[1]) - points[0]).max())
        rows = {row for _, row in filled.cards}
        if missed < _TAG_MISSED and len(rows) > 1 and len(filled.cards) > max(2, len(others)):
            return FoundMat(lanes, Lattice(filled.matrix, {}))
    return None


def _agreeing(bare: BareTable, lanes: int, points: tuple[Places, Places]) -> Iterator[Lattice]:
    """The table among cards as part of the mat, whichever way round and in whichever lanes its tags fit."""
    half_turn = np.array([[-1, 0, bare.lanes - 1], [0, -1, ROWS + 1], [0, 0, 1]], np.float64)
    for turn in (np.eye(3), half_turn):
        for first in range(lanes - bare.lanes + 1):
            part = moved(Lattice(bare.lattice.matrix @ turn, {}), -first, 0)
            if np.abs(part.places(points[1]) - points[0]).max() < _TAG_AWAY:
                yield Lattice(part.matrix / part.matrix[2, 2], {})
