"""A sheet cut out of its photographs and seen from above, as the page lays it under its drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from companion.reading.base import Reader
from companion.reading.joining import OUTSIDE, part_words
from companion.reading.types import Shown
from companion.service.photos.pictures import ABOVE_QUALITY, packed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.game.parts import Image

_LOOKS = 24  # places looked at across and down a sheet, for which part of it a photograph shows
# Pixels of a stripe and its neighbour where nothing is seen, and their greys.
_HATCH, _HATCHED = 24, (206, 190)


@dataclass
class SheetAbove:
    """A sheet seen from above; ``shown``: how much of it each photograph shows."""

    sheet: Any
    image: Image
    shown: Shown = field(default_factory=Shown)

    @cached_property
    def packed(self) -> bytes:
        """Without anything drawn on it."""
        return packed(self.image, ABOVE_QUALITY)


@dataclass(frozen=True)
class _View:
    """A sheet in one photograph from above, and where that photograph shows it."""

    picture: Image
    there: NDArray[np.bool_]


def whole_above(reader: Reader[Any, Any, Any], image: Image, sheet: Any) -> SheetAbove:
    """The sheet of one photograph; hatched where it lies outside."""
    height, width = image.shape[:2]
    if all(0 <= x <= width and 0 <= y <= height for x, y in sheet.corners_px):
        return SheetAbove(sheet, reader.rectified_sheet(image, sheet))
    return joined_above(reader, sheet, [(image, sheet)])


def joined_above(reader: Reader[Any, Any, Any], sheet: Any, pairs: Sequence[tuple[Image, Any]]) -> SheetAbove:
    """The sheet put together from photographs, each with it as read there; hatched where none shows it."""
    import numpy as np

    views = [_view(reader, image, one) for image, one in pairs]
    down, across = np.indices(views[0].there.shape)
    stripes = np.where((down + across) % _HATCH < _HATCH // 2, *_HATCHED)
    whole = np.repeat(stripes[:, :, None], 3, axis=2).astype(np.uint8)
    for view in views:  # later ones lie on top
        whole = np.where(view.there[:, :, None], view.picture, whole)
    missing = any(slot.cannot_see == OUTSIDE for slot in sheet.slots.values())
    return SheetAbove(sheet, whole, shown_parts([view.there for view in views], missing=missing))


def _view(reader: Reader[Any, Any, Any], image: Image, sheet: Any) -> _View:
    """What lies outside the photograph is taken from its rim: a white one with a black rim tells where."""
    import numpy as np

    white = np.zeros_like(image)
    rim = max(2, min(image.shape[:2]) // 200)
    white[rim:-rim, rim:-rim] = 255
    return _View(reader.rectified_sheet(image, sheet), reader.rectified_sheet(white, sheet)[:, :, 0] > 127)


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
