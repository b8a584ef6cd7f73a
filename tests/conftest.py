"""For every test: the same examples each time, and no stop-watch on a machine that does other things, too."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from companion.service.photos import eye
from web.ui.speaking import speaking

# Fixtures for every folder: a game's own tests use the same house, commands and browser as the house's.
pytest_plugins = [
    "tests.companion.cli.fixtures",
    "tests.web.fixtures",
    "tests.web.browser.fixtures",
    "tests.flaky",
    "tests.untested",
]

settings.register_profile("stationmaster", deadline=None, derandomize=True, database=None)
settings.load_profile("stationmaster")
eye.PATIENCE = 150.0  # seconds: a busy machine, with its load of thirty, is no fault of the reader's


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Every test begins in English, whatever language the one before asked for."""
    with speaking("en"):
        yield


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    """A service keeps its files to itself; what the next test makes can be read by whom it starts."""
    before = os.umask(0o022)
    yield
    os.umask(before)
