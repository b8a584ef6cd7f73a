"""The pages on adding something: their changes are made to a copy, and what they promise is tried."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import parsed
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.ui.signs import _PICTURES
from tests.test_documents import ROOT

BLOCK = re.compile(r"^```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^--- (\S+)\n", re.MULTILINE)
HOUSE = ("companion", "vision", "web", "firmware_bridge", "lab")


def apply(page: str, folder: Path) -> list[str]:
    """Make every change of a page's ``diff`` blocks; a line that is in its file but once says where."""
    changed = []
    for block in BLOCK.findall((ROOT / "docs" / f"{page}.md").read_text()):
        _, *parts = FILE.split(block)
        for name, hunks in zip(parts[::2], parts[1::2], strict=True):
            file = folder / name
            text = file.read_text() if file.exists() else ""
            for hunk in hunks.split("@@\n"):
                lines = hunk.splitlines()
                assert {line[0] for line in lines} <= {" ", "+", "-"}, name
                old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
                new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
                assert (text.count(old) == 1) if old else (text == ""), f"{name}: {old}"
                text = text.replace(old, new) if old else new
            file.unlink(missing_ok=True)  # it may be a link to the house's own
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            changed.append(name)
    assert changed
    return changed


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The house again, each file a link."""
    for name in HOUSE:
        shutil.copytree(ROOT / name, tmp_path / name, copy_function=os.symlink)
    return tmp_path


def python(script: str, folder: Path, *, path: str = "", fed: str = "", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": f"{folder}:{ROOT}",
            "PATH": f"{path}:{os.environ['PATH']}",
            **environment,
        },
        input=fed,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_expansion_is_added_as_its_page_says(copy: Path) -> None:
    changed = apply("add-an-expansion", copy)
    assert_clean(copy, changed)
    board = {"cells": {"b1": "NS"}, "expansion": {"name": "post", "marks": {"b1": "mailbox"}}}
    script = """
from random import Random
import companion.cli, os
from companion.games.railroad_ink.ui.signs import sign
from lab.railroad_ink.expansion_play import fast_points, random_match, slow_points
assert companion.cli.__file__.startswith(os.getcwd())
assert 'data-sign="mailbox"' in sign("mailbox")
for seed in range(2):
    for state, _ in random_match("post", Random(f"post {seed}"), seats=2):
        pass
    assert state.finished
    points = [(fast_points(state, seat), slow_points(state, seat)) for seat in state.boards]
    assert all(fast == slow for fast, slow in points), points
companion.cli.main(["score", "railroad-ink", "--explain"])
"""
    told = python(script, copy, fed=json.dumps(board))
    said = "1 mailbox (b1): 1"
    assert said in told.splitlines()
    assert f"`{said}`" in (ROOT / "docs/add-an-expansion.md").read_text()


def test_a_camera_is_added_as_its_page_says(copy: Path) -> None:
    changed = apply("add-a-camera", copy)
    assert_clean(copy, changed)
    picture = np.full((480, 640, 3), 90, np.uint8)
    (copy / "picture.jpg").write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    programs = copy / "programs"
    programs.mkdir()
    program = programs / "gphoto2"
    script = """
from vision.cameras.sources import CameraRequest, opened
from vision.errors import CameraError
try:
    print(*opened(CameraRequest("gphoto2", rotation=90)).take().shape)
except CameraError as problem:
    print(problem)
"""
    answers = {
        f"#!/bin/sh\nexec cat '{copy}/picture.jpg'\n": "640 480 3",
        "#!/bin/sh\necho no picture\n": "the camera sent no JPEG: set its image format to JPEG",
        "#!/bin/sh\nexit 1\n": "gphoto2 finds no camera: switch it on, and connect it by USB",
    }
    for text, told in answers.items():
        program.write_text(text)
        program.chmod(0o755)
        assert python(script, copy, path=str(programs)) == told


def test_a_bot_is_added_as_its_page_says(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "tests/fifth_game/shuttle", tmp_path / "shuttle", ignore=shutil.ignore_patterns("__pycache__")
    )
    changed = apply("add-a-bot", tmp_path)
    assert_clean(tmp_path, changed)
    script = """
from random import Random
from companion.core.chance import SeededChance
from companion.game.base import Action, MatchRequest
from companion.game.bots import best_action, greedy_action, own_bot
from companion.game.registry import GAMES
game = GAMES["shuttle"]
assert type(own_bot(game)).__name__ == "ShuttleBot"
won, BOTS = 0, ((1, best_action), (2, greedy_action))
for seed in range(40):
    chance = SeededChance(Random(seed))
    state = game.start(game.setup(MatchRequest(2, "umpire", {}), chance))
    while not game.finished(state):
        actions = [decide(game, state, seat, chance) for seat, decide in BOTS]
        action = next((one for one in actions if one is not None), Action("roll"))
        state = game.apply(state, game.decide(state, action, chance))
    points = {row["seat"]: row["total"] for row in game.score(state)}
    won += (points[1] > points[2]) - (points[1] < points[2])
print(won)
"""
    won = int(python(script, ROOT, STATIONMASTER_GAMES=str(tmp_path)))
    assert won > 0, "it wins more often than the house's own"


def assert_clean(folder: Path, changed: list[str]) -> None:
    """What the page shows is as the gate wants code to be."""
    files = [str(folder / name) for name in changed if name.endswith(".py")]
    for check in (["format", "--check", "--quiet"], ["check", "--quiet"]):
        settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *check, *settings, *files],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.name != "config.yml"], ids=lambda form: form.stem
)
def test_a_form_for_issues_is_one(form: Path) -> None:
    """A forge leaves out a form with a mistake in it, and says so to nobody who would see it."""
    yaml = pytest.importorskip("yaml")
    told = yaml.safe_load(form.read_text())
    assert {"name", "description", "body"} <= set(told) <= {"name", "description", "labels", "body"}
    asked = [part for part in told["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in asked} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert len({part["id"] for part in asked}) == len(asked)
    assert all(part["attributes"]["label"] for part in asked)
    for command in re.findall(r"`?stationmaster ((?:doctor|read|score|check)[^`\n]*)", form.read_text()):
        assert parsed([word for word in shlex.split(command) if word != "and"]).run


def test_first_tasks_are_still_to_be_done() -> None:
    """A row that is done is replaced by another one."""
    page = (ROOT / "docs/first-tasks.md").read_text()
    assert page.count("\n| **") == 10
    with pytest.raises(SystemExit):
        parsed(["score", "railroad-ink", "--csv"])
    assert "gphoto2" not in (ROOT / "vision/cameras/sources.py").read_text()
    assert not (ROOT / "companion/games/derailed/bot/taste.py").exists()
    named = re.search(r"still words: ([^;]*) and others", page)
    assert named is not None
    assert not {*named[1].split(", ")} & {*_PICTURES}
    assert {*named[1].split(", ")} <= {sign for table in TABLES.values() for sign in table.marks}
    assert len([*(ROOT / "companion/games/railroad_ink/rules/blueprints").glob("*.toml")]) == 3
