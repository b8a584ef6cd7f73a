"""Small faults for the mutation check: one line each, the same for the same seed, in every room."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from lab.mutants.faults import ROOMS, faults

TOP = Path(__file__).parents[3]


def test_a_fault_changes_one_line_and_leaves_a_module() -> None:
    found = list(faults(TOP, 42, seed=7))
    assert Counter(fault.room for fault in found) == dict.fromkeys(ROOMS, 6)
    for fault in found:
        ast.parse(fault.text)
        was = (TOP / fault.file).read_text(encoding="utf-8").splitlines()
        now = fault.text.splitlines()
        assert [n for n, (one, other) in enumerate(zip(was, now, strict=True), 1) if one != other] == [
            fault.line
        ]


def test_a_seed_s_faults_are_always_the_same() -> None:
    assert list(faults(TOP, 14, seed=3)) == list(faults(TOP, 14, seed=3))
    assert list(faults(TOP, 14, seed=3)) != list(faults(TOP, 14, seed=4))
