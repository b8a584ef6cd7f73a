"""For every test: the same examples each time, and no stop-watch on a machine that does other things, too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from web.speaking import speaking

# Fixtures for every folder: a game's own tests use the same house, commands and browser as the house's.
pytest_plugins = ["tests.companion.commands.fixtures", "tests.web.fixtures", "tests.web.browser.fixtures"]

settings.register_profile("stationmaster", deadline=None, derandomize=True, database=None)
settings.load_profile("stationmaster")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Every test begins in English, whatever language the one before asked for."""
    with speaking("en"):
        yield
