"""The measurement itself works and leaves nothing behind; its figures depend on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import storing as bench


def test_it_prints_its_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "EVENTS", 10)
    bench.main(tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" median")[0].strip() for line in lines[:3]] == ["append", "bare commit", "bare line"]
    assert "x a bare commit" in lines[3]
    assert list(tmp_path.iterdir()) == []
