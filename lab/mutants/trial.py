"""Faults tried: is there a test, or the type checker, that notices them?"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from lab.mutants import marks, trying
from lab.mutants.covering import Covering, run_tests
from lab.mutants.faults import Fault, with_faults
from lab.mutants.trying import Told, Trial

_ERROR = re.compile(r"^(\S+?):(\d+): error", re.MULTILINE)


class Verdict(msgspec.Struct, frozen=True):
    """What became of a fault."""

    fault: Fault
    noticed_by: str  # the first test that failed, "mypy", or nothing: it survived
    tests: int  # that reach its place, and those of their files, as many as the budget allows


def tried(
    chosen: list[Fault], tree: Path, folder: Path, covering: Covering, budget: float, jobs: int
) -> list[Verdict]:
    """Switch on fault by fault in a copy of the house, run what reaches it until a test fails; then mypy."""
    trials = [
        Trial(number, fault.file, covering.tests(number, fault, tree, budget))
        for number, fault in enumerate(chosen)
    ]
    anew = [one for one in trials if one.tests and covering.while_collecting(one.number)]
    noticed = {one.number: _noticed_anew(tree, one) for one in anew}
    forked = [one for one in trials if one not in anew]
    with ThreadPoolExecutor(jobs) as pool:
        for told in pool.map(lambda n: _noticed(tree, folder / f"trials-{n}", forked[n::jobs]), range(jobs)):
            noticed |= told
    wrong = _complained_about(tree, [one for number, one in enumerate(chosen) if not noticed.get(number)])
    return [
        Verdict(one, noticed.get(number, "") or wrong.get(one, ""), len(trials[number].tests))
        for number, one in enumerate(chosen)
    ]


def _noticed(tree: Path, files: Path, trials: list[Trial]) -> dict[int, str]:
    """By whom each fault is noticed, all of them out of one process of pytest."""
    plan, told = files.with_suffix(".plan"), files.with_suffix(".told")
    plan.write_bytes(msgspec.json.encode(trials))
    told.write_bytes(b"")
    needed = {test.partition("::")[0] for one in trials for test in one.tests}
    needed |= {one.file for one in trials if ">>> " in (tree / one.file).read_text(encoding="utf-8")}
    if needed:
        options = ("-p", "no:xdist", "-p", "lab.mutants.trying", "--doctest-modules")
        run_tests(tree, *options, *sorted(needed), **{trying.PLAN: str(plan), trying.TOLD: str(told)})
    rows = [msgspec.json.decode(row, type=Told) for row in told.read_bytes().splitlines()]
    return {row.number: row.noticed_by for row in rows}


def _noticed_anew(tree: Path, trial: Trial) -> str:
    """The same in a process of its own, for what is done while tests are collected."""
    arguments = tree / "arguments.txt"
    arguments.write_text("\n".join(trial.tests), encoding="utf-8")
    code = run_tests(tree, "-x", "-p", "no:xdist", f"@{arguments}", **{marks.FAULT: str(trial.number)})
    return "a process of its own" if code else ""


def _complained_about(tree: Path, survivors: Iterable[Fault]) -> dict[Fault, str]:
    """Those of whose lines the type checker complains; all are put in together."""
    by_file: dict[str, list[Fault]] = {}
    for fault in survivors:
        by_file.setdefault(fault.file, []).append(fault)
    sound = Path.cwd()
    for file, here in by_file.items():
        text = with_faults((sound / file).read_text(encoding="utf-8"), here)
        (tree / file).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy"], cwd=tree, capture_output=True, text=True, check=False
    )
    lines = {(file, int(line)) for file, line in _ERROR.findall(done.stdout)}
    return {one: "mypy" for here in by_file.values() for one in here if (one.file, one.line) in lines}
