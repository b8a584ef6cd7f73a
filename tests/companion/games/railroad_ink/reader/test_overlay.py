"""Overlays: every mark is where it belongs, in its colour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from companion.games.railroad_ink.printing.printed import PRINTED, cell_corner
from companion.games.railroad_ink.reader.overlay import draw_board
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.annotation import Annotations, blended
from companion.sheets.drawing import Quad
from tests.companion.games.railroad_ink.reader.readings import sheet_of
from vision.register.rectify import Image

SCALE = 4  # pixels per mm of an upright sheet
WIDTH, HEIGHT = (round(length * SCALE) for length in PRINTED.size)
CORNERS: Quad = ((0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT))
READER = RailroadInkReader()
PAPER = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)


def at(picture: Image, cell: str, x: float, y: float) -> list[int]:
    left, top = cell_corner(GRID.cell(cell))
    place = (np.array([left, top]) + np.array([x, y]) * PRINTED.grid.cell) * SCALE
    pixel: list[int] = picture[round(place[1]), round(place[0])].tolist()
    return pixel


def drawn(paper: Image = PAPER, corners: Quad = CORNERS, **marked: Any) -> Image:
    """What stands in ``marked``, drawn on this paper as on a photograph."""
    picture = paper.copy()
    pencil = READER.pencil(picture, replace(sheet_of({}), corners_px=corners), 1.0)
    draw_board(pencil, Annotations(**{"labels": {}, **marked}))
    return blended(picture, paper, READER.opacity)


def is_orange(pixel: list[int]) -> bool:
    return pixel[2] > 200 and pixel[0] < 80


def is_blue(pixel: list[int]) -> bool:
    return pixel[0] > 180 and pixel[2] < 80


def test_highways_are_orange_and_railways_blue() -> None:
    picture = drawn(labels={"b2": "NS", "c5": "ew"})
    assert is_orange(at(picture, "b2", 0.5, 0.2))
    assert is_orange(at(picture, "b2", 0.5, 0.8))
    assert is_blue(at(picture, "c5", 0.2, 0.5))
    assert at(picture, "c5", 0.5, 0.1) == [230, 230, 230]


def test_the_highway_of_an_overpass_is_above() -> None:
    picture = drawn(labels={"d4": "NS|ew"})
    assert is_orange(at(picture, "d4", 0.5, 0.5))
    assert is_blue(at(picture, "d4", 0.15, 0.5))


def test_a_station_is_a_violet_frame() -> None:
    blue, green, red = at(drawn(labels={"d4": "Ns*"}), "d4", 0.35, 0.42)
    assert green < 80 < min(blue, red)


def test_the_ink_stays_visible() -> None:
    """Of ink as broad as a pen's most is left in sight, beside the lines and through their halos."""
    inked = PAPER.copy()
    left, top = (np.asarray(cell_corner(GRID.cell("d4"))) + PRINTED.grid.cell / 2) * SCALE
    reach = round(PRINTED.grid.cell * SCALE / 2)
    inked[round(top) - reach : round(top) + reach, round(left) - 6 : round(left) + 6] = 20  # 3 mm
    picture = drawn(inked, labels={"d4": "NS"})
    ink = (inked == 20).all(axis=2)
    assert (picture[ink].max(axis=1) < 150).mean() > 0.45


def test_doubt_change_and_what_could_not_be_seen_have_their_marks() -> None:
    picture = drawn(uncertain=["a1"], changed=["b1"], unseen=["c1"])
    blue, green, red = at(picture, "a1", 0.1, 0.6)
    assert green < 80 < min(blue, red), "magenta"
    blue, green, red = at(picture, "b1", 0.05, 0.12)
    assert green > 1.7 * max(blue, red)
    assert max(at(picture, "c1", 0.5, 0.5)) < 150
    assert at(picture, "d1", 0.5, 0.5) == [230, 230, 230]


def test_a_big_photograph_is_made_smaller() -> None:
    big = np.full((3000, 4000, 3), 128, np.uint8)
    assert READER.annotated(big, [(replace(sheet_of({}), corners_px=CORNERS), None)]).shape == (1800, 2400, 3)


def test_a_title_is_written() -> None:
    assert (drawn(title="seat 1: accepted") != PAPER).any()
    assert (drawn() == PAPER).all()


def test_corners_far_outside_do_no_harm() -> None:
    wild = ((-9e4, -5e4), (8e4, -7e4), (9e4, 9e4), (-7e4, 8e4))
    assert drawn(corners=wild, labels={"d4": "NESW"}).shape == PAPER.shape
