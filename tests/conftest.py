"""For every test: the same examples each time, and no stop-watch on a machine that does other things, too."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("stationmaster", deadline=None, derandomize=True, database=None)
settings.load_profile("stationmaster")
