"""Is there a piece on a segment, and of what colour: evidence from its view and the blank's.

A small network says how many pieces lie there and where their tops are; their colours are then those of the
picture, whatever they are. Whose colours these are :mod:`.colours` learns from all pieces together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.drawing import Quad
from vision.nets import said, shares
from vision.pieces.against_blank import WHITE, Compared, Floats, compared, most
from vision.pieces.lean import camera_place, leans
from vision.pieces.network import CLASSES, MODEL, ONE, TWO, UNSEEN, as_input
from vision.pieces.views import SIZE, Segments, cut_out
from vision.rectify import Image, Placement, Places

Lab: TypeAlias = tuple[float, float, float]
_LEAN_HEIGHT = 0.25  # of a segment's length: the height for which the network is told how things lean
_MOST_DROWNED, _MOST_OUTSIDE = 0.3, 0.25  # share of a segment
_MOST_HIDDEN = 0.5  # probability from which something hides a segment
# A view that in its middle, smoothed, differs less from the blank's has nothing in it.
_BLUR, _CORE, _DIFFERS, _MOST_DIFFERING = 7, np.s_[9:15, 9:31], 10.0, 0.1
_SURELY_NOTHING = (8.0, 0.0, -1.0, -2.0)  # the scores of such a view
_WORTH_A_COLOUR = 0.02  # probability of a piece
_STEPS = 6  # of two-means clustering
_BESIDE, _BRIGHT, _LEAST_BESIDE = 0.05, 70.0, 0.2  # where the print beside a piece tells the light on it
_SHADE = (0.35, 1.25)  # of that print: what is beyond is no light
_BODY = (0.1, 0.4)  # of a piece's top, from its darkest pixels: what shows its colour


@dataclass(frozen=True)
class PieceLook:
    """One segment: the probabilities of one piece and of two, their colours, and why it is unseen.

    ``colours`` are CIE L*a*b* of the piece in the light in which the blank's white is white: first that of
    one piece, then those of two if there were two. ``cannot_see`` is a reason for people, or None.
    """

    one: float
    two: float
    colours: tuple[Lab, ...]
    cannot_see: str | None = None

    @property
    def empty(self) -> float:
        """The probability that nothing lies there."""
        return max(0.0, 1.0 - self.one - self.two)


@dataclass(frozen=True, eq=False)
class PieceBoard:
    """A board for pieces: its empty look, straightened, and its segments in the blank's units.

    ``scale`` is the blank's pixels per unit; pictures are straightened to the same pixels. The network is
    at its best where a usual segment is about 42 pixels long.
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

    def lean(self, placement: Placement, size: tuple[int, int]) -> NDArray[np.float32]:
        """How things lean in every view; ``size`` is that of the whole photograph."""
        segments = self.segments
        ways = segments.in_views(leans(camera_place(placement, size), segments.middles))
        return np.asarray(ways * segments.lengths[:, None] * _LEAN_HEIGHT, np.float32)


@dataclass(frozen=True, eq=False)
class SeenPieces:
    """What was seen on a board: a look at every segment by name, and how picture and blank compare."""

    looks: Mapping[str, PieceLook]
    compared: Compared


def look_for_pieces(
    picture: Image,
    board: PieceBoard,
    lean: NDArray[np.float32] | None = None,
    outside: NDArray[np.bool_] | None = None,
) -> SeenPieces:
    """Look at every segment of a board in a straightened picture (blue first).

    ``lean``: see :meth:`PieceBoard.lean`; without it the camera is taken to be straight above. ``outside``
    marks pixels that the photograph does not show.
    """
    whole = compared(picture, board.blank)
    even, expected = cut_out(whole.even, board.pixels), whole.expected(board.views)
    if lean is None:
        lean = np.zeros((len(even), 2), np.float32)
    scores = _scores(even, expected, lean)
    classes = shares(scores[:, :CLASSES])
    tops = 1 / (1 + np.exp(-np.clip(scores[:, CLASSES:], -20, 20)))
    reasons = _unseen(whole, board, outside, classes[:, UNSEEN])
    known = classes / np.maximum(1 - classes[:, UNSEEN : UNSEEN + 1], 1e-6)  # if it can be seen at all
    some = np.flatnonzero(known[:, ONE] + known[:, TWO] > _WORTH_A_COLOUR)
    lit = _in_full_light(even[some], expected[some], tops[some])
    colours = dict(zip(some.tolist(), _colours(lit, tops[some], known[some, TWO]), strict=True))
    looks = {
        name: PieceLook(float(known[n, ONE]), float(known[n, TWO]), colours.get(n, ()), reasons[n])
        for n, name in enumerate(board.quads)
    }
    return SeenPieces(looks, whole)


def _scores(even: Image, expected: Image, lean: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the network says; of views that look just like the blank's nothing is asked."""
    apart = even.astype(np.float32) - expected
    smooth = most(np.abs(np.stack([cv2.blur(view, (_BLUR, _BLUR))[_CORE] for view in apart])))
    strange = np.flatnonzero((smooth > _DIFFERS).mean(axis=(1, 2)) > _MOST_DIFFERING)
    scores = np.full((len(even), CLASSES + SIZE[0] * SIZE[1] // 4), -20.0, np.float32)
    scores[:, :CLASSES] = _SURELY_NOTHING
    if len(strange):
        scores[strange] = said(MODEL, as_input(even[strange], expected[strange], lean[strange]))
    return scores


def lab_of(even: NDArray[np.uint8] | Floats, white: float) -> Floats:
    """Colours of even pictures, (.., 3) blue first, as CIE L*a*b* relative to that white."""
    flat = np.clip(np.asarray(even, np.float32).reshape(-1, 1, 3) / np.float32(white), 0, 1.3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2Lab), np.float32).reshape(np.shape(even))


def _unseen(
    whole: Compared,
    board: PieceBoard,
    outside: NDArray[np.bool_] | None,
    hidden: NDArray[np.float64],
) -> list[str | None]:
    """By segment why it cannot be seen, or None."""
    core = np.ascontiguousarray(
        board.pixels[:, SIZE[1] // 3 : -(SIZE[1] // 3), SIZE[0] // 6 : -(SIZE[0] // 6)]
    )
    reasons: list[str | None] = ["covered" if share > _MOST_HIDDEN else None for share in hidden.tolist()]
    marked = [(whole.drowned, _MOST_DROWNED, "glare")]
    if outside is not None:
        marked.append((outside, _MOST_OUTSIDE, "outside the picture"))
    for mask, limit, reason in marked:
        if mask.any():
            covered = cut_out(mask.astype(np.uint8) * 255, core).mean(axis=(1, 2)) / 255
            reasons = [
                reason if share > limit else old for share, old in zip(covered.tolist(), reasons, strict=True)
            ]
    return reasons


# --- colours ---


def _halved(views: Image) -> Floats:
    """Views with half as many pixels each way, as many as the network tells tops of, (n, pixels, 3)."""
    rows = views[:, ::2].astype(np.float32) + views[:, 1::2]
    halved = (rows[:, :, ::2] + rows[:, :, 1::2]) / np.float32(4)
    return np.ascontiguousarray(halved.reshape(len(views), SIZE[0] * SIZE[1] // 4, 3))


def _in_full_light(even: Image, expected: Image, tops: NDArray[np.float64]) -> Floats:
    """Views without the shadow that lies on the print around the pieces, if one does."""
    seen, print_ = _halved(even), _halved(expected)
    bright = print_.sum(axis=2)
    share = seen.sum(axis=2) / np.maximum(bright, 1.0)
    beside = (tops < _BESIDE) & (bright > 3 * _BRIGHT)
    beside[:, 0] = True  # so that there is always something
    shade = np.nanmedian(np.where(beside, share, np.nan), axis=1)
    shade[beside.mean(axis=1) < _LEAST_BESIDE] = 1.0
    return np.asarray(seen / np.clip(shade, *_SHADE)[:, None, None], np.float32)


def _colours(lit: Floats, tops: NDArray[np.float64], two: NDArray[np.float64]) -> list[tuple[Lab, ...]]:
    """By view the colour that one piece would have, and where two are likely theirs."""
    if not len(lit):
        return []
    labs = lab_of(lit, WHITE).astype(np.float64)
    weights = tops**3 + 1e-9
    found: list[tuple[Lab, ...]] = []
    for lab, weight, both in zip(labs, weights, two.tolist(), strict=True):
        one = _body(lab, weight)
        found.append((one, *_two_colours(lab, weight)) if both > _WORTH_A_COLOUR else (one,))
    return found


def _body(points: NDArray[np.float64], weights: NDArray[np.float64]) -> Lab:
    """The colour of a piece's body: the mean of its darker middle.

    What is lighter is gloss, or white that is printed on the piece; the very darkest is its rim.
    """
    order = np.argsort(points[:, 0])
    sums = np.cumsum(weights[order]) / weights.sum()
    low, high = _BODY
    share = np.clip(
        (np.minimum(sums, high) - np.maximum(sums - weights[order] / weights.sum(), low)), 0, None
    )
    light, a, b = (points[order] * share[:, None]).sum(axis=0) / max(float(share.sum()), 1e-9)
    return float(light), float(a), float(b)


def _two_colours(points: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[Lab, Lab]:
    """Weighted two-means, begun at the two ends of the axis along which the colours differ most."""
    whole = weights.sum()
    middle = (points * weights[:, None]).sum(axis=0) / whole
    away = (points - middle) * np.sqrt(weights / whole)[:, None]
    axis = np.linalg.svd(away, full_matrices=False)[2][0]
    side = (points - middle) @ axis > 0
    for _ in range(_STEPS):
        one, other = (_mean(points, weights * part) for part in (side, ~side))
        side = ((points - one) ** 2).sum(axis=1) < ((points - other) ** 2).sum(axis=1)
    return _body(points, weights * side + 1e-12), _body(points, weights * ~side + 1e-12)


def _mean(points: NDArray[np.float64], weights: NDArray[np.float64]) -> Places:
    mean: Places = (points * weights[:, None]).sum(axis=0) / max(float(weights.sum()), 1e-9)
    return mean
