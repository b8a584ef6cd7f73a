"""Bulk reading: pictures a second on one core, on two, on a local cluster; killed in the middle and resumed.

Every run is the command itself, ``stationmaster read --all-in``, in a process of its own. In the end each
picture has to have exactly one answer, the same in every run, also in that which was killed and began anew.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from lab.club.engines import Server, free_port, running
from lab.processes import children_of, kilobytes
from lab.railroad_ink.studio.output import take_picture

GAME = "railroad-ink"
FIRST_SEED = 7_200_000  # training uses seeds below one million
_DIFFERENT = 12  # pictures that are taken; the others are the same files under other names
_BOARD = {"cells": {"b1": "NS", "b2": "NS", "b3": "NE"}}


@dataclass(frozen=True)
class Run:
    """One command, from its start to its end or to its kill."""

    answers: int  # that it added
    seconds: float  # from its first answer to its last
    start: float  # seconds until the first
    early: float  # MB of the command itself after a quarter of its answers
    late: float  # MB of it near its end
    workers: float  # MB of its largest process at work
    cores: float  # of the command and its processes, where it came to its end

    @property
    def rate(self) -> float:
        """Answers a second, once it runs."""
        return (self.answers - 1) / self.seconds if self.seconds else 0.0

    def lines(self) -> Iterator[str]:
        """The figures as lines of the report."""
        yield f"{self.rate:.2f} a second, the first after {self.start:.1f} s"
        yield f"{self.cores:.2f} cores"
        yield f"the command has {self.early:.0f} MB after a quarter, {self.late:.0f} MB at the end"
        if self.workers:
            yield f"a process at work up to {self.workers:.0f} MB"


def bulk(pictures: int, positions: int) -> Iterator[str]:
    """All of it; lines to print."""
    with tempfile.TemporaryDirectory(prefix="club-bulk-", dir="/tmp") as name:
        folder = Path(name)
        yield from _one_file_once(
            "score", _positions(folder / "positions", positions), folder, [["--jobs", "2"]]
        )
        photos = _photographs(folder / "pictures", pictures)
        with _cluster(folder / "cluster") as scheduler:
            ways = [["--jobs", "1"], ["--jobs", "2"], ["--cluster", scheduler]]
            yield from _one_file_once("read", photos, folder, ways)


def _one_file_once(command: str, files: Path, folder: Path, ways: Sequence[list[str]]) -> Iterator[str]:
    """Every way to its end, then once more with a kill in the middle; the answers of all are compared."""
    wanted = Counter(str(one) for one in sorted(files.iterdir()))
    first = None
    for way in ways:
        whole, killed = (
            folder / f"{command}-{''.join(way)[2:9]}-{kind}.jsonl" for kind in ("whole", "killed")
        )
        run = _ran(command, files, whole, way)
        yield f"{command} {' '.join(way)}: {'; '.join(run.lines())}"
        ended = _ran(command, files, killed, way, kill_after=len(wanted) // 3)
        rest = _ran(command, files, killed, way)
        told = [_answers(one) for one in (whole, killed)]
        right = all(Counter(told_one.keys()) == wanted for told_one in told)
        once = all(_lines(one) == len(wanted) for one in (whole, killed))
        first = first or told[0]
        same = all(one == first for one in told)
        yield (
            f"  killed after {ended.answers} of {len(wanted)}, resumed with {rest.answers}:"
            f" {'each file once' if right and once else 'FILES MISSING OR TWICE'},"
            f" answers {'the same' if same else 'DIFFER'}"
        )
        if not (right and once and same):
            raise subprocess.SubprocessError("something was lost or done twice")


def _ran(command: str, files: Path, into: Path, way: list[str], kill_after: int = 0) -> Run:
    """Run the command, and watch its answers and memory; ``kill_after`` so many answers with -9."""
    before, spent = _lines(into), _spent()
    begun = time.monotonic()
    request = ["-m", "companion", command, GAME, "--all-in", str(files), "--into", str(into), *way]
    # What a killed one leaves to say is no news.
    told = subprocess.DEVNULL if kill_after else None
    process = subprocess.Popen([sys.executable, *request], process_group=0, stderr=told)
    seen: list[tuple[float, int]] = []  # when, how many answers
    held: list[float] = []
    largest = 0.0
    while process.poll() is None:
        done = _lines(into) - before
        if done > (seen[-1][1] if seen else 0):
            seen.append((time.monotonic() - begun, done))
            own, others = _memory(process.pid)
            held.append(own)
            largest = max(largest, others)
        if kill_after and done >= kill_after:
            process.kill()
            break
        time.sleep(0.005 if kill_after else 0.05)
    process.wait()
    done = _lines(into) - before
    if not held:  # nothing was left to do, or it was done between two looks
        return Run(done, 0.0, time.monotonic() - begun, 0.0, 0.0, 0.0, 0.0)
    if done > seen[-1][1]:
        seen.append((time.monotonic() - begun, done))
    quarter = next(at for at, one in enumerate(seen) if 4 * one[1] >= done)
    start, end = seen[0][0], seen[-1][0]
    cores = (_spent() - spent) / (time.monotonic() - begun)
    return Run(done, end - start, start, held[min(quarter, len(held) - 1)], held[-1], largest, cores)


def _spent() -> float:
    """Processor time of everything that was started here and has ended."""
    told = resource.getrusage(resource.RUSAGE_CHILDREN)
    return told.ru_utime + told.ru_stime


def _lines(into: Path) -> int:
    """How many whole lines a file has; 0 where there is none."""
    return into.read_bytes().count(b"\n") if into.exists() else 0


def _answers(into: Path) -> dict[str, object]:
    told = [json.loads(line) for line in into.read_text(encoding="utf-8").splitlines()]
    return {str(one.get("photo", one.get("file"))): one for one in told}


def _memory(process: int) -> tuple[float, float]:
    """MB of a process, and of the largest of its children."""
    return _resident(process), max(map(_resident, children_of(process)), default=0.0)


def _resident(process: int) -> float:
    try:
        return kilobytes(process) * 1024 / 1e6
    except (OSError, StopIteration):  # it has just ended
        return 0.0


def _positions(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:06}.json").write_text(json.dumps(_BOARD))
    return folder


def _photographs(folder: Path, count: int) -> Path:
    """Boards at a table; the same seeds give the same pictures."""
    folder.mkdir()
    different = min(_DIFFERENT, count)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        taken = list(pool.map(_taken, range(different)))
    for number in range(count):
        (folder / f"{number:06}.jpg").write_bytes(taken[number % different])
    return folder


def _taken(number: int) -> bytes:
    return take_picture(FIRST_SEED + number, "table")[0]


@contextmanager
def _cluster(folder: Path) -> Iterator[str]:
    """A Dask scheduler and two workers with a thread each, as three processes; the scheduler's address."""
    address = f"tcp://127.0.0.1:{free_port()}"
    parts = [
        ["scheduler", "--host", address, "--no-dashboard", "--no-show"],
        *(["worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"] for _ in range(2)),
    ]
    servers = []
    for number, part in enumerate(parts):
        place = folder / str(number)
        place.mkdir(parents=True)
        shown = ["--local-directory", str(place)] if part[0] == "worker" else []
        command = [sys.executable, "-m", f"distributed.cli.dask_{part[0]}", *part[1:], *shown]
        servers.append(Server(command, place))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.enter_context(running(*servers))
        from distributed import Client

        with Client(address, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
        yield address
