"""The bot on dice that people had: the same ones round by round, and each play another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.jsontext import JsonObject
from lab.railroad_ink import same_dice_bench

MATCH: JsonObject = {
    "id": "m1",
    "dice": [["NS", "es", "NES", "NS|EW"], ["NE", "ns", "new", "Ns*"]],
    "moves": [
        {"cell": "a2", "route": "ew", "from": "die", "round": 1},
        {"cell": "b2", "route": "ew", "from": "die", "round": 2},
    ],
}


def test_a_match_is_played_with_its_dice_alone() -> None:
    points = same_dice_bench.played(MATCH, "casual", 1)
    assert points >= same_dice_bench.points_of(MATCH, same_dice_bench.made(MATCH))


def test_matches_whose_dice_are_not_all_known_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "matches.jsonl"
    unknown = {**MATCH, "id": "m2", "dice": [], "all_dice_known": False}
    file.write_text("\n".join(json.dumps(one) for one in (MATCH, unknown)))
    monkeypatch.setattr("sys.argv", ["bench", str(file), "--plays", "2", "--level", "casual"])
    assert same_dice_bench.main() == 0
    told = capsys.readouterr().out
    assert "m1: " in told
    assert "m2: " not in told
    assert "1 matches" in told
