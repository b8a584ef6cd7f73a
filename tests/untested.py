"""What this machine could not try is said at the end; where everything has to be there, it is a failure.

A test is skipped for want of a program, a library or a right; whatever the reason, it has tried nothing.
"""

from __future__ import annotations

import os
import re
from collections import Counter

import pytest
from _pytest.terminal import TerminalReporter

ALL = "STATIONMASTER_ALL"  # set to 1: a test that was skipped is a failure
_NOT_FOR_HERE = re.compile(r" is installed(?: here)?$")  # tests of what is said where something is missing


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """One line a reason; a whole file that is skipped counts as one test."""
    untested = _untested(terminalreporter)
    if untested:
        terminalreporter.section("not tried here")
        for why, count in sorted(untested.items()):
            terminalreporter.write_line(f"{count:5} {why}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Nothing is taken back: what failed stays a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    wanted = os.environ.get(ALL) == "1" and session.exitstatus == pytest.ExitCode.OK
    if wanted and reporter is not None and _untested(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _untested(reporter: TerminalReporter) -> Counter[str]:
    """Why tests were skipped, and how many."""
    found: Counter[str] = Counter()
    for report in reporter.stats.get("skipped", []):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        why = why.removeprefix("Skipped: ")
        if not _NOT_FOR_HERE.search(why):
            found[why] += 1
    return found
