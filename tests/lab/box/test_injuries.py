"""A few of the injuries of ``make injuries``, the same ones each time."""

from __future__ import annotations

from pathlib import Path

from lab.box.injuries import INJURIES, main, opened_after, whole_folder


def test_injured_folders_open_and_lose_nothing_that_had_a_good_copy(tmp_path: Path) -> None:
    whole = whole_folder(tmp_path / "table")
    assert sum(map(len, whole.events.values())) > 40
    outcomes = [opened_after(whole, seed) for seed in range(24)]
    assert [f"seed {one.seed}: {one.fault}" for one in outcomes if one.fault] == []
    assert sum(one.told for one in outcomes) >= 10, "most injuries matter, and are told of"
    kinds = {injury.split(" ", 1)[0] for one in outcomes for injury in one.injuries}
    assert kinds == set(INJURIES)


def test_the_harness_notices_a_service_that_loses_something(tmp_path: Path) -> None:
    """Events that the whole folder never had are missing in every injured one."""
    whole = whole_folder(tmp_path / "table", matches=1)
    (match,) = whole.events
    whole.events[match].append(whole.events[match][-1])
    assert any(opened_after(whole, seed).fault for seed in range(3))


def test_the_command_says_how_many() -> None:
    assert main(["2"]) == 0
