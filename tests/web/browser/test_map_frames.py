"""The measurement of the map in ``make bench``; how smooth it is, is measured there and not here."""

from __future__ import annotations

import pytest

from tests.web.browser import map_frames


def test_a_machine_without_a_browser_is_told_so_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(map_frames, "chromium", lambda: None)
    assert map_frames.main() == 0
    assert "no Chromium" in capsys.readouterr().out
