"""Which tests run which line: measured once for a commit, with the processes that tests start."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

from coverage.numbits import numbits_to_nums

_SETTINGS = """\
[run]
branch = False
parallel = True
data_file = {folder}/coverage
source = companion, firmware_bridge, hub, vision, web
context = ${{STATIONMASTER_TEST-}}
sigterm = True
disable_warnings = no-data-collected, module-not-measured, couldnt-parse
"""
# Every Python that a test starts measures itself for that test.
_SITE = "import coverage\ncoverage.process_startup()\n"
_PLUGIN = '''\
"""Tell coverage, here and in the processes that tests start, which test is running."""
import os, time
from pathlib import Path
import coverage, pytest

_times = (Path(__file__).parents[1] / f"times-{os.getpid()}.tsv").open("w", buffering=1)

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item, nextitem):
    os.environ["STATIONMASTER_TEST"] = item.nodeid
    measured = coverage.Coverage.current()
    if measured is not None:
        measured.switch_context(item.nodeid)
    begun = time.monotonic()
    yield
    _times.write(f"{time.monotonic() - begun:.3f}\\t{item.nodeid}\\n")
'''


def measure(top: Path, folder: Path, jobs: int, tests: list[str]) -> None:
    """Run the tests once and note by line who runs it; takes about twice as long as the tests alone."""
    site = folder / "site"
    site.mkdir(parents=True, exist_ok=True)
    settings = folder / "coveragerc"
    settings.write_text(_SETTINGS.format(folder=folder), encoding="utf-8")
    (site / "sitecustomize.py").write_text(_SITE, encoding="utf-8")
    (site / "telling_tests.py").write_text(_PLUGIN, encoding="utf-8")
    environment = {
        **os.environ,
        "COVERAGE_PROCESS_START": str(settings),
        "PYTHONPATH": os.pathsep.join([str(site), str(top)]),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        str(jobs),
        "-p",
        "telling_tests",
        "--timeout",
        "2000",
    ]
    subprocess.run([*command, "-p", "no:cacheprovider", *tests], cwd=top, env=environment, check=False)
    subprocess.run(
        [sys.executable, "-m", "coverage", "combine", "--quiet", f"--rcfile={settings}"],
        cwd=top, env=environment, check=True,
    )  # fmt: skip


class Covering:
    """The tests that run a line, out of what :func:`measure` left."""

    def __init__(self, top: Path, folder: Path) -> None:
        self._top = top
        self._data = sqlite3.connect(folder / "coverage", check_same_thread=False)
        self._lock = threading.Lock()
        self.seconds: dict[str, float] = {}
        for times in folder.glob("times-*.tsv"):
            for row in times.read_text(encoding="utf-8").splitlines():
                seconds, _, test = row.partition("\t")
                self.seconds[test] = float(seconds)

    def tests(self, file: str, line: int) -> list[str]:
        """The tests that ran this line, themselves or in a process they started; the quickest first."""
        with self._lock:
            rows = self._data.execute(
                "select context.context, line_bits.numbits from line_bits"
                " join file on file.id = line_bits.file_id join context on context.id = line_bits.context_id"
                " where file.path = ?",
                (str(self._top / file),),
            ).fetchall()
        found = {name for name, bits in rows if name in self.seconds and line in numbits_to_nums(bits)}
        return sorted(found, key=lambda test: (self.seconds[test], test))
