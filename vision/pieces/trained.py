"""What a network says of segments: a piece of some usual colour, nothing, or not to be seen.

Plain differences (:mod:`.finding`) are misled where a piece has the colour of the print under it, where its
shadow falls on its neighbour, and where it leans away from the camera because it has height. The network was
taught with pictures of made-up boards in which all of that happens. It sees the surroundings of a segment in
the even picture, the same in the blank as it would look there, and which way height leans.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.nets import scores, shares
from vision.pieces.against_blank import WHITE, Compared, compared
from vision.pieces.finding import PieceBoard, lab_of
from vision.pieces.lean import camera_place, leans
from vision.pieces.views import Segments, cut_out
from vision.rectify import Image, Placement, Places

MODEL = Path(__file__).with_name("segments.onnx")
VIEW, FINENESS, SHAPE = (64, 32), 40.0, (1.8, 4.5)  # see Segments
COLOURS = (
    "red", "green", "blue", "black", "yellow", "white", "orange", "purple", "pink", "brown", "grey"
)  # fmt: skip
EMPTY_CLASS, UNSEEN_CLASS = 0, len(COLOURS) + 1
CLASSES, CHANNELS = len(COLOURS) + 2, 8
LEAN_ZERO, _LEAN_SCALE = 128, 100.0
_MIDDLE = slice(11, 21), slice(16, 48)  # of a view


@dataclass(frozen=True, eq=False)
class TrainedLooks:
    """By segment, in the board's order: the shares of nothing and of every colour (they add up to 1), how
    likely it is that the segment cannot be seen, and the colour in its middle (CIE L*a*b*).
    """

    shares: NDArray[np.float64]
    unseen: NDArray[np.float64]
    colours: NDArray[np.float64]
    compared: Compared


def trained_looks(
    picture: Image, board: PieceBoard, placement: Placement, size: tuple[int, int]
) -> TrainedLooks:
    """Look at every segment of a straightened picture; ``placement`` and ``size`` are the photograph's."""
    whole = compared(picture, board.blank)
    views = network_views(whole, board, placement, size)
    # The same turned by half: what both say is surer than what one does.
    said = (scores(MODEL, views) + scores(MODEL, _turned_by_half(views))) * np.float32(0.5)
    middles = views[:, _MIDDLE[0], _MIDDLE[1], :3].reshape(len(views), -1, 3)
    colours = lab_of(np.median(middles, axis=1).astype(np.float32), WHITE).astype(np.float64)
    return TrainedLooks(shares(said[:, :UNSEEN_CLASS]), shares(said)[:, UNSEEN_CLASS], colours, whole)


def _turned_by_half(views: Image) -> Image:
    turned = views[:, ::-1, ::-1].copy()
    turned[..., 6:] = np.clip(2 * LEAN_ZERO - turned[..., 6:].astype(np.int16), 0, 255)
    return turned


def network_views(whole: Compared, board: PieceBoard, placement: Placement, size: tuple[int, int]) -> Image:
    """What the network sees: picture, expected blank, lean along and across, (n, height, width, 8)."""
    segments = Segments(board.quads, FINENESS, SHAPE)
    pixels = segments.pixels(board.scale, VIEW)
    even = cut_out(whole.even, pixels)
    expected = whole.expected(cut_out(board.blank, pixels))
    leaning = np.clip(LEAN_ZERO + _LEAN_SCALE * _leans(segments, placement, size), 0, 255)
    planes = np.broadcast_to(leaning[:, None, None].astype(np.uint8), (*even.shape[:3], 2))
    return np.concatenate([even, expected, planes], axis=3)


def _leans(segments: Segments, placement: Placement, size: tuple[int, int]) -> Places:
    """How far something seems to lean that stands on each segment, along and across it; 1 is its height."""
    ways = leans(camera_place(placement, size), segments.middles) * segments.lengths[:, None]
    return np.clip(segments.in_views(ways) / segments.fineness, -1.2, 1.2)
