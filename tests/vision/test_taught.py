"""A board of the owner's own: taught once while it is empty, found again without corner tags."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.railroad_ink.printing.sheets import board_sheet
from companion.games.railroad_ink.reader.boards import grid_corners, teach
from companion.games.railroad_ink.reader.reading import ReadOptions, read_photo
from companion.games.railroad_ink.rules.boards.routes import ROUTES, Cells
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.studio.tabletop import project_truth
from vision.decoding import decoded
from vision.errors import PlacementError
from vision.taught.boards import load_taught, save_taught
from vision.taught.finding import find_taught

SHEET = board_sheet("challenge", 1)
CELLS = {GRID.cell("b1"): ROUTES["NS"], GRID.cell("b2"): ROUTES["NE"], GRID.cell("d1"): ROUTES["ns"]}


def photo(seed: int, cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """A board without its corner tags, and where its grid is."""
    marks = SheetMarks("challenge", dict(cells), dict.fromkeys(cells, 1))
    wish = SceneSpec(boards=(GivenBoard(1, marks, 5),), megapixels=1.3, table_pixels=256)
    data, truth = take_picture(seed, "clean", wish=wish)
    image, sheet = decoded(data, 1).image.copy(), truth["sheets"][0]
    for x in (0, 112):
        for y in (0, 176):
            tag = np.array([(x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20)])
            cv2.fillPoly(image, [project_truth(truth, sheet, tag).astype(np.int32)], (210, 210, 210))
    return image, project_truth(truth, sheet, grid_corners())


def test_a_taught_board_is_found_and_read(tmp_path: Path) -> None:
    empty, corners = photo(3_300_001, {})
    save_taught(
        teach("mine", empty, [(float(x), float(y)) for x, y in corners], seat=4), tmp_path / "mine.json"
    )
    board = load_taught(tmp_path / "mine.json")
    drawn, true = photo(3_300_002, CELLS)
    sheet = find_taught(drawn, board, board_sheet("challenge", 4))
    assert sheet is not None
    assert np.abs(sheet.placement.pixels(grid_corners()) - true).max() < 6
    (read,) = read_photo(drawn, ReadOptions(taught=(board,))).sheets
    assert (read.seat, read.quality.found_by) == (4, "taught")
    wrong = [n for n, cell in read.cells.items() if cell.best != str(CELLS.get(GRID.cell(n), ""))]
    assert len(wrong) <= 1


def test_stickers_around_a_genuine_board_place_it() -> None:
    """Tags of the sticker kind lead nowhere until the board is taught; then they are exact."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36H11)
    empty, corners = photo(3_300_001, {})
    drawn, true = photo(3_300_002, CELLS)
    images = []
    for image, grid in ((empty, corners), (drawn, true)):
        place = cv2.getPerspectiveTransform(
            np.array([(0, 0), (100, 0), (100, 100), (0, 100)], np.float32), grid.astype(np.float32)
        )
        for corner, (x, y) in enumerate(((-18, -18), (104, -18), (104, 104), (-18, 104))):
            tag = np.pad(cv2.aruco.generateImageMarker(family, 48 + corner, 80), 10, constant_values=255)
            move = np.array([[0.14, 0, x], [0, 0.14, y], [0, 0, 1]])
            shape = image.shape[1], image.shape[0]
            over = cv2.warpPerspective(tag, place @ move, shape, flags=cv2.INTER_AREA)
            mask = cv2.warpPerspective(np.full_like(tag, 255), place @ move, shape)
            image[mask > 127] = over[mask > 127][:, None]
        images.append(image)
    assert "teach" in read_photo(images[1]).notes[0]
    board = teach("mine", images[0], [(float(x), float(y)) for x, y in corners], seat=1)
    assert sorted(board.tags) == [48, 49, 50, 51]
    (read,) = read_photo(images[1], ReadOptions(taught=(board,))).sheets
    assert (read.seat, read.quality.found_by) == (1, "taught")
    assert sum(cell.best != str(CELLS.get(GRID.cell(n), "")) for n, cell in read.cells.items()) <= 1


def test_it_is_not_found_where_it_is_not() -> None:
    empty, corners = photo(3_300_001, {})
    board = teach("mine", empty, [(float(x), float(y)) for x, y in corners])
    rng = np.random.default_rng(1)
    noise = cv2.GaussianBlur(rng.integers(0, 255, (500, 600, 3), dtype=np.uint8), (0, 0), 2)
    assert find_taught(np.asarray(noise, np.uint8), board, SHEET) is None
    assert find_taught(np.full((500, 600, 3), 200, np.uint8), board, SHEET) is None


def test_corners_in_the_wrong_order_are_refused() -> None:
    empty, corners = photo(3_300_001, {})
    with pytest.raises(PlacementError, match="clockwise"):
        teach("mine", empty, [(float(x), float(y)) for x, y in corners[::-1]])


def test_a_file_that_is_no_board_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(PlacementError, match="teach it again"):
        load_taught(tmp_path / "x.json")
