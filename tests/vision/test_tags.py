"""Corner tags in pictures: small, dark, turned, on checked cloth."""

from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.games.railroad_ink.printing.printed import tag_quads
from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.printing.sheets import board_sheet, board_sheets
from companion.sheets.printing.png import picture
from companion.sheets.tags import tag_place
from vision.find.tags import QUICK, THOROUGH, FoundTag, every_tag, find_tags, shortest_side
from vision.register.rectify import Image, Places

SEAT = 4
DPI = 150
SHEETS = board_sheets()


@lru_cache(maxsize=1)
def sheet() -> Image:
    return np.ascontiguousarray(np.asarray(picture(sheet_drawing(SEAT), DPI))[:, :, ::-1])


def laid(scale: float, turned: float = 20.0, cloth: Image | None = None) -> tuple[Image, dict[int, Places]]:
    """The sheet on a table, so many pixels to a millimetre, and where its tags are."""
    table = np.full((1200, 1200, 3), 90, np.uint8) if cloth is None else cloth.copy()
    height, width = sheet().shape[:2]
    share = scale / (DPI / 25.4)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turned, share)
    matrix[:, 2] += np.array([600 - width / 2, 600 - height / 2])
    small = cv2.resize(sheet(), None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    smaller = matrix @ np.diag([width / small.shape[1], height / small.shape[0], 1.0])
    smaller[:, 2] += smaller[:, :2].sum(axis=1) / 2 - 0.5  # OpenCV counts from the middle of the first pixel
    cv2.warpAffine(small, smaller, (1200, 1200), table, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    quads = {
        number: np.array(quad) * DPI / 25.4 @ matrix[:, :2].T + matrix[:, 2]
        for number, quad in tag_quads("challenge", SEAT).items()
    }
    return table, quads


def assert_all_found(tags: list[FoundTag], quads: dict[int, Places], exactly: float) -> None:
    assert {tag.number for tag in tags} == set(quads)
    assert all((tag.sheet, tag.sticker) == (board_sheet("challenge", SEAT), False) for tag in tags)
    for tag in tags:
        assert tag_place(tag.number) is not None
        np.testing.assert_allclose(tag.pixels, quads[tag.number], atol=exactly)


@pytest.mark.parametrize("turned", [0.0, 45.0, 160.0])
@pytest.mark.parametrize(("scale", "exactly"), [(1.5, 0.9), (2.0, 0.7), (4.5, 1.1)])
def test_tags_are_found_at_their_places(scale: float, exactly: float, turned: float) -> None:
    image, quads = laid(scale, turned)
    assert_all_found(find_tags(image, SHEETS), quads, exactly)


def test_tags_in_little_light() -> None:
    image, quads = laid(2.0)
    dark = np.clip(image * 0.16 + np.random.default_rng(1).normal(6, 1.5, image.shape), 0, 255).astype(
        np.uint8
    )
    assert_all_found(find_tags(np.asarray(dark, np.uint8), SHEETS), quads, 0.9)


def test_a_checked_cloth_is_full_of_outlines_and_hides_no_tag() -> None:
    squares = (np.arange(1200) // 14 % 2).astype(bool)
    cloth = np.where((squares[:, None] ^ squares[None])[..., None], 60, 150).astype(np.uint8)
    image, quads = laid(1.6, cloth=np.broadcast_to(cloth, (1200, 1200, 3)).copy())
    assert_all_found(find_tags(image, SHEETS), quads, 0.9)


def test_more_effort_finds_tags_that_are_small_in_a_big_picture() -> None:
    image, quads = laid(0.85, 0.0)
    wide = np.full((2400, 2400, 3), 90, np.uint8)
    wide[:1200, :1200] = image
    quick, thorough = find_tags(wide, SHEETS, QUICK), find_tags(wide, SHEETS, THOROUGH)
    assert len(quick) < 4
    assert_all_found(thorough, quads, 1.2)


def test_every_tag_counts_once_but_two_of_one_number_are_two() -> None:
    image, _ = laid(2.0)
    tags = find_tags(image, SHEETS)
    assert every_tag(tags, tags) == tags
    twice = find_tags(np.concatenate([image, image], axis=1), SHEETS)
    assert len(twice) == 8
    assert len({tag.number for tag in twice}) == 4
    assert min(shortest_side(tag.pixels) for tag in twice) > 25


@pytest.mark.parametrize("size", [(48, 48), (300, 400)])
def test_noise_shows_no_tag(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (*size, 3), dtype=np.uint8)
    assert find_tags(noise, SHEETS, THOROUGH) == []
    assert find_tags(np.full((*size, 3), 128, np.uint8), SHEETS) == []
