"""The bench measures real rolls."""

from __future__ import annotations

from pathlib import Path

from lab.box.rolls import measured, report, spread


def test_every_roll_is_measured(tmp_path: Path) -> None:
    times = measured(9, tmp_path)
    assert len(times) == 9
    assert all(0 < milliseconds < 5000 for milliseconds in times)


def test_the_figures_are_said() -> None:
    assert report(2).startswith("2 rolls, from the request to a subscriber of the table: median ")


def test_few_times_have_a_middle_and_an_end_too() -> None:
    assert spread([5.0]) == "median 5.0 ms, 95 % under 5.0 ms, slowest 5.0 ms"
