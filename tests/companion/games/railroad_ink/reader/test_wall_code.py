"""The boxes that tell a board's walls: printed, photographed, damaged."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.chance import SeededChance
from companion.game.base import MatchRequest, Refusal
from companion.games.railroad_ink.printing.cards import card_drawing
from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.printing.wall_code import BORDERS, bits_of, walls_of
from companion.games.railroad_ink.reader.context import BoardsContext
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.games.railroad_ink.reader.reading import read_photo
from companion.games.railroad_ink.rules.blueprints import blueprint_walls
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, parse_walls, print_walls
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.sheets.printing.png import picture
from lab.railroad_ink.reading_bench import some_walls
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.railroad_ink.walls_bench import card_picture
from tests.companion.games.asking import answering
from vision.register.rectify import Image

answer_for_seat = answering(RailroadInkReader())

OLD_TOWN = blueprint_walls("old-town")


@given(st.sets(st.sampled_from(BORDERS)))
def test_every_set_of_walls_comes_back_and_two_wrong_boxes_are_noticed(borders: set[tuple[int, int]]) -> None:
    names = [f"{GRID.names[cell]}-{GRID.names[GRID.neighbours[cell][way]]}" for cell, way in borders]
    walls = parse_walls(names)
    bits = list(bits_of(walls))
    assert walls_of(bits) == walls
    some = Random(len(borders)).sample(range(len(bits)), 2)
    for at in some:
        bits[at] = not bits[at]
    assert walls_of(bits) is None


def _flat(walls: Walls, scale: float = 3.0) -> Image:
    board = np.asarray(picture(sheet_drawing(1, "challenge", walls), scale * 25.4))[:, :, ::-1]
    return np.asarray(cv2.copyMakeBorder(board, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(90, 120, 140)))


def test_a_board_tells_its_walls_also_where_a_pen_slipped_over_them() -> None:
    photo = _flat(OLD_TOWN)
    (sheet,) = read_photo(photo).sheets
    assert sheet.walls == tuple(print_walls(OLD_TOWN))
    box = (60 + round(3 * 40.5), 60 + round(3 * 145.4))
    cv2.circle(photo, box, 3, (60, 20, 20), -1)  # ink on a box
    assert read_photo(photo).sheets[0].walls == sheet.walls
    cv2.line(photo, (80, box[1]), (360, box[1]), (60, 20, 20), 5)  # and through many: nothing is guessed
    assert read_photo(photo).sheets[0].walls is None


def test_a_board_without_walls_tells_nothing() -> None:
    assert read_photo(_flat(NO_WALLS)).sheets[0].walls is None


@pytest.mark.parametrize("number", [3, 4])
def test_photographed_boards_with_walls_are_read_and_scored_with_them(number: int) -> None:
    walls = some_walls(number)
    cells = read_cells({"b1": "NS", "b2": "NS", "d1": "ns"})
    marks = SheetMarks("challenge", cells, dict.fromkeys(cells, 1), walls=walls)
    data, _ = take_picture(8_100_000 + number, "table", wish=SceneSpec(boards=(GivenBoard(2, marks, 5),)))
    reading = read_photo(data)
    assert reading.sheets[0].walls == tuple(print_walls(walls))
    (found,) = RailroadInkReader().positions(reading)
    assert found.position["blueprint"] == print_walls(walls)
    assert found.position["cells"] == {"b1": "NS", "b2": "NS", "d1": "ns"}
    for blueprint, differs in ((print_walls(walls), False), ([], True)):
        setup = RailroadInk().setup(
            MatchRequest(2, "umpire", {"blueprint": blueprint}), SeededChance(Random(1))
        )
        assert not isinstance(setup, Refusal)
        says = answer_for_seat(reading, RailroadInk().start(setup), 2, {}, "photo").says
        assert any("walls printed on this board" in line for line in says) == differs


def test_a_printed_card_is_told_by_its_photograph() -> None:
    card = card_drawing(OLD_TOWN, "Old Town", "A wall.")
    flat = np.asarray(picture(card, 8 * 25.4))[:, :, ::-1]
    corners = np.array(
        [[0, 0], [flat.shape[1], 0], [flat.shape[1], flat.shape[0]], [0, flat.shape[0]]], np.float32
    )
    seen = np.array([[210, 120], [760, 190], [700, 930], [130, 860]], np.float32)
    to_photo = cv2.getPerspectiveTransform(corners, seen)
    photo = cv2.warpPerspective(flat, to_photo, (900, 1000), flags=cv2.INTER_AREA, borderValue=(90, 120, 140))
    (sheet,) = read_photo(np.asarray(photo, np.uint8)).sheets
    assert sheet.is_card
    assert sheet.walls == tuple(print_walls(OLD_TOWN))
    reading = read_photo(np.asarray(photo, np.uint8))
    lines = list(RailroadInkReader().report(reading, BoardsContext()).lines("card.jpg"))
    assert lines[1].startswith("a blueprint card: old-town (")


def test_a_card_on_somebodys_table_is_told_and_is_nobodys_board() -> None:
    walls = some_walls(7)
    reading = read_photo(card_picture(walls, 8_100_020, "table", 0.5))
    (found,) = RailroadInkReader().positions(reading)
    assert (found.seat, found.position["blueprint"], found.position["cells"]) == (0, print_walls(walls), {})
    game = RailroadInk()
    setup = game.setup(MatchRequest(1, "umpire", {}), SeededChance(Random(1)))
    assert not isinstance(setup, Refusal)
    answer = answer_for_seat(reading, game.start(setup), 1, {}, "photo")
    assert answer.says[0] == "the board of seat 1 is not in the picture; none is"
