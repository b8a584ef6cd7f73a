"""A mat of which one or two tags are seen lies where its tags and its cards both say."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.derailed.printing.printed import PRINTED, tag_quads
from companion.games.derailed.reader.cards.classification import ImagePyramid
from companion.games.derailed.reader.cards.detection import DetectedCard, through
from companion.games.derailed.reader.grids import search
from companion.games.derailed.reader.grids.lattice import FoundMat, Lattice, mat_points
from companion.games.derailed.reader.grids.search import LikelyTable, find_mat_by_cards
from companion.games.derailed.rules.rulebook import ROWS
from tests.companion.games.derailed.reader.grids.test_lattice import seen
from vision.register.rectify import Matrix, Places

LANES, WIDTH, HEIGHT = 4, 900, 700
CARDS = [(1, 0), (2, 0), (1, 2), (2, 3), (1, 5), (2, 5)]
TURNED = np.array([[-1, 0, 1], [0, -1, ROWS + 1], [0, 0, 1]], np.float64)  # the other end of two lanes first


def camera() -> Matrix:
    """From places to pixels: 35 degrees from straight above."""
    focal, away, tilt = 1.1 * WIDTH, 900.0, np.radians(35)
    down = np.array([[1, 0], [0, np.cos(tilt)], [0, -np.sin(tilt)]])
    inner = np.array([[focal, 0, WIDTH / 2], [0, focal, HEIGHT / 2], [0, 0, 1]])
    middle = np.array([(LANES - 1) / 2, (ROWS + 1) / 2])
    to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    matrix = inner @ np.column_stack([down, (0, 0, away)]) @ np.diag([*PRINTED.mat.cell, 1]) @ to_middle
    return np.asarray(matrix / matrix[2, 2], np.float64)


def tags(count: int) -> list[tuple[int, Places]]:
    """So many of the mat's, as they are seen."""
    numbers = sorted(tag_quads(LANES))[:count]
    return [(n, through(camera(), mat_points(LANES, [(n, np.zeros((4, 2)))])[0])) for n in numbers]


def lanes_in_the_middle(turn: Matrix) -> LikelyTable:
    """The second and the third lane, as they are found without the mat."""
    matrix = camera() @ np.array([[1.0, 0, 1], [0, 1, 0], [0, 0, 1]]) @ turn
    return LikelyTable(1.0, 2, Lattice(matrix / matrix[2, 2], {}), ())


def mat_of(
    monkeypatch: pytest.MonkeyPatch, seen_tags: list[tuple[int, Places]], table: LikelyTable | None
) -> FoundMat | None:
    cards: list[DetectedCard] = [seen(camera(), node) for node in CARDS]
    monkeypatch.setattr(search, "cards_in_field", lambda *_: cards)
    return find_mat_by_cards(ImagePyramid(np.zeros((HEIGHT, WIDTH, 3), np.uint8)), LANES, seen_tags, table)


def assert_lies_there(mat: FoundMat | None) -> None:
    assert mat is not None
    assert mat.lanes == LANES
    corners = np.array([(0, 0), (LANES - 1, 0), (LANES - 1, ROWS + 1), (0, ROWS + 1)], np.float64)
    assert mat.lattice.places(through(camera(), corners)) == pytest.approx(corners, abs=0.05)


@pytest.mark.parametrize("turn", [np.eye(3), TURNED], ids=["as it lies", "from the other end"])
def test_one_tag_says_which_lanes_are_played(monkeypatch: pytest.MonkeyPatch, turn: Matrix) -> None:
    assert_lies_there(mat_of(monkeypatch, tags(1), lanes_in_the_middle(turn)))


def test_two_tags_say_enough_without_a_table_among_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_lies_there(mat_of(monkeypatch, tags(2), None))
    assert mat_of(monkeypatch, tags(1), None) is None


def test_a_table_that_does_not_lie_as_its_tag_says_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    ((number, quad),) = tags(1)
    for away in (40, 200):
        assert mat_of(monkeypatch, [(number, quad + away)], lanes_in_the_middle(np.eye(3))) is None
