"""What measures club nights: it finds what is there, and would tell a loss."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from companion.club.keys import public_key
from companion.club.membership import KEY_SETTING
from hub.storage.migrations import opened_database
from lab.club import bulk
from lab.club.boxes import playing_boxes
from lab.club.comparing import compared
from lab.club.load import LoadPlan, hub_process, measured
from tests.hub.houses import needs_signing

pytestmark = [needs_signing, pytest.mark.slow]


def test_a_small_club_night_with_phones_and_attackers() -> None:
    figures = measured(LoadPlan(boxes=2, seconds=2.0, every=0.5, watchers=40, attackers=1))
    told = "\n".join(figures.lines())
    assert figures.told.records >= figures.events >= 6
    assert "0 lost, 0 doubled, 0 chains broken" in told
    assert figures.unseen == 0
    assert figures.failed == 0
    assert figures.attacks["stranger: unknown-box"] > 0
    assert figures.attacks["altered: bad-signature"] > 0
    taken = {what.removesuffix(": taken") for what in figures.attacks if what.endswith(": taken")}
    kinds = ("an unknown shape", "a position of another game", "no duplicate", "a thousand questions")
    newer = {f"poison, {kind}" for kind in kinds}
    # What a box of the club, or a newer one, may sign itself
    assert taken <= {"flood", "replayed", "made up", *newer}


def test_what_a_hub_lacks_or_has_otherwise_is_told(tmp_path: Path) -> None:
    with hub_process(tmp_path / "hub") as hub, playing_boxes(1) as boxes:
        boxes[0].join(hub.database, hub.address)
        for _ in range(4):
            boxes[0].event()
        assert boxes[0].deliver()
        assert compared(hub.database, boxes).lost == 0
        key = public_key(boxes[0].store.setting(KEY_SETTING) or "")
        database = opened_database("", tmp_path / "hub")
        with database.writing() as change:
            change.run("DELETE FROM records WHERE box = ? AND seq = 2", (key,))
        told = compared(database, boxes)
        database.close()
        assert (told.lost, told.broken) == (1, 1)


def test_files_that_were_killed_and_resumed_are_compared(tmp_path: Path) -> None:
    files = bulk._positions(tmp_path / "positions", 2_000)
    lines = list(bulk._one_file_once("score", files, tmp_path, [["--jobs", "1"]]))
    assert "each file once, answers the same" in lines[-1]
    left = int(lines[-1].partition("killed after ")[2].split()[0])
    assert 0 < left < 2_000
    double = tmp_path / "score-jobs1-killed.jsonl"
    double.write_text(double.read_text() + double.read_text().splitlines()[0] + "\n")
    with pytest.raises(subprocess.SubprocessError):
        list(bulk._one_file_once("score", files, tmp_path, [["--jobs", "1"]]))
