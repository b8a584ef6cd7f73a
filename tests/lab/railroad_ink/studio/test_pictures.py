"""Whole pictures: the same by seed, and the truth agrees with what is seen."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.railroad_ink.printing.printed import cell_corner, tag_quads
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.photographs import sheet_darkroom
from lab.railroad_ink.studio.scenes import SceneSpec, make_scene
from lab.studio.cameras import Frame
from lab.studio.levels import LEVELS
from lab.studio.series import picture_seed, write_series
from lab.studio.tabletop import project_truth
from vision.errors import StudioError

SMALL = SceneSpec(sheets=1, megapixels=0.6)
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def _grey(data: bytes) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    return image


@pytest.mark.parametrize("level", LEVELS)
def test_a_seed_gives_the_same_picture_and_another_gives_another(level: str) -> None:
    first, again, other = (take_picture(seed, level, spec=SMALL) for seed in (11, 11, 12))
    assert first == again
    assert first[0] != other[0]


def test_a_part_of_a_picture_is_what_the_whole_shows_there() -> None:
    """Up to noise, which every frame has of its own."""
    scene = make_scene(3, LEVELS["table"], SceneSpec(sheets=1, megapixels=0.5))
    whole = sheet_darkroom(scene).expose(Frame(0, 0, scene.camera.size))
    part = sheet_darkroom(scene).expose(Frame(160, 240, (128, 96)))
    difference = np.abs(whole[240:336, 160:288].astype(float) - part)
    assert np.median(difference) < 8
    assert np.abs((whole[240:336, 160:288].astype(float) - part).mean()) < 1


@pytest.mark.parametrize("seed", range(4))
def test_tags_are_found_where_the_truth_has_them(seed: int) -> None:
    data, truth = take_picture(seed, "clean", spec=SceneSpec(megapixels=2.0))
    corners, numbers, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(_grey(data))
    found = dict(zip(np.reshape(numbers, -1).tolist(), corners, strict=True))
    for sheet in truth["sheets"]:
        for number, quad in tag_quads(sheet["edition"], sheet["seat"]).items():
            expected = project_truth(truth, sheet, np.array(quad))
            np.testing.assert_allclose(found[number].reshape(4, 2) + 0.5, expected, atol=2.0)


@pytest.mark.parametrize("seed", range(3))
def test_cells_with_a_route_are_darker_than_empty_ones(seed: int) -> None:
    """The middle of each cell, found by the truth alone, holds ink or paper as the truth says."""
    data, truth = take_picture(seed, "clean", spec=SceneSpec(sheets=1, megapixels=1.2))
    image, sheet = _grey(data), truth["sheets"][0]
    darkness: dict[bool, list[float]] = {True: [], False: []}
    for cell, name in enumerate(GRID.names):
        x, y = project_truth(truth, sheet, np.asarray(cell_corner(cell)) + 8.0)
        reach = 14
        patch = image[int(y) - reach : int(y) + reach, int(x) - reach : int(x) + reach]
        darkness[sheet["cells"][name]["route"] is not None].append(float(patch.std()))
    if darkness[True] and darkness[False]:
        assert np.quantile(darkness[True], 0.2) > 2 * np.median(darkness[False])


def test_what_lies_on_a_sheet_is_in_the_truth() -> None:
    hidden = 0
    for seed in range(8):
        scene_truth = take_picture(seed, "hard", spec=SceneSpec(sheets=1, megapixels=0.3))[1]
        cells = scene_truth["sheets"][0]["cells"]
        hidden += any(cell.get("hidden", 0) > 0.5 for cell in cells.values())
    assert 1 <= hidden <= 4


def test_a_folder_of_pictures_with_their_truth(tmp_path: Path) -> None:
    paths = write_series(take_picture, tmp_path / "new", 2, 4, "clean")
    assert [path.name for path in paths] == ["clean-4-00000.jpg", "clean-4-00001.jpg"]
    for path in paths:
        truth = json.loads(path.with_suffix(".json").read_text())
        assert truth["photo"] == path.name
        assert _grey(path.read_bytes()).shape == (truth["height"], truth["width"])
        for sheet in truth["sheets"]:
            assert list(sheet["cells"]) == list(GRID.names)
            assert len(sheet["corners"]) == 4
    assert picture_seed(4, 0) != picture_seed(4, 1) != picture_seed(5, 1)


def test_what_the_studio_does_not_have_is_said(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="choose 1 or more"):
        write_series(take_picture, tmp_path, 0, 1, "clean")
    with pytest.raises(StudioError, match="no level"):
        write_series(take_picture, tmp_path, 1, 1, "easy")
