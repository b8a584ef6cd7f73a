"""What networks are shown: each batch by its number alone, never what is held out. (Needs no PyTorch.)"""

from pathlib import Path

import numpy as np
import pytest

from companion.games.railroad_ink.reader.cells import CLASSES, GRID_SIDE
from companion.games.railroad_ink.reader.signs import SIGNS
from lab.railroad_ink.studio.crops import exposed_board
from lab.railroad_ink.training.batches import Choice, board_batch, sign_batch
from lab.railroad_ink.training.material import RECIPE, is_held_out, make_material, open_material


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("material")
    make_material(path, first_seed=0, boards=10, workers=1)
    return path


def test_material_is_what_the_studio_drew(folder: Path) -> None:
    material = open_material(folder)
    for number in (3, 5):
        board = exposed_board(number, RECIPE, whole=number % 5 == 0)
        np.testing.assert_array_equal(material.labels[number], board.labels)
        assert material.held_out[number] == is_held_out(board.hand)


def test_a_batch_is_the_same_again(folder: Path) -> None:
    first, again = (board_batch(Choice(folder), np.random.default_rng([1, 7])) for _ in range(2))
    np.testing.assert_array_equal(first[0], again[0])
    assert first[0].shape[1:] == (GRID_SIDE, GRID_SIDE, 3)
    assert first[1].shape[1:] == (7, 7)
    assert first[1].max() < CLASSES


def test_what_is_held_out_is_never_shown(tmp_path: Path) -> None:
    make_material(tmp_path, first_seed=20, boards=6, workers=1)
    material = open_material(tmp_path, "r+")
    material.held_out[:] = [True, True, True, True, True, False]
    material.grids[:5] = 0
    material.signs[0] = 0
    shown, _ = board_batch(Choice(tmp_path, hold_out=True), np.random.default_rng(2))
    everything, _ = board_batch(Choice(tmp_path), np.random.default_rng(2))
    assert shown.std(axis=(1, 2, 3)).min() > 5
    assert everything.std(axis=(1, 2, 3)).min() < shown.std(axis=(1, 2, 3)).min()


def test_signs_are_shown_evenly(folder: Path) -> None:
    labels = np.concatenate([sign_batch(Choice(folder), np.random.default_rng(n))[1] for n in range(4)])
    assert labels.max() < len(SIGNS)
    assert 0.3 < (labels == 0).mean() < 0.9  # half of it, once there is every sign


def test_signs_of_a_sheet_that_was_not_photographed_yet_are_not_shown(tmp_path: Path) -> None:
    """A digit painted into its black picture teaches nothing but that black is a digit."""
    make_material(tmp_path, first_seed=40, boards=6, workers=1)
    material, code = open_material(tmp_path, "r+"), SIGNS.index("L")
    material.sign_labels[0][material.sign_labels[0] == code] = -1
    material.signs[1:] = 0
    material.sign_labels[1:] = code
    _, labels = sign_batch(Choice(tmp_path), np.random.default_rng(3))
    assert len(labels)
    assert code not in labels
