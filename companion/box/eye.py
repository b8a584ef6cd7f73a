"""The camera and the reader of photographs, in a process of their own.

Pictures come from strangers' phones and go through decoders written in C. Whatever a picture does there, and
however long it takes, the table, its dice and its pages go on: the process is confined, watched, and started
again when it dies.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeAlias

from companion.games.contract import Plain
from companion.table.exc import TableError
from companion.table.match import Match

Corners: TypeAlias = tuple[tuple[float, float], ...]
_PATIENCE = 30.0  # seconds; the first picture also waits for the reader to be loaded


@dataclass(frozen=True)
class ReadTask:
    """Read the board of a seat. ``fresh``: straight from a phone, still with everything in it that it had."""

    photo: bytes
    match: Match
    seat: int
    answers: Mapping[str, str] = field(default_factory=dict)
    fresh: bool = True
    corners: Corners | None = None  # of the grid, in pixels of the photograph, when somebody marked them
    taught: tuple[Path, ...] = ()  # boards of the owner's own to look for


@dataclass(frozen=True)
class TeachTask:
    """Learn an empty board from a photograph and the corners of its grid, and keep it in a file."""

    photo: bytes
    corners: Corners
    edition: str
    path: Path


@dataclass(frozen=True)
class LookTask:
    """What is to be seen in a picture, and how well: help for placing the camera."""

    photo: bytes


@dataclass(frozen=True)
class SeenSheet:
    """A sheet in view; ``says`` is advice, empty when there is nothing to better."""

    seat: int
    edition: str
    corners: tuple[tuple[float, float], ...]
    says: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """A picture with what was found in it; places are in shares of its width and height."""

    sheets: tuple[SeenSheet, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class TakeTask:
    """Take a picture with the box's camera; the studio's camera shows the boards of the match."""

    camera: str
    match: Match


@dataclass(frozen=True)
class ScoreTask:
    """Score every finished board in a photograph, without any match."""

    photo: bytes


@dataclass(frozen=True)
class ScoredBoard:
    """One board of such a photograph: a position, and whatever is to be said of it."""

    seat: int
    edition: str
    outcome: str
    cells: dict[str, str]
    rounds: dict[str, int]
    doubtful: tuple[str, ...]
    says: tuple[str, ...]
    grid: bytes


@dataclass(frozen=True)
class BoardPicture:
    """What became of a photograph: the cleaned picture, the answer of the rules, the grid straightened."""

    photo: bytes
    answer: Plain
    grid: bytes | None


@dataclass(frozen=True)
class Failed:
    """A sentence for people."""

    code: str
    message: str


Task: TypeAlias = ReadTask | TakeTask | ScoreTask | TeachTask | LookTask


class Eye:
    """One process that does one thing at a time."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection[Task, Any] | None = None

    def start(self) -> None:
        """Load the reader now, so that the first photograph need not wait for it."""
        with self._lock:
            self._started()

    def stop(self) -> None:
        """Give everything back; more than once does no harm."""
        with self._lock:
            self._end()

    def read(self, task: ReadTask) -> BoardPicture:
        """Read a photograph, or a :class:`TableError` that says what is wrong with it."""
        made: BoardPicture = self._done(task)
        return made

    def score(self, task: ScoreTask) -> tuple[list[ScoredBoard], list[str]]:
        """The boards of a photograph, and notes on it."""
        made: tuple[list[ScoredBoard], list[str]] = self._done(task)
        return made

    def teach(self, task: TeachTask) -> None:
        """Learn an empty board."""
        self._done(task)

    def look(self, task: LookTask) -> View:
        """What is to be seen in a picture."""
        made: View = self._done(task)
        return made

    def take(self, task: TakeTask) -> bytes:
        """A picture from the box's camera, packed."""
        made: bytes = self._done(task)
        return made

    def _done(self, task: Task) -> Any:
        with self._lock:
            pipe = self._started()
            try:
                pipe.send(task)
                if not pipe.poll(self._patience):
                    raise TimeoutError
                answer = pipe.recv()
            except (EOFError, OSError) as problem:
                self._end()
                slow = isinstance(problem, TimeoutError)
                message = "that takes too long" if slow else "that picture broke the reader"
                raise TableError("bad-photo", f"{message}: take another one") from problem
        if isinstance(answer, Failed):
            raise TableError(answer.code, answer.message)
        return answer

    def _started(self) -> Connection[Task, Any]:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self._end()
            from companion.box.eye_process import work

            context = get_context("spawn")  # nothing of the table's threads and files goes along
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs,), name="eye", daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None
