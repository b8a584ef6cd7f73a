"""Detects pieces on segments and their colours, by a segment's view and its blank's.

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

from companion.sheets.drawing import Quad
from vision.nets import said, shares
from vision.pieces.against_blank import WHITE, Compared, Floats, compared, most
from vision.pieces.lean import camera_place, leans
from vision.pieces.network import CLASSES, MODEL, ONE, TWO, UNSEEN, as_input
from vision.pieces.views import SIZE, Segments, cut_out
from vision.register.rectify import Image, Placement

Lab: TypeAlias = tuple[float, float, float]
_LEAN_HEIGHT = 0.25  # of a segment's length: the height for which the network is told how things lean
_MOST_DROWNED, _MOST_OUTSIDE = 0.3, 0.25  # share of a segment
_MOST_HIDDEN = 0.5  # probability from which something hides a segment
# A view that in its middle, smoothed, differs less from the blank's has nothing in it.
_BLUR, _CORE, _DIFFERS, _MOST_DIFFERING = 7, np.s_[9:15, 9:31], 10.0, 0.1
_SURELY_NOTHING = (8.0, 0.0, -1.0, -2.0)  # the scores of such a view
_WORTH_A_COLOUR = 0.02  # probability of a piece
_MAY_BE_TWO = 0.004  # probability of two from which their colours are looked at
_STEPS = 6  # of two-means clustering
_DEEP = 0.3  # how much saturation counts against lightness
_BODY = (0.05, 0.3)  # of a piece's top, from its deepest pixels: what shows its colour


@dataclass(frozen=True)
class PieceLook:
    """The look at one segment: the probabilities of one and two pieces, their colours, why it is unseen.

    ``colours``: CIE L*a*b* relative to the blank's white, first of a single piece, then of each of two, the
    smaller of which has the share ``minor`` of the visible area. ``cannot_see``: a reason for people, or
    None.
    """

    one: float
    two: float
    colours: tuple[Lab, ...]
    cannot_see: str | None = None
    minor: float = 0.0

    @property
    def empty(self) -> float:
        """The probability that nothing lies on the segment."""
        return max(0.0, 1.0 - self.one - self.two)


@dataclass(frozen=True, eq=False)
class PieceBoard:
    """A board for pieces: its straightened blank and its segments in the blank's units.

    ``scale``: pixels of the blank per unit, to which pictures are straightened, too. The network works best
    where a usual segment is about 42 pixels long.
    """

    blank: Image
    quads: Mapping[str, Quad]
    scale: float

    @cached_property
    def segments(self) -> Segments:
        """The segments on which pieces may lie."""
        return Segments(self.quads)

    @cached_property
    def pixels(self) -> NDArray[np.float32]:
        """The sampling map of every view in a straightened picture."""
        return self.segments.pixels(self.scale)

    @cached_property
    def views(self) -> Image:
        """The views of all segments, cut out of the blank."""
        return cut_out(self.blank, self.pixels)

    def lean(self, placement: Placement, size: tuple[int, int]) -> NDArray[np.float32]:
        """How upright things lean in each view, for a photograph of this size."""
        segments = self.segments
        ways = segments.in_views(leans(camera_place(placement, size), segments.middles))
        return np.asarray(ways * segments.lengths[:, None] * _LEAN_HEIGHT, np.float32)


@dataclass(frozen=True, eq=False)
class SeenPieces:
    """The reading of a board: a look at every segment by name, and the comparison with the blank.

    ``tops``: how probably each pixel of the segments' views, every second each way, is a piece's top.
    """

    looks: Mapping[str, PieceLook]
    compared: Compared
    tops: NDArray[np.float32]  # (n, height / 2, width / 2)


def look_for_pieces(
    picture: Image,
    board: PieceBoard,
    lean: NDArray[np.float32] | None = None,
    outside: NDArray[np.bool_] | None = None,
) -> SeenPieces:
    """Look for pieces on every segment of a board in a straightened picture (BGR).

    ``lean``: see :meth:`PieceBoard.lean`; without it the camera is taken to be straight above. ``outside``
    marks pixels that the photograph does not show.
    """
    whole = compared(picture, board.blank)
    even, expected = cut_out(whole.even, board.pixels), whole.expected(board.views)
    if lean is None:
        lean = np.zeros((len(even), 2), np.float32)
    # The network's scores; views that look just like the blank's are not run through it
    strange = np.flatnonzero(look_strange(even, expected))
    scores = np.full((len(even), CLASSES + SIZE[0] * SIZE[1] // 4), -20.0, np.float32)
    scores[:, :CLASSES] = _SURELY_NOTHING
    if len(strange):
        scores[strange] = said(MODEL, as_input(even[strange], expected[strange], lean[strange]))
    classes = shares(scores[:, :CLASSES])
    tops = 1 / (1 + np.exp(-np.clip(scores[:, CLASSES:], -20, 20)))
    # For every segment the reason why it cannot be seen, or None
    hidden = classes[:, UNSEEN]
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
    known = classes / np.maximum(1 - classes[:, UNSEEN : UNSEEN + 1], 1e-6)  # if it can be seen at all
    some = np.flatnonzero(known[:, ONE] + known[:, TWO] > _WORTH_A_COLOUR)
    found = colours_seen(even[some], tops[some], known[some, TWO])
    colours = dict(zip(some.tolist(), found, strict=True))
    looks = {}
    for n, name in enumerate(board.quads):
        seen, minor = colours.get(n, ((), 0.0))
        looks[name] = PieceLook(float(known[n, ONE]), float(known[n, TWO]), seen, reasons[n], minor)
    views = tops.reshape(len(tops), SIZE[1] // 2, SIZE[0] // 2)
    return SeenPieces(looks, whole, np.asarray(views, np.float32))


def look_strange(even: Image, expected: Image) -> NDArray[np.bool_]:
    """Mask (n,) of views that differ from the blank's; only these are shown to the network."""
    apart = even.astype(np.float32) - expected
    smooth = most(np.abs(np.stack([cv2.blur(view, (_BLUR, _BLUR))[_CORE] for view in apart])))
    return np.asarray((smooth > _DIFFERS).mean(axis=(1, 2)) > _MOST_DIFFERING, np.bool_)


def lab_of(even: NDArray[np.uint8] | Floats, white: float) -> Floats:
    """Convert colours of even pictures, (.., 3) in BGR order, to CIE L*a*b* relative to their white."""
    flat = np.clip(np.asarray(even, np.float32).reshape(-1, 1, 3) / np.float32(white), 0, 1.3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2Lab), np.float32).reshape(np.shape(even))


# --- colours ---


def colours_seen(
    even: Image, tops: NDArray[np.float64], two: NDArray[np.float64]
) -> list[tuple[tuple[Lab, ...], float]]:
    """By view the colour of a single piece, those of two where two may lie, and the smaller one's share.

    ``tops`` has every second pixel each way. The board's light is out of ``even``; what shadows are left fall
    beside pieces more often than on them, so nothing is taken out of single views.
    """
    if not len(even):
        return []
    labs = lab_of(even, WHITE).reshape(len(even), -1, 3)
    fine = tops.reshape(-1, SIZE[1] // 2, SIZE[0] // 2).repeat(2, axis=1).repeat(2, axis=2)
    weights = np.asarray(fine.reshape(len(even), -1) ** 3 + 1e-9, np.float32)
    found: list[tuple[tuple[Lab, ...], float]] = [((_as_lab(one),), 0.0) for one in _bodies(labs, weights)]
    perhaps = np.flatnonzero(two > _MAY_BE_TWO)
    if len(perhaps):
        for n, one, other, minor in zip(
            perhaps.tolist(), *_two_colours(labs[perhaps], weights[perhaps]), strict=True
        ):
            found[n] = (found[n][0][0], _as_lab(one), _as_lab(other)), float(minor)
    return found


def _bodies(points: Floats, weights: Floats) -> NDArray[np.float64]:
    """The body colours of pieces, (n, 3), from points (n, pixels, 3): the mean of their darker part.

    Lighter and paler pixels are gloss or a white print on the piece; the very darkest are its rim.
    """
    pale = points[..., 0] - _DEEP * np.hypot(points[..., 1], points[..., 2])
    order = np.argsort(pale, axis=1)
    heavy = np.take_along_axis(weights, order, axis=1)
    heavy = heavy / heavy.sum(axis=1, keepdims=True)
    sums, (low, high) = np.cumsum(heavy, axis=1), _BODY
    share = np.clip(np.minimum(sums, high) - np.maximum(sums - heavy, low), 1e-12, None)
    ordered = np.take_along_axis(points, order[..., None], axis=1)
    means = (ordered * share[..., None]).sum(axis=1) / share.sum(axis=1, keepdims=True)
    return np.asarray(means, np.float64)


def _as_lab(colour: NDArray[np.float64]) -> Lab:
    return float(colour[0]), float(colour[1]), float(colour[2])


def _two_colours(
    points: Floats, weights: Floats
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Weighted two-means in each view, starting from the ends of the colours' main axis.

    Takes points (n, pixels, 3) and weights (n, pixels); returns the two colours of each view and the share of
    the smaller cluster.
    """
    shares = weights / weights.sum(axis=1, keepdims=True)
    centred = points - np.einsum("np,npc->nc", shares, points)[:, None]
    spread = np.einsum("np,npc,npd->ncd", shares, centred, centred, optimize=True)
    axes = np.linalg.eigh(spread)[1][..., -1]
    side = np.einsum("npc,nc->np", centred, axes) > 0
    for _ in range(_STEPS):
        one, other = (_means(centred, shares * part) for part in (side, ~side))
        # Nearer to the one: beyond the plane half way between both.
        limit = ((one**2).sum(axis=1) - (other**2).sum(axis=1)) / 2
        side = np.einsum("npc,nc->np", centred, one - other) > limit[:, None]
    tiny = np.float32(1e-12)
    share = (shares * side).sum(axis=1)
    bodies = [_bodies(points, weights * part + tiny) for part in (side, ~side)]
    return bodies[0], bodies[1], np.asarray(np.minimum(share, 1 - share), np.float64)


def _means(points: Floats, weights: Floats) -> Floats:
    """The weighted mean of the points in each view, (n, 3)."""
    whole = np.maximum(weights.sum(axis=1, keepdims=True), np.float32(1e-9))
    return np.asarray(np.einsum("np,npc->nc", weights, points) / whole, np.float32)
