"""Tags that nobody could decipher one by one: those of a sheet are deciphered together."""

from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.games.railroad_ink.printing.printed import tag_quads
from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.printing.sheets import board_sheets
from companion.sheets.printing.png import picture
from vision.find import tags
from vision.find.by_tags import Found, find_sheets, is_settled
from vision.find.tags import deciphered, grey_of, numbered_quads
from vision.register.rectify import Image

SHARP, SOFT = 2, 5  # seats
SCALE = 2.5  # pixels per mm
MODULE = 15 / 8 * SCALE  # pixels
MIDDLES = {SHARP: (420, 560), SOFT: (1040, 640)}


@lru_cache(maxsize=8)
def sheet(seat: int) -> Image:
    return np.ascontiguousarray(np.asarray(picture(sheet_drawing(seat), 150))[:, :, ::-1])


def table(blur: float, turned: float = 12.0) -> Image:
    """Two sheets on a table, one as sharp as it can be, the other blurred by so many modules across."""
    image = np.full((1200, 1500, 3), 90, np.uint8)
    for seat, (x, y) in MIDDLES.items():
        paper = sheet(seat)
        height, width = paper.shape[:2]
        matrix = cv2.getRotationMatrix2D(
            (width / 2, height / 2), turned if seat == SOFT else 0, SCALE / (150 / 25.4)
        )
        matrix[:, 2] += np.array([x - width / 2, y - height / 2])
        flags = cv2.INTER_AREA
        cv2.warpAffine(paper, matrix, image.shape[1::-1], image, flags, cv2.BORDER_TRANSPARENT)
    soft = lens(image, blur)
    left = (MIDDLES[SHARP][0] + MIDDLES[SOFT][0]) // 2
    image[:, left:] = soft[:, left:]
    grain = np.random.default_rng(7).normal(0, 2, image.shape)
    return np.asarray(np.clip(image + grain, 0, 255), np.uint8)


def lens(image: Image, across: float) -> Image:
    """Out of focus: every point a disc so many modules across."""
    radius = across * MODULE / 2
    y, x = np.mgrid[: 2 * int(radius) + 3, : 2 * int(radius) + 3] - int(radius) - 1
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(image, -1, disc / disc.sum()), np.uint8)


def seats(found: Found) -> list[int]:
    return sorted(one.sheet.seat for one in found.sheets)


@pytest.mark.parametrize("blur", [0.5, 1.5, 2.0, 2.4])
def test_a_sheet_out_of_focus_is_found_beside_a_sharp_one(blur: float) -> None:
    found = find_sheets(table(blur), board_sheets())
    assert seats(found) == [SHARP, SOFT]
    assert is_settled(found)
    soft = next(one for one in found.sheets if one.sheet.seat == SOFT)
    middle = soft.placement.pixels(np.array([66.0, 98.0]))
    assert np.hypot(*(middle - MIDDLES[SOFT])) < SCALE * 1.5


def test_its_tags_by_themselves_say_nothing() -> None:
    """Otherwise the test above would prove nothing about deciphering them together."""
    own = {number // 4 % 6 + 1 for number, _ in numbered_quads(table(2.4))}
    assert own == {SHARP}


def test_sharpening_deciphers_tags_that_are_a_little_blurred(monkeypatch: pytest.MonkeyPatch) -> None:
    grey = grey_of(lens(table(0.5), 1.75))
    numbers = tag_quads("challenge", SOFT)
    turn = cv2.getRotationMatrix2D((0, 0), 12.0, SCALE)[:, :2]
    quads = np.array([(np.array(quad) - [66, 98]) @ turn.T + MIDDLES[SOFT] for quad in numbers.values()])
    monkeypatch.setattr(tags, "_SHARPENING", tags._SHARPENING[:1])
    as_they_are = {number for number, _ in deciphered(grey, quads)}
    monkeypatch.undo()
    assert as_they_are < {number for number, _ in deciphered(grey, quads)} == {*numbers}


def test_a_sheet_is_counted_whose_tags_nobody_can_tell() -> None:
    """Where every pattern is wiped to its mean a sheet lies, and nobody can say whose."""
    image = table(0.5)
    turn = cv2.getRotationMatrix2D((0, 0), 12.0, SCALE)[:, :2]
    for quad in tag_quads("challenge", SOFT).values():
        middle = np.array(quad).mean(axis=0)
        for x, y, light in ((-1, -1, 40), (1, -1, 190), (1, 1, 40), (-1, 1, 190)):
            corners = middle + np.array([(0, 0), (x, 0), (x, y), (0, y)]) * 5.6
            pixels = (corners - [66, 98]) @ turn.T + MIDDLES[SOFT]
            cv2.fillConvexPoly(image, pixels.round().astype(np.int32), (light,) * 3)
    found = find_sheets(image, board_sheets())
    assert seats(found) == [SHARP]
    assert found.blurred == 1
    assert not is_settled(found)


def test_no_sheet_lies_on_a_checked_cloth() -> None:
    squares = (np.arange(1200) // 40 % 2).astype(bool)
    cloth = np.where((squares[:, None] ^ squares[None])[..., None], 40, 220).astype(np.uint8)
    found = find_sheets(lens(np.repeat(cloth, 3, axis=2), 2.0), board_sheets())
    assert (found.sheets, found.blurred) == ((), 0)


def test_framed_squares_that_lie_as_tags_do_are_not_taken_for_any_sheet() -> None:
    rng = np.random.default_rng(4)
    image = np.full((900, 700, 3), 200, np.uint8)
    middles = np.array([*tag_quads("challenge", SOFT).values()]).mean(axis=1)
    for x, y in middles * 4 + 40:
        tile = cv2.resize(rng.integers(0, 256, (6, 6), np.uint8), (44, 44), interpolation=cv2.INTER_NEAREST)
        framed = cv2.copyMakeBorder(tile, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=0)
        image[int(y) - 30 : int(y) + 30, int(x) - 30 : int(x) + 30] = framed[..., None]
    found = find_sheets(lens(image, 1.0), board_sheets())
    assert (found.sheets, found.blurred) == ((), 1)
