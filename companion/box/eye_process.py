"""What runs in the reader's own process: see :mod:`companion.box.eye`.

A photograph is decoded once: it is cleaned, read and straightened from the same pixels. What was read is kept
for a while, so that answering a doubtful slot rules again and reads nothing.
"""

from __future__ import annotations

import logging
import resource
import signal
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.box.eye import Failed, LookTask, Photo, PhotoRead, ReadTask, ScoreTask, Shot, Task, TeachTask
from companion.box.memory import give_memory_back
from companion.games.faces import (
    Reader,
    Scoring,
    Teachable,
    find_reader,
    find_studio,
    games_with_eyes,
)
from companion.games.kit.errors import GameError, NotationError
from companion.games.kit.evidence import PhotoReading
from companion.games.packages import find_package
from companion.games.sight import (
    BoardReading,
    CameraView,
    FoundBoard,
    FoundPosition,
    ScoredPhoto,
    TaughtBoardAnswer,
    Wish,
)
from companion.table.exc import TableError

if TYPE_CHECKING:
    from companion.games.faces import Image

_MEMORY = 3 * 2**30  # address space, not memory in use
_LONGEST_SIDE = 5000  # pixels of a kept photograph
_QUALITY, _ABOVE_QUALITY = 88, 78  # of kept photographs as JPEG, and of boards seen from above
KEPT_READINGS = 8
log = logging.getLogger(__name__)


def work(pipe: Connection[Any, Task], game: str) -> None:
    """Do one task after the other until the other end is closed; first be ready for a game's photographs."""
    _confine()
    _load(game)
    worker = Worker()
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        pipe.send(_answer(worker, task))


def _confine() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which then ends this
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    give_memory_back()


def _load(game: str) -> None:
    """The first picture finds everything ready. Other games' networks would only take memory."""
    import cv2
    import numpy as np

    cv2.setNumThreads(2)
    if not game:
        return
    try:
        find_reader(game).read(np.full((480, 640, 3), 255, np.uint8), Wish())
    except Exception:  # one game's eye must not take the others' along
        log.exception("The eye of %s cannot be loaded", game)


def _answer(worker: Worker, task: Task) -> Any:
    from vision.errors import VisionError

    try:
        return worker.done(task)
    except (TableError, GameError) as problem:
        return Failed(problem.code, problem.message)
    except VisionError as problem:
        return Failed("bad-photo", str(problem))
    except MemoryError:
        return Failed("bad-photo", "that picture needs too much memory: send a smaller one")


@dataclass
class _Above:
    """A sheet cut out of a photograph and seen from above."""

    sheet: Any
    image: Image

    @cached_property
    def packed(self) -> bytes:
        """Without anything drawn on it."""
        return _packed(self.image, _ABOVE_QUALITY)


@dataclass
class _Kept:
    """A photograph as it was read, and the sheet that was last cut out of it."""

    reading: PhotoReading[Any]
    above: _Above | None = None


@dataclass
class Worker:
    """Does the tasks and remembers the last readings, by game, photograph and what was known about it."""

    _readings: OrderedDict[tuple[str, str, Wish], _Kept] = field(default_factory=OrderedDict)

    def done(self, task: Task) -> Any:
        """What the task asks for."""
        match task:
            case ReadTask():
                return self._read(task)
            case ScoreTask():
                return _scored(task)
            case TeachTask():
                return self._taught(task)
            case LookTask():
                return _looked(task)

    def _read(self, task: ReadTask) -> PhotoRead:
        """Every board that the task asks for, from one reading."""
        reader = find_reader(task.game)
        photo = _opened(task.photo, task.game, task.state)
        wish = reader.wish(task.state, task.seat, task.corners, task.taught)
        kept = self._reading(task.game, reader, photo, wish)
        seats = reader.seats(task.state) if task.seat is None else [task.seat]
        boards = {seat: _ruled(reader, kept, photo, task, seat) for seat in seats}
        return PhotoRead(photo.digest, photo.cleaned if photo.is_new else None, boards)

    def _reading(self, game: str, reader: Reader[Any, Any], photo: _Opened, wish: Wish) -> _Kept:
        key = game, photo.digest, wish
        if key not in self._readings:
            self._readings[key] = _Kept(reader.read(photo.image, wish))
        self._readings.move_to_end(key)
        while len(self._readings) > KEPT_READINGS:
            self._readings.popitem(last=False)
        return self._readings[key]

    def _taught(self, task: TeachTask) -> TaughtBoardAnswer:
        reader = find_reader(task.game)
        if not isinstance(reader, Teachable):
            title = find_package(task.game).title
            raise TableError("not-teachable", f"boards of {title} cannot be taught")
        wish = reader.wish(task.state, task.seat, task.corners, ())
        name = f"{wish.edition or task.game}-{task.photo.stem[:8]}"
        task.folder.mkdir(parents=True, exist_ok=True)
        image = _opened(task.photo, task.game, task.state).image
        says = reader.teach(task.folder / f"{name}.json", image, wish)
        self._readings.clear()  # a board of this name may have been known otherwise before
        return TaughtBoardAnswer(name, says)


def _ruled(reader: Reader[Any, Any], kept: _Kept, photo: _Opened, task: ReadTask, seat: int) -> BoardReading:
    answer = reader.answer(kept.reading, task.state, seat, task.answers, photo.digest)
    picture = None
    if answer.sheet is not None and task.seat is not None:  # nobody looks at those of the whole table
        if kept.above is None or kept.above.sheet != answer.sheet:
            kept.above = _Above(answer.sheet, reader.above(photo.image, answer.sheet))
        drawn = reader.drawn(kept.above.image, answer.sheet, answer.ruling)
        picture = kept.above.packed if drawn is kept.above.image else _packed(drawn, _ABOVE_QUALITY)
    return BoardReading(photo.digest, answer.ruling, answer.action, answer.says, picture)


# --- without a match, and for the camera ---


def _scored(task: ScoreTask) -> ScoredPhoto:
    game, reader = _scoring(task.game)
    image = _decoded(task.photo)
    reading = reader.read(image, Wish())
    boards = tuple(_found(reader, image, one) for one in reader.positions(reading))
    return ScoredPhoto(game, boards, tuple(reading.notes))


def _scoring(game: str) -> tuple[str, Any]:
    """The reader of the game named, or else the first that finds whole positions."""
    for name in [game] if game else games_with_eyes():
        reader = find_reader(name)
        if isinstance(reader, Scoring):
            return name, reader
    raise NotationError("not-scored", "boards of this game cannot be scored from a photograph alone")


def _found(reader: Reader[Any, Any], image: Image, found: FoundPosition[Any]) -> FoundBoard:
    ruling = found.ruling
    return FoundBoard(
        seat=found.seat,
        position=found.position,
        marks=ruling["cells"],
        outcome=ruling["outcome"],
        doubtful=tuple(ruling["doubtful"]),
        says=tuple(ruling["against_the_rules"]),
        picture=_packed(reader.drawn(reader.above(image, found.sheet), found.sheet, ruling), _ABOVE_QUALITY),
    )


def _looked(task: LookTask) -> CameraView:
    reader = find_reader(task.game)
    photo = _opened(task.photo, task.game, task.state)
    return CameraView(photo.cleaned, reader.view(reader.read(photo.image, Wish(quick=True))))


# --- pictures ---


@dataclass
class _Opened:
    """A photograph in this process. A kept one is decoded only when somebody wants its pixels."""

    kept: Path | None = None
    pixels: Image | None = None

    @property
    def is_new(self) -> bool:
        """Has it still to be kept?"""
        return self.kept is None

    @cached_property
    def image(self) -> Image:
        """The pixels."""
        if self.pixels is not None:
            return self.pixels
        assert self.kept is not None  # there is one or the other
        return _decoded(self.kept.read_bytes())

    @cached_property
    def cleaned(self) -> bytes:
        """Packed anew: nothing is left of it but what it shows."""
        return _packed(self.image, _QUALITY)

    @cached_property
    def digest(self) -> str:
        """Under which it is kept."""
        return sha256(self.cleaned).hexdigest() if self.kept is None else self.kept.stem


def _opened(photo: Photo, game: str, state: Any) -> _Opened:
    match photo:
        case Path():
            return _Opened(kept=photo)
        case Shot():
            return _Opened(pixels=_taken(photo, game, state))
        case _:
            return _Opened(pixels=_decoded(photo))


def _decoded(photo: bytes) -> Image:
    """The pixels of a photograph, not many more than a photograph needs."""
    from vision.decoding import Reduction, checked_header, decoded

    header = checked_header(photo)
    steps: tuple[Reduction, ...] = (1, 2, 4, 8) if header.kind in ("JPEG", "HEIC") else (1,)
    longest = max(header.size)
    step = next((step for step in steps if longest <= _LONGEST_SIDE * step), steps[-1])
    return decoded(photo, step).image


def _packed(image: Image, quality: int) -> bytes:
    import cv2

    done, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise TableError("bad-photo", "that picture cannot be packed: take another one")
    return bytes(packed)


def _taken(shot: Shot, game: str, state: Any) -> Image:
    """A picture from the box's camera; that of the demonstration sees what lies on the match's table."""
    from vision.cameras import open_camera
    from vision.watching import still_picture

    if shot.camera == "studio":
        return _decoded(find_studio(game).picture(state, shot.number))
    opened = open_camera(shot.camera)
    try:
        return still_picture(opened).image
    finally:
        opened.close()
