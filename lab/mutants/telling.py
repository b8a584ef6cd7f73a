"""For pytest: tells processes that tests start which test is running, and notes what each test costs."""

from __future__ import annotations

import os
import resource
from collections.abc import Generator
from pathlib import Path

import pytest

from lab.mutants.marks import TEST

TESTS = (
    "STATIONMASTER_TESTS"  # a file with a line a test: seconds of processor, "failed" or nothing, its name
)
_failed: set[str] = set()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """One test with what it needs before and after."""
    os.environ[TEST] = item.nodeid
    before = _processor()
    result = yield
    with Path(os.environ[TESTS]).open("a", encoding="utf-8") as told:
        failed = "failed" if item.nodeid in _failed else ""
        told.write(f"{_processor() - before:.3f}\t{failed}\t{item.nodeid}\n")
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test fails in itself, or in what it needs before or after."""
    if report.failed:
        _failed.add(report.nodeid)


def _processor() -> float:
    """Seconds of this process and of those it has started and seen end."""
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in times)
