"""Whole folders at once: ``read`` and ``score`` over processes, or a Dask cluster; resumable, each file once.

Answers are appended to one file, a line each, as soon as they are there. What stands in that file is done:
started again after a kill, the command cuts off a half-written line, leaves out what has its answer, and goes
on. The work in hand is bounded, so the pictures never fill the memory. Lines come in the order in which they
are done, each with the ``photo`` or ``file`` it is about; a file that cannot be read gets a line with an
``error``, and that is its answer.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from companion.commands.exits import BAD_INPUT, FINE
from companion.games.contract import Plain
from companion.games.kit.errors import GameError, NotationError

PHOTOGRAPHS = (".jpg", ".jpeg", ".png", ".webp", ".heic")
POSITIONS = (".json",)
_IN_HAND = 4  # files for each process
Work: TypeAlias = Callable[[str, str], Plain]  # game and file in, the answer out


@dataclass(frozen=True)
class Bulk:
    """What is asked for."""

    game: str
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
    """What these options ask for; None without ``--all-in``."""
    if options.all_in is None:
        return None
    if options.into is None:
        raise NotationError("no-into", "--all-in needs --into FILE, where answers are kept")
    if not options.all_in.exists():
        raise NotationError("no-folder", f"{options.all_in} is neither a folder nor a listing")
    if not 1 <= options.jobs <= 1024:
        raise NotationError("bad-jobs", "--jobs is a number from 1 to 1024")
    return Bulk(options.game, options.all_in, options.into, options.jobs, options.cluster)


def read_all(wish: Bulk) -> int:
    """Read every photograph of the folder."""
    return _done_all(wish, PHOTOGRAPHS, read_one)


def score_all(wish: Bulk) -> int:
    """Score every position of the folder, a file each."""
    return _done_all(wish, POSITIONS, score_one)


def read_one(game: str, file: str) -> Plain:
    """What is on one photograph, as ``read`` prints it."""
    from vision.errors import VisionError

    reader, wish, known = _reader(game)
    try:
        return {**known.told(reader.read(Path(file).read_bytes(), wish)).as_json(file), "photo": file}
    except (OSError, VisionError, GameError) as problem:
        return {"photo": file, "error": _error(problem)}


def score_one(game: str, file: str) -> Plain:
    """The score of one position, as ``score`` prints it."""
    from companion.games.kit.jsontext import read_object
    from companion.games.registry import find_game

    try:
        return {"file": file, **find_game(game).score_position(read_object(Path(file).read_bytes()))}
    except (OSError, GameError) as problem:
        return {"file": file, "error": _error(problem)}


def _error(problem: Exception) -> Plain:
    return {
        "code": getattr(problem, "code", "unreadable"),
        "message": getattr(problem, "message", str(problem)),
    }


@cache
def _reader(game: str) -> tuple[Any, Any, Any]:
    """Each process makes its reader once."""
    import cv2

    from companion.games.faces import find_reader
    from companion.games.sight import Wish

    cv2.setNumThreads(1)  # the processes are what is at work side by side
    reader, wish = find_reader(game), Wish()
    return reader, wish, reader.known(wish, None)


def _done_all(wish: Bulk, endings: tuple[str, ...], work: Work) -> int:
    done = done_before(wish.into)
    files = (one for one in files_in(wish.folder, endings) if one not in done)
    worst, count = FINE, len(done)
    with wish.into.open("ab") as out, _workers(wish) as submit:
        for answer in _answers(files, submit, work, wish):
            out.write(msgspec.json.encode(answer) + b"\n")
            out.flush()
            count += 1
            worst = BAD_INPUT if "error" in answer else worst
            if sys.stderr.isatty():
                print(f"\r{count} done", end="", file=sys.stderr)
    return worst


def files_in(folder: Path, endings: tuple[str, ...]) -> Iterator[str]:
    """The files, folder by folder, by their names; or those that a listing has, one a line."""
    if folder.is_file():
        with folder.open(encoding="utf-8") as listing:
            yield from (line.strip() for line in listing if line.strip().lower().endswith(endings))
        return
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda one: one.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from files_in(Path(entry.path), endings)
        elif entry.name.lower().endswith(endings):
            yield entry.path


def done_before(into: Path) -> set[str]:
    """The files that have their answer; a last line that was cut off by a kill is taken away."""
    if not into.exists():
        return set()
    found, whole = set(), 0
    with into.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            found.add(_answered(line, into))
            whole += len(line)
    os.truncate(into, whole)
    return found


def _answered(line: bytes, into: Path) -> str:
    """The file that this line is the answer to."""
    try:
        told = json.loads(line)
    except ValueError:
        told = None
    name = told.get("photo", told.get("file")) if isinstance(told, dict) else None
    if not isinstance(name, str):
        raise NotationError("not-answers", f"{into} has lines that are no answers: name another file")
    return name


@contextmanager
def _workers(wish: Bulk) -> Iterator[Callable[..., Any]]:
    """What takes work: a pool of processes, or a cluster."""
    if not wish.cluster:
        with ProcessPoolExecutor(wish.jobs, mp_context=get_context("spawn")) as pool:
            yield pool.submit
        return
    if find_spec("distributed") is None:
        raise NotationError(
            "no-cluster", "--cluster needs Dask: install Stationmaster with the extra cluster"
        )
    from distributed import Client

    with Client(wish.cluster, timeout=10) as client:
        get = client.get_executor(pure=False)
        yield get.submit


def _answers(files: Iterator[str], submit: Callable[..., Any], work: Work, wish: Bulk) -> Iterator[Plain]:
    """Answers as they come, with a bounded amount of work in hand."""
    in_hand: set[Future[Plain]] = set()
    for file in files:
        in_hand.add(submit(work, wish.game, file))
        while len(in_hand) >= _IN_HAND * wish.jobs:
            done, in_hand = wait(in_hand, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)
    yield from (one.result() for one in as_completed(in_hand))
