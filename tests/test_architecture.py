"""The house hosts games and names none, in code, words, templates, styles and scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = (
    "vision",
    "web",
    "companion/table",
    "companion/service",
    "companion/cli",
    "companion/core",
    "companion/reading",
    "firmware_bridge",
    "companion/club",
    "hub",
)
GAMES = re.compile(rb"railroad|derailed|spike|empire", re.IGNORECASE)


def lines_with_games(folder: Path) -> list[str]:
    """All of a folder but its licence, which says whose the games are."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return [
        f"{path.relative_to(folder)}:{number}: {line.decode(errors='replace').strip()[:80]}"
        for path in files
        for number, line in enumerate(path.read_bytes().splitlines(), start=1)
        if path.name != "LICENSE"
        if GAMES.search(line)
    ]


@pytest.mark.parametrize("folder", HOUSE)
def test_the_house_names_no_game(folder: str) -> None:
    assert (ROOT / folder).is_dir()
    assert lines_with_games(ROOT / folder) == []


def test_a_name_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "host.html").write_text("<p>\nPlay Empire Builder\n")
    assert lines_with_games(tmp_path) == ["templates/host.html:2: Play Empire Builder"]
