"""Square lattices with a ring of signs, found at first sight: drawn here, of no known print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.find.directions import directions_in, from_above, mapped
from vision.find.equals import equals_of
from vision.find.first_sight import find_lattices, prove
from vision.find.lattices import Ring
from vision.register.lattice_fit import fitted_lattice, pyramid_of
from vision.register.rectify import Matrix
from vision.register.sign_fit import fitted_on_signs

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


def lettered() -> Codes:
    """The same with letters in their place, upright on all sides."""
    sheet = board(signs=())
    side = 7 * CELL
    for quarter in range(4):
        for number, place in enumerate(RING.places):
            along, far = RIM + place * CELL + 18, (RIM - 8, RIM + side + 32)
            at = ((along, far[0]), (far[1] - 24, along + 24), (along, far[1]), (far[0] - 24, along + 24))[
                quarter
            ]
            word = "AT"[(quarter + number) % 2]
            cv2.putText(sheet, word, at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (60, 40, 40), 3, cv2.LINE_AA)
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


@pytest.mark.parametrize(("sheet", "corners"), [(board(), LAID), (board(), TURNED), (lettered(), TURNED)])
def test_a_board_is_found_where_it_lies(sheet: Codes, corners: list[tuple[float, float]]) -> None:
    picture, matrix = photographed(sheet, corners)
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


def test_the_grain_of_a_table_does_not_outvote_what_lies_on_it() -> None:
    # From above: a board turned by 30 degrees, and grain that runs across; seen from the side
    table, rng = np.full((1400, 1800, 3), 110, np.uint8), np.random.default_rng(3)
    for x, y, long, bent in rng.uniform((0, 0, 80, -7), (1700, 1400, 260, 7), (300, 4)):
        cv2.line(table, (int(x), int(y)), (int(x + long), int(y + bent)), (70, 70, 70), 2)
    sheet = board()
    side = float(sheet.shape[0])
    angle = np.radians(30)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    outline = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    laid = ((outline - side / 2) * 0.55 @ turn + (940, 740)).astype(np.float32)
    to_table = cv2.getPerspectiveTransform(outline, laid)
    size = (table.shape[1], table.shape[0])
    cv2.warpPerspective(sheet, to_table, size, dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    above = from_above(np.radians(np.array([12.0, -24.0])), (1200, 900))
    x, y = mapped(above, np.array([[600.0, 450.0]]))[0] - (900, 700)
    to_picture = np.linalg.inv(above) @ np.array([[1, 0, x], [0, 1, y], [0, 0, 1]])
    picture = cv2.warpPerspective(table, to_picture, (1200, 900), flags=cv2.INTER_AREA)
    seen = directions_in(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    assert seen is not None
    there = mapped(seen.plane @ to_picture @ to_table, RIM + CELL * RING.corners)
    lengths = np.hypot(*(np.roll(there, -1, axis=0) - there).T)
    assert np.ptp(lengths) < 0.06 * lengths.mean()


TO_SHEET = np.array([[CELL, 0, RIM], [0, CELL, RIM], [0, 0, 1.0]])


def off_by(fitted: Matrix, there: Matrix) -> float:
    """How far the corner of a lattice that is off most is off, in pixels; a cell has some 60."""
    return float(np.hypot(*(mapped(fitted, RING.corners) - mapped(there, RING.corners)).T).max())


def test_a_lattice_is_fitted_to_its_own_lines() -> None:
    picture, matrix = photographed(board(), LAID)
    levels = pyramid_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    start = matrix @ TO_SHEET @ np.array([[1.02, 0.01, 0.1], [0.0, 0.99, -0.1], [0, 0, 1.0]])
    assert off_by(fitted_lattice(levels, start, 7), matrix @ TO_SHEET) < 6.0


def test_a_lattice_without_lines_is_fitted_to_its_signs() -> None:
    sheet = board()
    sheet[RIM + 4 : -RIM - 4, RIM + 4 : -RIM - 4] = 235
    picture, matrix = photographed(sheet, LAID)
    levels = pyramid_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    start = matrix @ TO_SHEET @ np.array([[1.05, 0.03, -0.3], [-0.03, 0.97, 0.2], [0, 0.002, 1.0]])
    assert off_by(start, matrix @ TO_SHEET) > 18.0
    fitted = fitted_on_signs(levels, start, RING)
    assert fitted.alike > 0.7
    assert off_by(fitted.homography, matrix @ TO_SHEET) < 4.0


def test_equal_boards_are_found_from_one_of_them() -> None:
    first, matrix = photographed(board(), [(60.0, 300.0), (480.0, 330.0), (470.0, 780.0), (20.0, 740.0)])
    # In the plane of the first, turned by 25 degrees and 11 cells to the right
    angle = np.radians(25)
    cos, sin = np.cos(angle), np.sin(angle)
    move = np.array([[cos, -sin, 11.5], [sin, cos, -2.0], [0, 0, 1.0]])
    there = matrix @ TO_SHEET @ move
    second = there @ np.linalg.inv(TO_SHEET)
    laid = cv2.warpPerspective(board(), second, (1200, 900), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones_like(board()), second, (1200, 900))
    picture = np.asarray(np.where(mask > 0, laid, first), np.uint8)
    levels = pyramid_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    starts = equals_of(levels, matrix @ TO_SHEET, RING)
    assert min(off_by(start @ turn, there) for start in starts[:2] for turn in TURNS) < 20.0
    assert len(find_lattices(picture, RING)) == 2


TURNS = [
    np.linalg.matrix_power(np.array([[0.0, -1.0, 7.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), quarter)
    for quarter in range(4)
]
