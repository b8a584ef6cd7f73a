"""Whole folders: each file once, also when the work was killed in the middle; bad files have answers, too."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from companion.cli.bulk import Bulk, done_all, done_before, files_in
from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from lab.processes import children_of
from lab.railroad_ink.studio.output import take_picture
from tests.companion.cli.running import Run

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
    request = ("score", "railroad-ink", "--all-in", boards, "--into", into, "--jobs", 2)
    code, _, _ = run(*request)
    told = answers(into)
    assert code == 2  # one of them cannot be read
    assert Counter(one["file"] for one in told) == Counter(files_in(boards, (".json",)))
    assert sum("error" in one for one in told) == 1
    alone = run("score", "railroad-ink", fed=json.dumps(BOARD))[1]
    assert next(one for one in told if "error" not in one)["total"] == json.loads(alone)["total"]
    before = into.read_bytes()
    code, _, _ = run(*request)
    assert into.read_bytes() == before


def test_killed_in_the_middle_and_resumed(run: Run, boards: Path, tmp_path: Path) -> None:
    into = tmp_path / "out.jsonl"
    request = ["score", "railroad-ink", "--all-in", str(boards), "--into", str(into), "--jobs", "1"]
    process = subprocess.Popen([sys.executable, "-m", "companion", *request], start_new_session=True)
    until(lambda: process.poll() is not None or (into.exists() and into.stat().st_size > 0))
    left = children_of(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: not any(is_alive(one) for one in left))  # nobody waits for work for ever
    with into.open("ab") as file:  # as a power cut leaves it
        file.write(b'{"file": "half')
    run(*request)
    assert Counter(one["file"] for one in answers(into)) == Counter(files_in(boards, (".json",)))


def until(holds: Callable[[], bool]) -> None:
    """Wait for other processes; a deadline, no stop-watch."""
    end, pause = time.monotonic() + 60, threading.Event()
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        pause.wait(0.01)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_one_command_at_a_time_writes_to_a_file(run: Run, boards: Path, tmp_path: Path) -> None:
    into = tmp_path / "out.jsonl"
    with into.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, _, err = run("score", "railroad-ink", "--all-in", boards, "--into", into, "--jobs", 1)
    assert code == 2
    assert "another command" in err
    assert not into.read_bytes()


def end_at_once(_file: str) -> JsonObject:
    """As a process ends that takes more memory than there is."""
    os._exit(9)


def test_a_process_that_was_ended_is_one_sentence(boards: Path, tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="fewer --jobs"):
        done_all(Bulk(boards, tmp_path / "out.jsonl", 1, ""), (".json",), end_at_once)


@pytest.fixture
def bucket(boards: Path) -> Iterator[str]:
    """The boards over HTTP, as a bucket hands them out."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=boards)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_bucket_s_listing_with_addresses_that_change(
    run: Run, bucket: str, boards: Path, tmp_path: Path
) -> None:
    """Each grants access for an hour; tomorrow the same file has another address."""
    names = [f"{bucket}/{Path(one).relative_to(boards)}" for one in files_in(boards / "table1", (".json",))]
    listing, into = tmp_path / "listing", tmp_path / "out.jsonl"
    request = ("score", "railroad-ink", "--all-in", listing, "--into", into, "--jobs", 1)
    listing.write_text("\n".join(f"{name}?Signature={number}" for number, name in enumerate(names[:9])))
    assert run(*request)[0] == 0
    listing.write_text("\n".join(f"{name}?Signature=x" for name in [*names, f"{bucket}/table1/none.json"]))
    assert run(*request)[0] == 2
    told = answers(into)
    assert [one["file"] for one in told if "error" in one] == [f"{bucket}/table1/none.json"]
    assert Counter(one["file"] for one in told if "error" not in one) == Counter(names)


def test_a_listing_names_the_files(run: Run, boards: Path, tmp_path: Path) -> None:
    listing, into = tmp_path / "listing", tmp_path / "out.jsonl"
    wanted = list(files_in(boards / "table1", (".json",)))
    listing.write_text("\n".join(wanted))
    code, _, _ = run("score", "railroad-ink", "--all-in", listing, "--into", into, "--jobs", 1)
    assert code == 0
    assert sorted(str(one["file"]) for one in answers(into)) == wanted


@pytest.mark.parametrize(
    "request_",
    [
        ["--all-in", "nowhere", "--into", "x"],
        ["--all-in", "."],
        ["--all-in", ".", "--into", "x", "--jobs", "0"],
        ["--all-in", ".", "--into", "x", "--explain"],
        ["--all-in", ".", "--into", "x", "--cluster", "nowhere"],
    ],
)
def test_what_cannot_be_is_one_line(
    run: Run, request_: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("score", "railroad-ink", *request_)
    assert code == 2
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "request_",
    [
        ["--text"],
        ["--join"],
        ["--overlay", "x.png"],
        ["x.jpg"],
        ["--expansion", "nowhere"],
        ["--taught", "n"],
    ],
)
def test_options_of_reading_hold_for_a_folder_or_are_refused(
    run: Run, request_: list[str], tmp_path: Path
) -> None:
    """None of them is passed over in silence."""
    code, _, err = run("read", "railroad-ink", *request_, "--all-in", tmp_path, "--into", tmp_path / "out")
    assert code == 2
    assert err.count("\n") == 1


def test_a_folder_s_photographs_are_read_as_one_by_one(run: Run, tmp_path: Path) -> None:
    photo, into = tmp_path / "board.jpg", tmp_path / "out.jsonl"
    photo.write_bytes(take_picture(7_100_001, "clean")[0])
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    known = ("--rolled", "NS,ne,Ns*,NES", "--edition", "challenge")
    alone = json.loads(run("read", "railroad-ink", photo, *known)[1])
    code, _, _ = run("read", "railroad-ink", *known, "--all-in", tmp_path, "--into", into, "--jobs", 1)
    assert code == 2
    told = {str(one["photo"]): one for one in answers(into)}
    assert told[str(photo)] == alone
    assert "error" in told[str(tmp_path / "broken.jpg")]


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
