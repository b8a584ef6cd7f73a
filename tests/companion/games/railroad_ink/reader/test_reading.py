"""From a photograph's bytes to a reading, end to end."""

from functools import lru_cache
from io import BytesIO

import cv2
import numpy as np
import pytest
from PIL import Image
from pillow_heif import from_pillow

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.reader.reading import ReadOptions, _cell_reading, read_photo
from companion.games.railroad_ink.reader.readings import SheetReading
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from vision.decoding import decoded
from vision.errors import PictureError, PlacementError

SEED = 3_000_007


@lru_cache(maxsize=8)
def photo(level: str, sheets: int = 1, megapixels: float = 1.6) -> tuple[bytes, JsonObject]:
    return take_picture(SEED, level, spec=SceneSpec(sheets=sheets, megapixels=megapixels, table_pixels=256))


def right_cells(sheet: SheetReading, truth: JsonObject) -> tuple[int, int]:
    seen = {
        name: cell["route"] or ""
        for name, cell in truth["cells"].items()
        if cell.get("hidden", 0) + cell.get("glare", 0) < 0.2
    }
    return sum(sheet.cells[name].best == route for name, route in seen.items()), len(seen)


@pytest.mark.parametrize("level", ["clean", "table"])
def test_a_board_is_read(level: str) -> None:
    data, truth = photo(level)
    reading = read_photo(data)
    assert (reading.width, reading.height) == (truth["width"], truth["height"])
    (sheet,), (true,) = reading.sheets, truth["sheets"]
    assert (sheet.edition, sheet.seat) == (true["edition"], true["seat"])
    np.testing.assert_allclose(sheet.corners_px, true["corners"], atol=4)
    right, seen = right_cells(sheet, true)
    assert right >= 0.95 * seen
    assert all(abs(sum(cell.probabilities.values()) - 1) < 1e-6 for cell in sheet.cells.values())


def test_several_boards_in_one_photograph() -> None:
    data, truth = photo("clean", 3, 3.0)
    sheets = read_photo(data).sheets
    assert {sheet.seat for sheet in sheets} == {true["seat"] for true in truth["sheets"]}


def test_pixels_are_read_like_bytes() -> None:
    data, _ = photo("clean")
    from_pixels = read_photo(decoded(data, 1).image)
    assert [cell.best for cell in from_pixels.sheets[0].cells.values()] == [
        cell.best for cell in read_photo(data).sheets[0].cells.values()
    ]


def test_an_iphones_picture_is_read_like_a_jpeg() -> None:
    image = decoded(photo("clean")[0], 1).image
    out = BytesIO()
    from_pillow(Image.fromarray(image[:, :, ::-1])).save(out, quality=80)
    reading, true = read_photo(out.getvalue()), photo("clean")[1]["sheets"][0]
    assert (reading.width, reading.height) == (image.shape[1], image.shape[0])
    right, seen = right_cells(reading.sheets[0], true)
    assert right >= 0.95 * seen


def test_a_mirrored_print_is_told() -> None:
    image = np.ascontiguousarray(decoded(photo("clean")[0], 1).image[:, ::-1])
    reading = read_photo(image)
    assert reading.sheets == ()
    assert "mirror" in reading.notes[0]


def test_light_in_the_board_may_be_the_flash() -> None:
    image = decoded(photo("clean")[0], 1).image.copy()
    corners = np.array(read_photo(image).sheets[0].corners_px)
    lamp = cv2.circle(
        np.zeros(image.shape, np.float32), corners.mean(axis=0).astype(int).tolist(), 110, (400,) * 3, -1
    )
    lit = image.astype(np.float32) * 0.8 + cv2.GaussianBlur(lamp, (0, 0), 25)
    reading = read_photo(np.clip(lit, 0, 255).astype(np.uint8))
    assert reading.sheets[0].quality.glare > 0.08
    assert any("switch the flash off" in note for note in reading.notes)


def test_two_boards_of_one_seat_are_both_read_and_told() -> None:
    image = decoded(photo("clean")[0], 1).image
    reading = read_photo(np.concatenate([image, image], axis=1))
    assert len(reading.sheets) == 2
    assert any("2 boards of seat" in note for note in reading.notes)
    first, second = (list(sheet.cells.values()) for sheet in reading.sheets)
    assert sum(one.best == other.best for one, other in zip(first, second, strict=True)) >= 46


def test_a_picture_without_a_board_says_so() -> None:
    rng = np.random.default_rng(1)
    reading = read_photo(rng.integers(0, 255, (300, 400, 3), dtype=np.uint8))
    assert reading.sheets == ()
    assert "No board was found" in reading.notes[0]


def test_dragged_corners_take_the_place_of_tags() -> None:
    data, truth = photo("clean")
    corners = [tuple(np.asarray(quad[n])) for n, quad in enumerate(_grid_corner_pixels(truth))]
    tagged = read_photo(data).sheets[0]
    dragged = read_photo(data, ReadOptions(corners=corners, edition=tagged.edition)).sheets[0]
    assert dragged.quality.found_by == "corners"
    same = sum(dragged.cells[name].best == cell.best for name, cell in tagged.cells.items())
    assert same >= 47


def _grid_corner_pixels(truth: JsonObject) -> list[list[tuple[float, float]]]:
    from companion.games.railroad_ink.reader.boards import grid_corners
    from lab.studio.tabletop import project_truth

    pixels = project_truth(truth, truth["sheets"][0], grid_corners())
    rough = pixels + np.array([[3, -2], [-2, 2], [2, 3], [-3, -2]])  # as a finger would
    return [[(float(x), float(y))] * 4 for x, y in rough]


def test_corners_that_make_no_board_are_refused() -> None:
    with pytest.raises(PlacementError, match="clockwise"):
        read_photo(photo("clean")[0], ReadOptions(corners=[(0, 0), (10, 10), (20, 20), (30, 30)]))


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        read_photo(b"stationmaster")


@pytest.mark.parametrize(("p", "told"), [(0.95, 4), (0.81, 4), (0.7, None)])
def test_a_round_number_that_is_not_sure_is_not_told(p: float, told: int | None) -> None:
    cell = _cell_reading({"NS": 0.99, "": 0.01}, None, {"4": p, "1": 1 - p - 0.01, "": 0.01}, 0.0)
    assert cell.round == told
    assert cell.written == pytest.approx(0.99)
