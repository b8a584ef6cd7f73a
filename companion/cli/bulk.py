"""Whole folders at once: ``read`` and ``score`` over processes, or a Dask cluster; resumable, each file once.

Answers are appended to one file, a line each, as soon as they are there. What stands in that file is done:
started again after a kill, the command cuts off a half-written line, leaves out what has its answer, and goes
on. One command at a time writes to a file. The work in hand is bounded, so the pictures never fill the
memory. Lines come in the order in which they are done, each with the ``photo`` or ``file`` it is about; a
file that cannot be read gets a line with an ``error``, and that is its answer.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from traceback import format_exception_only, print_exception
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from companion.cli.output import BAD_INPUT, FINE, NOT_SO
from companion.core.errors import NotationError, StationmasterError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from companion.core.jsontext import JsonObject

PHOTOGRAPHS = (".jpg", ".jpeg", ".png", ".webp", ".heic")
POSITIONS = (".json",)
FAULT = "fault"  # the code of an error that is the program's own
_IN_HAND = 4  # files for each process
_PATIENCE = 60.0  # seconds for a file that a listing names by its address
_MOST_BYTES = 64 * 2**20  # of such a file
Work: TypeAlias = "Callable[[str], JsonObject]"  # a file in, its answer out; the processes are handed a copy
Submit: TypeAlias = "Callable[[Work, str], Future[JsonObject]]"


@dataclass(frozen=True)
class Bulk:
    """Which files, where their answers go, and who does the work."""

    folder: Path
    into: Path
    jobs: int
    cluster: str


def add_options(command: Any) -> None:
    """The options of a command that can do whole folders."""
    command.add_argument(
        "--all-in", metavar="FOLDER", type=Path, help="every file below this folder, or in this listing"
    )
    command.add_argument(
        "--into", metavar="FILE", type=Path, help="where answers are appended; going on if it is there"
    )
    command.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at work (usually one a core)"
    )
    command.add_argument(
        "--cluster", metavar="ADDRESS", default="", help="a Dask scheduler, such as tcp://host:8786"
    )


def wished(options: argparse.Namespace) -> Bulk | None:
    """Return the bulk work that these options ask for; None without ``--all-in``."""
    if options.all_in is None:
        return None
    if options.into is None:
        raise NotationError("no-into", "--all-in needs --into FILE, where answers are kept")
    if not options.all_in.exists():
        raise NotationError("no-folder", f"{options.all_in} is neither a folder nor a listing")
    if not 1 <= options.jobs <= 1024:
        raise NotationError("bad-jobs", "--jobs is a number from 1 to 1024")
    return Bulk(options.all_in, options.into, options.jobs, options.cluster)


def score_all(game: str, request: Bulk) -> int:
    """Score every position of the folder, a file each."""
    return done_all(request, POSITIONS, partial(score_one, game))


def score_one(game: str, file: str) -> JsonObject:
    """The score of one position, as ``score`` prints it."""
    from companion.core.jsontext import read_object
    from companion.game.registry import find_game

    try:
        return {"file": name_of(file), **find_game(game).score_position(read_object(content_of(file)))}
    except Exception as problem:  # noqa: BLE001 - told, and the others go on
        return {"file": name_of(file), "error": error_of(problem)}


def error_of(problem: Exception) -> JsonObject:
    """What a line says of a file that has no other answer."""
    return fault_of(problem) or {
        "code": getattr(problem, "code", "unreadable"),
        "message": getattr(problem, "message", str(problem)),
    }


def fault_of(problem: Exception) -> JsonObject:
    """What a line says of a file at which this program itself failed, with the traceback on standard error.

    Nothing where the file was at fault, and whoever refused it says so in a sentence.
    """
    if isinstance(problem, OSError | StationmasterError):
        return {}
    print_exception(problem)
    said = format_exception_only(problem)[-1].strip()
    message = f"this program failed at it: {said} (where is on standard error; please report it)"
    return {"code": FAULT, "message": message}


def name_of(file: str) -> str:
    """What an answer calls a file. A web address that grants access for a while is another one tomorrow.

    >>> name_of("https://bucket.example/a/1.jpg?Signature=x"), name_of("boards/why?.jpg")
    ('https://bucket.example/a/1.jpg', 'boards/why?.jpg')
    """
    return file.partition("?")[0] if _is_address(file) else file


def _is_address(file: str) -> bool:
    return urlsplit(file).scheme in ("http", "https") if "://" in file else False


def content_of(file: str) -> bytes:
    """A file's bytes, from the disk, or from the address that a bucket's listing gives."""
    if not _is_address(file):
        return Path(file).read_bytes()
    from urllib.request import urlopen

    with urlopen(file, timeout=_PATIENCE) as answer:  # only http and https come here
        content: bytes = answer.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(f"the file has more than {_MOST_BYTES:,} bytes")
    return content


def done_all(request: Bulk, endings: tuple[str, ...], work: Work) -> int:
    """Do the work for every file that has no answer yet; return the exit code."""
    from companion.core.jsontext import json_of

    with _answers_file(request.into) as out:
        done = done_before(request.into)
        files = (one for one in files_in(request.folder, endings) if name_of(one) not in done)
        worst, count = FINE, len(done)
        with _workers(request) as (submit, hands):
            for answer in _answers(files, submit, work, _IN_HAND * hands):
                out.write(json_of(answer) + b"\n")
                out.flush()
                count += 1
                worst = max(worst, exit_code_of(answer))
                if sys.stderr.isatty():
                    print(f"\r{count} done", end="", file=sys.stderr)
    return worst


def exit_code_of(answer: JsonObject) -> int:
    """Return the exit code that this answer calls for."""
    error = answer.get("error")
    return FINE if error is None else NOT_SO if error["code"] == FAULT else BAD_INPUT


@contextmanager
def _answers_file(into: Path) -> Iterator[Any]:
    """Open and lock the file of answers: two commands at once would do everything twice."""
    with into.open("ab") as out:
        try:
            fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"another command writes its answers to {into}: wait for it, or name another file"
            raise NotationError("in-use", message) from None
        yield out


def files_in(folder: Path, endings: tuple[str, ...]) -> Iterator[str]:
    """The files, folder by folder, by their names; or those that a listing has, one a line."""
    if folder.is_file():
        with folder.open(encoding="utf-8") as listing:
            names = (line.strip() for line in listing)
            yield from (name for name in names if name_of(name).lower().endswith(endings))
        return
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda one: one.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from files_in(Path(entry.path), endings)
        elif entry.name.lower().endswith(endings):
            yield entry.path


def done_before(into: Path) -> set[str]:
    """Return the files already answered; a last line cut off by a kill is removed."""
    if not into.exists():
        return set()
    found, whole = set(), 0
    with into.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            # Return the name of the file to which this line is the answer
            try:
                told = json.loads(line)
            except ValueError:
                told = None
            name = told.get("photo", told.get("file")) if isinstance(told, dict) else None
            if not isinstance(name, str):
                raise NotationError("not-answers", f"{into} has lines that are no answers: name another file")
            found.add(name)
            whole += len(line)
    os.truncate(into, whole)
    return found


@contextmanager
def _workers(request: Bulk) -> Iterator[tuple[Submit, int]]:
    """What takes work, a pool of processes or a cluster; and how many files it does at the same time."""
    if not request.cluster:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(request.jobs, get_context("spawn"), _end_with_parent) as pool:
            yield pool.submit, request.jobs
        return
    if find_spec("distributed") is None:
        raise NotationError(
            "no-cluster", "--cluster needs Dask: install Stationmaster with the extra cluster"
        )
    from distributed import Client

    try:
        client = Client(request.cluster, timeout=10)
    except (OSError, ValueError) as problem:
        message = f"no Dask scheduler answers at {request.cluster}: write it as tcp://host:8786"
        raise NotationError("no-cluster", message) from problem
    with client:
        yield client.get_executor(pure=False).submit, max(1, sum(client.nthreads().values()))


def _end_with_parent() -> None:
    """End a process of the pool together with its parent, so that none waits for work for ever."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait as wait_for

    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait_for([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _answers(files: Iterator[str], submit: Submit, work: Work, most: int) -> Iterator[JsonObject]:
    """Yield answers as they come, with a bounded number of tasks in flight."""
    from concurrent.futures import FIRST_COMPLETED, wait

    in_hand: set[Future[JsonObject]] = set()
    for file in files:
        in_hand.add(submit(work, file))
        if len(in_hand) >= most:
            done, in_hand = wait(in_hand, return_when=FIRST_COMPLETED)
            yield from map(_answer, done)
    while in_hand:
        done, in_hand = wait(in_hand, return_when=FIRST_COMPLETED)
        yield from map(_answer, done)


def _answer(done: Future[JsonObject]) -> JsonObject:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return done.result()
    except BrokenProcessPool:
        message = (
            "a process at work was ended from outside, perhaps for want of memory; what is answered is kept:"
            " give the same command again, with fewer --jobs"
        )
        raise NotationError("worker-ended", message) from None
