"""The roll log keeps everything and survives a power cut."""

from pathlib import Path

from firmware_bridge.dice import Roll, Thrown, histograms
from firmware_bridge.log import RollLog

ROLLS = [
    Roll("u1", "b0", n, (Thrown("A", 6, n % 6), Thrown("B", 8, n % 8)), request_id=f"r{n}" if n % 2 else None)
    for n in range(1, 13)
]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    log = RollLog(tmp_path / "deep" / "rolls.jsonl")
    assert list(log.read()) == []
    for roll in ROLLS:
        log.append(roll)
    again = RollLog(log.path)
    assert list(again.read()) == ROLLS
    assert again.last_seen("u1", "b0") == 12
    assert again.last_seen("u1", "b1") == 0


def test_half_a_line_is_passed_over_and_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "rolls.jsonl"
    log = RollLog(path)
    for roll in ROLLS[:3]:
        log.append(roll)
    path.write_bytes(path.read_bytes()[:-20])
    again = RollLog(path)
    assert again.last_seen("u1", "b0") == 2
    again.append(ROLLS[2])
    assert list(again.read()) == ROLLS[:3]


def test_histograms_count_every_face(tmp_path: Path) -> None:
    counts = histograms(ROLLS)
    assert counts == {("u1", "A", 6): [2] * 6, ("u1", "B", 8): [1, 2, 2, 2, 2, 1, 1, 1]}
