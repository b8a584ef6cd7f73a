"""For every test of the pages."""

from __future__ import annotations

import pytest

from web.access import people


@pytest.fixture(autouse=True)
def _cheap_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every box has a PIN, and nobody guesses those of tests."""
    monkeypatch.setitem(people._PIN_COST, "n", 2**4)
