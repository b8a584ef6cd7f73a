"""Sheets of which a single tag is seen, placed with the help of others on the same table."""

from functools import lru_cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.contract import Plain
from companion.games.railroad_ink.eye.boards import grid_corners
from companion.games.railroad_ink.paper.printed import tag_quads
from companion.games.railroad_ink.paper.sheets import board_sheet, board_sheets
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import Wish
from lab.studio.tabletop import project_truth
from vision.decoding import decoded
from vision.finding import find_sheets
from vision.one_table import on_the_same_table, placed_on_print, pushed_and_turned
from vision.placing import Match
from vision.print_register import PrintCheck
from vision.rectify import Image, Placement, Places


@lru_cache(maxsize=1)
def picture() -> tuple[Image, Plain]:
    data, truth = take_picture(3_300_001, "clean", wish=Wish(sheets=3, megapixels=3.0, table_pixels=128))
    return decoded(data, 1).image, truth


def painted_over(image: Image, truth: Plain, true: Plain, quads: list[Places]) -> Image:
    image = image.copy()
    for quad in quads:
        pixels = project_truth(truth, true, quad)
        cv2.fillConvexPoly(image, np.rint(pixels).astype(np.int32), (150, 150, 150))
    return image


def tags_of(true: Plain) -> list[Places]:
    return [np.array(quad) for quad in tag_quads(true["edition"], true["seat"]).values()]


def miss(placement: Placement, truth: Plain, true: Plain) -> float:
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
