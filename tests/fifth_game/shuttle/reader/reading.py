"""What is crossed in the boxes of a line: evidence for every stop by the share of dark pixels in its box."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from companion.reading.evidence import EMPTY, PhotoReading, Quality, SheetReading, SlotReading
from companion.reading.probabilities import LabelProbabilities
from companion.sheets.sheet import Sheet
from vision.find.by_tags import FoundSheet
from vision.find.seeing import Search, Seen, see, why_nothing
from vision.register.rectify import Image, slot_views

from ..printing.prints import ShuttlePrintables

SERVED = "x"  # the mark of a stop that is crossed
_ENOUGH = 2.0  # pixels per mm at which a cross is well seen
_SIZE = 24  # pixels of a box that is looked at
_INSIDE = -0.14  # of the box's sides: its frame is left out
_DARK = 0.62  # of the paper's brightness
_CROSSED = 0.06  # share of dark pixels at which crossed and empty are equally probable
_SOFT = 0.008  # how much more of them makes it e times as probable

LineReading = SheetReading[SlotReading]


def read_lines(photo: bytes | Image) -> PhotoReading[LineReading]:
    """Every sheet in a photograph with its stops."""
    sheets = _sheets()
    seen = see(photo, Search(sheets, _ENOUGH))
    lines = tuple(_line(seen, found) for found in seen.sheets)
    notes = () if lines else (why_nothing(seen, sheets),)
    return PhotoReading(*seen.picture.whole, lines, notes)


@cache
def _sheets() -> Sequence[Sheet]:
    return ShuttlePrintables().photographed()


def _line(seen: Seen, found: FoundSheet) -> LineReading:
    image, sheet = seen.picture.image, found.sheet
    quads = [slot.quad for slot in sheet.slots.values()]
    corners = found.placement.pixels(np.array(quads))
    inside = np.all((corners > 0) & (corners < [image.shape[1], image.shape[0]]), axis=(1, 2)).tolist()
    boxes = slot_views(image, found.placement, quads, _SIZE, _INSIDE).mean(axis=3)
    paper = float(np.percentile(boxes, 90))
    dark = (boxes < _DARK * paper).mean(axis=(1, 2))
    unseen = tuple(None if whole else "outside the picture" for whole in inside)
    # A cross by its ink: logistic in the share of dark pixels.
    crossed = 1 / (1 + np.exp(np.minimum((_CROSSED - dark) / _SOFT, 50.0)))
    probs = np.stack([1 - crossed, crossed], axis=1)
    slots = LabelProbabilities(tuple(sheet.slots), (EMPTY, SERVED), probs, unseen).slots()
    quality = Quality(found.found_by, found.scale / max(seen.picture.enlarging), paper / 255)
    return SheetReading(sheet.name, sheet.edition, sheet.seat, seen.corners_of(found), slots, quality)
