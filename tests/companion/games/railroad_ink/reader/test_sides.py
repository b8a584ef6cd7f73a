"""One side of a cell burnt by a lamp: what is read there is doubted, and only that."""

import cv2
import numpy as np
import pytest

from companion.games.railroad_ink.printing.printed import PRINTED, cell_corner
from companion.games.railroad_ink.reader.labels import LABELS, label_number, label_text
from companion.games.railroad_ink.reader.quality import drowned_cells, side_glare
from companion.games.railroad_ink.reader.reading import read_photo
from companion.games.railroad_ink.reader.sides import doubting_sides
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.studio.tabletop import project_truth
from vision.decoding import decoded

NORTH, EAST, SOUTH, WEST = range(4)


def doubted(text: str, side: int) -> dict[str, float]:
    shares = np.zeros((1, len(LABELS)))
    shares[0, label_number(text)] = 1.0
    burnt = np.zeros((1, 4), bool)
    burnt[0, side] = True
    found = doubting_sides(shares, burnt)[0]
    return {label_text(LABELS[n]): float(found[n]) for n in np.flatnonzero(found > 1e-9)}


@pytest.mark.parametrize(
    ("read", "side", "possible"),
    [
        ("ns", EAST, {"ns", "nes"}),
        ("nes", EAST, {"nes"}),  # the end was read in spite of the light
        ("NeS*", WEST, {"NeS*", "NeSW*", "NeSw*"}),
        ("NE|SW", NORTH, {"NE|SW"}),
        ("", NORTH, {""}),  # no route has but one end, and a station would be seen
    ],
)
def test_what_may_be_where_one_side_cannot_be_seen(read: str, side: int, possible: set[str]) -> None:
    found = doubted(read, side)
    assert set(found) == possible
    assert sum(found.values()) == pytest.approx(1)


def test_a_burnt_end_is_doubtful_and_the_rest_of_the_board_is_not() -> None:
    cell = GRID.cell("d4")
    marks = SheetMarks("challenge", {cell: next(route for route in VOCABULARY if route.text == "nes")}, {})
    wish = SceneSpec(boards=(GivenBoard(1, marks, 4),), megapixels=2.0, table_pixels=128)
    data, truth = take_picture(3_000_031, "clean", wish=wish)
    image = decoded(data, 1).image.copy()
    image = np.minimum(image, 215)  # paper that is not white by itself
    assert read_photo(image).sheets[0].cells["d4"].best == "nes"
    middle = np.asarray(cell_corner(cell)) + np.array([0.86, 0.5]) * PRINTED.grid.cell
    (spot,) = project_truth(truth, truth["sheets"][0], middle[None])
    scale = read_photo(image).sheets[0].quality.pixels_per_mm
    cv2.circle(image, (round(spot[0]), round(spot[1])), round(3.6 * scale), (255, 255, 255), -1)
    sheet = read_photo(image).sheets[0]
    assert "d4" in sheet.doubtful
    assert sheet.cells["d4"].cannot_see or "nes" in sheet.cells["d4"].probabilities
    assert len(sheet.doubtful) <= 2


def test_where_an_end_would_be_is_looked_at() -> None:
    grid = np.full((296, 296, 3), 200, np.uint8)
    grid[8 + 40 + 14 : 8 + 40 + 26, 8 + 80 - 14 : 8 + 80] = 255  # the east of b2
    burnt = side_glare(drowned_cells(grid)) > 0.5
    assert np.argwhere(burnt).tolist() == [[GRID.cell("b2"), EAST]]
