"""For every test: the same examples each time, and no stop-watch on a machine that does other things, too."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from _pytest.terminal import TerminalReporter
from hypothesis import settings

from web.speaking import speaking

# Fixtures for every folder: a game's own tests use the same house, commands and browser as the house's.
pytest_plugins = [
    "tests.companion.commands.fixtures",
    "tests.web.fixtures",
    "tests.web.browser.fixtures",
    "tests.flaky",
]

settings.register_profile("stationmaster", deadline=None, derandomize=True, database=None)
settings.load_profile("stationmaster")


ALL = "STATIONMASTER_ALL"  # set to 1: what is missing on this machine is a failure
_MISSING = re.compile(
    r"not installed|make setup|no .* on this machine|needs|missing|lets nobody|no network|here:"
)


def _untested(reporter: TerminalReporter) -> dict[str, int]:
    """Why tests were skipped for want of something on this machine, and how many."""
    found: Counter[str] = Counter()
    for report in reporter.stats.get("skipped", []):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if _MISSING.search(why):
            found[why.removeprefix("Skipped: ")] += 1
    return dict(found)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """The last lines say what this machine could not try; a whole file that is skipped counts as one."""
    untested = _untested(terminalreporter)
    if untested:
        terminalreporter.section("not tried here")
        for why, count in sorted(untested.items()):
            terminalreporter.write_line(f"{count:5} {why}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything has to be there, what is not is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get(ALL) == "1" and reporter is not None and _untested(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


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
