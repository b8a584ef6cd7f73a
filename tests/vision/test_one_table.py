"""Sheets of which a single tag is seen, placed with the help of others on the same table."""

from functools import lru_cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.printing.printed import tag_quads
from companion.games.railroad_ink.printing.sheets import board_sheet, board_sheets
from companion.games.railroad_ink.reader.boards import grid_corners
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.studio.tabletop import project_truth
from vision.decoding import decoded
from vision.find.by_tags import find_sheets
from vision.find.one_table import on_the_same_table, placed_on_print, pushed_and_turned
from vision.find.seeing import Search, see
from vision.register.placing import Match
from vision.register.print_register import PrintCheck
from vision.register.rectify import Image, Placement, Places


@lru_cache(maxsize=1)
def picture() -> tuple[Image, JsonObject]:
    data, truth = take_picture(3_300_001, "clean", spec=SceneSpec(sheets=3, megapixels=3.0, table_pixels=128))
    return decoded(data, 1).image, truth


def painted_over(image: Image, truth: JsonObject, true: JsonObject, quads: list[Places]) -> Image:
    image = image.copy()
    for quad in quads:
        pixels = project_truth(truth, true, quad)
        cv2.fillConvexPoly(image, np.rint(pixels).astype(np.int32), (150, 150, 150))
    return image


def tags_of(true: JsonObject) -> list[Places]:
    return [np.array(quad) for quad in tag_quads(true["edition"], true["seat"]).values()]


def miss(placement: Placement, truth: JsonObject, true: JsonObject) -> float:
    corners = grid_corners()
    return float(
        np.hypot(*(placement.pixels(corners) - project_truth(truth, true, corners)).T).max()
        / placement.scale_at((66, 83))
    )


@pytest.mark.parametrize("left", range(4))
def test_one_tag_suffices_beside_other_sheets(left: int) -> None:
    image, truth = picture()
    true = truth["sheets"][1]
    covered = painted_over(image, truth, true, [quad for n, quad in enumerate(tags_of(true)) if n != left])
    found = find_sheets(covered, board_sheets())
    assert (true["edition"], true["seat"]) not in {(s.sheet.edition, s.sheet.seat) for s in found.sheets}
    placed = {sheet.sheet.seat: sheet for sheet in placed_on_print(covered, found)}
    assert set(placed) == {sheet["seat"] for sheet in truth["sheets"]}
    assert not placed[true["seat"]].sure
    assert miss(placed[true["seat"]].placement, truth, true) < 0.4


@pytest.mark.parametrize("left", range(4))
def test_one_tag_suffices_alone_where_the_print_goes_on_from_it(left: int) -> None:
    image, truth = picture()
    others = [quad for n, quad in enumerate(tags_of(truth["sheets"][1])) if n != left]
    alone = painted_over(image, truth, truth["sheets"][1], others)
    for true in (truth["sheets"][0], truth["sheets"][2]):
        alone = painted_over(alone, truth, true, tags_of(true))
    (placed,) = placed_on_print(alone, find_sheets(alone, board_sheets()))
    assert placed.sheet.seat == truth["sheets"][1]["seat"]
    assert miss(placed.placement, truth, truth["sheets"][1]) < 0.4


def test_a_tag_without_a_grid_is_no_sheet() -> None:
    image, truth = picture()
    true = truth["sheets"][1]
    around = grid_corners() + 8 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    covered = painted_over(image, truth, true, [*tags_of(true)[1:], around])
    seats = {sheet.sheet.seat for sheet in placed_on_print(covered, find_sheets(covered, board_sheets()))}
    assert seats == {sheet["seat"] for sheet in truth["sheets"]} - {true["seat"]}


def test_without_other_sheets_there_is_no_table() -> None:
    tag = Match(np.zeros((4, 2)), np.zeros((4, 2)), np.ones(4))
    assert on_the_same_table(tag, []) is None


def test_what_does_not_lie_flat_on_the_table_is_not_placed() -> None:
    table = Placement(np.diag([4.0, 4.0, 1.0]))
    tag = np.array([[2.5, 2.5], [17.5, 2.5], [17.5, 17.5], [2.5, 17.5]])
    flat = Match(tag, table.pixels(tag + np.array([150.0, 30.0])), np.ones(4))
    found = on_the_same_table(flat, [PrintCheck(board_sheet("challenge", 1), table, 1.0)])
    assert found is not None
    np.testing.assert_allclose(found.pixels(tag), flat.pixels, atol=1e-6)
    bigger = Match(tag, flat.pixels * 1.5, np.ones(4))
    assert on_the_same_table(bigger, [PrintCheck(board_sheet("challenge", 1), table, 1.0)]) is None


@settings(deadline=None, max_examples=30)
@given(angle=st.floats(-3.1, 3.1), across=st.floats(-300, 300), down=st.floats(-300, 300))
def test_pushing_and_turning_is_found(angle: float, across: float, down: float) -> None:
    cos, sin = np.cos(angle), np.sin(angle)
    true = np.array([[cos, -sin, across], [sin, cos, down], [0, 0, 1]])
    places = np.array([[2.5, 2.5], [17.5, 2.5], [17.5, 17.5], [2.5, 17.5]])
    np.testing.assert_allclose(
        pushed_and_turned(places, places @ true[:2, :2].T + true[:2, 2]), true, atol=1e-6
    )


@pytest.mark.parametrize("bend", [-0.15, 0.0, 0.1])
def test_places_is_pixels_backwards(bend: float) -> None:
    placement = Placement(
        np.array([[5, 0.3, 400], [-0.2, 5, 200], [2e-4, 1e-4, 1]]), (1000.0, 750.0), 1000.0, bend
    )
    places = np.array([[0.0, 0.0], [132.0, 0.0], [132.0, 196.0], [0.0, 196.0], [66.0, 98.0]])
    np.testing.assert_allclose(placement.places(placement.pixels(places)), places, atol=0.02)


# --- corners that somebody marked ---


def marked(image: Image, corners: Places) -> Places:
    """The corners of the grid where a look at the print leaves those that were marked."""
    (sheet,) = see(image, Search([], 1.0, marked=(board_sheet("challenge", 1), corners.tolist()))).sheets
    assert sheet.found_by == "corners"
    return sheet.placement.pixels(grid_corners())


def test_corners_marked_roughly_are_moved_onto_our_print() -> None:
    image, truth = picture()
    true = project_truth(truth, truth["sheets"][0], grid_corners())
    cell = float(np.hypot(*(true[0] - true[1]))) / 7
    rough = true + 0.1 * cell * np.array([[1, 0], [0, 1], [-0.7, 0.7], [0, -1]])
    assert np.hypot(*(marked(image, rough) - true).T).max() < 0.03 * cell


@pytest.mark.parametrize("frame", [6, 9, 12, 15])
def test_corners_marked_on_another_print_stay_where_they_are(frame: int) -> None:
    """Crosses where our print has lines, in a strong frame that lies a little farther out than ours."""
    cell, left, top = 60, 200, 180
    image = np.full((800, 900, 3), 232, np.uint8)
    for x, y in np.ndindex(8, 8):
        middle = (left + x * cell, top + y * cell)
        cv2.drawMarker(image, middle, (120, 110, 100), cv2.MARKER_CROSS, 12, 2)
    around = (left - frame, top - frame), (left + 7 * cell + frame, top + 7 * cell + frame)
    cv2.rectangle(image, *around, (20, 20, 20), 3)
    exact = np.array([left, top]) + 7 * cell * np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    assert np.hypot(*(marked(image, exact) - exact).T).max() < 0.05 * cell
