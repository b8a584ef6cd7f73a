"""The fifth game in another language: messages found, translated in its own folder, read on the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import Request

import pytest

from tests.fifth_game.houses import HERE, ROOT, WITHOUT, served

MEANINGS = {"no stop yet": "noch kein Halt"}


def languages(folder: Path) -> str:
    """``make languages`` for a game that lies elsewhere: what is missing."""
    done = subprocess.run(
        [sys.executable, "-m", "lab.languages", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.slow
def test_its_catalogues_lie_in_its_own_folder(tmp_path: Path) -> None:
    game = tmp_path / "games" / "shuttle"
    shutil.copytree(HERE / "shuttle", game, ignore=shutil.ignore_patterns("__pycache__"))
    told = languages(game)
    german = game / "languages" / "de.po"
    assert re.search(rf"^{german}: \d+ to translate$", told, re.MULTILINE)
    assert f"{ROOT}/companion" not in told, "nothing of the house is written"
    catalogue = german.read_text()
    for message, meaning in MEANINGS.items():
        assert f'msgid "{message}"\nmsgstr ""' in catalogue
        catalogue = catalogue.replace(
            f'msgid "{message}"\nmsgstr ""', f'msgid "{message}"\nmsgstr "{meaning}"'
        )
    german.write_text(catalogue)
    languages(game)
    path = {
        **WITHOUT,
        "STATIONMASTER_GAMES": str(game.parent),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }
    with served(tmp_path / "table", environment=path) as box:
        box.post("/matches", {"game": "shuttle", "players": ["East"]})
        pages = {
            language: box.host.open(
                Request(box.link, headers={"Accept-Language": language}), timeout=20
            ).read()
            for language in ("de", "fr", "en")
        }
    assert b"noch kein Halt" in pages["de"]
    assert b"no stop yet" not in pages["de"]
    assert b"no stop yet" in pages["fr"], "what nobody translated is English"
    assert b"no stop yet" in pages["en"]
