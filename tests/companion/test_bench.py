"""The bench measures real rolls."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bench import main, measured


def test_every_roll_is_measured(tmp_path: Path) -> None:
    times = measured(9, tmp_path)
    assert len(times) == 9
    assert all(0 < milliseconds < 5000 for milliseconds in times)


def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(2)
    assert "2 rolls, from the request to a subscriber" in capsys.readouterr().out
