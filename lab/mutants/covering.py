"""Which tests reach which fault: found by running the tests once with every fault's place marked."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from lab.mutants import marks, telling
from lab.mutants.faults import Fault


def run_tests(tree: Path, *options: str, **variables: str) -> int:
    """Run the gate's tests, or those that are named, in a copy of the house: the exit code."""
    gate = ["-q", "--tb=no", "-m", "not slow", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *gate, *options],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), **variables},
        check=False,
    )
    return done.returncode


def mark(tree: Path, folder: Path, jobs: int, tests: list[str]) -> None:
    """Run the tests once in a copy of the house whose switches say which of their places are reached."""
    side_by_side = ["-n", str(jobs), "--dist", "loadfile"] if jobs > 1 else ["-p", "no:xdist"]
    told = {marks.FILE: str(folder / "marks.tsv"), telling.TESTS: str(folder / "tests.tsv")}
    run_tests(tree, "-p", "lab.mutants.telling", *side_by_side, *tests, **told)


class Covering:
    """The tests that reach the place of a fault, out of what :func:`mark` left."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        failed = set()
        for row in (folder / "tests.tsv").read_text(encoding="utf-8").splitlines():
            seconds, became, test = row.split("\t", 2)
            self.seconds.setdefault(test, float(seconds))
            if became:
                failed.add(test)
        for test in failed:  # what fails without a fault notices none
            del self.seconds[test]
        self._reaching: dict[int, set[str]] = defaultdict(set)
        for row in (folder / "marks.tsv").read_text(encoding="utf-8").splitlines():
            number, _, test = row.partition("\t")
            self._reaching[int(number)].add(test)

    def while_collecting(self, number: int) -> bool:
        """Is this fault reached before any test runs, so that what it makes may be kept for all?"""
        return "" in self._reaching[number]

    def tests(self, number: int, fault: Fault, tree: Path, budget: float) -> list[str]:
        """The tests that reached this fault, of files that name its module first, and the quickest first.

        What a fixture or a cache keeps is reached by the first test alone that needs it: the others of the
        same files come last. Together they take no more seconds than ``budget``, but for the first.
        """
        reaching = self._reaching[number] & self.seconds.keys()
        module = fault.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        files = {_file(test) for test in reaching}
        near = {file for file in files if module in (tree / file).read_text(encoding="utf-8")}
        beside = {test for test in self.seconds if _file(test) in files}

        def place(test: str) -> tuple[bool, bool, float, str]:
            return test not in reaching, _file(test) not in near, self.seconds[test], test

        chosen: list[str] = []
        for test in sorted(beside, key=place):
            budget -= self.seconds[test]
            if chosen and budget < 0:
                break
            chosen.append(test)
        return chosen


def _file(test: str) -> str:
    return test.partition("::")[0]
