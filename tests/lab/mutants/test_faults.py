"""Small faults for the mutation check: one line each, the same for the same seed, in every room."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from lab.mutants import marks, trying
from lab.mutants.covering import run_tests
from lab.mutants.faults import ROOMS, Fault, faults, with_faults, with_switches
from lab.mutants.trying import Told, Trial

TOP = Path(__file__).parents[3]


def test_a_fault_changes_one_line_and_leaves_a_module() -> None:
    found = list(faults(TOP, 42, seed=7))
    assert Counter(fault.room for fault in found) == dict.fromkeys(ROOMS, 6)
    for fault in found:
        source = (TOP / fault.file).read_text(encoding="utf-8")
        text = with_faults(source, [fault])
        ast.parse(text)
        lines = zip(source.splitlines(), text.splitlines(), strict=True)
        assert [n for n, (one, other) in enumerate(lines, 1) if one != other] == [fault.line]


def test_a_seed_s_faults_are_always_the_same() -> None:
    assert list(faults(TOP, 14, seed=3)) == list(faults(TOP, 14, seed=3))
    assert list(faults(TOP, 14, seed=3)) != list(faults(TOP, 14, seed=4))


def test_every_fault_can_have_a_switch() -> None:
    for fault in faults(TOP, 200, seed=5):
        ast.parse(with_switches((TOP / fault.file).read_text(encoding="utf-8"), {1: fault}))


SOURCE = """\
from __future__ import annotations


def larger(a: int, b: int) -> int:
    for number in (a, b):
        if number == a + 0:
            continue
        if a < b + 0:
            return b
    return a


print(larger(1, 2), larger(2, 1), larger(1, 1))
"""
HERE = [
    Fault("", "", 6, 11, 26, "number == a + 0", "number != a + 0"),
    Fault("", "", 6, 25, 26, "0", "1"),
    Fault("", "", 7, 12, 20, "continue", "break"),
    Fault("", "", 9, 19, 20, "b", "None"),
]


@pytest.mark.parametrize("on", range(-1, len(HERE)))
def test_a_switch_does_nothing_until_it_is_on_and_says_what_was_reached(tmp_path: Path, on: int) -> None:
    told = tmp_path / "marks.tsv"

    def printed(program: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", program], cwd=TOP, capture_output=True, text=True, check=True,
            env=os.environ | {marks.FILE: str(told), marks.TEST: "one", marks.FAULT: str(on)},
        ).stdout  # fmt: skip

    found = printed(with_switches(SOURCE, dict(enumerate(HERE))))
    reached = {int(row.split("\t")[0]) for row in told.read_text().splitlines()}
    assert found == printed(with_faults(SOURCE, HERE[on : on + 1] if on >= 0 else ()))
    assert reached == {*range(len(HERE))} or on >= 0


def test_each_fault_is_tried_in_a_process_of_its_own(tmp_path: Path) -> None:
    """One that is noticed, one that is not, one that ends the process, and again one that is noticed."""
    source = (
        "from __future__ import annotations\n\nimport os\n\n\ndef half(n: int) -> int:\n    return n // 2\n"
    )
    here = [
        Fault("", "", 7, 11, 17, "n // 2", becomes) for becomes in ("n * 2", "n >> 1", "os._exit(0)", "n")
    ]
    (tmp_path / "halves.py").write_text(with_switches(source, dict(enumerate(here))))
    test = "import halves\n\n\ndef test_half() -> None:\n    assert halves.half(5) == 2\n"
    (tmp_path / "test_halves.py").write_text(test)
    plan, told = tmp_path / "plan", tmp_path / "told"
    trials = [Trial(number, "halves.py", ["test_halves.py::test_half"]) for number in range(len(here))]
    plan.write_bytes(msgspec.json.encode(trials))
    found = {trying.PLAN: str(plan), trying.TOLD: str(told), "PYTHONPATH": f"{tmp_path}{os.pathsep}{TOP}"}
    run_tests(tmp_path, "-p", "no:xdist", "-p", "lab.mutants.trying", "test_halves.py", **found)
    noticed = [msgspec.json.decode(row, type=Told).noticed_by for row in told.read_bytes().splitlines()]
    assert noticed == ["test_halves.py::test_half", "", "the process ends", "test_halves.py::test_half"]
