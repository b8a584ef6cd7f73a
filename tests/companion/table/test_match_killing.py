"""A match played to its end through the table, killed a hundred times on the way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_a_match_killed_a_hundred_times_loses_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.companion.table.match_killing", str(tmp_path), "100", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["kills"] == 100
    assert (figures["lost"], figures["faults"]) == ([], [])
    assert figures["finished"] >= 1
    assert figures["promised"] >= 200
