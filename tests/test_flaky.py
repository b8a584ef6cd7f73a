"""What fails among the others and passes alone is kept and stops nothing; what fails alone, too, does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ACCIDENT = """
from pathlib import Path

def test_fails_once():
    before = Path("seen")
    first = not before.exists()
    before.touch()
    assert not first, "another test was in the way"

def test_is_fine():
    assert True
"""
BEFORE_AND_AFTER = """
from pathlib import Path
import pytest

def first(name):
    before = Path(name)
    new = not before.exists()
    before.touch()
    return new

@pytest.fixture
def shaky(request):
    assert not first("before"), "in the way before"
    yield
    assert not first("after"), "in the way after"

def test_needs_it_before(shaky):
    print("it was said")

@pytest.fixture
def shaky_after():
    yield
    assert not first("after"), "in the way after"

def test_needs_it_after(shaky_after):
    pass
"""
CRASHES = """
import os
from pathlib import Path

def test_takes_its_process_along():
    before = Path("seen")
    first = not before.exists()
    before.touch()
    if first:
        os._exit(3)

def test_goes_on():
    pass
"""
HANGS = """
import threading
from pathlib import Path
import pytest

@pytest.mark.timeout(1)
def test_waits():
    before = Path("seen")
    first = not before.exists()
    before.touch()
    never = threading.Event()
    if first:
        keeps = threading.Thread(target=never.wait, args=(30,), name="keeps-it", daemon=True)
        keeps.start()
        keeps.join()
"""
SKIPPED_ALONE = """
import sys
import pytest

def test_other():
    pass

def test_is_wrong():
    if "::" in sys.argv[-1]:
        pytest.skip("not alone")
    assert False
"""
WRONG = "\ndef test_is_wrong():\n    assert False\n"


def run(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_them.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\n")
    top = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.flaky", "-p", "no:cacheprovider", *options]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(top)}, capture_output=True, text=True, check=False
    )


def entries(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "build/flaky.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_an_accident_is_kept_and_stops_nothing(tmp_path: Path, workers: list[str]) -> None:
    done = run(tmp_path, ACCIDENT, "--retry-alone", *workers)
    assert done.returncode == 0, done.stdout
    assert "test_them.py::test_fails_once" in done.stdout.partition("flaky: ")[2]
    assert "1 passed, 1 flaky" in done.stdout.splitlines()[-1]
    (entry,) = entries(tmp_path)
    assert entry["test"] == "test_them.py::test_fails_once"
    assert "another test was in the way" in entry["trace"]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_what_happens_before_and_after_a_test_is_tried_again(tmp_path: Path, workers: list[str]) -> None:
    """Each of the two fails once, in what it needs."""
    done = run(tmp_path, BEFORE_AND_AFTER, "--retry-alone", *workers)
    assert done.returncode == 0, done.stdout
    assert "2 flaky" in done.stdout.splitlines()[-1]
    kept = {entry["test"].partition("::")[2]: entry["trace"] for entry in entries(tmp_path)}
    assert "in the way before" in kept["test_needs_it_before"]
    assert "in the way after" in kept["test_needs_it_after"]


def test_a_test_that_takes_its_process_along_is_tried_again(tmp_path: Path) -> None:
    done = run(tmp_path, CRASHES, "--retry-alone", "-n", "2")
    assert done.returncode == 0, done.stdout
    (entry,) = entries(tmp_path)
    assert entry["test"] == "test_them.py::test_takes_its_process_along"
    assert "crashed" in entry["trace"]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_one_that_hangs_tells_what_the_other_threads_did(tmp_path: Path, workers: list[str]) -> None:
    done = run(tmp_path, HANGS, "--retry-alone", *workers)
    assert done.returncode == 0, done.stdout
    (entry,) = entries(tmp_path)
    assert "keeps.join()" in entry["trace"]
    assert "keeps-it:" in entry["trace"]


def test_one_that_is_skipped_alone_has_not_passed(tmp_path: Path) -> None:
    done = run(tmp_path, SKIPPED_ALONE, "--retry-alone")
    assert done.returncode == 1
    assert not (tmp_path / "build/flaky.jsonl").exists()


def test_what_fails_alone_too_is_a_failure(tmp_path: Path) -> None:
    done = run(tmp_path, ACCIDENT + WRONG, "--retry-alone")
    assert done.returncode == 1
    assert "1 failed, 1 passed, 1 flaky" in done.stdout.splitlines()[-1]
    assert (tmp_path / "build/flaky.jsonl").read_text().count("\n") == 1


def test_many_failures_are_no_accident(tmp_path: Path) -> None:
    many = "".join(f"\ndef test_{n}():\n    assert False\n" for n in range(9))
    done = run(tmp_path, ACCIDENT + many, "--retry-alone")
    assert done.returncode == 1
    assert not (tmp_path / "build/flaky.jsonl").exists()


def test_without_the_option_nothing_is_tried_again(tmp_path: Path) -> None:
    assert run(tmp_path, ACCIDENT).returncode == 1
