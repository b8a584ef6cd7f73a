"""For every test: the same examples each time, and no stop-watch on a machine that does other things, too."""

from __future__ import annotations

from hypothesis import settings

# Fixtures for every folder: a game's own tests use the same house, commands and browser as the house's.
pytest_plugins = ["tests.companion.commands.fixtures", "tests.web.fixtures", "tests.web.browser.fixtures"]

settings.register_profile("stationmaster", deadline=None, derandomize=True, database=None)
settings.load_profile("stationmaster")
