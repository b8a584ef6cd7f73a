"""A test that fails among the others and passes alone is flaky: it is kept, and stops no landing.

The gate runs pytest with ``--retry-alone``. When a few tests have failed, each runs once more in a process
of its own. What passes then is written, with the trace of its failure, to the list that ``make flaky`` shows;
the list has to be empty at a release. More failures than a few are no accident and are not tried again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

LIST = Path("build/flaky.jsonl")
_FEW = 8  # failures that may be accidents
_LONGEST = 600  # seconds for one test alone


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--retry-alone", action="store_true", help="run what failed once more by itself")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--retry-alone") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(RetryAlone(config.rootpath), "retry-alone")


class RetryAlone:
    """Notes what fails, and at the end tries it by itself."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._traces: dict[str, str] = {}
        self._flaky: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the trace of a failure, of the test itself or of what it needs."""
        if report.failed:
            self._traces.setdefault(report.nodeid, report.longreprtext)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Run what failed alone; the session has passed if all of it passes then."""
        failed = session.exitstatus == pytest.ExitCode.TESTS_FAILED
        if not failed or not 0 < len(self._traces) <= _FEW:
            return
        for test, trace in self._traces.items():
            if _passes_alone(test, self._top):
                self._flaky.append(test)
                _keep(self._top / LIST, test, trace)
        if len(self._flaky) == len(self._traces):
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which tests are flaky and where the list is."""
        if self._flaky:
            terminalreporter.section("flaky: failed among the others, passed alone")
            for test in self._flaky:
                terminalreporter.line(test)
            terminalreporter.line(f"Their traces are in {LIST}: make flaky")


def _passes_alone(test: str, top: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", test]
    try:
        return not subprocess.run(
            command, cwd=top, timeout=_LONGEST, check=False, stdout=subprocess.DEVNULL
        ).returncode
    except subprocess.TimeoutExpired:
        return False


def _keep(file: Path, test: str, trace: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    entry = {
        "test": test,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "load": os.getloadavg()[0],
        "trace": trace,
    }
    with file.open("a", encoding="utf-8") as kept:
        kept.write(json.dumps(entry) + "\n")


def main() -> int:
    """Show the list; 1 if it is not empty."""
    entries = [json.loads(line) for line in LIST.read_text().splitlines()] if LIST.exists() else []
    for entry in entries:
        sys.stdout.write(f"{entry['at']}  load {entry['load']:.1f}  {entry['test']}\n{entry['trace']}\n\n")
    sys.stdout.write(f"{len(entries)} flaky tests in {LIST}\n")
    return int(bool(entries))


if __name__ == "__main__":
    sys.exit(main())
