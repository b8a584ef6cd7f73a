"""Cases to be printed: closed surfaces, walls that hold, boards that fit."""

from __future__ import annotations

import struct
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.case.__main__ import main
from lab.case.drawing import svg_of
from lab.case.parts import CAMERA, FLOOR, GAP, GLASSES, PI, PICO, WALL, Sizes, every_part
from lab.case.solids import Grid, Solid, stl_of

ROOT = Path(__file__).parents[3]
USUAL = {part.name: part for part in every_part(Sizes())}


def is_closed(grid: Grid) -> bool:
    """Every edge is run along once in each direction: what a slicer needs."""
    edges: Counter[tuple[object, object]] = Counter()
    for corners in grid.triangles():
        edges.update(pairwise((*corners, corners[0])))
    return all(count == 1 and edges[end, start] == 1 for (start, end), count in edges.items())


def enclosed(grid: Grid) -> float:
    """The volume inside the triangles, by the divergence theorem."""
    corners = np.array(list(grid.triangles()))
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


@pytest.mark.parametrize("name", USUAL)
def test_each_part_is_closed_and_as_big_as_its_cells(name: str) -> None:
    grid = USUAL[name].solid.grid()
    assert is_closed(grid)
    assert enclosed(grid) == pytest.approx(grid.volume)


@settings(max_examples=3, deadline=None)
@given(st.floats(6, 40), st.sampled_from(sorted(GLASSES)), st.floats(20, 60))
def test_whatever_is_chosen_is_closed_and_lids_fit_their_trays(
    button: float, screen: str, height: float
) -> None:
    parts = {part.name: part.solid.grid() for part in every_part(Sizes(button, screen, height))}
    assert all(is_closed(grid) for grid in parts.values())
    tray, lid = parts["roller-tray"], parts["roller-lid"]
    assert tray.size[:2] == pytest.approx(lid.size[:2])
    rim = lid.full[:, :, -1].any(axis=1)
    inside = lid.lines[0][:-1][rim]
    assert inside.min() >= WALL


ORIGINS = {  # where each board's lower left corner comes to lie, and on which height
    "roller-tray": (PICO, WALL + GAP, WALL + GAP + 2, FLOOR + 5),
    "pi-tray": (PI, WALL + GAP, WALL + GAP, FLOOR + 5),
    "camera-plate": (CAMERA, 31.0, 4.0, 7.0),
}


@pytest.mark.parametrize("name", ORIGINS)
def test_screws_find_their_posts_and_boards_lie_on_them(name: str) -> None:
    grid = USUAL[name].solid.grid()
    board, left, front, height = ORIGINS[name]
    for x, y in board.holes:
        for low in (0.1, 2.0, 3.9):
            middle = (left + x, front + y, height - low)
            assert not grid.at(middle)
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                wall = board.pilot / 2 + 0.7
                assert grid.at((middle[0] + wall * dx, middle[1] + wall * dy, middle[2]))
    for share_x in np.linspace(0.01, 0.99, 8):
        for share_y in np.linspace(0.01, 0.99, 8):
            assert not grid.at((left + share_x * board.width, front + share_y * board.depth, height + 0.5))


def test_a_round_hole_is_as_wide_as_it_should_be() -> None:
    solid = Solid()
    solid.add((0, 0, 0), (40, 40, 2))
    solid.cut_round((20, 20), 16, 0, 2)
    missing = 40 * 40 * 2 - solid.grid().volume
    assert missing == pytest.approx(np.pi * 64 * 2, rel=0.01)
    assert is_closed(solid.grid())


def test_the_files_in_the_guide_are_those_that_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a change: python -m lab.case docs/case."""
    assert main([str(tmp_path)]) == 0
    told = capsys.readouterr().out
    kept = ROOT / "docs/case"
    guide = (ROOT / "docs/building.md").read_text(encoding="utf-8")
    for name, part in USUAL.items():
        assert name in told
        content = (tmp_path / f"{name}.stl").read_bytes()
        (count,) = struct.unpack_from("<I", content, 80)
        assert len(content) == 84 + 50 * count
        assert content == (kept / f"{name}.stl").read_bytes() == stl_of(part.solid.grid(), name)
        assert svg_of(part) == (kept / f"{name}.svg").read_text(encoding="utf-8")
        assert f"case/{name}.stl" in guide
        assert f"case/{name}.svg" in guide


@pytest.mark.parametrize("wrong", [["--button", "500"], ["--height", "2"], ["--screen", "crt"]])
def test_what_cannot_be_printed_is_one_sentence(wrong: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        main([str(tmp_path), *wrong])
    assert caught.value.code == 2
