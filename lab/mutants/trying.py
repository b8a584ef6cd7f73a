"""For pytest: collects the tests once, and tries faults one by one, each in a process forked from there.

So a fault costs as much as the tests that it takes to notice it, and nothing for starting and collecting.
"""

from __future__ import annotations

import os
import select
import signal
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from lab.mutants import marks

PLAN, TOLD = "STATIONMASTER_PLAN", "STATIONMASTER_TOLD"  # files: what is to be tried, what became of it
_PASSED = "all passed"
_LONGEST = 900.0  # seconds of tests against one fault: one that makes a loop endless is noticed, too
_failed: list[str] = []


class Trial(msgspec.Struct, frozen=True):
    """A fault by its number, and what runs against it: the examples of its file, then these tests."""

    number: int
    file: str
    tests: list[str]


class Told(msgspec.Struct, frozen=True):
    """The first of its tests that failed, or what else gave a fault away; nothing if it survived."""

    number: int
    noticed_by: str


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of all tests: one fault after the other."""
    items = {item.nodeid: item for item in session.items}
    examples: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in session.items:
        examples[item.nodeid.partition("::")[0]].append(item)
    with Path(os.environ[TOLD]).open("ab", buffering=0) as told:
        for trial in msgspec.json.decode(Path(os.environ[PLAN]).read_bytes(), type=list[Trial]):
            tests = [*examples[trial.file], *(items[test] for test in trial.tests)]
            noticed = _noticed(trial.number, tests) if tests else ""
            told.write(msgspec.json.encode(Told(trial.number, noticed)) + b"\n")
    return True


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test fails in itself, or in what it needs before or after."""
    if report.failed:
        _failed.append(report.nodeid)


def _noticed(number: int, tests: Sequence[pytest.Item]) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _run(number, tests, writing)
    os.setpgid(child, child)  # whoever of the two comes first
    os.close(writing)
    ended, _, _ = select.select([reading], [], [], _LONGEST)
    told = os.read(reading, 4000).decode() if ended else "it hangs"
    os.close(reading)
    os.killpg(child, signal.SIGKILL)  # with whatever its tests have started
    os.waitpid(child, 0)
    return {"": "the process ends", _PASSED: ""}.get(told, told)


def _run(number: int, tests: Sequence[pytest.Item], writing: int) -> NoReturn:
    """In a process of its own: test by test until one fails."""
    os.setpgid(0, 0)
    marks.switch_on(number)
    for test, following in zip(tests, [*tests[1:], None], strict=True):
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        if _failed:
            break
    os.write(writing, (_failed[0] if _failed else _PASSED).encode())
    os._exit(0)
