"""What training does to boards keeps pictures and labels together. (Needs nothing of the extra `train`.)"""

import numpy as np

from companion.games.railroad_ink.reader import turning
from companion.games.railroad_ink.reader.cells import CLASSES, EMPTY_CLASS, GRID_SIDE, UNSEEN
from companion.games.railroad_ink.reader.signs import MARKED, SIGNS
from companion.games.railroad_ink.rules.boards.routes import ROUTES, turned
from companion.sheets.grid import SYMMETRIES
from lab.railroad_ink.studio.boards import SheetMarks
from lab.railroad_ink.studio.crops import exposed_board
from lab.railroad_ink.training import variety
from lab.railroad_ink.training.material import MARGIN, RECIPE, SIDE, SIZE, board_signs, sign_truth
from lab.training import IGNORED


def test_a_turned_board_has_turned_routes() -> None:
    labels = np.full(49, EMPTY_CLASS, np.int16)
    labels[1] = ROUTES["Ns*"].number
    picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    picture[MARGIN : MARGIN + SIZE, MARGIN + SIZE : MARGIN + 2 * SIZE] = 200  # b1
    for way, symmetry in enumerate(SYMMETRIES):
        seen = turning.turned_picture(picture, way)
        moved = turning.classes_turned(way, CLASSES)[turning.by_place(labels, way)]
        (cell,) = np.flatnonzero(moved != EMPTY_CLASS)
        assert moved[cell] == ROUTES[turned(ROUTES["Ns*"], symmetry).text].number
        row, column = divmod(int(cell), 7)
        assert seen[MARGIN + row * SIZE + 20, MARGIN + column * SIZE + 20, 0] == 200
        assert seen.sum() == picture.sum()


def test_hidden_cells_are_unseen_and_half_hidden_ones_are_not_learnt_from() -> None:
    classes = variety.classes_of(np.array([3, 3, 3]), np.array([0.1, 0.3, 0.9], np.float32))
    assert classes.tolist() == [3, IGNORED, UNSEEN]


def test_variety_is_the_same_again_by_its_seed() -> None:
    rng = np.random.default_rng(3)
    grid = rng.integers(0, 255, (SIDE, SIDE, 3), dtype=np.uint8)
    labels, unseen = np.full(49, 5, np.int16), np.zeros(49, np.float32)
    first, again = (variety.varied_board(np.random.default_rng(8), grid, labels, unseen) for _ in range(2))
    np.testing.assert_array_equal(first[0], again[0])
    np.testing.assert_array_equal(first[1], again[1])
    assert first[0].shape == (GRID_SIDE, GRID_SIDE, 3)


def test_what_covers_a_board_is_counted_by_cell() -> None:
    grid = np.full((SIDE, SIDE, 3), 128, np.uint8)
    for seed in range(5):
        picture, hidden = variety.covered(np.random.default_rng(seed), grid)
        changed = np.abs(picture.astype(int) - 128).max(axis=2) > 12
        assert ((hidden >= 0) & (hidden <= 1)).all()
        inner = changed[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(7, SIZE, 7, SIZE).mean(axis=(1, 3)).ravel()
        assert (inner[hidden == 0] < 0.2).all()


def test_signs_stand_where_the_marks_say() -> None:
    marks = SheetMarks("challenge", {}, {0: 4}, specials=("NESW",), pictures_crossed=True, villages=1)
    marks.goals = [("C", 2)]
    assert sign_truth(marks) == {
        "a1-round": "4",
        "special-NESW-picture": MARKED,
        "village-1": MARKED,
        "goal-1": "C",
        "goal-1-2": MARKED,
    }


def test_signs_of_a_board_have_labels() -> None:
    images, labels = board_signs(exposed_board(12, RECIPE, whole=True))
    assert len(images) == len(labels)
    assert images.shape[1:] == (28, 28, 3)
    assert labels.min() >= -1
    assert labels.max() < len(SIGNS)
