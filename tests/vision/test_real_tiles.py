"""Real photographs of a game with tiles, where they lie beside the repository: taught from the first picture.

One board, fifty photographs, one tile more in each; the second game of the series is for reporting only.
"""

import json
from pathlib import Path

import pytest

from vision.decoding import decoded
from vision.taught.boards import SegmentBoard, teach_segments
from vision.taught.reading import SegmentReader

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "real"
CORNERS = [(387.0, 784.0), (1028.0, 784.0), (1028.0, 1425.0), (387.0, 1425.0)]  # in start_01.jpg


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
