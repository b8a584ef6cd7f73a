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
WRONG = "\ndef test_is_wrong():\n    assert False\n"


def run(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_them.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\n")
    top = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.flaky", "-p", "no:cacheprovider", *options]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(top)}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_an_accident_is_kept_and_stops_nothing(tmp_path: Path, workers: list[str]) -> None:
    done = run(tmp_path, ACCIDENT, "--retry-alone", *workers)
    assert done.returncode == 0, done.stdout
    assert "test_them.py::test_fails_once" in done.stdout.partition("flaky: ")[2]
    (entry,) = map(json.loads, (tmp_path / "build/flaky.jsonl").read_text().splitlines())
    assert entry["test"] == "test_them.py::test_fails_once"
    assert "another test was in the way" in entry["trace"]


def test_what_fails_alone_too_is_a_failure(tmp_path: Path) -> None:
    done = run(tmp_path, ACCIDENT + WRONG, "--retry-alone")
    assert done.returncode == 1
    assert (tmp_path / "build/flaky.jsonl").read_text().count("\n") == 1


def test_many_failures_are_no_accident(tmp_path: Path) -> None:
    many = "".join(f"\ndef test_{n}():\n    assert False\n" for n in range(9))
    done = run(tmp_path, ACCIDENT + many, "--retry-alone")
    assert done.returncode == 1
    assert not (tmp_path / "build/flaky.jsonl").exists()


def test_without_the_option_nothing_is_tried_again(tmp_path: Path) -> None:
    assert run(tmp_path, ACCIDENT).returncode == 1
