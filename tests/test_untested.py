"""What a machine could not try is told by its reason, and fails where everything has to be there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SKIPS = """
import pytest

def test_is_fine():
    pass

@pytest.mark.skipif(True, reason="the train is missing")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_wants_a_train(number):
    pass

@pytest.mark.skipif(True, reason="the train is installed")
def test_what_is_said_without_a_train():
    pass
"""
WHOLE = "import pytest\npytest.importorskip('no_such_library')\n"
WRONG = "\ndef test_is_wrong():\n    assert False\n"
PLUGINS = ("-p", "tests.untested", "-p", "tests.flaky", "-p", "no:cacheprovider")


def run(folder: Path, source: str, *options: str, everything: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "test_them.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -rfE\n")
    environment = {"PYTHONPATH": str(Path(__file__).parents[1]), "STATIONMASTER_ALL": everything}
    command = [sys.executable, "-m", "pytest", "-q", *PLUGINS, *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


WORKERS = pytest.mark.parametrize("workers", [(), ("-n", "2", "--retry-alone")])


@WORKERS
def test_each_reason_is_one_line(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "test_whole.py").write_text(WHOLE)
    done = run(tmp_path, SKIPS, *workers)
    assert done.returncode == 0, done.stdout
    first, second, last = done.stdout.partition("not tried here")[2].splitlines()[1:]
    assert first == "    1 could not import 'no_such_library': No module named 'no_such_library'"
    assert second == "    3 the train is missing"
    assert last.startswith("1 passed, 5 skipped")


@WORKERS
def test_where_everything_has_to_be_there_it_is_a_failure(tmp_path: Path, workers: tuple[str, ...]) -> None:
    assert run(tmp_path, SKIPS, *workers, everything="1").returncode == 1
    fine = "def test_is_fine():\n    pass\n"
    assert run(tmp_path, fine, *workers, everything="1").returncode == 0
    assert run(tmp_path, SKIPS + WRONG, *workers).returncode == 1


def test_a_file_that_is_skipped_is_a_failure_there_too(tmp_path: Path) -> None:
    (tmp_path / "test_whole.py").write_text(WHOLE)
    fine = "def test_is_fine():\n    pass\n"
    assert run(tmp_path, fine, "-n", "2").returncode == 0
    assert run(tmp_path, fine, "-n", "2", everything="1").returncode == 1
