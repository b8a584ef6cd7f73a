"""Boards of segments that belong to no game: ``teach NAME BLANK --slots FILE`` and ``read taught``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.games.contract import Plain
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import PhotoReading, SlotReading, corners_json
from companion.games.kit.joining import joined_photos
from companion.games.parts import Context
from companion.games.sight import Corners, Wish
from vision.errors import PlacementError
from vision.rectify import Image, Places
from vision.taught import (
    SegmentBoard,
    load_taught,
    placed_by_corners,
    save_taught,
    segment_sheet,
    teach_segments,
)
from vision.taught_file import read_segments
from vision.taught_reading import SegmentReader, SegmentsReading
from vision.taught_trial import trial

NO_GAME = "taught"  # what stands in a game's place
_COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (40, 40, 220), "green": (60, 160, 40), "blue": (220, 110, 30), "black": (20, 20, 20),
    "yellow": (40, 210, 250), "white": (250, 250, 250), "orange": (30, 130, 250), "purple": (170, 60, 130),
    "pink": (190, 140, 250), "brown": (40, 75, 120), "grey": (140, 140, 140),
}  # fmt: skip


# --- teach ---


def read_slots(path: Path) -> SegmentBoard:
    """A board of segments from the owner's file; what makes no sense is refused with one sentence."""
    try:
        return read_segments(path.read_bytes())
    except OSError as problem:
        raise NotationError("no-file", f"{path}: {problem.strerror}") from None
    except PlacementError as problem:
        raise NotationError("bad-slots", f"{path}: {problem}") from None


@dataclass(frozen=True)
class SegmentTeacher:
    """Learns how an empty board of segments looks: see :meth:`companion.games.parts.Reader.teach`."""

    segments: SegmentBoard

    def outlined(self, image: Image, corners: Corners) -> Image:
        """The photograph of the empty board with the outline of every place on it."""
        drawn, sheet = image.copy(), segment_sheet("", self.segments)
        placement = placed_by_corners(corners, sheet, (image.shape[1], image.shape[0]))
        for quad in (sheet.area, *(slot.quad for slot in sheet.slots.values())):
            _outline(drawn, placement.pixels(np.array(quad)), _COLOURS["purple"])
        return drawn

    def teach(self, path: Path, image: Image, wish: Wish) -> str:
        """Learn the empty board at the corners of the wish, and say if it will hardly be found again."""
        board = teach_segments(path.stem, image, wish.corners or (), self.segments)
        save_taught(board, path)
        return trial(board, segment_sheet(path.stem, self.segments)).says


# --- read ---


@dataclass(frozen=True)
class ToldBoard:
    """A photograph of a taught board, told: see :class:`companion.games.parts.Told`."""

    reading: PhotoReading[SegmentsReading]
    reader: SegmentReader

    refused = False

    def as_json(self, photo: str) -> Plain:
        """The line of ``--json``."""
        return {
            "photo": photo,
            "width": self.reading.width,
            "height": self.reading.height,
            "sheets": [_sheet_json(sheet) for sheet in self.reading.sheets],
            "notes": list(self.reading.notes),
        }

    def lines(self, photo: str) -> Iterator[str]:
        """The same for people: what lies on every group, and on segments of none."""
        yield photo
        for sheet in self.reading.sheets:
            assert self.reader.taught.segments is not None
            grouped = {name for names in self.reader.taught.segments.groups.values() for name in names}
            loose = {name: slot for name, slot in sheet.slots.items() if name not in grouped}
            for name, slot in {**sheet.groups, **loose}.items():
                if slot.cannot_see or slot.best:
                    yield f"  {name:12} {slot.cannot_see or slot.best} {slot.p:.2f}"
            doubtful = [name for name in sheet.doubtful if sheet.slots[name].cannot_see is None]
            if doubtful:
                yield f"  please check: {' '.join(doubtful)}"
        yield from self.reading.notes

    def overlay(self, image: Image) -> Image:
        """The photograph with the outline of every segment in the colour that was read."""
        drawn = image.copy()
        across, down = image.shape[1] / self.reading.width, image.shape[0] / self.reading.height
        for sheet in self.reading.sheets:
            for slot in sheet.slots.values():
                if slot.corners is not None and (slot.cannot_see or slot.best):
                    pixels = np.array(slot.corners) * np.array([across, down])
                    _outline(drawn, pixels, (200, 0, 200) if slot.cannot_see else _COLOURS[slot.best])
        return drawn


def _outline(drawn: Image, pixels: Places, colour: tuple[int, int, int]) -> None:
    width, outline = max(2, drawn.shape[1] // 700), [np.rint(pixels).astype(np.int32)]
    cv2.polylines(drawn, outline, True, (255, 255, 255), 2 * width, cv2.LINE_AA)
    cv2.polylines(drawn, outline, True, colour, width, cv2.LINE_AA)


def _sheet_json(sheet: SegmentsReading) -> Plain:
    quality = sheet.quality
    return {
        "sheet": sheet.sheet,
        "corners": corners_json(sheet.corners_px, 2),
        "slots": {name: _slot_json(slot) for name, slot in sheet.slots.items()},
        "groups": {name: _slot_json(slot) for name, slot in sheet.groups.items()},
        "doubtful": list(sheet.doubtful),
        "quality": {
            "found_by": quality.found_by,
            "pixels_per_unit": round(quality.pixels_per_mm, 3),
            "light": round(quality.light, 2),
        },
    }


def _slot_json(slot: SlotReading) -> Plain:
    """A colour or ``""``, and how sure it is."""
    if slot.cannot_see is not None:
        return {"cannot_see": slot.cannot_see}
    return {"mark": slot.best, "p": round(slot.p, 4)}


class TaughtBoards(Context[SegmentsReading]):
    """What ``read taught`` asks in a game's place: as much of a game's reader as it needs."""

    expansions = ()
    joins_photos = True

    def __init__(self, board: Path) -> None:
        self.reader = SegmentReader(load_taught(board))
        self.reader.sheet  # noqa: B018 - a board of a game is refused before any photograph is read

    def read(self, photo: bytes | Image, wish: Wish) -> PhotoReading[SegmentsReading]:
        """The board in a photograph, if it is there."""
        seen = self.reader.read(photo, wish.corners)
        return PhotoReading(*seen.size, (seen.sheet,) if seen.sheet is not None else (), seen.notes)

    def joined(self, readings: Sequence[PhotoReading[SegmentsReading]]) -> PhotoReading[SegmentsReading]:
        """Photographs of parts of the board as one reading; what a group is follows from all of them."""
        whole = joined_photos(readings)
        return replace(whole, sheets=tuple(self.reader.regrouped(sheet) for sheet in whole.sheets))

    def known(self, wish: Wish, rolled: str | None) -> TaughtBoards:
        """Nobody knows rules here."""
        if rolled is not None:
            raise NotationError("no-rules", "a taught board has no dice: leave out --rolled")
        return self

    def after(self, before: Plain) -> TaughtBoards:
        """Nor what may follow from what."""
        raise NotationError("no-rules", "a taught board has no rules: leave out --before")

    def told(self, reading: PhotoReading[SegmentsReading]) -> ToldBoard:
        """The photograph as it is told."""
        return ToldBoard(reading, self.reader)


def taught_boards(paths: tuple[Path, ...]) -> TaughtBoards:
    """The reader of the one taught board that was named."""
    if len(paths) != 1:
        raise NotationError("one-board", "name the one board that is to be read: --taught NAME")
    try:
        return TaughtBoards(paths[0])
    except PlacementError as problem:
        raise NotationError("not-taught", str(problem)) from problem
