"""The first picture that everybody takes: a sheet with nothing on it yet, as it is printed or on a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
import pytest

from companion.game.base import Action
from companion.game.packages import find_package, loaded
from companion.game.registry import find_reader, games_with_eyes
from companion.reading.evidence import EMPTY, PhotoReading, SheetReading, SlotReading
from companion.reading.types import ReadHints
from companion.service.service import Service
from companion.sheets.printing.png import picture
from companion.sheets.sheet import Sheet
from companion.table.events import Actor
from companion.table.table import Accepted
from tests.web.houses import accepted, small_house
from vision.register.rectify import Image

# Where the corners of a sheet lie in a photograph from the long side, as shares of it; light from one side.
_CORNERS = np.array([(0.13, 0.12), (0.86, 0.09), (0.94, 0.9), (0.05, 0.93)])
_PIXELS, _TABLE, _SHADE, _NOISE = (3000, 2400), (70, 95, 125), (0.95, 0.72), 6


@cache
def sheets(game: str) -> list[Sheet]:
    """Every sheet of the game that may lie in a photograph."""
    return list(loaded(find_package(game).printing).photographed())


MORE = pytest.mark.slow
EVERY_SHEET = [
    pytest.param(game, number, id=f"{game}-{sheet.name}-{sheet.edition}-{sheet.seat}")
    for game in games_with_eyes()
    for number, sheet in enumerate(sheets(game))
]


def printed(game: str, number: int, dpi: float) -> Image:
    blank = picture(sheets(game)[number].blank, dpi).convert("RGB")
    return np.ascontiguousarray(np.asarray(blank)[:, :, ::-1])


@cache
def photographed(game: str, number: int) -> Image:
    """The sheet on a table, seen at a slant in uneven light by a camera that is not free of noise."""
    blank = printed(game, number, 90)
    height, width = blank.shape[:2]
    corners = _CORNERS * _PIXELS * np.minimum(1.0, [width / height * 0.8, height / width * 1.25])
    there = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    placed = cv2.getPerspectiveTransform(there, corners.astype(np.float32))
    seen = cv2.warpPerspective(blank, placed, _PIXELS, None, cv2.INTER_AREA, cv2.BORDER_CONSTANT, _TABLE)
    light = np.linspace(*_SHADE, _PIXELS[0], dtype=np.float32)[None, :, None]
    noise = np.random.default_rng(5).integers(-_NOISE, _NOISE, seen.shape, np.int8)
    return np.asarray(np.clip(seen * light + noise, 0, 255), np.uint8)


def invented(reading: PhotoReading[SheetReading[SlotReading]]) -> dict[str, str]:
    """What is said to lie somewhere, by slot."""
    return {
        name: slot.best
        for sheet in reading.sheets
        for name, slot in sheet.slots.items()
        if slot.cannot_see is None and slot.best != EMPTY
    }


@pytest.mark.parametrize("dpi", [90, *(pytest.param(dpi, marks=MORE) for dpi in (60, 150))])
@pytest.mark.parametrize(("game", "number"), EVERY_SHEET)
def test_nothing_is_read_from_a_sheet_as_it_is_printed(game: str, number: int, dpi: float) -> None:
    reading = find_reader(game).read(printed(game, number, dpi), ReadHints())
    assert len(reading.sheets) == 1
    assert invented(reading) == {}


@pytest.mark.parametrize(
    ("game", "number", "quick"),
    [
        *(pytest.param(*sheet.values, False, id=sheet.id) for sheet in EVERY_SHEET),
        *(
            pytest.param(*sheet.values, True, id=f"{sheet.id}-quick", marks=MORE if sheet.values[1] else ())
            for sheet in EVERY_SHEET
        ),
    ],
)
def test_nothing_is_read_from_an_empty_sheet_on_a_table(game: str, number: int, quick: bool) -> None:
    """``quick`` is what helps to place a camera."""
    reader = find_reader(game)
    reading = reader.read(photographed(game, number), ReadHints(quick=quick))
    assert len(reading.sheets) == 1
    assert invented(reading) == {}
    assert [note for note in reading.notes if note.startswith("A card lies")] == []
    assert len(reader.view(reading).sheets) == 1


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with small_house(tmp_path_factory.mktemp("house")) as made:
        yield made


@pytest.mark.parametrize("mode", ["umpire", "scorekeeper"])
@pytest.mark.parametrize("game", games_with_eyes())
def test_an_empty_sheet_can_be_photographed_twice_in_a_match(house: Service, game: str, mode: str) -> None:
    photo = cv2.imencode(".jpg", photographed(game, 0), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    begin = {"game": game, "players": ["East", "North"], "mode": mode}
    accepted(house, Action("start", data=begin))
    said = []
    for _ in range(2):
        match = house.table.current
        assert match is not None
        board = house.photos.read(match, 1, photo)
        assert board.ruling is not None
        assert not any(board.ruling.labels.values())
        assert board.ruling.changes == ()
        if board.action is not None:
            assert isinstance(house.table.submit(board.action, Actor("player", 1), match=match.id), Accepted)
        said.append((board.outcome, board.says, board.action is None))
    assert said[0] == said[1]
    assert house.table.current is not None
    accepted(house, Action("end"))
