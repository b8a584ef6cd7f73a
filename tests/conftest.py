"""For every test: the same examples each time, and no stop-watch on a machine that does other things, too."""

from __future__ import annotations

import gc
import os

# As many tests as cores run side by side: threads of theirs wait for each other in loops, a tenth of the time
# of whatever looks at pictures. NumPy's and OpenCV's libraries read these when they are loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from companion.service.photos import eye
from tests.web.kept import keep_for_all_applications
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
_MEMORY, _ROOM = Path("/dev/shm"), 2 * 2**30  # a folder that is none of a disk's; the bytes that are enough


def _folders_in_memory() -> None:
    """Nearly every test has a table of its own on a temporary folder, and whatever happens there is synced.

    On a disk that takes half of the time of such a test; what syncing is for, no test can see.
    """
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK):
        return
    told = os.statvfs(_MEMORY)
    if told.f_bavail * told.f_frsize > _ROOM and not told.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = str(_MEMORY)  # for those that tests start, too
        tempfile.tempdir = None  # what it was is forgotten


_folders_in_memory()
keep_for_all_applications()
os.environ.setdefault("STATIONMASTER_BOTS_NOT_COMPILED", "1")  # in each box that tests start, too
gc.set_threshold(10_000, 20, 50)  # an eighth of the time of all tests went into looking for garbage
eye.PATIENCE = 150.0  # seconds: a busy machine, with its load of thirty, is no fault of the reader's


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that open browsers take longest and begin first: else cores wait for the last one at the end."""
    items.sort(key=lambda item: "browser" not in item.path.parts)


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
