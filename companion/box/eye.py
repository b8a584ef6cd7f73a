"""The camera and the reader of photographs, in a process of their own.

Pictures come from strangers' phones and go through decoders written in C. Whatever a picture does there, and
however long it takes, the table, its dice and its pages go on: the process is confined, watched, and started
again when it dies.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from companion.box.turns import Turns
from companion.core.messages import m
from companion.games.sight import BoardReading, CameraView, Corners, Scope, ScoredPhoto, TaughtBoardAnswer
from companion.table.exc import TableError

_PATIENCE = 30.0  # seconds; the first picture also waits for the reader to be loaded


@dataclass(frozen=True)
class Shot:
    """A picture to be taken with the box's camera; ``number`` makes those of a demonstration differ.

    ``lamps``: the panel has two, so that a picture can be lit from either side.
    """

    camera: str
    number: int
    rotation: int = 0
    crop: tuple[float, ...] = ()
    focus: str = "auto"
    lamps: bool = False


@dataclass(frozen=True)
class LampWish:
    """What the reader's process asks for while it takes a picture: light from there; neither: as before."""

    left: bool
    right: bool


# From a phone, still with everything in it that it had; to be taken now; or kept, named by its digest.
Photo: TypeAlias = bytes | Shot | Path


@dataclass(frozen=True)
class ReadTask:
    """Read a seat's board in a match of a game; without a seat every board in a picture of the whole table.

    ``corners``: of its area in pixels of the photograph, when somebody marked them; ``taught``: files of
    boards of the owner's own to look for. ``parts``: kept photographs of other parts of the same table, read
    with this one as one; ``scope``: what is asked of a board of all; ``players``: the colours that people
    chose, with their seats; ``match``: which one it is, so that its photographs may help each other.
    """

    game: str
    state: Any
    photo: Photo
    seat: int | None
    answers: Mapping[str, str] = field(default_factory=dict)
    corners: Corners | None = None
    taught: tuple[Path, ...] = ()
    parts: tuple[Path, ...] = ()
    scope: Scope = ""
    players: tuple[tuple[str, int], ...] = ()
    match: str = ""


@dataclass(frozen=True)
class PhotoRead:
    """What was read by seat; ``cleaned``: the photograph to be kept under its digest, if it is not yet."""

    digest: str
    cleaned: bytes | None
    boards: Mapping[int, BoardReading]


@dataclass(frozen=True)
class TeachTask:
    """Learn an empty board from a kept photograph and the corners of its area, into a file of the folder."""

    game: str
    state: Any
    photo: Path
    seat: int
    corners: Corners
    folder: Path


@dataclass(frozen=True)
class CleanTask:
    """Clean a photograph, to be kept."""

    photo: bytes


@dataclass(frozen=True)
class CleanPhoto:
    """A photograph with nothing in it but what it shows, and its size in pixels."""

    digest: str
    cleaned: bytes
    size: tuple[int, int]


@dataclass(frozen=True)
class TeachSegmentsTask:
    """Learn an empty board of segments, described by its owner's JSON, from a kept photograph into a file."""

    photo: Path
    corners: Corners
    segments: bytes
    path: Path


@dataclass(frozen=True)
class TeachDeckTask:
    """Learn the cards of one photograph of a game's printed order, counted from 1, into a deck's file.

    ``photo`` is packed, or kept; ``corners`` are those of the field of cards, where somebody marked them.
    """

    game: str
    number: int
    edition: str
    photo: bytes | Path
    path: Path
    corners: Corners | None = None


@dataclass(frozen=True)
class ReadTaughtTask:
    """Read a photograph of such a board."""

    board: Path
    photo: bytes


@dataclass(frozen=True)
class LookTask:
    """What is to be seen in a picture, and how well: help for placing the camera."""

    game: str
    state: Any
    photo: Shot


@dataclass(frozen=True)
class WatchTask:
    """Has the table changed since it was last seen at rest, and does nothing move any more?"""

    photo: Shot


@dataclass(frozen=True)
class ScoreTask:
    """Score every finished board in a photograph without any match: of a game, or (empty) of the first."""

    photo: bytes
    game: str = ""


@dataclass(frozen=True)
class Failed:
    """A sentence for people."""

    code: str
    message: str


ForOwner: TypeAlias = CleanTask | TeachSegmentsTask | TeachDeckTask | ReadTaughtTask
Task: TypeAlias = ReadTask | ScoreTask | TeachTask | LookTask | WatchTask | ForOwner


class Eye:
    """One process that does one thing at a time."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._turns = Turns()
        self._process: BaseProcess | None = None
        self._pipe: Connection[Task, Any] | None = None
        self._first = ""
        self.light: Callable[[LampWish], None] = lambda _: None  # lights the table for a picture

    def start(self, game: str = "") -> None:
        """Load a game's reader now, so that its first photograph need not wait; others load when asked."""
        with self._lock:
            self._first = game
            self._started()

    def stop(self) -> None:
        """Give everything back; more than once does no harm."""
        with self._lock:
            self._end()

    def read(self, task: ReadTask) -> PhotoRead:
        """Read a photograph, or a :class:`TableError` that says what is wrong with it."""
        made: PhotoRead = self._done(task)
        return made

    def score(self, task: ScoreTask) -> ScoredPhoto:
        """The boards of a photograph, and notes on it."""
        made: ScoredPhoto = self._done(task)
        return made

    def teach(self, task: TeachTask) -> TaughtBoardAnswer:
        """Learn an empty board; the name it got, and what its owner should know."""
        made: TaughtBoardAnswer = self._done(task)
        return made

    def clean(self, task: CleanTask) -> CleanPhoto:
        """A photograph to be kept."""
        made: CleanPhoto = self._done(task)
        return made

    def teach_segments(self, task: TeachSegmentsTask) -> TaughtBoardAnswer:
        """Learn an empty board of segments."""
        made: TaughtBoardAnswer = self._done(task)
        return made

    def teach_deck(self, task: TeachDeckTask) -> TaughtBoardAnswer:
        """Learn one photograph of a deck."""
        made: TaughtBoardAnswer = self._done(task)
        return made

    def read_taught(self, task: ReadTaughtTask) -> BoardReading:
        """What lies on such a board: colours by segment, in what a ruling would be."""
        made: BoardReading = self._done(task)
        return made

    def look(self, task: LookTask) -> CameraView:
        """A picture, and what is to be seen in it."""
        made: CameraView = self._done(task)
        return made

    def watch(self, task: WatchTask) -> bool:
        """One look at the table."""
        made: bool = self._done(task)
        return made

    def _done(self, task: Task) -> Any:
        plays = not isinstance(task, ScoreTask)  # everybody may have a board scored; those who play go first
        with self._turns.turn(plays=plays), self._lock:
            pipe = self._started()
            try:
                pipe.send(task)
                answer = self._answer(pipe)
            except (EOFError, OSError) as problem:
                self._end()
                slow = isinstance(problem, TimeoutError)
                message = m("that takes too long") if slow else m("that picture broke the reader")
                raise TableError("bad-photo", m("{message}: take another one", message=message)) from problem
        if isinstance(answer, Failed):
            raise TableError(answer.code, answer.message)
        return answer

    def _answer(self, pipe: Connection[Any, Any]) -> Any:
        """What comes of a task; meanwhile lamps are lit as it asks for."""
        until = monotonic() + self._patience
        lit = False
        try:
            while True:
                if not pipe.poll(max(0.0, until - monotonic())):
                    raise TimeoutError
                answer = pipe.recv()
                if not isinstance(answer, LampWish):
                    return answer
                lit = True
                self.light(answer)
                pipe.send(answer)
        finally:
            if lit:
                self.light(LampWish(False, False))

    def _started(self) -> Connection[Task, Any]:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self._end()
            from companion.box.eye_process import work

            context = get_context("spawn")  # nothing of the table's threads and files goes along
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs, self._first), name="eye", daemon=True)
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
