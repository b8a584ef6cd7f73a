"""Photographs of the studio, of seeds and pieces that no training has seen: the board is read as it lies."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.core.jsontext import JsonObject
from companion.game.registry import find_reader
from companion.games.spike.reader.reader import SpikeReader
from companion.games.spike.reader.reading import read_board
from companion.games.spike.reader.readings import BoardReading
from companion.games.spike.rules.boards.position import read_position
from companion.reading.evidence import EMPTY, PhotoReading
from companion.reading.types import ReadHints
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.scenes import CardSpec
from lab.spike.reading_bench import Task, judged, score_of
from lab.spike.studio.studio import BoardSpec, take_board
from lab.studio.levels import LEVELS
from lab.studio.pieces import HELD_OUT
from tests.companion.games.asking import answering

answer_for_seat = answering(SpikeReader())

SEED = 9_700_000


@lru_cache(maxsize=4)
def shot(seed: int, level: str, pieces: str) -> tuple[bytes, JsonObject]:
    return take_board(seed, level, spec=BoardSpec(2.5, (), pieces))


@lru_cache(maxsize=4)
def reading(seed: int = SEED, level: str = "clean", pieces: str = "wooden-sticks") -> BoardReading:
    (sheet,) = read_board(shot(seed, level, pieces)[0]).sheets
    return sheet


@pytest.mark.parametrize(("level", "least"), [("clean", 1.0), ("table", 0.97)])
@pytest.mark.parametrize("pieces", ["plastic-rails", *HELD_OUT[:1]])
def test_tracks_are_read(level: str, least: float, pieces: str) -> None:
    _, truth = shot(SEED + 1, level, pieces)
    score = score_of(Task(SEED + 1, level, pieces, 2.5), reading(SEED + 1, level, pieces), truth["sheets"][0])
    assert score.found
    assert score.right >= least * score.built
    assert score.invented <= (0 if level == "clean" else 1)


def test_the_other_things_are_read_too() -> None:
    _, truth = shot(SEED, "clean", "wooden-sticks")
    score = score_of(Task(SEED, "clean", "", 2.5), reading(), truth["sheets"][0])
    assert score.things_right >= 0.8 * score.things


def test_a_bigger_photograph_has_more_pixels_a_millimetre_though_it_is_read_from_a_smaller_copy() -> None:
    image = cv2.imdecode(np.frombuffer(shot(SEED, "clean", "wooden-sticks")[0], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    bigger = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    (sheet,) = read_board(cv2.imencode(".jpg", bigger)[1].tobytes()).sheets
    assert sheet.quality.pixels_per_mm == pytest.approx(2 * reading().quality.pixels_per_mm, rel=0.02)


def test_the_line_leaves_out_what_is_surely_empty() -> None:
    told = reading().as_json()
    _, truth = shot(SEED, "clean", "wooden-sticks")
    built = {name for names in truth["sheets"][0]["tracks"].values() for name in names}
    assert built <= set(told["slots"]) | set(truth["sheets"][0]["covered"])
    assert len(told["slots"]) < len(built) + 60
    assert all("mark" in slot or "cannot_see" in slot for slot in told["slots"].values())


def test_what_lies_outside_the_picture_is_not_empty() -> None:
    data, _ = shot(SEED, "clean", "wooden-sticks")
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    cut = np.ascontiguousarray(image[:, : int(image.shape[1] * 0.72)])
    (sheet,) = read_board(np.asarray(cut, np.uint8)).sheets
    unseen = {slot.cannot_see for slot in sheet.tracks.values()}
    assert "outside the picture" in unseen
    assert sheet.slots["bangor-d10"].cannot_see or sheet.slots["bangor-d10"].best == EMPTY


def test_two_halves_make_a_board() -> None:
    """Each has two of the four tags; together they show every track as the whole picture does."""
    image = cv2.imdecode(np.frombuffer(shot(SEED, "clean", "wooden-sticks")[0], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    share = 0.72 if image.shape[1] > image.shape[0] else 1.0
    cut = int(image.shape[1] * share)
    reader = find_reader("spike")
    halves = [
        reader.read(np.ascontiguousarray(part, np.uint8), ReadHints())
        for part in (image[:, :cut], image[:, -cut:])
    ]
    (sheet,) = reader.joined(halves).sheets
    assert all(slot.cannot_see is None for slot in sheet.tracks.values())
    whole = reading().tracks
    alike = [slot.best == whole[name].best for name, slot in sheet.tracks.items()]
    assert np.mean(alike) > 0.99
    assert set(sheet.palette.colours) >= {slot.best for slot in whole.values()} - {EMPTY}


@pytest.mark.parametrize(
    "level", [pytest.param(level, marks=() if level == "table" else pytest.mark.slow) for level in LEVELS]
)
def test_the_bench_judges(level: str) -> None:
    score = judged(Task(SEED + 3, level, "cubes", 2.5))
    assert score.found
    assert score.built > 0


def test_another_games_cards_are_no_board() -> None:
    data, _ = take_card_picture(5, "clean", spec=CardSpec(megapixels=0.8, table_pixels=128))
    answer: PhotoReading[BoardReading] = read_board(data)
    assert not answer.sheets
    assert answer.notes


def test_a_photograph_becomes_a_build() -> None:
    data, truth = shot(SEED, "clean", "wooden-sticks")
    (told,) = truth["sheets"]
    state = read_position({"tracks": told["before"], "turn": told["turn"]})
    answer = answer_for_seat(read_board(data), state, told["turn"], {}, "0" * 64)
    assert answer.ruling is not None
    assert answer.ruling.outcome in ("accepted", "ask")
    if answer.action is not None:
        assert answer.action.kind == "build"
        assert sorted(answer.action.data["path"]) == sorted(told["last"])


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, truth = shot(SEED, "clean", "wooden-sticks")
    photo, before, drawn = tmp_path / "a.jpg", tmp_path / "before.json", tmp_path / "drawn.png"
    photo.write_bytes(data)
    (told,) = truth["sheets"]
    before.write_text(json.dumps({"tracks": told["before"], "turn": told["turn"]}))
    players = ",".join(f"{colour}={seat}" for colour, seat in told["players"].items())
    options = ["--players", players, "--before", str(before), "--overlay", str(drawn), "--json"]
    assert main(["read", "spike", str(photo), *options]) == 0
    line = json.loads(capsys.readouterr().out)
    (sheet,) = line["sheets"]
    assert sheet["sheet"] == "spike"
    marks = {slot.get("mark") for name, slot in sheet["slots"].items() if ":" not in name}
    assert marks - {None} <= {"1", "2", "3", "4"}
    assert sheet["ruling"]["outcome"] in ("accepted", "ask")
    assert drawn.stat().st_size > 10_000


def test_the_page_gets_pictures() -> None:
    data, _ = shot(SEED, "clean", "wooden-sticks")
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    eye = find_reader("spike")
    read = eye.read(np.asarray(image, np.uint8), ReadHints())
    above = eye.rectified_sheet(np.asarray(image, np.uint8), read.sheets[0])
    (found,) = eye.positions(read)
    drawn = eye.annotated_sheet(above, read.sheets[0], found.ruling)
    assert drawn.shape == above.shape
    assert (drawn != above).any()
    assert eye.view(read).sheets[0].name == "The board"
