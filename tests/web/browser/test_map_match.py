"""Matches on a map from photographs, killed with -9 on the way; whole ones are ``make map-matches``."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from lab.box.boxes import served
from tests.web.browser.map_match import begun, ended
from tests.web.browser.phones import phones


@pytest.mark.slow
@pytest.mark.parametrize("game", ["spike", "empire-builder"])
def test_track_comes_from_photographs_and_a_power_cut_loses_nothing(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    """Killed while a proposal is on the screen: it is accepted afterwards, with its photograph."""
    with served(tmp_path) as box, phones(browser, box) as phone:
        played = begun(box, phone, game, seed=3)
        played.play(3, killed_at=[1])
        ended(box)
        played.judge()
        assert played.kills == 1
        assert played.match.finished
        assert len(played.ways) == 3
