import numpy as np

from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from lab.railroad_ink.studio.boards import HeldOut
from lab.railroad_ink.studio.crops import EMPTY, CropRecipe, board_crops, many_crops


def test_crops_of_a_seed_are_the_same_again() -> None:
    first, again, other = board_crops(5), board_crops(5), board_crops(6)
    np.testing.assert_array_equal(first.images, again.images)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert not np.array_equal(first.images, other.images)


def test_crops_have_the_shape_asked_for() -> None:
    crops = board_crops(1, CropRecipe(size=32, margin=4))
    assert crops.images.shape == (49, 40, 40, 3)
    assert crops.labels.shape == crops.rounds.shape == crops.usable.shape == (49,)
    assert crops.labels.max() <= EMPTY == len(VOCABULARY)


def test_an_even_diet_has_every_label() -> None:
    recipe = CropRecipe(levels=(("clean", 1.0),), scattered=1.0)
    labels = np.concatenate([crops.labels for crops in many_crops(0, 25, recipe)])
    assert set(labels.tolist()) == set(range(EMPTY + 1))


def test_crops_with_ink_differ_from_empty_ones() -> None:
    """The middle of a crop is where the ink is: the labels belong to the pictures."""
    right = total = 0
    for crops in many_crops(100, 12, CropRecipe(levels=(("clean", 1.0),))):
        middle = crops.images[:, 18:38, 18:38].astype(float)
        spread = middle.reshape(49, -1).std(axis=1)
        for inked, value in zip(crops.labels != EMPTY, spread, strict=True):
            right += inked == (value > 9)
            total += 1
    assert right / total > 0.9


def test_what_is_held_out_does_not_appear() -> None:
    recipe = CropRecipe(held_out=HeldOut(styles=["hatched-road"], pens=["green-dry"]))
    for crops in many_crops(0, 25, recipe):
        assert crops.style != "hatched-road"
        assert crops.pen != "green-dry"
