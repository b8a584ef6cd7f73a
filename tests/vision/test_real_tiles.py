"""Real photographs of a game with tiles, where they lie beside the repository: taught from the first picture.

One board, fifty photographs, one tile more in each; the second game of the series is for reporting only.
"""

import json
from pathlib import Path

import pytest

from companion.sheets.drawing import rectangle
from vision.decoding import decoded
from vision.taught.boards import SegmentBoard, teach_segments
from vision.taught.reading import SegmentReader
from vision.watch.follower import TableFollower, small
from vision.watch.views import SeenSheet, SheetView

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "real"
CORNERS = [(387.0, 784.0), (1028.0, 784.0), (1028.0, 1425.0), (387.0, 1425.0)]  # in start_01.jpg


SIDE, PLACES = 100.0, 14  # of the places of the board, and how many there are in a row


def reader_of_tiles() -> SegmentReader:
    slots = {
        f"{row + 1}{chr(65 + column)}": (
            (column * 100.0 + 6, row * 100.0 + 6),
            (column * 100.0 + 94, row * 100.0 + 6),
            (column * 100.0 + 94, row * 100.0 + 94),
            (column * 100.0 + 6, row * 100.0 + 94),
        )
        for row in range(14)
        for column in range(14)
    }
    empty = decoded((FOLDER / "tiles" / "start_01.jpg").read_bytes(), 1).image
    return SegmentReader(teach_segments("tiles", empty, CORNERS, SegmentBoard((1400.0, 1400.0), slots)))


@pytest.mark.skipif(not FOLDER.exists(), reason="the real photographs are not on this machine")
def test_every_place_of_a_real_board_is_empty_or_occupied() -> None:
    reader = reader_of_tiles()
    laid: set[str] = set()
    wrong = places = 0
    for truth in json.loads((FOLDER / "tiles.json").read_text()):
        if truth["game"] != 1:
            continue
        laid.add(truth["new_tile"])
        if truth["number"] not in (1, 15, 30, 50):
            continue
        sheet = reader.read((FOLDER / truth["photo"]).read_bytes()).sheet
        assert sheet is not None, truth["photo"]
        occupied = {name for name, slot in sheet.slots.items() if slot.best and slot.cannot_see is None}
        wrong += len(occupied ^ laid)
        places += len(sheet.slots)
    assert wrong <= 0.005 * places


@pytest.mark.skipif(not FOLDER.exists(), reason="the real photographs are not on this machine")
@pytest.mark.parametrize("game", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_of_every_picture_the_one_changed_place_is_found(game: int) -> None:
    follower, at = TableFollower(), 0.0
    key = ("tiles", "", 0)

    def at_rest(name: str) -> SheetView:
        """Each photograph is seen for two seconds: nothing moves in it."""
        nonlocal at
        frame = small(decoded((FOLDER / name).read_bytes(), 1).image)
        for _ in range(4):
            at += 0.5
            (view,) = follower.see(frame, at)
        return view

    start = decoded((FOLDER / "tiles" / "start_01.jpg").read_bytes(), 1).image
    first, second, third, fourth = CORNERS
    board = SeenSheet(key, (SIDE * PLACES, SIDE * PLACES), (first, second, third, fourth))
    follower.place([board], (start.shape[1], start.shape[0]), small(start), at)
    at_rest("tiles/start_01.jpg")
    follower.settle(key, at)
    found = places = 0
    for truth in json.loads((FOLDER / "tiles.json").read_text()):
        if truth["game"] == game:
            view = at_rest(truth["photo"])
            shares = {
                f"{row + 1}{chr(65 + column)}": view.differing_share(
                    rectangle((column * SIDE, row * SIDE), (SIDE, SIDE))
                )
                for row in range(PLACES)
                for column in range(PLACES)
            }
            best = max(shares, key=lambda name: shares[name])
            found += shares[best] > 0 and best == truth["new_tile"]
            places += 1
            follower.settle(key, at)
    assert places == 50
    assert found >= 0.98 * places
