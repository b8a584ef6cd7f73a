"""Paper, signs and quality, each by itself; and what the networks promise."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.reader import cells, turning
from companion.games.railroad_ink.reader.boards import grid_picture
from companion.games.railroad_ink.reader.cells import (
    CLASSES,
    EMPTY_CLASS,
    GRID_MARGIN,
    GRID_SIDE,
    GRID_SIZE,
    cell_shares,
)
from companion.games.railroad_ink.reader.cells import MODEL as CELL_MODEL
from companion.games.railroad_ink.reader.quality import (
    cell_glare,
    cells_outside,
    drowned_cells,
    sheet_quality,
)
from companion.games.railroad_ink.reader.signs import MODEL as SIGN_MODEL
from companion.games.railroad_ink.reader.signs import SIGN_RIM, SIGN_SIZE, read_signs, sign_kind, sign_quads
from companion.sheets.printing.png import picture
from vision import nets
from vision.register.rectify import Image, Placement, slot_views
from vision.white_paper import on_white_paper

FLAT = Placement(np.diag([5.0, 5.0, 1.0]))


def sheet() -> Image:
    return np.ascontiguousarray(np.asarray(picture(sheet_drawing(2), 127))[:, :, ::-1])


def grid() -> Image:
    return grid_picture(sheet(), FLAT, GRID_SIZE, GRID_MARGIN)


def test_light_is_taken_out_of_a_picture() -> None:
    even = grid()
    across = np.linspace(0.35, 0.9, GRID_SIDE)[None, :, None] * np.array([0.8, 0.9, 1.0])
    shaded = (even * across).astype(np.uint8)
    difference = np.abs(on_white_paper(shaded).astype(int) - on_white_paper(even))
    assert difference.mean() < 8
    assert np.abs(shaded.astype(int) - even).mean() > 40


def test_networks_on_trial_take_the_place_of_our_own(tmp_path: Path) -> None:
    try:
        (tmp_path / "cells.onnx").write_bytes(b"nothing that could read")
        nets.try_networks(tmp_path)
        with pytest.raises(cv2.error):
            cell_shares([grid()])
    finally:
        nets.keep_own_networks()
    assert cell_shares([grid()]).shape == (1, 49, CLASSES)


def test_an_empty_sheet_is_read_as_empty() -> None:
    (shares,) = cell_shares([grid()])
    assert shares.shape == (49, CLASSES)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (shares.argmax(axis=1) == EMPTY_CLASS).all()


def test_a_batch_is_read_like_its_parts() -> None:
    other = cv2.GaussianBlur(grid(), (0, 0), 1.5)
    together = cell_shares([grid(), np.asarray(other, np.uint8)])
    np.testing.assert_allclose(together[0], cell_shares([grid()])[0], atol=1e-4)


def test_who_is_not_sure_turns_the_board_and_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    upright = grid()
    upright[60:90, 45:80] = 40  # something that is no route
    looks: list[int] = []

    def counted(network: Path, pictures: Image) -> NDArray[np.float32]:
        looks.append(len(pictures))
        return nets.scores(network, pictures)

    monkeypatch.setattr(cells, "scores", counted)
    cells.cell_shares([grid()])
    assert looks == [1]
    monkeypatch.setattr(cells, "_AGAIN", ((1.1, (1,)), (0.0, (4, 5)), (1.1, (2, 3))))
    monkeypatch.setattr(cells, "_HIDDEN", 1.1)
    (shares,) = cells.cell_shares([upright])
    assert sum(looks) == 1 + 4
    (turned,) = cells.cell_shares([turning.turned_picture(upright, 2)])
    back = turned[turning.CELL_MOVED[2]][:, turning.classes_turned(2, CLASSES)]
    np.testing.assert_allclose(back, shares, atol=1e-3)  # all four ways are looked at either time


def test_empty_places_carry_no_sign() -> None:
    quads = sign_quads("challenge")
    views = slot_views(sheet(), FLAT, list(quads.values()), SIGN_SIZE, SIGN_RIM)
    read = read_signs(views, [sign_kind(name) for name in quads])
    marked = [name for name, found in zip(quads, read, strict=True) if next(iter(found))]
    assert len(marked) <= 1, marked
    assert read_signs(views[:0], []) == []


def test_glare_is_what_is_brighter_than_the_rest() -> None:
    image = (grid() * 0.7).astype(np.uint8)
    assert cell_glare(drowned_cells(image)).max() == 0
    image[GRID_MARGIN + 40 : GRID_MARGIN + 80, GRID_MARGIN : GRID_MARGIN + 40] = 255  # a2
    glare = cell_glare(drowned_cells(image))
    assert glare[7] > 0.9
    assert np.delete(glare, 7).max() < 0.1


def test_a_blurred_picture_is_less_sharp() -> None:
    sharp = sheet_quality(grid(), 0.0, "tags", 5.0)
    blurred = sheet_quality(np.asarray(cv2.GaussianBlur(grid(), (0, 0), 2), np.uint8), 0.0, "tags", 5.0)
    assert sharp.sharpness > 2 * blurred.sharpness
    assert sharp.glare == 0


def test_cells_beyond_the_edge_are_outside() -> None:
    middle = (PRINTED.grid.corner[0] + 3.5 * PRINTED.grid.cell) * 5
    shares = cells_outside((int(middle), 2000), FLAT).reshape(7, 7)
    assert (shares[:, :3] == 0).all()
    np.testing.assert_allclose(shares[:, 3], 0.5)
    assert (shares[:, 4:] == 1).all()


def test_the_networks_are_small() -> None:
    ours = [len(file.read_bytes()) for file in (CELL_MODEL, SIGN_MODEL)]
    assert sum(ours) <= 3_000_000
