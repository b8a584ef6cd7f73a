"""``teach --slots`` and ``read taught``: boards of segments that belong to no game."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from functools import lru_cache
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from companion.cli import main
from companion.core.jsontext import json_of
from lab.taught.studio.scenes import Scene, make_scene
from tests.companion.cli.running import Run
from vision.decoding import checked_header, decoded

SEED = 960_004
GOOD: dict[str, Any] = {
    "size": [100, 80],
    "slots": {"a": [[10, 10], [40, 10], [40, 20], [10, 20]], "b": [[50, 10], [80, 10], [80, 20], [50, 20]]},
    "groups": {"r": ["a", "b"]},
}


@lru_cache(maxsize=1)
def scene() -> Scene:
    return make_scene(SEED, 1)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a board was taught, and a photograph of a match on it."""
    folder = tmp_path_factory.mktemp("taught")
    (folder / "blank.jpg").write_bytes(scene().blank.jpeg)
    (folder / "match.jpg").write_bytes(scene().matches[0].shot.jpeg)
    (folder / "slots.json").write_bytes(json_of(scene().board))
    corners = [f"{x},{y}" for x, y in scene().corners]
    with redirect_stdout(io.StringIO()) as out:
        code = main(
            ["teach", "mine", str(folder / "blank.jpg"), "--corners", *corners,
             "--slots", str(folder / "slots.json"), "--folder", str(folder), "--json"]
        )  # fmt: skip
    assert code == 0
    assert json.loads(out.getvalue())["taught"] == "mine"
    return folder


@pytest.fixture
def taught(learnt: Path, tmp_path: Path) -> Path:
    """A copy of that folder for a test of its own."""
    return copytree(learnt, tmp_path / "taught")


def test_a_board_is_taught_and_its_pieces_are_read(run: Run, taught: Path) -> None:
    code, out, err = run(
        "read", "taught", taught / "match.jpg", "--taught", "mine", "--folder", taught, "--json"
    )
    assert (code, err) == (0, "")
    (line,) = [json.loads(one) for one in out.splitlines()]
    assert set(line) == {"photo", "width", "height", "sheets", "notes"}
    (sheet,) = line["sheets"]
    assert (sheet["sheet"], sheet["quality"]["found_by"]) == ("mine", "taught")
    assert set(sheet["slots"]) == set(scene().board.slots)
    true, groups = scene().matches[0].marks, scene().board.groups
    seen = {name: slot for name, slot in sheet["slots"].items() if "mark" in slot}
    right = [slot["mark"] == true.get(name, "") for name, slot in seen.items()]
    assert sum(right) > 0.85 * len(seen)  # how well it reads is what the bench measures
    assert all(0 <= slot["p"] <= 1 for slot in seen.values())
    assert set(sheet["groups"]) == set(groups)
    overlay = taught / "read.jpg"
    run("read", "taught", taught / "match.jpg", "--taught", "mine", "--folder", taught, "--overlay", overlay)
    assert checked_header(overlay.read_bytes()).size == (line["width"], line["height"])


def test_photographs_of_one_board_are_joined(run: Run, taught: Path) -> None:
    photos = [taught / "match.jpg", taught / "match.jpg"]
    code, out, _ = run("read", "taught", *photos, "--taught", "mine", "--folder", taught, "--join", "--json")
    assert code == 0
    (line,) = [json.loads(one) for one in out.splitlines()]
    assert line["photos"] == [str(photo) for photo in photos]
    assert len(line["sheets"]) == 1


def test_what_is_not_the_board_is_said(run: Run, taught: Path) -> None:
    (taught / "other.jpg").write_bytes(make_scene(960_001, 0).blank.jpeg)
    ask = ["read", "taught", taught / "other.jpg", "--taught", "mine", "--folder", taught, "--json"]
    code, out, _ = run(*ask)
    assert code == 1
    line = json.loads(out)
    assert line["sheets"] == []
    assert "mine was not found" in line["notes"][0]
    code, out, _ = run(*ask, "--corners", "300,200", "900,210", "910,700", "290,690")
    assert (code, json.loads(out)["sheets"]) == (1, [])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"size": [0, 80]}, "its size must be two lengths"),
        ({"slots": {}}, "it must have slots"),
        ({"slots": GOOD["slots"] | {"c": [[10, 10], [40, 10], [40, 20]]}}, "at `$.slots.c`"),
        ({"slots": GOOD["slots"] | {"c": [[10, 10], [40, 10], [40, "x"], [1, 1]]}}, "at `$.slots.c[2][1]`"),
        ({"groups": {"r": ["a"], "s": "b"}}, "at `$.groups.s`"),
        ({"slots": {"a": [[10, 10], [40, 10], [30, 10], [20, 10]]}}, "four corners around it"),
        ({"slots": {"a": [[10, 10], [400, 10], [400, 20], [10, 20]]}}, "does not lie on the plane"),
        ({"groups": {"r": ["c"]}}, "names slot 'c', which is not there"),
        ({"groups": {"r": []}}, "has no slots"),
    ],
)
def test_slots_that_make_no_sense(run: Run, tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    (tmp_path / "slots.json").write_text(json.dumps(GOOD | changed))
    code, _, err = run("teach", "mine", "x.jpg", "--slots", tmp_path / "slots.json", "--folder", tmp_path)
    assert code == 2
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["read", "taught", "x.jpg"], "name the one board"),
        (["read", "taught", "x.jpg", "--taught", "none"], "is no taught board"),
        (["read", "derailed", "x.jpg", "--join"], "one by one"),
        (["read", "derailed", "x.jpg", "--explain", "--text"], "leave out --text"),
        (["teach", "mine", "x.jpg", "--slots", "none.json"], "none.json: No such file"),
        (["read", "empire-builder", "x.jpg", "--taught", "none"], "'none' is no taught board"),
        (["read", "railroad-ink", "x.jpg", "--taught", "none"], "'none' is no taught board"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    code, _, err = run(arguments[0], *arguments[1:], "--folder", tmp_path)
    assert code == 2
    assert err.count("\n") == 1
    assert said in err


def test_a_taught_board_is_refused_for_a_game_that_has_no_use_for_it(run: Run, taught: Path) -> None:
    for photos in (
        [taught / "match.jpg"],
        [taught / "match.jpg", "--join"],
        ["--all-in", taught, "--into", taught / "into.jsonl"],
    ):
        code, out, err = run("read", "empire-builder", *photos, "--taught", "mine", "--folder", taught)
        assert (code, out) == (2, "")
        assert "mine is no map: teach it with --game empire-builder" in err


def test_where_the_board_is_has_to_be_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slots.json").write_text(json.dumps(GOOD))
    code, _, err = run("teach", "mine", "x.jpg", "--slots", tmp_path / "slots.json", "--folder", tmp_path)
    assert code == 2
    assert "say where the board is: --corners" in err


def test_corners_that_are_turned_by_a_quarter_are_noticed(run: Run, taught: Path) -> None:
    corners = [f"{x},{y}" for x, y in (*scene().corners[1:], scene().corners[0])]
    again = ["teach", "turned", taught / "blank.jpg", "--slots", taught / "slots.json", "--folder", taught]
    code, _, err = run(*again, "--corners", *corners)
    assert code == 2
    assert "turned by a quarter" in err


def test_the_places_are_shown_on_the_photograph(run: Run, taught: Path) -> None:
    corners, overlay = [f"{x},{y}" for x, y in scene().corners], taught / "places.png"
    again = ["teach", "mine", taught / "blank.jpg", "--slots", taught / "slots.json", "--folder", taught]
    assert run(*again, "--corners", *corners, "--overlay", overlay)[0] == 0
    drawn, blank = (
        decoded(path.read_bytes(), 1).image.astype(int) for path in (overlay, taught / "blank.jpg")
    )
    assert drawn.shape == blank.shape
    changed = (np.abs(drawn - blank) > 40).any(axis=2)
    assert 0.002 < changed.mean() < 0.4
    square = ["--corners", *corners, "--overlay", taught / "grid.png", "--folder", taught]
    assert run("teach", "square", taught / "blank.jpg", *square)[0] == 0
    assert (
        decoded((taught / "grid.png").read_bytes(), 1).image != decoded(overlay.read_bytes(), 1).image
    ).any()


def test_the_text_says_what_is_doubtful(run: Run, taught: Path) -> None:
    ask = ["read", "taught", taught / "match.jpg", "--taught", "mine", "--folder", taught]
    (sheet,) = json.loads(run(*ask, "--json")[1])["sheets"]
    doubtful = [name for name in sheet["doubtful"] if "mark" in sheet["slots"][name]]
    assert doubtful
    assert f"please check: {' '.join(doubtful)}" in run(*ask, "--text")[1]
