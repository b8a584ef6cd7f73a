"""How well a board is seen: light that drowns ink is told from ink that was wiped."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.reader.boards import grid_picture
from companion.games.railroad_ink.reader.cells import (
    CLASSES,
    GRID_MARGIN,
    GRID_SIZE,
    UNSEEN,
    seen_again,
)
from companion.games.railroad_ink.reader.quality import veiled_cells, without_veil
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.sheets.printing.png import picture
from vision.register.rectify import Image, Placement

DPI = 150.0
MOST = 0.75  # of the light that the camera takes, where a veil is thickest


@lru_cache(maxsize=1)
def grid() -> Image:
    """A blank grid, photographed in even light that is far from white."""
    sheet = np.ascontiguousarray(np.asarray(picture(sheet_drawing(1), DPI))[:, :, ::-1])
    scale = DPI / 25.4
    straight = grid_picture(sheet, Placement(np.diag([scale, scale, 1.0])), GRID_SIZE, GRID_MARGIN)
    return np.asarray(straight * 0.7, np.uint8)


def veiled(image: Image, cell: str) -> Image:
    """A lamp mirrored in one cell: what it adds takes as much from all contrast as it is bright."""
    row, column = divmod(GRID.cell(cell), GRID.columns)
    middle = GRID_MARGIN + (np.array([column, row]) + 0.5) * GRID_SIZE
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    away = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (0.9 * GRID_SIZE) ** 2
    veil = MOST * np.exp(-(away**2) / 2)[..., None]
    return np.asarray(image * (1 - veil) + 235 * veil, np.uint8)


def names(image: Image) -> list[str]:
    grain = np.random.default_rng(3).normal(0, 2, image.shape)
    seen = np.asarray(np.clip(image + grain, 0, 255), np.uint8)
    return [name for name, light in zip(GRID.names, veiled_cells(seen), strict=True) if light]


def test_a_veil_of_light_is_seen_where_it_lies() -> None:
    assert "b6" in names(veiled(grid(), "b6"))
    assert {*names(veiled(grid(), "b6"))} <= {"a5", "b5", "c5", "a6", "b6", "c6", "a7", "b7", "c7"}


def test_even_light_a_lamp_from_one_side_and_a_shadow_are_no_veil() -> None:
    slope = np.linspace(0.5, 1.2, grid().shape[1])[None, :, None]
    shadow = np.ones(grid().shape)
    shadow[: GRID_MARGIN + 3 * GRID_SIZE] = 0.5
    for light in (np.ones(1), slope, shadow):
        assert names(np.asarray(grid() * light, np.uint8)) == []


def test_a_wiped_smear_is_no_veil() -> None:
    smeared = grid().copy()
    left = GRID_MARGIN + GRID_SIZE
    cv2.circle(smeared, (left + 20, left + 20), 14, (160, 160, 160), -1)
    assert names(smeared) == []


def test_a_board_without_printed_lines_tells_no_veil() -> None:
    plain = np.full_like(grid(), 150)
    assert names(veiled(plain, "b6")) == []


def test_ink_under_a_veil_gets_back_what_contrast_the_print_has_lost() -> None:
    inked = grid().copy()
    row, column = divmod(GRID.cell("b6"), GRID.columns)
    top, left = (GRID_MARGIN + place * GRID_SIZE for place in (row, column))
    ink = (slice(top + 4, top + 36), slice(left + 18, left + 22))
    inked[ink] = 30
    seen = veiled(inked, "b6")
    light = veiled_cells(seen)
    assert light[GRID.cell("b6")]
    again = without_veil(seen, light)

    def contrast(image: Image) -> float:
        return float(image[top + 4 : top + 36, left + 26 : left + 30].mean() - image[ink].mean())

    assert contrast(again) > 1.4 * contrast(seen)
    away = (slice(0, 3 * GRID_SIZE), slice(4 * GRID_SIZE, None))
    assert np.abs(again[away].astype(int) - seen[away]).max() <= 1


def test_what_only_a_second_look_shows_is_a_guess() -> None:
    first, again = np.full((3, CLASSES), 1e-4), np.full((3, CLASSES), 1e-4)
    first[:, UNSEEN], again[:, UNSEEN] = (0.95, 0.95, 0.02), (0.02, 0.9, 0.02)
    first[:, 5], again[:, 5] = (0.05, 0.05, 0.98), (0.98, 0.1, 0.98)
    seen = seen_again(first / first.sum(axis=1, keepdims=True), again / again.sum(axis=1, keepdims=True))
    known = seen[:, :UNSEEN] / seen[:, :UNSEEN].sum(axis=1, keepdims=True)
    assert known.argmax(axis=1)[0] == 5
    assert seen[0, UNSEEN] < 0.5
    assert known[0, 5] < 0.9
    assert seen[1, UNSEEN] > 0.9
    assert known[2, 5] > 0.95
