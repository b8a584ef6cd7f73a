"""Boards with an expansion's marks to learn from."""

import numpy as np
import pytest

from companion.games.railroad_ink.reader.mark_classes import CLASSES_OF, MARK_CLASSES, READ_EXPANSIONS
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.crops import EMPTY
from lab.railroad_ink.training.mark_material import LEARNT, MARK_RECIPE, mark_labels
from lab.railroad_ink.training.material import MARGIN, SIDE, SIZE
from lab.railroad_ink.training.painting import EmptyBoards, painted_sheet, route_labels


def _bright() -> EmptyBoards:
    white = np.full((1, SIDE, SIDE, 3), 230, np.uint8)
    level = np.zeros(1)
    unseen = np.zeros((1, GRID.size), np.float32)
    return EmptyBoards(
        white, np.full_like(white, 10), unseen, level.astype(np.float32), level.astype(np.int8)
    )


@pytest.mark.parametrize("expansion", [one for one in READ_EXPANSIONS if one != "canyon"])
def test_marks_are_painted_where_their_labels_say(expansion: str) -> None:
    names = set()
    for seed in range(3):
        rng = np.random.default_rng([seed, 4])
        photo, drawn, _ = painted_sheet(rng, _bright(), recipe=MARK_RECIPE, expansion=expansion)
        labels, routes = mark_labels(drawn.marks), route_labels(drawn.marks)
        for cell in np.flatnonzero((labels > 0) & (routes == EMPTY)):
            top, left = MARGIN + SIZE * (cell // 7), MARGIN + SIZE * (cell % 7)
            assert photo[top : top + SIZE, left : left + SIZE].min() < 215
            names.add(MARK_CLASSES[labels[cell]])
        assert {MARK_CLASSES[label] for label in labels if label >= 0} <= {*CLASSES_OF[expansion]}
    assert names or expansion == "trail"


def test_every_expansion_that_is_read_is_learnt() -> None:
    assert {*LEARNT} == {*READ_EXPANSIONS}
