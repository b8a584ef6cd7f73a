"""Whole folders: each file once, also when the work was killed in the middle; bad files have answers, too."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from companion.commands.bulk import done_before, files_in
from companion.games.kit.errors import NotationError
from tests.companion.commands.running import Run

BOARD = {"cells": {"b1": "NS", "b2": "NS"}}


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    folder = tmp_path / "boards"
    for number in range(60):
        place = folder / f"table{number % 4}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:02}.json").write_text(json.dumps(BOARD))
    (folder / "bad.json").write_text("{")
    (folder / "notes.txt").write_text("nothing")
    return folder


def answers(into: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in into.read_text().splitlines()]


def test_every_file_once_and_again_nothing(run: Run, boards: Path, tmp_path: Path) -> None:
    into = tmp_path / "out.jsonl"
    wish = ("score", "railroad-ink", "--all-in", boards, "--into", into, "--jobs", 2)
    code, _, _ = run(*wish)
    told = answers(into)
    assert code == 2  # one of them cannot be read
    assert Counter(one["file"] for one in told) == Counter(files_in(boards, (".json",)))
    assert sum("error" in one for one in told) == 1
    alone = run("score", "railroad-ink", fed=json.dumps(BOARD))[1]
    assert next(one for one in told if "error" not in one)["total"] == json.loads(alone)["total"]
    before = into.read_bytes()
    code, _, _ = run(*wish)
    assert into.read_bytes() == before


def test_killed_in_the_middle_and_resumed(run: Run, boards: Path, tmp_path: Path) -> None:
    into = tmp_path / "out.jsonl"
    wish = ["score", "railroad-ink", "--all-in", str(boards), "--into", str(into), "--jobs", "1"]
    process = subprocess.Popen([sys.executable, "-m", "companion", *wish], start_new_session=True)
    end = time.monotonic() + 60
    while (
        (not into.exists() or not into.stat().st_size) and time.monotonic() < end and process.poll() is None
    ):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with into.open("ab") as file:  # as a power cut leaves it
        file.write(b'{"file": "half')
    run(*wish)
    assert Counter(one["file"] for one in answers(into)) == Counter(files_in(boards, (".json",)))


def test_a_listing_names_the_files(run: Run, boards: Path, tmp_path: Path) -> None:
    listing, into = tmp_path / "listing", tmp_path / "out.jsonl"
    wanted = list(files_in(boards / "table1", (".json",)))
    listing.write_text("\n".join(wanted))
    code, _, _ = run("score", "railroad-ink", "--all-in", listing, "--into", into, "--jobs", 1)
    assert code == 0
    assert sorted(str(one["file"]) for one in answers(into)) == wanted


@pytest.mark.parametrize(
    "wish",
    [
        ["--all-in", "nowhere", "--into", "x"],
        ["--all-in", "."],
        ["--all-in", ".", "--into", "x", "--jobs", "0"],
    ],
)
def test_what_cannot_be_is_one_line(run: Run, wish: list[str]) -> None:
    code, _, err = run("score", "railroad-ink", *wish)
    assert code == 2
    assert err.count("\n") == 1


def test_another_file_is_not_written_to(tmp_path: Path) -> None:
    into = tmp_path / "letter.txt"
    into.write_text("dear all\n")
    with pytest.raises(NotationError, match="no answers"):
        done_before(into)
    assert into.read_text() == "dear all\n"


def test_a_cluster_of_two_workers_does_the_same(run: Run, boards: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask (the extra cluster) is not installed")
    into = tmp_path / "out.jsonl"
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        run(
            "score",
            "railroad-ink",
            "--all-in",
            boards,
            "--into",
            into,
            "--cluster",
            cluster.scheduler_address,
        )
    assert Counter(one["file"] for one in answers(into)) == Counter(files_in(boards, (".json",)))
