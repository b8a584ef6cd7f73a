"""Our tags are the ones that OpenCV knows and finds."""

import cv2
import numpy as np
import pytest

from companion.games.railroad_ink.printing.printed_art import sheet_drawing, sticker_page
from companion.games.railroad_ink.printing.prints import RailroadInkPrintables
from companion.games.railroad_ink.rules.rulebook import EDITIONS
from companion.sheets.layouts import sheet_layout
from companion.sheets.printing.paper import PAPER_SIZES
from companion.sheets.printing.png import picture
from companion.sheets.tags import PATTERNS, SIDE, black_modules, tag_number

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def test_every_pattern_is_opencvs() -> None:
    assert len(PATTERNS) == len(DICTIONARY.bytesList)
    for number in range(len(PATTERNS)):
        drawn = np.full((SIDE, SIDE), 255, np.uint8)
        for x, y, length in black_modules(number):
            drawn[y, x : x + length] = 0
        np.testing.assert_array_equal(drawn, cv2.aruco.generateImageMarker(DICTIONARY, number, SIDE))


def _found(image: np.ndarray) -> dict[int, np.ndarray]:
    corners, numbers, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(image)
    return {
        int(number): quad.reshape(4, 2) for number, quad in zip(np.reshape(numbers, -1), corners, strict=True)
    }


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("seat", "dpi"), [(1, 100), (2, 150), (3, 200), (4, 300), (5, 600), (6, 100), (1, 431)]
)
def test_tags_of_a_printed_sheet_are_found_where_the_layout_says(edition: str, seat: int, dpi: int) -> None:
    layout = sheet_layout(RailroadInkPrintables().sheet(seat, edition), dpi)
    found = _found(np.asarray(picture(sheet_drawing(seat, edition), dpi).convert("L")))
    assert {str(number) for number in found} == set(layout["tags"])
    for number, tag in layout["tags"].items():
        np.testing.assert_allclose(found[int(number)] + 0.5, tag["px"], atol=1.5)


@pytest.mark.parametrize("seat", range(1, 7))
def test_every_seat_of_every_edition_is_found(seat: int) -> None:
    for edition in EDITIONS:
        found = _found(np.asarray(picture(sheet_drawing(seat, edition), 100).convert("L")))
        assert set(found) == {tag_number(f"railroad-ink/{edition}", seat, corner) for corner in range(4)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_sticker_is_found(edition: str) -> None:
    found = _found(np.asarray(picture(sticker_page(PAPER_SIZES["letter"], edition), 120).convert("L")))
    first = tag_number(f"railroad-ink/{edition}-stickers", 1, 0)
    assert sorted(found) == list(range(first, first + 24))
