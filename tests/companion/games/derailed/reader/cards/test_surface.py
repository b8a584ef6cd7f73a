"""An empty cell looks like the table around the lanes; a hand or a mug does not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.derailed.reader.cards.classification import ImagePyramid
from companion.games.derailed.reader.cards.surface import like_the_table
from companion.games.derailed.reader.grids.lattice import Lattice
from vision.register.rectify import Image

LANES = 3
LATTICE = Lattice(np.array([[70.0, 0, 120], [0, 90, 130], [0, 0, 1]]), {})
HAND, CELLS = (1, 2), [(0, 1), (1, 2), (2, 4)]


def table(ground: tuple[int, int, int], hand: tuple[int, int, int] = (140, 170, 220)) -> Image:
    """A table of this colour, as grainy as cloth is, with something in one cell."""
    photo = np.asarray(np.random.default_rng(3).normal(ground, 6, (720, 380, 3)).clip(0, 255), np.uint8)
    corners = np.rint(LATTICE.quad(HAND)).astype(np.int32)
    cv2.fillPoly(photo, [corners], hand)
    return photo


@pytest.mark.parametrize("ground", [(60, 90, 130), (70, 110, 60), (225, 230, 232)])
def test_only_what_looks_otherwise_is_covered(ground: tuple[int, int, int]) -> None:
    found = like_the_table(ImagePyramid(table(ground)), LATTICE, range(LANES), CELLS, ())
    assert found == {node: node != HAND for node in CELLS}


def test_something_as_dark_as_the_table_without_its_grain_is_not_the_table() -> None:
    photo = np.asarray(np.random.default_rng(4).normal(120, 45, (720, 380, 3)).clip(0, 255), np.uint8)
    smooth = np.rint(LATTICE.quad(HAND)).astype(np.int32)
    cv2.fillPoly(photo, [smooth], (120, 120, 120))
    assert not like_the_table(ImagePyramid(photo), LATTICE, range(LANES), [HAND], ())[HAND]


def test_where_hardly_anything_of_the_table_is_seen_nothing_is_called_empty() -> None:
    photo = table((60, 90, 130))
    around = {(lane, row) for lane in range(-1, LANES + 1) for row in range(-1, 7)}
    assert not any(like_the_table(ImagePyramid(photo), LATTICE, range(LANES), CELLS, around).values())
    close_up = photo[100:620, 90:290]
    nearer = Lattice(np.array([[70.0, 0, 30], [0, 90, 30], [0, 0, 1]]), {})
    assert not any(like_the_table(ImagePyramid(close_up), nearer, range(LANES), CELLS, ()).values())
    assert like_the_table(ImagePyramid(photo), LATTICE, range(LANES), [], ()) == {}
