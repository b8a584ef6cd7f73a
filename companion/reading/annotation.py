"""What was read, drawn on a picture: the signs that all games share, and a pencil that draws in mm.

A slot that is new has green corners, one in doubt a magenta frame and a question mark, one that could not be
seen is crossed out in grey.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.reading.evidence import Ruling, SheetReading, SlotReading
from companion.sheets.drawing import Quad

Image: TypeAlias = NDArray[np.uint8]  # (height, width, 3), blue first
Points: TypeAlias = NDArray[np.float64]  # (n, 2), in mm of a sheet or in pixels
ToPixels: TypeAlias = Callable[[Points], Points]
Colour: TypeAlias = tuple[int, int, int]  # blue first

GREEN, MAGENTA, GREY, WHITE = (60, 170, 0), (200, 0, 230), (110, 110, 110), (255, 255, 255)
_SHIFT = 4  # bits after the point in which OpenCV wants places
_FARTHEST = 2**15  # pixels outside a picture beyond which OpenCV draws nonsense
_CORNER, _CROSSED = 0.14, 0.15  # of a slot: how long its green corners are, where the grey cross begins


@dataclass(frozen=True)
class Annotations:
    """What to draw on a sheet: labels by slot, and which slots are new, in doubt or unseen.

    ``title`` is written on it; ``refused``: something is against the rules.
    """

    labels: Mapping[str, str]
    uncertain: Collection[str] = ()
    changed: Collection[str] = ()
    unseen: Collection[str] = ()
    title: str = ""
    refused: bool = field(default=False, kw_only=True)

    @classmethod
    def of(
        cls, sheet: SheetReading[SlotReading], ruling: Ruling[Any, Any] | None, title: str = ""
    ) -> Annotations:
        """A sheet as it was ruled, or (without a ruling) as it was read."""
        unseen = [name for name, slot in sheet.slots.items() if slot.cannot_see is not None]
        if ruling is not None:
            refused = ruling.outcome == "refused"
            return cls(ruling.labels, ruling.uncertain, ruling.changes, unseen, title, refused=refused)
        seen = {name: slot for name, slot in sheet.slots.items() if slot.cannot_see is None}
        labels = {name: slot.best for name, slot in seen.items() if slot.best}
        return cls(labels, [name for name, slot in seen.items() if slot.doubtful], (), unseen, title)


def shrunk(photo: Image, longest: int) -> tuple[Image, float]:
    """A picture of its own with at most ``longest`` pixels on its longer side, and its scale to the photo."""
    scale = min(1.0, longest / max(photo.shape[:2]))
    size = (round(photo.shape[1] * scale), round(photo.shape[0] * scale))
    picture = photo.copy() if scale == 1 else cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
    return np.asarray(picture, np.uint8), scale


def blended(drawn: Image, under: Image, opacity: float) -> Image:
    """``drawn`` over the picture that it was drawn on."""
    return np.asarray(cv2.addWeighted(drawn, opacity, under, 1 - opacity, 0), np.uint8)


def matrix_between(source: Iterable[Sequence[float]], target: Iterable[Sequence[float]]) -> Points:
    """The homography, (3, 3), that takes four corners to four others."""
    one, other = (np.asarray(list(quad), np.float32) for quad in (source, target))
    return np.asarray(cv2.getPerspectiveTransform(one, other), np.float64)


def through(homography: Points) -> ToPixels:
    """Return a homography, (3, 3), as a function of points."""

    def to_pixels(points: Points) -> Points:
        flat = np.asarray(points, np.float64).reshape(1, -1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, homography)[0], np.float64)

    return to_pixels


def rectified(photo: Image, corners_px: Points | Quad, size: tuple[int, int], flags: int = 1) -> Image:
    """What lies between four corners of a photograph, in pixels, upright and of this (width, height)."""
    width, height = size
    upright = ((0, 0), (width, 0), (width, height), (0, height))
    matrix = matrix_between(np.asarray(corners_px).tolist(), upright)
    return np.asarray(cv2.warpPerspective(photo, matrix, size, flags=flags), np.uint8)


class Pencil:
    """Draws on a picture in mm of a plane that lies in it; widths and heights are in mm, too."""

    def __init__(self, image: Image, to_pixels: ToPixels, pixels_per_mm: float) -> None:
        self.image, self.to_pixels, self.pixels_per_mm = image, to_pixels, pixels_per_mm

    @classmethod
    def between(cls, image: Image, plane: Quad, corners_px: Points) -> Pencil:
        """Return a pencil in mm of the rectangle whose corners are at these pixels, (4, 2)."""
        seen = float(np.hypot(*(corners_px[1] - corners_px[0])))
        long = float(np.hypot(*(np.array(plane[1]) - plane[0])))
        return cls(image, through(matrix_between(plane, corners_px.tolist())), seen / long)

    def line(
        self,
        points: Points | Sequence[Sequence[float]],
        colour: Colour,
        width: float,
        *,
        closed: bool = False,
    ) -> None:
        """Draw a straight line from point to point."""
        # OpenCV counts from the middle of the first pixel.
        pixels = np.clip(self.to_pixels(np.asarray(points, np.float64)) - 0.5, -_FARTHEST, _FARTHEST)
        fixed = np.rint(pixels * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(self.image, [fixed], closed, colour, self.thickness(width), cv2.LINE_AA, _SHIFT)

    def ring(self, middle: Sequence[float], radius: float, colour: Colour, width: float) -> None:
        """Draw a circle of this radius, in mm, around a place."""
        x, y = np.rint(self.to_pixels(np.array([middle], np.float64))[0]).astype(int).tolist()
        reach = round(radius * self.pixels_per_mm)
        cv2.circle(self.image, (x, y), reach, colour, self.thickness(width), cv2.LINE_AA)

    def text(self, words: str, at: Sequence[float], colour: Colour, height: float) -> None:
        """Write words with a light outline, their lower left corner at a place."""
        scale = max(0.35, height * self.pixels_per_mm / 30)
        x, y = self.to_pixels(np.array([at], np.float64))[0]
        thin = max(1, round(2 * scale))
        for paint, width in ((WHITE, 3 * thin), (colour, thin)):
            place = round(float(x)), round(float(y))
            cv2.putText(self.image, words, place, cv2.FONT_HERSHEY_SIMPLEX, scale, paint, width, cv2.LINE_AA)

    def thickness(self, width: float) -> int:
        """A width in whole pixels, one at least."""
        return max(1, round(width * self.pixels_per_mm))

    # --- the signs that all games share ---

    def signs(
        self, name: str, quad: Quad, marked: Annotations, inset: float = 0.05, width: float = 0.8
    ) -> None:
        """Draw if a slot is new, in doubt or unseen; ``inset`` is a share of its sides."""
        if name in marked.changed:
            self._corners(quad, inset, width)
        if name in marked.uncertain:
            self.line(_inside(quad, 2 * inset), MAGENTA, width, closed=True)
            self.text("?", _at(quad, 0.12, 0.3), MAGENTA, 5 * width)
        elif name in marked.unseen:
            low, high = _CROSSED, 1 - _CROSSED
            self.line([_at(quad, low, low), _at(quad, high, high)], GREY, 1.5 * width)
            self.line([_at(quad, high, low), _at(quad, low, high)], GREY, 1.5 * width)

    def _corners(self, quad: Quad, inset: float, width: float) -> None:
        """Draw only the corners of a frame, which hide no line that leaves the slot."""
        low, high = inset, 1 - inset
        for x, y in ((low, low), (high, low), (high, high), (low, high)):
            across, down = (_CORNER if x == low else -_CORNER), (_CORNER if y == low else -_CORNER)
            corner = [_at(quad, x + across, y), _at(quad, x, y), _at(quad, x, y + down)]
            self.line(corner, GREEN, width)


def _at(quad: Quad, x: float, y: float) -> tuple[float, float]:
    """A place in a slot, by its shares of the way across and down."""
    (left, top), right, _, low = quad
    across, down = (right[0] - left, right[1] - top), (low[0] - left, low[1] - top)
    return left + x * across[0] + y * down[0], top + x * across[1] + y * down[1]


def _inside(quad: Quad, inset: float) -> list[tuple[float, float]]:
    low, high = inset, 1 - inset
    return [_at(quad, x, y) for x, y in ((low, low), (high, low), (high, high), (low, high))]
