"""The reader's own process: what comes in from a phone, and what can go wrong there."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from companion.box.eye import Eye, LookTask, ReadTask, ScoreTask, TakeTask, TeachTask
from companion.box.photos import PhotoShelf
from companion.games.contract import Action
from companion.games.railroad_ink.eye.boards import SHEET_OUTLINE, grid_corners
from companion.games.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.match import Match
from companion.table.store import Store
from companion.table.table import Accepted, Table

HOST = Actor("host")
FACES = ["NS", "ne", "N*", "NS|ew"]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Match]:
    """A match in whose first round the dice lie and nothing is drawn yet."""
    with Store(tmp_path_factory.mktemp("table")) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        start = {"game": "railroad-ink", "players": ["", ""], "options": {"goals": "none"}}
        for action in (Action("start", data=start), Action("roll", data={"faces": FACES})):
            assert isinstance(table.submit(action, HOST), Accepted)
        assert table.current is not None
        yield table.current


@pytest.fixture(scope="module")
def eye() -> Iterator[Eye]:
    made = Eye()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def photo(eye: Eye, match: Match) -> bytes:
    """The studio's picture of the table after seat 1 has drawn."""
    state = match.state
    for cell, route in (("b1", "NS"), ("f1", "N*"), ("b2", "NS|ew"), ("d1", "ne")):
        fact = Action("draw", 1, {"cell": cell, "route": route, "from": "die"})
        state = match.game.apply(state, fact)
    return eye.take(TakeTask("studio", replace(match, state=state)))


def test_a_photograph_becomes_the_turn_that_was_drawn(eye: Eye, match: Match, photo: bytes) -> None:
    read = eye.read(ReadTask(photo, match, 1))
    assert read.answer["ruling"]["outcome"] == "accepted", read.answer
    assert read.answer["ruling"]["cells"] == {"b1": "NS", "d1": "ne", "f1": "N*", "b2": "NS|ew"}
    assert read.answer["action"]["kind"] == "turn"
    assert read.grid is not None
    assert Image.open(BytesIO(read.grid)).size == (796, 796)


def test_nothing_is_kept_of_a_photograph_but_what_it_shows(eye: Eye, match: Match, photo: bytes) -> None:
    secret = b"somebody's kitchen"
    exif = Image.Exif()
    exif[0x010E] = secret.decode()
    dressed = BytesIO()
    Image.open(BytesIO(photo)).save(dressed, "JPEG", quality=90, exif=exif, comment=secret)
    assert secret in dressed.getvalue()
    read = eye.read(ReadTask(dressed.getvalue() + b"<?php trailing", match, 1))
    assert secret not in read.photo
    assert b"php" not in read.photo
    assert not Image.open(BytesIO(read.photo)).getexif()


def test_the_other_seats_board_is_not_mine(eye: Eye, match: Match, photo: bytes) -> None:
    read = eye.read(ReadTask(photo, match, 2))
    assert read.answer["action"] is None


def test_finished_boards_are_scored_without_a_match(eye: Eye, photo: bytes) -> None:
    boards, _ = eye.score(ScoreTask(photo))
    mine = next(board for board in boards if board.seat == 1)
    assert mine.cells["b1"] == "NS"


@pytest.mark.parametrize("rubbish", [b"", b"\xff\xd8\xff", b"GIF89a" + bytes(50), bytes(3000), b"<svg/>"])
def test_what_is_no_picture_is_one_sentence(eye: Eye, match: Match, rubbish: bytes) -> None:
    with pytest.raises(TableError) as refused:
        eye.read(ReadTask(rubbish, match, 1))
    assert refused.value.code == "bad-photo"
    assert refused.value.message


def test_a_picture_of_absurd_size_is_refused_by_its_header(eye: Eye, match: Match) -> None:
    bomb = BytesIO()
    Image.new("L", (1, 1)).save(bomb, "PNG")
    header = bytearray(bomb.getvalue())
    header[16:24] = (60_000).to_bytes(4, "big") * 2
    with pytest.raises(TableError):
        eye.read(ReadTask(bytes(header), match, 1))


def test_marked_corners_find_a_board_and_teaching_finds_it_again(
    eye: Eye, match: Match, photo: bytes, tmp_path: Path
) -> None:
    """A board without corner tags: they are painted over."""
    picture = Image.open(BytesIO(photo))
    width, height = picture.size
    blank, reach = ImageDraw.Draw(picture), 0.055 * max(picture.size)
    by_seat = {
        sheet.seat: tuple((x * width, y * height) for x, y in sheet.corners)
        for sheet in eye.look(LookTask(photo)).sheets
    }
    for x, y in (corner for corners in by_seat.values() for corner in corners):
        blank.ellipse((x - reach, y - reach, x + reach, y + reach), fill="white")
    packed = BytesIO()
    picture.save(packed, "JPEG", quality=92)
    assert eye.read(ReadTask(packed.getvalue(), match, 1)).answer["ruling"] is None
    grid = _on_photo(by_seat[1])
    read = eye.read(ReadTask(packed.getvalue(), match, 1, corners=grid))
    assert read.answer["ruling"]["cells"] == {"b1": "NS", "d1": "ne", "f1": "N*", "b2": "NS|ew"}
    path = tmp_path / "taught" / "own.json"
    eye.teach(TeachTask(packed.getvalue(), grid, "challenge", path))
    again = eye.read(ReadTask(packed.getvalue(), match, 1, taught=(path,)))
    assert again.answer["ruling"]["cells"] == read.answer["ruling"]["cells"]


def _on_photo(corners: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Where the grid's corners are, when these are the sheet's."""
    to_photo = cv2.getPerspectiveTransform(SHEET_OUTLINE.astype(np.float32), np.array(corners, np.float32))
    grid = cv2.perspectiveTransform(grid_corners()[None], to_photo)[0]
    return tuple((float(x), float(y)) for x, y in grid)


def test_corners_that_make_no_board_are_one_sentence(eye: Eye, match: Match, photo: bytes) -> None:
    with pytest.raises(TableError) as refused:
        eye.read(ReadTask(photo, match, 1, corners=((0, 0), (1, 1), (2, 2), (3, 3))))
    assert "corners" in refused.value.message


def test_a_reader_that_dies_is_started_again(match: Match, photo: bytes) -> None:
    eye = Eye()
    eye.start()
    assert eye._process is not None
    os.kill(eye._process.pid or 0, signal.SIGKILL)
    eye._process.join()
    assert eye.read(ReadTask(photo, match, 1)).answer["action"]
    eye.stop()
    eye.stop()


def test_a_reader_that_takes_too_long_is_ended(match: Match, photo: bytes) -> None:
    eye = Eye(patience=0.001)
    with pytest.raises(TableError) as late:
        eye.read(ReadTask(photo, match, 1))
    assert "too long" in late.value.message
    assert eye._process is None


def test_an_unknown_camera_is_one_sentence(eye: Eye, match: Match) -> None:
    with pytest.raises(TableError):
        eye.take(TakeTask("usb:none", match))


def test_the_shelf_finds_photographs_by_their_hash_only(tmp_path: Path) -> None:
    shelf = PhotoShelf(tmp_path)
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    digest = shelf.keep(b"picture")
    assert shelf.keep(b"picture") == digest
    path = shelf.find(digest)
    assert path is not None
    assert path.read_bytes() == b"picture"
    for name in ("../secret", "secret", "", digest.upper(), digest + "/", "../photos/" + digest):
        assert shelf.find(name) is None
    shelf.forget(digest)
    assert shelf.find(digest) is None
    shelf.forget(digest)
