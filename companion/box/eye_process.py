"""What runs in the reader's own process: see :mod:`companion.box.eye`.

A photograph is decoded once: it is cleaned, read and straightened from the same pixels. What was read is kept
for a while, so that answering a doubtful slot rules again and reads nothing.
"""

from __future__ import annotations

import logging
import os
import resource
import signal
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from companion.box import taught_segments
from companion.box.eye import (
    CleanPhoto,
    CleanTask,
    Failed,
    ForOwner,
    LookTask,
    Photo,
    PhotoRead,
    ReadTask,
    ReadTaughtTask,
    ScoreTask,
    Shot,
    Task,
    TeachDeckTask,
    TeachSegmentsTask,
    TeachTask,
    WatchTask,
)
from companion.box.eye_camera import IDLE, EyeCamera
from companion.box.match_memory import MatchMemory
from companion.box.memory import give_memory_back
from companion.core.errors import CodedError, StationmasterError
from companion.core.messages import m
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import PhotoReading
from companion.games.kit.joining import OUTSIDE, part_words
from companion.games.packages import find_package
from companion.games.parts import DECK_ENDING
from companion.games.registry import find_reader, find_studio, games_with_eyes
from companion.games.sight import (
    BoardReading,
    CameraView,
    FoundBoard,
    FoundPosition,
    Measured,
    ScoredPhoto,
    Shown,
    TaughtBoardAnswer,
    Wish,
)
from companion.games.teaching import check_is_empty_board, serving
from companion.reading.answer import SeatQuery
from companion.reading.base import Reader
from companion.table.exc import TableError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.games.parts import Image

_MEMORY = 3 * 2**30  # address space, not memory in use
_LONGEST_SIDE = 5000  # pixels of a kept photograph
_QUALITY, _ABOVE_QUALITY = 88, 78  # of kept photographs as JPEG, and of boards seen from above
KEPT_READINGS = 8
_LOOKS = 24  # places looked at across and down a sheet, for which part of it a photograph shows
_HATCH, _HATCHED = (
    24,
    (206, 190),
)  # pixels of a stripe and its neighbour where nothing is seen, and their greys
log = logging.getLogger(__name__)


def work(pipe: Connection[Any, Task], game: str) -> None:
    """Do one task after the other until the other end is closed; first be ready for a game's photographs."""
    _confine()
    _load(game)
    camera = EyeCamera(pipe)
    worker = Worker(camera)
    while True:
        if not pipe.poll(IDLE):
            camera.rest()
        try:
            task = pipe.recv()
        except EOFError:
            return
        pipe.send(_answer(worker, task))


def _confine() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which then ends this
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Before NumPy is loaded: its products are small, and threads that wait for each other's share of one
    # cost many times the work on a machine that does other things besides.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
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
    try:
        return worker.done(task)
    except CodedError as problem:
        return Failed(problem.code, problem.message)
    except StationmasterError as problem:
        return Failed("bad-photo", str(problem))
    except MemoryError:
        return Failed("bad-photo", m("that picture needs too much memory: send a smaller one"))


@dataclass
class _Above:
    """A sheet cut out of its photographs and seen from above."""

    sheet: Any
    image: Image
    shown: Shown = field(default_factory=Shown)

    @cached_property
    def packed(self) -> bytes:
        """Without anything drawn on it."""
        return _packed(self.image, _ABOVE_QUALITY)


@dataclass
class _Kept:
    """Photographs as they were read, and the sheet that was last cut out of them."""

    reading: PhotoReading[Any]
    above: _Above | None = None
    parts: tuple[_Kept, ...] = ()  # what it was joined from, each with its photograph


@dataclass
class Worker:
    """Does the tasks and remembers the last readings, by game, photograph and what was known about it."""

    camera: EyeCamera = field(default_factory=EyeCamera)
    _readings: OrderedDict[tuple[str, str, Wish], _Kept] = field(default_factory=OrderedDict)
    _memory: MatchMemory = field(default_factory=MatchMemory)

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
                return _looked(task, self.camera)
            case WatchTask():
                return self.camera.watched(task.photo)
            case _:
                return self._for_owner(task)

    def _for_owner(self, task: ForOwner) -> Any:
        """What concerns boards of segments and decks of the owner's own."""
        match task:
            case CleanTask():
                return _cleaned(task)
            case TeachDeckTask():
                return self._deck_taught(task)
            case TeachSegmentsTask():
                self._readings.clear()  # a board of this name may have been known otherwise before
                return taught_segments.taught(task, _Opened(kept=task.photo).image)
            case ReadTaughtTask():
                return taught_segments.read(task, _decoded(task.photo))

    def _read(self, task: ReadTask) -> PhotoRead:
        """Every board that the task asks for, from one reading."""
        reader = find_reader(task.game)
        photo = _opened(task.photo, task.game, task.state, self.camera)
        wish = reader.wish(task.state, task.seat, task.corners, serving(reader, task.taught))
        if not wish.players:  # a game that knows its players by something else than colours has said so
            wish = replace(wish, players=task.players)
        if task.match and reader.remembers:
            wish = replace(wish, lent=self._memory.lent(reader, task.match, photo.digest, task.state))
        photos = [*(_Opened(kept=path) for path in task.parts), photo]
        kept = self._joined(task.game, reader, photos, wish)
        seats = reader.seats(task.state) if task.seat is None else [task.seat]
        boards = {seat: _ruled(reader, kept, photos, task, seat, self._memory) for seat in seats}
        return PhotoRead(photo.digest, photo.cleaned if photo.is_new else None, boards)

    def _joined(self, game: str, reader: Reader[Any, Any, Any], photos: list[_Opened], wish: Wish) -> _Kept:
        """The photographs as one reading; the last alone if it shows nothing that could be joined."""
        each = [self._reading(game, reader, photo, wish) for photo in photos]
        if len(photos) == 1 or not each[-1].reading.sheets:
            return each[-1]
        if not reader.joins_photos:
            title = find_package(game).title
            raise TableError("not-joined", m("photographs of {title} are read one by one", title=title))
        key = game, " ".join(photo.digest for photo in photos), wish
        if key not in self._readings:
            self._readings[key] = _Kept(reader.joined([one.reading for one in each]), parts=tuple(each))
        return self._remembered(key)

    def _reading(self, game: str, reader: Reader[Any, Any, Any], photo: _Opened, wish: Wish) -> _Kept:
        key = game, photo.digest, wish
        if key not in self._readings:
            self._readings[key] = _Kept(reader.read(photo.image, wish))
        return self._remembered(key)

    def _remembered(self, key: tuple[str, str, Wish]) -> _Kept:
        self._readings.move_to_end(key)
        while len(self._readings) > KEPT_READINGS:
            self._readings.popitem(last=False)
        return self._readings[key]

    def _taught(self, task: TeachTask) -> TaughtBoardAnswer:
        reader = find_reader(task.game)
        if not reader.learns_boards:
            title = find_package(task.game).title
            raise TableError("not-teachable", m("boards of {title} cannot be taught", title=title))
        wish = reader.wish(task.state, task.seat, task.corners, ())
        name = f"{wish.edition or task.game}-{task.photo.stem[:8]}"
        task.folder.mkdir(parents=True, exist_ok=True)
        image = _opened(task.photo, task.game, task.state, self.camera).image
        check_is_empty_board(image, reader)
        says = reader.teach(task.folder / f"{name}.json", image, wish)
        self._readings.clear()  # a board of this name may have been known otherwise before
        return TaughtBoardAnswer(name, says)

    def _deck_taught(self, task: TeachDeckTask) -> TaughtBoardAnswer:
        reader = find_reader(task.game)
        if not reader.learns_decks:
            title = find_package(task.game).title
            raise TableError("not-teachable", m("decks of {title} cannot be taught", title=title))
        image = (
            _Opened(kept=task.photo) if isinstance(task.photo, Path) else _Opened(pixels=_decoded(task.photo))
        ).image
        says = reader.teach_deck(task.path, task.number, image, Wish(task.edition, corners=task.corners))
        self._readings.clear()  # the deck was known otherwise before, or not at all
        return TaughtBoardAnswer(task.path.name.removesuffix(DECK_ENDING), says)


def _ruled(
    reader: Reader[Any, Any, Any],
    kept: _Kept,
    photos: list[_Opened],
    task: ReadTask,
    seat: int,
    memory: MatchMemory,
) -> BoardReading:
    digest = photos[-1].digest
    query = SeatQuery(kept.reading, task.state, seat, task.answers, digest, task.scope)
    answer = reader.answer(query)
    if answer.action is not None and task.match and reader.remembers:
        shown = reader.shown(photos[-1].image, answer.sheet, answer.ruling, task.answers)
        memory.keep(task.match, digest, shown)
    if answer.action is not None and kept.parts:
        parts = [photo.digest for photo in photos[:-1]]
        picture = {**answer.action.data["picture"], "parts": parts}
        action = structs.replace(answer.action, data={**answer.action.data, "picture": picture})
        answer = replace(answer, action=action)
    ruling = answer.ruling
    read = BoardReading(digest, ruling.summary if ruling else None, answer.action, answer.says)
    if answer.sheet is None or task.seat is None:  # nobody looks at pictures of the whole table
        return read
    if kept.above is None or kept.above.sheet != answer.sheet:
        kept.above = _above(reader, kept, photos, answer.sheet)
    image = kept.above.image
    size = image.shape[1], image.shape[0]
    overlay = reader.overlay(answer.sheet, ruling) if ruling else None
    if overlay is not None:
        return replace(read, picture=kept.above.packed, size=size, overlay=overlay, shown=kept.above.shown)
    drawn = reader.drawn(image, answer.sheet, ruling)
    packed = kept.above.packed if drawn is image else _packed(drawn, _ABOVE_QUALITY)
    return replace(read, picture=packed, size=size, shown=kept.above.shown)


@dataclass(frozen=True)
class _View:
    """A sheet in one photograph from above, and where that photograph shows it."""

    picture: Image
    there: NDArray[np.bool_]


def _above(reader: Reader[Any, Any, Any], kept: _Kept, photos: list[_Opened], sheet: Any) -> _Above:
    """The sheet from above, put together from all photographs; hatched where none of them shows it."""
    if not kept.parts and _is_inside(sheet, photos[-1].image):
        return _Above(sheet, reader.above(photos[-1].image, sheet))
    parts = kept.parts or (kept,)
    views = [
        _seen_above(reader, photo.image, one if kept.parts else sheet)
        for photo, part in zip(photos[-len(parts) :], parts, strict=True)
        for one in part.reading.sheets
        if (one.sheet, one.edition, one.seat) == (sheet.sheet, sheet.edition, sheet.seat)
    ]
    missing = any(slot.cannot_see == OUTSIDE for slot in sheet.slots.values())
    return _Above(sheet, _put_together(views), shown_parts([view.there for view in views], missing=missing))


def _is_inside(sheet: Any, image: Image) -> bool:
    height, width = image.shape[:2]
    return all(0 <= x <= width and 0 <= y <= height for x, y in sheet.corners_px)


def _seen_above(reader: Reader[Any, Any, Any], image: Image, sheet: Any) -> _View:
    """What lies outside the photograph is taken from its rim: a white one with a black rim tells where."""
    import numpy as np

    white = np.zeros_like(image)
    rim = max(2, min(image.shape[:2]) // 200)
    white[rim:-rim, rim:-rim] = 255
    return _View(reader.above(image, sheet), reader.above(white, sheet)[:, :, 0] > 127)


def _put_together(views: list[_View]) -> Image:
    """Pictures of one sheet, each with what it shows; later ones lie on top."""
    import numpy as np

    down, across = np.indices(views[0].there.shape)
    stripes = np.where((down + across) % _HATCH < _HATCH // 2, *_HATCHED)
    whole = np.repeat(stripes[:, :, None], 3, axis=2).astype(np.uint8)
    for view in views:
        whole = np.where(view.there[:, :, None], view.picture, whole)
    return whole


def shown_parts(there: Sequence[NDArray[np.bool_]], *, missing: bool) -> Shown:
    """What each photograph adds to those before it, and what is still ``missing``, if anything is."""
    import numpy as np

    height, width = there[0].shape
    rows, columns = np.arange(_LOOKS) * height // _LOOKS, np.arange(_LOOKS) * width // _LOOKS
    every = [(x, y) for y in range(_LOOKS) for x in range(_LOOKS)]
    seen = np.zeros((_LOOKS, _LOOKS), np.bool_)
    added = []
    for one in there:
        looks = one[np.ix_(rows, columns)]
        added.append(part_words([(x, y) for x, y in every if looks[y, x] and not seen[y, x]], every))
        seen = seen | looks
    left = [(x, y) for x, y in every if not seen[y, x]]
    return Shown(tuple(added), part_words(left, every) if missing else "")


# --- without a match, and for the camera ---


def _scored(task: ScoreTask) -> ScoredPhoto:
    game, reader = _scoring(task.game)
    image = _decoded(task.photo)
    reading = reader.read(image, Wish())
    boards = tuple(_found(reader, image, one) for one in reader.positions(reading))
    return ScoredPhoto(game, boards, tuple(reading.notes))


def _scoring(game: str) -> tuple[str, Reader[Any, Any, Any]]:
    """The reader of the game named, or else the first that finds whole positions."""
    for name in [game] if game else games_with_eyes():
        reader = find_reader(name)
        if reader.finds_positions:
            return name, reader
    raise NotationError("not-scored", m("boards of this game cannot be scored from a photograph alone"))


def _found(reader: Reader[Any, Any, Any], image: Image, found: FoundPosition[Any, Any]) -> FoundBoard:
    ruling = found.ruling
    return FoundBoard(
        seat=found.seat,
        position=found.position,
        marks=ruling.labels,
        outcome=ruling.outcome,
        doubtful=ruling.uncertain,
        says=ruling.against,
        picture=_packed(reader.drawn(reader.above(image, found.sheet), found.sheet, ruling), _ABOVE_QUALITY),
    )


def _cleaned(task: CleanTask) -> CleanPhoto:
    photo = _Opened(pixels=_decoded(task.photo))
    return CleanPhoto(photo.digest, photo.cleaned, (photo.image.shape[1], photo.image.shape[0]))


def _looked(task: LookTask, camera: EyeCamera) -> CameraView:
    reader = find_reader(task.game)
    photo = _opened(task.photo, task.game, task.state, camera, glance=True)
    reading = reader.read(photo.image, Wish(quick=True))
    view = reader.view(reading)
    if len(view.sheets) == len(reading.sheets):
        pairs = zip(view.sheets, reading.sheets, strict=True)
        sheets = tuple(
            structs.replace(seen, measured=_measured(reader, photo.image, one)) for seen, one in pairs
        )
        view = replace(view, sheets=sheets)
    return CameraView(photo.cleaned, view)


def _measured(reader: Reader[Any, Any, Any], image: Image, sheet: Any) -> Measured:
    """Numbers for whoever moves the camera: is it better now than before?"""
    from vision.quality import picture_quality

    seen = picture_quality(reader.above(image, sheet))
    told = (sheet.quality.pixels_per_mm, seen.sharpness, seen.light, seen.contrast)
    return Measured(*(round(float(number), 2) for number in told))


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


def _opened(photo: Photo, game: str, state: Any, camera: EyeCamera, *, glance: bool = False) -> _Opened:
    match photo:
        case Path():
            return _Opened(kept=photo)
        case Shot():
            return _Opened(pixels=_taken(photo, game, state, camera, glance))
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
        raise TableError("bad-photo", m("that picture cannot be packed: take another one"))
    return bytes(packed)


def _taken(shot: Shot, game: str, state: Any, camera: EyeCamera, glance: bool) -> Image:
    """A picture from the box's camera; that of the demonstration sees what lies on the match's table."""
    if shot.camera == "studio":
        return _decoded(find_studio(game).picture(state, shot.number))
    return camera.glance(shot) if glance else camera.still(shot)
