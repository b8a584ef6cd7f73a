"""Reads an owner's description of a board of segments; a fault is reported in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from companion.core.errors import quoted
from companion.sheets.drawing import Quad
from vision.errors import PlacementError
from vision.pieces.trained import COLOURS
from vision.taught.boards import SegmentBoard

_MOST_SLOTS = 20_000
_LEAST_SIDE, _BEYOND = 1e-3, 0.6  # of the longer side; of each side, from the middle


def read_segments(data: bytes, colours: Sequence[str] | None = None) -> SegmentBoard:
    """Read a board from a file; raises PlacementError with what is wrong in it.

    ``colours``, where somebody says them, take the place of the file's own.
    """
    try:
        board = msgspec.json.decode(data, type=SegmentBoard)
    except msgspec.DecodeError as problem:
        raise PlacementError(_named(str(problem), data)) from None
    if colours is not None:
        board = msgspec.structs.replace(board, colours=tuple(colours))
    wrong = _what_is_wrong(board)
    if wrong:
        raise PlacementError(wrong)
    return board


def _named(message: str, data: bytes) -> str:
    """The complaint about a file with the name of the slot or group in it, where it has one.

    >>> _named("Expected `array` - at `$.groups[...]`", b'{"groups": {"a": ["x"], "b": 1}}')
    'Expected `array`, got `int` - at `$.groups.b`'
    """
    for part, kind in (("slots", Quad), ("groups", tuple[str, ...])):
        if f"$.{part}[...]" in message:
            for name, value in msgspec.json.decode(data)[part].items():
                try:
                    msgspec.convert(value, kind)
                except msgspec.ValidationError as problem:
                    said, at, place = str(problem).partition(" - at `$")
                    return f"{said} - at `$.{part}.{name}{place if at else '`'}"
    return message


def _what_is_wrong(board: SegmentBoard) -> str:
    """The first fault of a board description, or nothing."""
    size = np.array(board.size, np.float64)
    if not np.isfinite(size).all() or size.min() <= 0 or size.max() > 40 * size.min():
        return "its size must be two lengths above 0"
    if not 0 < len(board.slots) <= _MOST_SLOTS:
        return f"it must have slots, at most {_MOST_SLOTS}"
    if unknown := [name for name in board.colours if name not in COLOURS]:
        return f"{quoted(unknown[0])} is no colour that pieces are read in: they are {', '.join(COLOURS)}"
    return next((wrong for name in board.slots if (wrong := _wrong_slot(board, name))), "") or next(
        (wrong for name in board.groups if (wrong := _wrong_group(board, name))), ""
    )


def _wrong_slot(board: SegmentBoard, name: str) -> str:
    size, corners = np.array(board.size, np.float64), np.array(board.slots[name], np.float64)
    if not np.isfinite(corners).all() or (np.abs(corners / size - 0.5) > _BEYOND).any():
        return f"slot {quoted(name)} does not lie on the plane"
    if min(cv2.minAreaRect(corners.astype(np.float32))[1]) < _LEAST_SIDE * size.max():
        return f"slot {quoted(name)} must have four corners around it"
    return ""


def _wrong_group(board: SegmentBoard, name: str) -> str:
    if not board.groups[name]:
        return f"group {quoted(name)} has no slots"
    missing = [slot for slot in board.groups[name] if slot not in board.slots]
    return f"group {quoted(name)} names slot {quoted(missing[0])}, which is not there" if missing else ""
