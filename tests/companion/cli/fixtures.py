"""The command line as somebody types it."""

from __future__ import annotations

import io
import sys

import pytest

from companion.cli import main
from tests.companion.cli.running import Run


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command; its exit code, and what it printed and complained."""

    def one(*arguments: object, fed: str | bytes = "") -> tuple[int, str, str]:
        data = fed.encode() if isinstance(fed, str) else fed
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capfd.readouterr()
        return code, out, err

    return one
