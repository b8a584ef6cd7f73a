"""A genuine board that was taught: found by its print, without tags, and read by our tracks' names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from companion.games.spike.printing.printed import KIND
from companion.games.spike.printing.sheets import board_sheet
from companion.games.spike.reader.readings import BoardPhoto, BoardReading
from companion.games.spike.rules.boards.board import SHIPPED
from companion.reading.evidence import EMPTY, PhotoReading
from companion.reading.types import Corners
from vision.errors import PlacementError
from vision.pieces.colours import Palette
from vision.pieces.finding import Lab
from vision.register.rectify import Image
from vision.taught.boards import load_taught
from vision.taught.reading import SegmentReader, SegmentsReading

_SCATTER = 4.0
# As colours are usually called; Lab.
_USUAL: dict[str, Lab] = {
    "red": (45, 60, 42), "green": (45, -40, 30), "blue": (40, 5, -48), "black": (12, 0, 0),
    "yellow": (80, 5, 75), "white": (94, 0, 3), "orange": (63, 45, 62), "purple": (38, 42, -42),
    "pink": (68, 42, 0), "brown": (36, 18, 26), "grey": (58, 0, 0),
}  # fmt: skip


def has_tracks(path: Path, tracks: Collection[str]) -> bool:
    """Return True if this taught board has segments for all of these tracks."""
    try:
        segments = load_taught(path).segments
    except PlacementError:
        return False
    return segments is not None and set(tracks) <= set(segments.slots)


def read_genuine(
    photo: bytes | Image, paths: Sequence[Path], board: str, corners: Corners | None
) -> BoardPhoto:
    """Read the first of these taught boards found in the photograph; only tracks are read."""
    seen = None
    for path in paths:
        taught = load_taught(path)
        seen = SegmentReader(taught).read(photo, corners)
        if seen.sheet is not None:
            sheet = _as_board(seen.sheet, board or taught.described)
            return PhotoReading(*seen.size, (sheet,), seen.notes)
    assert seen is not None  # the caller has some
    return PhotoReading(*seen.size, (), seen.notes)


def _as_board(seen: SegmentsReading, board: str) -> BoardReading:
    tracks = {name for name, slot in board_sheet(board or SHIPPED[0]).slots.items() if slot.kind == "track"}
    slots = {name: replace(slot, corners=None) for name, slot in seen.slots.items() if name in tracks}
    lying = {slot.best for slot in slots.values() if slot.cannot_see is None} - {EMPTY}
    palette = Palette({name: _USUAL[name] for name in sorted(lying)}, _SCATTER)
    edition = board or SHIPPED[0]
    return BoardReading(KIND, edition, 1, seen.corners_px, slots, seen.quality, palette, edition)
