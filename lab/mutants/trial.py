"""One fault tried: is there a test, or the type checker, that notices it?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from lab.mutants.covering import Covering
from lab.mutants.faults import Fault

_LONGEST = 120  # seconds a single test may take: a fault that makes a loop endless is noticed, too
_BUDGET = 240.0  # seconds of tests, as measured without a fault, that are tried against one fault at most


class Verdict(msgspec.Struct, frozen=True):
    """What became of a fault."""

    fault: Fault
    noticed_by: str  # the first test that failed, "mypy", or nothing: it survived
    covering: int  # tests that run its line
    tried: int  # of these


def tried(fault: Fault, tree: Path, covering: Covering) -> Verdict:
    """Put the fault into a copy of the house, and run the tests of its line until one fails; then mypy."""
    file = tree / fault.file
    sound = file.read_text(encoding="utf-8")
    tests = covering.tests(fault.file, fault.line)
    chosen, seconds = [], 0.0
    for test in tests:
        seconds += covering.seconds[test]
        if seconds > _BUDGET:
            break
        chosen.append(test)
    file.write_text(fault.text, encoding="utf-8")
    try:
        noticed = _failing(tree, chosen) if chosen else ""
        return Verdict(fault, noticed or _complaint(tree, fault.file), len(tests), len(chosen))
    finally:
        file.write_text(sound, encoding="utf-8")


def _failing(tree: Path, tests: list[str]) -> str:
    """The first of these tests that fails; nothing if all pass."""
    arguments = tree / "mutants-arguments.txt"
    arguments.write_text("\n".join(tests), encoding="utf-8")
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*pytest, "-p", "no:xdist", "--timeout", str(_LONGEST), f"@{arguments}"],
        cwd=tree,
        env=_environment(tree),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    failed = [row for row in done.stdout.splitlines() if row.startswith(("FAILED ", "ERROR "))]
    return failed[0].split(" ", 1)[1].split(" - ")[0] if failed else f"pytest ended with {done.returncode}"


def _complaint(tree: Path, file: str) -> str:
    """Return "mypy" if the type checker finds fault with the file."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", file],
        cwd=tree,
        env=_environment(tree),
        capture_output=True,
        check=False,
    )
    return "mypy" if done.returncode else ""


def _environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
