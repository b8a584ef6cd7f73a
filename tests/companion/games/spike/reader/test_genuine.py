"""A board without our tags, taught once while it is empty: photographs of it serve in a match."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.game.registry import find_reader, find_studio
from companion.game.teaching import segmented_printables
from companion.games.spike.printing.sheets import board_sheet
from companion.games.spike.reader.reader import SpikeReader
from companion.games.spike.rules.boards.board import SHIPPED, board_text
from companion.reading.answer import SeatQuery
from companion.reading.types import ReadHints
from companion.sheets.drawing import Quad
from tests.companion.cli.running import Run
from tests.companion.games.spike.reader.boards import TO_TULSA, position
from vision.register.rectify import Image
from vision.taught.boards import SegmentBoard, save_taught, teach_segments

MARGIN = 1.35  # of a tag's size, that is painted over


@lru_cache(maxsize=4)
def without_tags(laid: tuple[str, ...], number: int) -> tuple[Image, Quad]:
    """The studio's photograph with the tags painted over, and the corners of the board in it."""
    packed = find_studio("spike").picture(position({1: laid, 2: ()}), number)
    image = np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8).copy()
    (sheet,) = SpikeReader().read(image, ReadHints()).sheets
    board = board_sheet(SHIPPED[0])
    outline, corners = np.array(board.outline, np.float32), np.array(sheet.corners_px, np.float32)
    to_photo = cv2.getPerspectiveTransform(outline, corners)
    for tag in board.tags.values():
        quad = np.array(tag)
        grown = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * MARGIN
        pixels = cv2.perspectiveTransform(grown[None].astype(np.float64), to_photo)[0]
        rim = np.rint(pixels).astype(np.int32)
        paper = image[tuple(np.clip(rim[:, ::-1], 0, np.array(image.shape[:2]) - 1).T)].mean(axis=0)
        cv2.fillPoly(image, [rim], paper.tolist())
    return image, sheet.corners_px


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    """Taught from another picture than those that are read."""
    image, corners = without_tags((), 1)
    size, slots = segmented_printables()["spike"].segments("")
    path = tmp_path / "genuine.json"
    save_taught(teach_segments("genuine", image, corners, SegmentBoard(size, dict(slots))), path)
    return path


def test_without_teaching_it_is_not_found() -> None:
    image, _ = without_tags(TO_TULSA, 2)
    assert SpikeReader().read(image, ReadHints()).sheets == ()


def test_a_photograph_of_it_is_the_turn_that_was_built(taught: Path, tmp_path: Path) -> None:
    image, _ = without_tags(TO_TULSA, 2)
    reader, state = find_reader("spike"), position({1: (), 2: ()})
    other = tmp_path / "other.json"
    other.write_text("{}")
    hints = reader.hints(state, 1, None, [other, taught])
    assert hints.taught == (taught,)
    reading = reader.read(image, hints)
    (sheet,) = reading.sheets
    assert sheet.quality.found_by == "taught"
    answer = reader.answer(SeatQuery(reading, state, 1, {}, "a" * 64))
    assert answer.action is not None, answer
    assert set(answer.action.data["path"]) == set(TO_TULSA)
    assert reader.rectified_sheet(image, sheet).shape[0] > 500


def test_another_picture_is_none_of_it(taught: Path) -> None:
    reading = SpikeReader().read(np.full((600, 800, 3), 120, np.uint8), ReadHints(taught=(taught,)))
    assert reading.sheets == ()
    assert "not found" in reading.notes[0]


def test_the_owners_commands_with_the_owners_board_file(run: Run, tmp_path: Path) -> None:
    empty, corners = without_tags((), 1)
    evening, _ = without_tags(TO_TULSA, 2)
    cv2.imwrite(str(tmp_path / "empty.jpg"), empty)
    cv2.imwrite(str(tmp_path / "evening.jpg"), evening)
    (tmp_path / "board.txt").write_text(board_text(SHIPPED[0]))
    marked = [f"{x},{y}" for x, y in corners]
    teach = ["teach", "box", tmp_path / "empty.jpg", "--game", "spike", "--folder", tmp_path]
    described = ["--slots", tmp_path / "board.txt", "--overlay", tmp_path / "places.jpg"]
    code, out, err = run(*teach, *described, "--corners", *marked)
    assert (code, err) == (0, "")
    assert "read spike --taught box" in out
    assert (tmp_path / "places.jpg").exists()
    code, out, err = run(
        "read", "spike", tmp_path / "evening.jpg", "--taught", "box", "--folder", tmp_path, "--json"
    )
    (sheet,) = json.loads(out)["sheets"]
    found = {name for name, slot in sheet["slots"].items() if slot.get("mark")}
    assert (code, err, found) == (0, "", set(TO_TULSA))
    (tmp_path / "board.txt").write_text("city nowhere\n")
    code, _, err = run(*teach, *described, "--corners", *marked)
    assert (code, err.count("\n")) == (2, 1)
