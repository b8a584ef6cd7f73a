"""Square lattices with a ring of signs, found at first sight: drawn here, of no known print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.find.directions import mapped
from vision.find.first_sight import find_lattices, prove
from vision.find.lattices import Ring
from vision.register.lattice_fit import fitted_lattice, pyramid_of

RING = Ring(7, (1, 3, 5))
CELL, RIM = 60, 110
Codes = NDArray[np.uint8]


def board(signs: tuple[int, ...] = RING.places, cells: int = 7) -> Codes:
    """A sheet with a lattice, and bars (every other one hollow) outside it on every side."""
    side = cells * CELL
    sheet = np.full((side + 2 * RIM, side + 2 * RIM, 3), 235, np.uint8)
    for n in range(cells + 1):
        at = RIM + n * CELL
        cv2.line(sheet, (at, RIM), (at, RIM + side), (150, 150, 150), 2)
        cv2.line(sheet, (RIM, at), (RIM + side, at), (150, 150, 150), 2)
    for quarter in range(4):
        for number, place in enumerate(signs):
            left, top = RIM + place * CELL + 18, RIM - 24
            thick = -1 if (quarter + number) % 2 else 3
            cv2.rectangle(sheet, (left, top), (left + 24, top + 18), (60, 40, 40), thick)
        sheet = np.ascontiguousarray(np.rot90(sheet))
    return sheet


def photographed(sheet: Codes, corners: list[tuple[float, float]]) -> tuple[Codes, NDArray[np.float64]]:
    """The sheet with its corners there on a dark table, and the homography to the picture."""
    side = float(sheet.shape[0])
    outline = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    matrix = cv2.getPerspectiveTransform(outline, np.array(corners, np.float32))
    rng = np.random.default_rng(1)
    table = rng.normal(90, 4, (900, 1200, 3)).clip(0, 255).astype(np.uint8)
    laid = cv2.warpPerspective(sheet, matrix, (1200, 900), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones_like(sheet), matrix, (1200, 900))
    picture = cv2.GaussianBlur(np.where(mask > 0, laid, table), (0, 0), 0.8)
    return np.asarray(picture, np.uint8), np.asarray(matrix, np.float64)


LAID = [(260.0, 120.0), (900.0, 150.0), (960.0, 800.0), (180.0, 760.0)]
TURNED = [(640.0, 60.0), (1080.0, 470.0), (660.0, 860.0), (230.0, 430.0)]


@pytest.mark.parametrize("corners", [LAID, TURNED])
def test_a_board_is_found_where_it_lies(corners: list[tuple[float, float]]) -> None:
    picture, matrix = photographed(board(), corners)
    (found,) = find_lattices(picture, RING)
    grid = RIM + CELL * RING.corners
    there, seen = mapped(matrix, grid), mapped(found.homography, RING.corners)
    cell = float(np.hypot(*(there[1] - there[0]))) / 7
    assert min(np.hypot(*(np.roll(seen, n, axis=0) - there).T).max() for n in range(4)) < 0.1 * cell


@pytest.mark.parametrize(
    "sheet", [board(signs=()), board(signs=(0, 2, 4, 6)), board(signs=(0, 1, 2, 3, 4, 5, 6)), board(cells=9)]
)
def test_a_lattice_without_its_ring_is_no_board(sheet: Codes) -> None:
    assert find_lattices(photographed(sheet, LAID)[0], RING) == []


def test_nothing_is_found_in_a_picture_without_lines() -> None:
    assert find_lattices(np.full((300, 400, 3), 127, np.uint8), RING) == []


def test_a_lattice_half_a_cell_off_is_not_proven() -> None:
    picture, matrix = photographed(board(), LAID)
    levels = pyramid_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    to_sheet = np.array([[CELL, 0, RIM], [0, CELL, RIM], [0, 0, 1.0]])
    assert prove(levels, matrix @ to_sheet, RING).holds
    off = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    assert not prove(levels, matrix @ to_sheet @ off, RING).holds


def test_a_lattice_is_fitted_to_its_own_lines() -> None:
    picture, matrix = photographed(board(), LAID)
    levels = pyramid_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    to_sheet = np.array([[CELL, 0, RIM], [0, CELL, RIM], [0, 0, 1.0]])
    start = matrix @ to_sheet @ np.array([[1.02, 0.01, 0.1], [0.0, 0.99, -0.1], [0, 0, 1.0]])
    fitted = mapped(fitted_lattice(levels, start, 7), RING.corners)
    there = mapped(matrix @ to_sheet, RING.corners)
    assert np.hypot(*(fitted - there).T).max() < 6.0  # a tenth of a cell
