"""A test that fails among the others and passes alone is flaky: it is kept, and stops no landing.

The gate runs pytest with ``--retry-alone``. When a few tests have failed, each runs once more in a process
of its own. What passes then is counted as flaky and no longer as failed, and is written, with the trace of
its failure, to the list that ``make flaky`` shows; the list has to be empty at a release. More failures than
a few are no accident and are not tried again.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import traceback
from collections import defaultdict
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

LIST = Path("build/flaky.jsonl")
_FEW = 8  # failures that may be accidents
_LONGEST = 600  # seconds for one test alone
_MOST = 6000  # letters of what a test printed; its end tells most
_PASSED = re.compile(r"^1 passed\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--retry-alone", action="store_true", help="run what failed once more by itself")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--retry-alone") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(RetryAlone(config.rootpath), "retry-alone")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that hung tells what every thread was doing: its own trace shows for what it waited, not why."""
    report = yield
    if call.excinfo is not None and "Timeout (>" in str(call.excinfo.value):
        report.sections.append(("other threads", _threads()))
    return report


class RetryAlone:
    """Notes what fails, and at the end tries it by itself."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._traces: defaultdict[str, list[str]] = defaultdict(list)
        self._flaky: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the trace of a failure, of the test itself, of what it needs, or of the process it ran in."""
        if report.failed:
            self._traces[report.nodeid].append(_trace(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Run what failed alone; the session has passed if all of it passes then."""
        failed = session.exitstatus == pytest.ExitCode.TESTS_FAILED
        if not failed or not 0 < len(self._traces) <= _FEW:
            return
        for test, traces in self._traces.items():
            if _passes_alone(test, self._top):
                self._flaky.append(test)
                _keep(self._top / LIST, test, "\n\n".join(traces))
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            self._count_apart(reporter)
        if len(self._flaky) == len(self._traces):
            session.exitstatus = pytest.ExitCode.OK

    def _count_apart(self, reporter: TerminalReporter) -> None:
        """What is flaky is told as such: once, in the last line, and not among the failures."""
        flaky = {}
        for kind in ("failed", "error"):
            reports = reporter.stats.pop(kind, [])
            flaky.update({report.nodeid: report for report in reports if report.nodeid in self._flaky})
            still = [report for report in reports if report.nodeid not in self._flaky]
            if still:
                reporter.stats[kind] = still
        if flaky:
            reporter.stats["flaky"] = list(flaky.values())

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Say which tests are flaky, with the traces of their failures, and where the list is."""
        if not self._flaky:
            return
        terminalreporter.section("flaky: failed among the others, passed alone")
        for test in self._flaky:
            terminalreporter.line("\n".join([test, *self._traces[test]]))
        terminalreporter.line(f"These traces are kept in {LIST}: make flaky")


def _trace(report: pytest.TestReport) -> str:
    """Where it failed, and the end of what it printed."""
    printed = [f"--- {title} ---\n{text[-_MOST:]}" for title, text in report.sections if text.strip()]
    return "\n".join([f"[{report.when}] {report.longreprtext}", *printed])


def _threads() -> str:
    """Where every thread but this one is just now."""
    names = {one.ident: one.name for one in threading.enumerate()}
    frames = sys._current_frames().items()
    others = [(number, frame) for number, frame in frames if number != threading.get_ident()]
    stacks = [
        f"{names.get(number, number)}:\n{''.join(traceback.format_stack(frame))}" for number, frame in others
    ]
    return "\n".join(stacks)


def _passes_alone(test: str, top: Path) -> bool:
    """It has to run: a test that is skipped when it is alone has not passed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", test]
    try:
        done = subprocess.run(
            command, cwd=top, timeout=_LONGEST, check=False, capture_output=True, text=True, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and _PASSED.search(done.stdout) is not None


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
