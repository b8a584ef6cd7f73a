"""In the reader's process: boards of segments of the owner's own are learnt, read, and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.reading.evidence import RulingSummary
from companion.reading.types import BoardReading, Corners, LaidSlot, Overlay, TaughtBoardAnswer
from companion.service.photos.pictures import OpenedPhoto, decoded, packed
from companion.service.photos.worker import Worker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.game.parts import Image
    from companion.sheets.drawing import Quad
    from vision.taught.reading import SegmentsReading

_LONGEST = 1800  # pixels of a board seen from above
_QUALITY = 80


def teach_segments(
    worker: Worker, photo: Path, corners: Corners, segments: bytes, path: Path
) -> TaughtBoardAnswer:
    """Learn an empty board of segments, described by its owner's JSON, from a kept photograph into a file.

    The answer says if it will hardly be found again.
    """
    from vision.taught.boards import save_taught, segment_sheet, teach_segments
    from vision.taught.file import read_segments
    from vision.taught.trial import trial

    worker.readings.clear()  # a board of this name may have been known otherwise before
    image, described = OpenedPhoto(kept=photo).image, read_segments(segments)
    board = teach_segments(path.stem, image, corners, described)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_taught(board, path)
    return TaughtBoardAnswer(board.name, trial(board, segment_sheet(board.name, described)).says)


def read_taught_board(_: Worker, board: Path, photo: bytes) -> BoardReading:
    """What lies on such a board: colours by segment, in what a ruling would be; nothing is entered."""
    from vision.taught.boards import load_taught
    from vision.taught.reading import SegmentReader

    image = decoded(photo)
    reader = SegmentReader(load_taught(board))
    seen = reader.read(image)
    if seen.sheet is None:
        return BoardReading("", None, None, seen.notes)
    picture, scale = _above(image, seen.sheet, reader.sheet.size)
    quads = {name: slot.quad for name, slot in reader.sheet.slots.items()}
    cells = {
        name: slot.best for name, slot in seen.sheet.slots.items() if slot.best and slot.cannot_see is None
    }
    doubtful = [name for name, slot in seen.sheet.slots.items() if slot.doubtful]
    looks = dict.fromkeys(doubtful, "unsure") | {name: "new" for name in cells if name not in doubtful}
    slots = {name: LaidSlot(_middle_line(quads[name], scale), look, name) for name, look in looks.items()}
    ruling = RulingSummary("accepted", cells, changes=tuple(cells), uncertain=tuple(doubtful))
    size = picture.shape[1], picture.shape[0]
    return BoardReading("", ruling, None, seen.notes, packed(picture, _QUALITY), size, Overlay(slots, {}))


def _above(image: Image, sheet: SegmentsReading, size: tuple[float, float]) -> tuple[Image, float]:
    import cv2
    import numpy as np

    scale = _LONGEST / max(size)
    width, height = round(size[0] * scale), round(size[1] * scale)
    plane = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    straight = cv2.getPerspectiveTransform(np.array(sheet.corners_px, np.float32), plane)
    return np.asarray(cv2.warpPerspective(image, straight, (width, height)), np.uint8), scale


def _middle_line(quad: Quad, scale: float) -> tuple[tuple[float, float], ...]:
    """Return the centre line along the longer axis of a segment."""
    import numpy as np

    places: NDArray[np.float64] = np.array(quad) * scale
    long = np.hypot(*(places[1] - places[0])) >= np.hypot(*(places[2] - places[1]))
    pairs = ((0, 3), (1, 2)) if long else ((0, 1), (3, 2))
    ends = [places[list(pair)].mean(axis=0) for pair in pairs]
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in ends)
