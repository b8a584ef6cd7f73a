"""The soak: its charts, and a short one for real."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lab.box.soak import Weight, drawn, report


def test_every_weight_has_a_line_of_its_own() -> None:
    picture = drawn([Weight(80, 125, 29, 126, 7), Weight(90, 125, 30, 126, 6)])
    assert picture.count("<polyline") == 5
    assert re.findall(r'text-anchor="end">(\d+)<', picture)[0] == "90"


@pytest.mark.slow
def test_a_match_is_played_and_weighed(tmp_path: Path) -> None:
    chart = tmp_path / "soak.svg"
    first, memory, *_ = report(1, chart)
    assert first.startswith("1 matches of 4 games in")
    assert memory.startswith("memory: ")
    assert chart.read_text().startswith("<svg")
