"""What spoils a whole picture: said where no board is found, whatever game it is of."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.games.derailed.reader.grids.tables import NOTHING_KNOWN, find_tables
from tests.vision.test_maps import SHEETS, photographed
from vision.find.seeing import Search, see, why_nothing
from vision.quality import why_unclear
from vision.register.rectify import Image

DARK, BLURRED = "too dark", "is blurred"
Spoiling = Callable[[Image], Image]


def grainy(image: Image) -> Image:
    grain = np.random.default_rng(5).normal(0, 3, image.shape)
    return np.asarray(np.clip(image + grain, 0, 255), np.uint8)


def night(image: Image) -> Image:
    return grainy(np.asarray(image * 0.02, np.uint8))


def out_of_focus(image: Image) -> Image:
    return grainy(np.asarray(cv2.GaussianBlur(image, (0, 0), 14.0), np.uint8))


def shaken(way: str) -> Spoiling:
    """Moved by a thirtieth of the picture while it was taken."""
    length = 50
    line = {"across": np.zeros((length, length)), "aslant": np.eye(length), "back": np.eye(length)[::-1]}[way]
    if way == "across":
        line[length // 2] = 1
    return lambda image: grainy(np.asarray(cv2.filter2D(image, -1, line / length), np.uint8))


@pytest.mark.parametrize(
    ("spoiling", "said"),
    [
        (night, DARK),
        (out_of_focus, BLURRED),
        (shaken("across"), BLURRED),
        (shaken("aslant"), BLURRED),
        (shaken("back"), BLURRED),
    ],
    ids=["night", "out-of-focus", "shaken", "shaken-aslant", "shaken-back"],
)
def test_what_spoils_a_picture_is_said(spoiling: Spoiling, said: str) -> None:
    assert said in why_unclear(spoiling(photographed("spike", 0.0)[0]))


def test_every_reader_says_what_spoils_its_picture() -> None:
    dark, blurred = (spoiling(photographed("derailed", 0.0)[0]) for spoiling in (night, out_of_focus))
    assert DARK in find_tables(dark, NOTHING_KNOWN).notes[0]
    sheets = [SHEETS["derailed"]]
    seen = see(blurred, Search(sheets, enough=1.0))
    assert not seen.sheets
    assert BLURRED in why_nothing(seen, sheets)


@pytest.mark.parametrize("name", list(SHEETS))
def test_a_clear_picture_without_a_board_is_not_called_blurred(name: str) -> None:
    image = photographed(name, 0.0)[0]
    assert why_unclear(image) == ""
    assert why_unclear(grainy(np.asarray(image * 0.3, np.uint8))) == ""


def test_a_bare_wall_is_neither() -> None:
    shaded = np.broadcast_to(np.linspace(60, 220, 900, dtype=np.uint8)[None, :, None], (700, 900, 3))
    assert why_unclear(grainy(shaded)) == ""
