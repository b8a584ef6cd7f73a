"""Boards of prints never seen, read without tags, stickers or teaching."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.railroad_ink.reader.foreign_print import without_folds
from companion.games.railroad_ink.reader.orienting import as_before, explains, half_turned, turned_shares
from companion.games.railroad_ink.reader.reading import ReadOptions, read_photo
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.rules.boards.routes import ROUTES, VOCABULARY
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import SlotReading
from lab.railroad_ink.first_sight_bench import Shot, found_at, take_shot
from lab.railroad_ink.studio.other_grids import other_grid
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from vision.decoding import decoded
from vision.register.rectify import Image


@pytest.fixture(scope="module")
def shot() -> Shot:
    """One board of an invented print with a bold frame, in a clean photograph."""
    return take_shot(8_600_000, "ruled", "clean", 1)


@pytest.fixture(scope="module")
def image(shot: Shot) -> Image:
    return decoded(shot.data, 1).image


@pytest.fixture(scope="module")
def sheet(shot: Shot, image: Image) -> SheetReading:
    (found,) = read_photo(image, ReadOptions(shot.edition, panel=False)).sheets
    return found


def routes(sheet: SheetReading) -> dict[str, str]:
    return {name: cell.best for name, cell in sheet.cells.items()}


def drawn(shot: Shot, number: int = 0) -> dict[str, str]:
    return {name: cell["route"] or "" for name, cell in shot.truth["sheets"][number]["cells"].items()}


def test_a_board_of_any_print_is_read_at_first_sight(shot: Shot, sheet: SheetReading) -> None:
    assert sheet.quality.found_by == "sight"
    assert found_at([sheet], np.array(shot.truth["sheets"][0]["grid"])) is sheet
    assert drawn(shot) in (routes(sheet), routes(half_turned(sheet)))


def test_a_board_photographed_from_the_side_is_read_as_from_its_front(
    image: Image, sheet: SheetReading
) -> None:
    quarter = np.ascontiguousarray(np.rot90(image))
    (turned,) = read_photo(quarter, ReadOptions(sheet.edition, panel=False)).sheets
    assert routes(sheet) in (routes(turned), routes(half_turned(turned)))


def test_corners_dragged_badly_do(shot: Shot) -> None:
    grid = np.array(shot.truth["sheets"][0]["grid"])
    off = 0.006 * shot.truth["width"] * np.array([(1, -1), (1, 0), (-1, 1), (0, 1)])
    corners = [(float(x), float(y)) for x, y in grid + off]
    (found,) = read_photo(shot.data, ReadOptions(shot.edition, 1, corners, panel=False)).sheets
    assert found.quality.found_by == "corners"
    assert routes(found) == drawn(shot)


def test_the_position_before_tells_which_way_up_a_board_lies(sheet: SheetReading) -> None:
    before = {GRID.cell(name): ROUTES[text] for name, text in routes(sheet).items() if text}
    assert explains(sheet, before) > explains(half_turned(sheet), before)
    assert routes(as_before(half_turned(sheet), before)) == routes(sheet)
    tagged = replace(half_turned(sheet), quality=replace(sheet.quality, found_by="tags"))
    assert as_before(tagged, before) is tagged


def test_turned_by_half_twice_a_reading_is_the_same(sheet: SheetReading) -> None:
    twice = half_turned(half_turned(sheet))
    assert routes(twice) == routes(sheet)
    assert np.allclose(twice.corners_px, sheet.corners_px, atol=0.1)
    shares = np.random.default_rng(1).random((GRID.size, len(VOCABULARY) + 2))
    assert np.array_equal(turned_shares(turned_shares(shares, 1), 3), shares)


def test_marks_are_turned_with_their_board(sheet: SheetReading) -> None:
    marks = {
        "a1": SlotReading({"river:NE": 0.9, "": 0.1}),
        "c3-d3": SlotReading({"canyon": 0.8, "": 0.2}),
        "b2": SlotReading({"+trail:nw-ne": 1.0}),
    }
    marked = half_turned(replace(sheet, marks=marks, expansion="river"))
    assert marked.marks["g7"].best == "river:SW"
    assert marked.marks["d5-e5"].best == "canyon"
    assert marked.marks["f6"].best == "+trail:se-sw"
    assert half_turned(marked).marks == marks


def test_a_mirrored_sheet_of_ours_is_not_read_at_first_sight() -> None:
    data, _ = take_picture(5, "clean", spec=SceneSpec(sheets=1, megapixels=1.5, table_pixels=128))
    mirrored = np.ascontiguousarray(decoded(data, 1).image[:, ::-1])
    reading = read_photo(mirrored, ReadOptions(panel=False))
    assert not reading.sheets
    assert "mirror" in reading.notes[0]


def test_a_fold_is_taken_away_and_a_route_is_not() -> None:
    grid = np.ones((296, 296, 3), np.float32)
    cv2.line(grid, (150, 0), (150, 295), (0.6, 0.6, 0.6), 2)
    cv2.line(grid, (0, 60), (200, 60), (0.2, 0.2, 0.2), 3)
    mended = without_folds(grid)
    assert mended[200:, 140:160].min() > 0.9
    assert mended[58:62, 20:130].min() < 0.3


def test_nothing_is_found_in_other_grids() -> None:
    for number in (5, 7, 13):  # bars around another square, a calendar, tiles
        assert not read_photo(other_grid(number)[1], ReadOptions(panel=False)).sheets


@pytest.mark.slow
def test_nothing_is_found_in_many_other_grids() -> None:
    found = [
        n for n in range(40_000, 40_200) if read_photo(other_grid(n)[1], ReadOptions(panel=False)).sheets
    ]
    assert found == []
