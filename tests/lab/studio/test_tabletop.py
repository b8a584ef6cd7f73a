"""Any sheet on any table: the picture shows the marks where the truth has them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.game.packages import loaded, packages
from companion.sheets.drawing import Drawing, Polygon, filled, rectangle, stroked
from companion.sheets.layouts import corner_tags
from companion.sheets.sheet import Sheet, Slot
from companion.sheets.tags import OWN_KINDS, tag_shapes
from lab.studio.cameras import transformed
from lab.studio.levels import LEVELS
from lab.studio.settings import SoftShape
from lab.studio.strokes import as_points
from lab.studio.tabletop import (
    MarkedSheet,
    SheetStudio,
    drawn_by_hand,
    lay_table,
    marker_for,
    photograph,
    project_truth,
    table_truth,
)
from lab.studio.things import Surface, Thing

SIZE, SIDE = (120.0, 90.0), 14.0
PLACES = {f"p{n}": rectangle((20.0 + 22.0 * n, 40.0), (18.0, 18.0)) for n in range(4)}
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def own_sheet(seat: int) -> Sheet:
    """Four boxes in a row between four tags."""
    tags = corner_tags(OWN_KINDS[0], seat, SIZE, SIDE, 4.0)
    shapes = [Polygon(quad, stroked("#444444", 0.5)) for quad in PLACES.values()]
    shapes += [shape for number, quad in tags.items() for shape in tag_shapes(number, quad[0], SIDE)]
    return Sheet(
        "boxes",
        "only",
        seat,
        SIZE,
        tags,
        {name: Slot(quad, "box") for name, quad in PLACES.items()},
        (PLACES["p0"][0], PLACES["p3"][1], PLACES["p3"][2], PLACES["p0"][3]),
        partial(Drawing, SIZE, tuple(shapes)),
    )


def blocks(seat: int, names: Sequence[str]) -> MarkedSheet:
    """A dark block in each of the named boxes."""
    shapes = tuple(Polygon(PLACES[name], filled("#102030")) for name in names)
    return MarkedSheet(own_sheet(seat), dict.fromkeys(names, "block"), Drawing(SIZE, shapes))


def brightness(codes: np.ndarray, places: np.ndarray) -> list[float]:
    x, y = np.rint(places - 0.5).astype(int).T
    return [float(codes[b - 1 : b + 2, a - 1 : a + 2].mean()) for a, b in zip(x, y, strict=True)]


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_picture(level: str) -> None:
    first, again, other = (photograph(lay_table([blocks(1, ["p1"])], seed, level, 0.5)) for seed in (3, 3, 4))
    assert (first == again).all()
    assert first.shape != other.shape or (first != other).any()


@pytest.mark.parametrize("seed", range(3))
def test_tags_and_marks_are_where_the_truth_has_them(seed: int) -> None:
    table = lay_table([blocks(1, ["p0", "p2"]), blocks(2, [])], seed, "clean", 3.0)
    codes, truth = photograph(table), table_truth(table, "x.jpg")
    corners, numbers, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(
        cv2.cvtColor(codes, cv2.COLOR_RGB2GRAY)
    )
    found = dict(zip(np.reshape(numbers, -1).tolist(), corners, strict=True))
    for told in truth["sheets"]:
        for number, quad in own_sheet(told["seat"]).tags.items():
            expected = project_truth(truth, told, np.array(quad))
            np.testing.assert_allclose(found[number].reshape(4, 2) + 0.5, expected, atol=2.0)
    marked = truth["sheets"][0]
    assert [marked["slots"][name]["mark"] for name in PLACES] == ["block", "", "block", ""]
    middles = np.array([np.mean(quad, axis=0) for quad in PLACES.values()])
    dark, paper, dark_too, paper_too = brightness(codes, project_truth(truth, marked, middles))
    assert max(dark, dark_too) < 0.6 * min(paper, paper_too)


def test_lines_are_drawn_by_hand_where_they_belong() -> None:
    rng = np.random.default_rng(5)
    lines = [as_points([(22.0, 49.0), (36.0, 49.0)])]
    inked = MarkedSheet(own_sheet(1), {"p0": "line"}, drawn_by_hand(rng, marker_for(rng), lines))
    bare = MarkedSheet(own_sheet(1), {}, Drawing(SIZE, ()))
    with_line, without = (lay_table([one], 8, "clean", 2.0) for one in (inked, bare))
    changed = (np.abs(photograph(with_line).astype(int) - photograph(without)) > 40).any(axis=-1)
    rows, columns = np.nonzero(changed)
    middle = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])
    truth = table_truth(with_line, "x.jpg")
    expected = project_truth(truth, truth["sheets"][0], np.array([[29.0, 49.0]]))
    assert np.hypot(*(middle - expected)[0]) < 1.5 * with_line.camera.scale_at(
        transformed(with_line.sheets[0].to_table, np.array([[29.0, 49.0]]))[0]
    )


def test_what_hides_a_slot_is_told() -> None:
    table = lay_table([blocks(1, [])], 1, "clean", 0.3)
    on_table = transformed(table.sheets[0].to_table, as_points(PLACES["p1"]))
    lid = Thing([Surface(on_table, (0.5, 0.5, 0.5))], over=True)
    lamp = SoftShape(transformed(table.sheets[0].to_table, as_points(PLACES["p3"])), 1.0, 0.9)
    light = replace(table.light, reflections=[lamp])
    slots = table_truth(replace(table, things=[lid], light=light), "x.jpg")["sheets"][0]["slots"]
    assert slots["p1"]["hidden"] > 0.95
    assert slots["p3"]["glare"] > 0.95
    assert slots["p0"] == slots["p2"] == {"mark": ""}
    nearer = replace(table, camera=replace(table.camera, size=(table.camera.size[0], 1)))
    assert min(slot["hidden"] for slot in table_truth(nearer, "x.jpg")["sheets"][0]["slots"].values()) > 0.9


@pytest.mark.parametrize("game", [name for name, package in packages().items() if package.printing])
def test_every_sheet_that_is_photographed_can_lie_there(game: str) -> None:
    sheet = next(iter(loaded(packages()[game].printing).photographed()), None)
    if sheet is None:
        pytest.skip(f"{game} has no sheets with tags")
    table = lay_table([MarkedSheet(sheet, {}, Drawing(sheet.size, ()))], 2, "table", 0.4)
    assert photograph(table).shape == (*table.camera.size[::-1], 3)
    truth = table_truth(table, "x.jpg")["sheets"][0]
    assert (truth["sheet"], list(truth["slots"])) == (sheet.name, list(sheet.slots))


class Boxes(SheetStudio[frozenset[str]]):
    """The whole studio of a game of boxes."""

    def made_up(self, rng: np.random.Generator) -> Sequence[MarkedSheet]:
        return [blocks(1, [name for name in PLACES if rng.random() < 0.5])]

    def on_the_table(self, state: frozenset[str]) -> Sequence[MarkedSheet]:
        return [blocks(1, sorted(state))]


def test_a_studio_of_a_few_lines(tmp_path: Path) -> None:
    told: list[Path] = []
    studio = Boxes()
    paths = studio.write(tmp_path, 2, 7, "clean", told.append)
    assert told == list(paths)
    for path in paths:
        truth = json.loads(path.with_suffix(".json").read_text())
        image = cv2.imread(str(path))
        assert image is not None
        assert image.shape[:2] == (truth["height"], truth["width"])
        assert set(truth["sheets"][0]["slots"]) == set(PLACES)
    first, noisy, moved = (
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
        for data in (
            studio.picture(frozenset(), 1),
            studio.picture(frozenset(), 2),
            studio.picture(frozenset({"p3"}), 2),
        )
    )
    assert first is not None
    assert noisy is not None
    assert moved is not None
    assert 0 < np.abs(first.astype(int) - noisy).mean() < 4, "another frame of the same table"
    assert (np.abs(moved.astype(int) - noisy) > 60).sum() > 1000
