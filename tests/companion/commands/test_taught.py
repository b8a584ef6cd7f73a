"""``teach --slots`` and ``read taught``: boards of segments that belong to no game."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lab.taught.studio.scenes import Scene, make_scene
from tests.companion.commands.running import Run
from vision.decoding import checked_header

SEED = 960_004
GOOD: dict[str, Any] = {
    "size": [100, 80],
    "slots": {"a": [[10, 10], [40, 10], [40, 20], [10, 20]], "b": [[50, 10], [80, 10], [80, 20], [50, 20]]},
    "groups": {"r": ["a", "b"]},
}


@lru_cache(maxsize=1)
def scene() -> Scene:
    return make_scene(SEED, 1)


@pytest.fixture
def taught(run: Run, tmp_path: Path) -> Path:
    """A folder in which a board was taught, and a photograph of a match on it."""
    (tmp_path / "blank.jpg").write_bytes(scene().blank.jpeg)
    (tmp_path / "match.jpg").write_bytes(scene().matches[0].shot.jpeg)
    (tmp_path / "slots.json").write_bytes(msgspec.json.encode(scene().board))
    corners = [f"{x},{y}" for x, y in scene().corners]
    code, out, err = run(
        "teach", "mine", tmp_path / "blank.jpg", "--corners", *corners, "--slots", tmp_path / "slots.json",
        "--folder", tmp_path, "--json",
    )  # fmt: skip
    assert code == 0, err
    assert json.loads(out)["taught"] == "mine"
    return tmp_path


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
        ({"slots": {"a": [[10, 10], [40, 10], [40, 20]]}}, "slots"),
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
        (["teach", "mine", "x.jpg", "--slots", "none.json"], "none.json: No such file"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    code, _, err = run(arguments[0], *arguments[1:], "--folder", tmp_path)
    assert code == 2
    assert err.count("\n") == 1
    assert said in err
