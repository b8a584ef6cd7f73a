"""Boards of segments that belong to no game: ``teach NAME BLANK --slots FILE`` and ``read taught``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import GameError, NotationError
from companion.core.jsontext import JsonObject, json_of, read_object
from companion.core.messages import nm
from companion.game.teaching import segmented_printables
from companion.reading.annotation import MAGENTA, Annotations, Pencil
from companion.reading.answer import SeatQuery, SeatRuling
from companion.reading.base import Context, Reader
from companion.reading.evidence import PhotoReading, Ruling
from companion.reading.joining import joined_photos
from companion.reading.types import ReadHints
from vision.errors import PlacementError
from vision.register.rectify import Image, Places
from vision.taught.boards import (
    SegmentBoard,
    load_taught,
    placed_by_corners,
    save_taught,
    segment_sheet,
    teach_segments,
)
from vision.taught.file import read_segments
from vision.taught.reading import SegmentReader, SegmentsReading
from vision.taught.trial import trial

NO_GAME = "taught"  # what stands in a game's place
_COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (40, 40, 220), "green": (60, 160, 40), "blue": (220, 110, 30), "black": (20, 20, 20),
    "yellow": (40, 210, 250), "white": (250, 250, 250), "orange": (30, 130, 250), "purple": (170, 60, 130),
    "pink": (190, 140, 250), "brown": (40, 75, 120), "grey": (140, 140, 140),
}  # fmt: skip


# --- teach ---


def read_slots(path: Path, colours: str | None = None) -> SegmentBoard:
    """A board of segments from the owner's file; what makes no sense is refused with one sentence.

    ``colours`` are those of its pieces, "red,blue": they take the place of the file's own.
    """
    try:
        return read_segments(
            path.read_bytes(), None if colours is None else [name.strip() for name in colours.split(",")]
        )
    except OSError as problem:
        raise NotationError("no-file", f"{path}: {problem.strerror}") from None
    except PlacementError as problem:
        raise NotationError("bad-slots", f"{path}: {problem}") from None


def is_of_segments(text: str) -> bool:
    """Return True if an owner's file is a board of segments, and not a game's own description of one."""
    try:
        return "slots" in read_object(text)
    except NotationError:
        return False


def text_of(path: Path) -> str:
    """The text of an owner's file."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as problem:
        raise NotationError("no-file", f"{path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise NotationError("bad-slots", f"{path}: not a text in UTF-8") from None


def described_slots(game: str, path: Path | None, text: str, colours: str | None) -> SegmentBoard:
    """The segments of a game's board: of the owner's own, as its ``text`` describes that, or of ours."""
    printables = segmented_printables()[game]
    try:
        size, slots = printables.segments(text)
    except GameError as problem:
        raise NotationError(problem.code, f"{path}: {problem.message}" if path else problem.message) from None
    told = {"size": size, "slots": slots, "colours": colours.split(",") if colours else []}
    try:
        return read_segments(json_of(told))
    except PlacementError as problem:
        raise NotationError("bad-slots", str(problem)) from None


@dataclass(frozen=True)
class SegmentTeacher:
    """Learns how an empty board of segments looks: see :meth:`companion.reading.base.Reader.teach`."""

    segments: SegmentBoard

    def outlines(self, image: Image, hints: ReadHints) -> list[Places]:
        """The board and its segments."""
        sheet = segment_sheet("", self.segments)
        placement = placed_by_corners(hints.corners or (), sheet, (image.shape[1], image.shape[0]))
        quads = (slot.quad for slot in sheet.slots.values())
        return list(placement.pixels(np.array([sheet.area, *quads])))

    def teach(self, path: Path, image: Image, hints: ReadHints) -> str:
        """Learn the empty board at the corners of the hints, and say if it will hardly be found again."""
        board = teach_segments(path.stem, image, hints.corners or (), self.segments, hints.described)
        save_taught(board, path)
        return trial(board, segment_sheet(path.stem, self.segments)).says


def outlined(image: Image, outlines: Sequence[Places]) -> Image:
    """The photograph of an empty board with the outline of every place on it."""
    drawn = image.copy()
    for pixels in outlines:
        _outline(drawn, pixels, _COLOURS["purple"])
    return drawn


# --- read ---


def _outline(drawn: Image, pixels: Places, colour: tuple[int, int, int]) -> None:
    width, outline = max(2, drawn.shape[1] // 700), [np.rint(pixels).astype(np.int32)]
    cv2.polylines(drawn, outline, True, (255, 255, 255), 2 * width, cv2.LINE_AA)
    cv2.polylines(drawn, outline, True, colour, width, cv2.LINE_AA)


class _NoRules(Context[SegmentsReading, Ruling[str, str]]):
    """A context without rules."""

    def after(self, before: JsonObject) -> _NoRules:
        """Raise an error: without rules a previous position is of no use."""
        raise NotationError("no-rules", "a taught board has no rules: leave out --before")

    def rule(self, sheet: SegmentsReading) -> tuple[SegmentsReading, None]:
        """Return the sheet as it was read, without a ruling."""
        return sheet, None


class TaughtBoards(Reader[None, SegmentsReading, Ruling[str, str]]):
    """The reader that ``read taught`` uses in place of a game's."""

    joins_photos = True

    def __init__(self, board: Path) -> None:
        self.reader = SegmentReader(load_taught(board))
        self.reader.sheet  # noqa: B018 - a board of a game is refused before any photograph is read

    def read(self, photo: bytes | Image, hints: ReadHints) -> PhotoReading[SegmentsReading]:
        """The board in a photograph, if it is there."""
        seen = self.reader.read(photo, hints.corners)
        return PhotoReading(*seen.size, (seen.sheet,) if seen.sheet is not None else (), seen.notes)

    def joined(self, readings: Sequence[PhotoReading[SegmentsReading]]) -> PhotoReading[SegmentsReading]:
        """Photographs of parts of the board as one reading; what a group is follows from all of them."""
        whole = joined_photos(readings)
        return replace(whole, sheets=tuple(self.reader.regrouped(sheet) for sheet in whole.sheets))

    def context(self, hints: ReadHints, rolled: str | None) -> _NoRules:
        """Return the context without rules; raise an error if dice are given."""
        if rolled is not None:
            raise NotationError("no-rules", "a taught board has no dice: leave out --rolled")
        return _NoRules()

    def counted(self, number: int) -> str:
        """Return how many boards are in the picture."""
        return nm("{n} board", "{n} boards", number)

    def name_of(self, sheet: SegmentsReading) -> str:
        """Return the name under which the sheet was taught."""
        return sheet.sheet

    def describe(self, sheet: SegmentsReading, ruling: Ruling[str, str] | None) -> Iterator[str]:
        """What lies on every group, and on segments of none."""
        segments = self.reader.taught.segments
        grouped = {name for names in segments.groups.values() for name in names} if segments else set()
        loose = {name: slot for name, slot in sheet.slots.items() if name not in grouped}
        for name, slot in {**sheet.groups, **loose}.items():
            if slot.cannot_see or slot.best:
                yield f"{name:12} {slot.cannot_see or slot.best} {slot.p:.2f}"

    def unread(self, sheet: SegmentsReading) -> Sequence[str]:
        """Return the doubtful slots that are seen; the unseen ones were named already."""
        return [name for name in sheet.doubtful if sheet.slots[name].cannot_see is None]

    def pencil(self, picture: Image, sheet: SegmentsReading, scale: float) -> Pencil:
        """Return a pencil that draws in pixels of the photograph."""
        return Pencil(picture, lambda pixels: pixels * scale, scale)

    def draw(self, pencil: Pencil, sheet: SegmentsReading, marked: Annotations) -> None:
        """The outline of every segment in the colour that was read."""
        for slot in sheet.slots.values():
            if slot.corners is not None and (slot.cannot_see or slot.best):
                colour = MAGENTA if slot.cannot_see else _COLOURS[slot.best]
                _outline(pencil.image, pencil.to_pixels(np.array(slot.corners)), colour)

    def seats(self, state: None) -> Sequence[int]:
        """Return no seats: a taught board is read without a match."""
        return ()

    def rule_seat(
        self, query: SeatQuery[None, SegmentsReading], sheet: SegmentsReading
    ) -> SeatRuling[SegmentsReading, Ruling[str, str]]:
        """Return the sheet without a ruling: there are no rules."""
        return SeatRuling(sheet, None)


def taught_boards(paths: tuple[Path, ...]) -> TaughtBoards:
    """The reader of the one taught board that was named."""
    if len(paths) != 1:
        raise NotationError("one-board", "name the one board that is to be read: --taught NAME")
    try:
        return TaughtBoards(paths[0])
    except PlacementError as problem:
        raise NotationError("not-taught", str(problem)) from problem
