"""Is there a piece on a segment, and of what colour: evidence from its view and the blank's.

The evidence says nothing of whose colours there are: :mod:`.colours` learns these from all pieces together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.drawing import Quad
from vision.pieces.against_blank import Compared, Floats, compared
from vision.pieces.views import SIZE, Segments, cut_out
from vision.rectify import Image

_WINDOW = (0.5, 0.22)  # of a view: what a piece fills at least, along and across
_REACH = (4, 2)  # pixels of a view: how far from the segment's middle a piece's middle is looked for
_USUAL, _SOFT = (
    26.0,
    5.0,
)  # difference at which piece and nothing are as likely; how much more is e times as likely
_MOST_DROWNED, _MOST_OUTSIDE = 0.3, 0.3  # of a segment


@dataclass(frozen=True)
class PieceLook:
    """One segment: the probabilities of one piece and of two, their colours, and why it is unseen.

    Colours are CIE L*a*b* of the piece in the light in which the blank's white is white; the first is that of
    one piece. ``cannot_see`` is a reason for people, or None.
    """

    one: float
    two: float
    colours: tuple[tuple[float, float, float], ...]
    cannot_see: str | None = None

    @property
    def empty(self) -> float:
        """The probability that nothing lies there."""
        return max(0.0, 1.0 - self.one - self.two)


@dataclass(frozen=True, eq=False)
class PieceBoard:
    """A board for pieces: its empty look, straightened, and its segments in the blank's units.

    ``scale`` is the blank's pixels per unit; pictures are straightened to the same pixels.
    """

    blank: Image
    quads: Mapping[str, Quad]
    scale: float

    @cached_property
    def segments(self) -> Segments:
        """Where pieces may lie."""
        return Segments(self.quads)

    @cached_property
    def pixels(self) -> NDArray[np.float32]:
        """Where every view lies in a straightened picture."""
        return self.segments.pixels(self.scale)

    @cached_property
    def views(self) -> Image:
        """The blank's."""
        return cut_out(self.blank, self.pixels)


@dataclass(frozen=True, eq=False)
class SeenPieces:
    """What was seen on a board: a look at every segment by name, and how picture and blank compare."""

    looks: Mapping[str, PieceLook]
    compared: Compared


def look_for_pieces(
    picture: Image, board: PieceBoard, outside: NDArray[np.bool_] | None = None
) -> SeenPieces:
    """Look at every segment of a board in a straightened picture (blue first).

    ``outside`` marks pixels of it that the photograph does not show.
    """
    whole = compared(picture, board.blank)
    even = cut_out(whole.even, board.pixels)
    expected = whole.expected(board.views)
    unseen = _unseen(whole, board, outside)
    shares, colours = _evidence(even, expected)
    looks = {
        name: PieceLook(float(share), 0.0, (_triple(colour),), reason)
        for name, share, colour, reason in zip(board.quads, shares, colours, unseen, strict=True)
    }
    return SeenPieces(looks, whole)


def _triple(colour: Floats) -> tuple[float, float, float]:
    return float(colour[0]), float(colour[1]), float(colour[2])


def lab_of(even: NDArray[np.uint8] | Floats, white: float) -> Floats:
    """Colours of even pictures, (.., 3) blue first, as CIE L*a*b* relative to that white."""
    flat = np.clip(np.asarray(even, np.float32).reshape(-1, 1, 3) / np.float32(white), 0, 1.3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2Lab), np.float32).reshape(np.shape(even))


def _unseen(whole: Compared, board: PieceBoard, outside: NDArray[np.bool_] | None) -> list[str | None]:
    """By segment why it cannot be seen, or None."""
    core = board.pixels[:, SIZE[1] // 3 : -(SIZE[1] // 3), SIZE[0] // 6 : -(SIZE[0] // 6)]
    reasons: list[str | None] = [None] * len(core)
    marked = [(whole.drowned, _MOST_DROWNED, "glare")]
    if outside is not None:
        marked.append((outside, _MOST_OUTSIDE, "outside the picture"))
    for mask, most, reason in marked:
        if mask.any():
            shares = cut_out(mask.astype(np.uint8) * 255, np.ascontiguousarray(core)).mean(axis=(1, 2)) / 255
            reasons = [reason if share > most else old for share, old in zip(shares, reasons, strict=True)]
    return reasons


def _evidence(even: Image, expected: Image) -> tuple[NDArray[np.float64], Floats]:
    """By segment how likely a piece is, and its colour: the window that differs most from the blank."""
    differs = np.abs(even.astype(np.float32) - expected.astype(np.float32)).max(axis=3)
    size = max(1, round(_WINDOW[0] * SIZE[0])), max(1, round(_WINDOW[1] * SIZE[1]))
    steps = np.stack([cv2.blur(np.minimum(one, 90.0), size) for one in differs])
    (x, y), (across, down) = (SIZE[0] // 2, SIZE[1] // 2), _REACH
    near = steps[:, y - down : y + down + 1, x - across : x + across + 1]
    best = near.reshape(len(near), -1).argmax(axis=1)
    tops = np.take_along_axis(near.reshape(len(near), -1), best[:, None], axis=1)[:, 0]
    shares = 1 / (1 + np.exp(np.clip((_USUAL - tops) / _SOFT, -30, 30)))
    colours = np.empty((len(even), 3), np.float32)
    for n, place in enumerate(best.tolist()):
        cy, cx = y - down + place // near.shape[2], x - across + place % near.shape[2]
        part = even[n, cy - size[1] // 2 : cy + size[1] // 2 + 1, cx - size[0] // 2 : cx + size[0] // 2 + 1]
        colours[n] = np.median(part.reshape(-1, 3), axis=0)
    return np.asarray(shares, np.float64), lab_of(colours, 190.0)
