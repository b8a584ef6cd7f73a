"""Boards painted into photographs of empty ones."""

from dataclasses import replace

import numpy as np

from companion.games.railroad_ink.reader.boards import grid_picture
from lab.railroad_ink.studio.crops import EMPTY, exposed_board, exposed_empty
from lab.railroad_ink.training.material import MARGIN, RECIPE, SIDE, SIZE
from lab.railroad_ink.training.painting import EmptyBoards, inked_photograph, painted_board

_SEED = 610_001
_ANY_LEVEL = replace(RECIPE, anybody=1.0, scattered=1.0)


def _plain(boards: int) -> EmptyBoards:
    """Photographs as bright as paper can be, but for a thing on the left that light does not pass."""
    white = np.full((boards, SIDE, SIDE, 3), 230, np.uint8)
    black = np.full_like(white, 10)
    white[:, :, :100] = black[:, :, :100] = (40, 90, 160)
    zeros = np.zeros(boards)
    return EmptyBoards(
        white, black, np.zeros((boards, 49), np.float32), zeros.astype(np.float32), zeros.astype(np.int8)
    )


def test_ink_darkens_paper_and_nothing_that_lies_on_it() -> None:
    empty = _plain(1)
    for seed in range(4):
        photo, labels, unseen = painted_board(np.random.default_rng(seed), empty)
        assert photo.shape == (SIDE, SIDE, 3)
        assert not unseen.any()
        assert (photo[:, :100] == (40, 90, 160)).all()
        assert photo.min() >= 9
        for cell in np.flatnonzero(labels != EMPTY):
            top, left = MARGIN + SIZE * (cell // 7), MARGIN + SIZE * (cell % 7)
            if left > 100:
                assert photo[top : top + SIZE, left : left + SIZE].min() < 200


def test_the_same_number_gives_the_same_board_and_what_is_held_out_is_never_painted() -> None:
    empty = _plain(1)
    first, again = (painted_board(np.random.default_rng(7), empty) for _ in range(2))
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])
    # Instead of somebody who may not be seen, somebody else draws.
    boards = [
        [painted_board(np.random.default_rng(seed), empty, hold_out)[0] for hold_out in (False, True)]
        for seed in range(12)
    ]
    changed = [not np.array_equal(shown, kept) for shown, kept in boards]
    assert 0 < sum(changed) < len(changed)


def test_a_painted_board_looks_like_the_photograph_of_the_same_board() -> None:
    recipe = replace(_ANY_LEVEL, levels=(("table", 1.0),))
    whole, empty = exposed_board(_SEED, recipe), exposed_empty(_SEED, recipe)
    real = grid_picture(whole.image, whole.placement, SIZE, MARGIN)
    white, black = (grid_picture(one, empty.placement, SIZE, MARGIN) for one in (empty.white, empty.black))
    blur = empty.blur * SIZE / 16
    painted = inked_photograph(empty.drawn.layers, white, black, blur)
    off = np.abs(painted.astype(float) - real).mean()
    assert off < 0.12 * np.abs(white.astype(float) - real).mean() + 3
    assert np.array_equal(whole.unseen, empty.unseen)
