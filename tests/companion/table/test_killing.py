"""A power cut's little sister: ``kill -9`` a hundred times, and nothing that was promised is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from companion.table.recovery import open_store
from tests.companion.table.chains import chain, stored
from tests.companion.table.killing import answered, faults


def test_killed_a_hundred_times_nothing_promised_is_lost(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.companion.table.killing", tmp_path / "table", "100", "7"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["faults"] == []
    assert figures["kills"] == 100
    assert figures["events"] > 300
    assert figures["backups"] >= 1


def test_the_check_after_a_kill_would_notice_a_loss(tmp_path: Path) -> None:
    store, _ = open_store(tmp_path)
    with store:
        stored(store, chain(count=3))
        assert not answered(store, chain(count=3)[0])
    assert "m1: 5 events were promised, 3 are there" in faults(tmp_path, "m1", 5)
