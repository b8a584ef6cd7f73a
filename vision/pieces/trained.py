"""Classifies segments by a network: a piece of some usual colour, nothing, or not to be seen.

Plain differences (:mod:`.finding`) are misled where a piece has the colour of the print under it, where its
shadow falls on its neighbour, and where it leans away from the camera because it has height. The network was
trained on pictures of made-up boards in which all of that happens. It sees the surroundings of a segment in
the even picture and in the blank as it would look there, which show best what changed; in the photograph's
own colours, which tell best what a colour is called when the blank was taken in an odd light; and which way
height leans.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import scores, shares
from vision.pieces.against_blank import WHITE, Compared, compared
from vision.pieces.finding import PieceBoard, lab_of
from vision.pieces.lean import camera_place, leans
from vision.pieces.views import Segments, cut_out
from vision.register.print_drift import BlankTiles, print_drift
from vision.register.rectify import Image, Placement, Places

# Two networks, trained on different boards: what errs in the one does not always in the other. One looks at
# segments as they lie, one at them turned by half.
MODEL, TURNED_MODEL = (Path(__file__).with_name(name) for name in ("segments.onnx", "segments_turned.onnx"))
VIEW, FINENESS, SHAPE = (64, 32), 40.0, (1.8, 4.5)  # see Segments
COLOURS = (
    "red", "green", "blue", "black", "yellow", "white", "orange", "purple", "pink", "brown", "grey"
)  # fmt: skip
EMPTY_CLASS, UNSEEN_CLASS = 0, len(COLOURS) + 1
CLASSES, CHANNELS = len(COLOURS) + 2, 8
PICTURE, BLANK, PHOTOGRAPH, LEAN = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 11)  # of the channels
LEARNT = [0, 1, 2, 3, 4, 5, 9, 10]  # what the network is given of them
LEAN_ZERO, _LEAN_SCALE = 128, 100.0
_MIDDLE = slice(6, 26), slice(10, 54)  # of a view
_INNER, _AROUND = (slice(11, 21), slice(14, 50)), (slice(4, 28), slice(6, 58))
_ALIKE = 25.0  # squared difference from the blank that counts like none
_WHITEST = 255.0  # what white is in the photograph's own colours
_BRIGHT, _BRIGHTEST = 225.0, 0.98  # what the photograph's brightest become, and which share is darker
_LONGEST = 150  # pixels of the small copies in which light and brightness are measured
_TONES, _RIDGE, _FITTINGS, _LEAST_MISS = 7, 1e-3, 5, 0.02  # coefficients of a colour, pull towards none
_MANY = 150  # segments
_SHRUNK = 1.2  # how many times smaller the pictures are in which it is measured how the print drifts
_FINE, _COARSE = 0.8, 2.4  # pixels of a view: the band in which it is measured how sharp views are
_BLURS, _SAMPLE = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8, 3.2), 80  # pixels; views that are looked at


@dataclass(frozen=True, eq=False)
class TrainedLooks:
    """What the network and the colours say of every segment, in the board's order.

    The probabilities of nothing and of every colour, which add up to 1, and that the segment cannot be seen;
    the colour of what lies on it (CIE L*a*b*), in even light and as the camera saw it; its print's colour,
    and the difference of what is seen from that: L*, a*, b*, and one minus the correlation of their patterns.
    """

    shares: NDArray[np.float64]
    unseen: NDArray[np.float64]
    even_colours: NDArray[np.float64]
    own_colours: NDArray[np.float64]
    print_colours: NDArray[np.float64]
    differences: NDArray[np.float64]
    compared: Compared


def trained_looks(
    picture: Image, board: PieceBoard, placement: Placement, size: tuple[int, int]
) -> TrainedLooks:
    """Look at every segment of a straightened picture; ``placement`` and ``size`` are the photograph's."""
    whole = compared(picture, board.blank)
    views = network_views(picture, whole, board, placement, size)
    one = scores(MODEL, views[..., LEARNT])
    turned = views[:, ::-1, ::-1].copy()
    turned[..., LEAN] = np.clip(2 * LEAN_ZERO - turned[..., LEAN].astype(np.int16), 0, 255)
    other = scores(TURNED_MODEL, turned[..., LEARNT])
    said = (one + other) * np.float32(0.5)
    even, own = (
        lab_of(_piece_colours(views, channels), white).astype(np.float64)
        for channels, white in ((PICTURE, WHITE), (PHOTOGRAPH, _WHITEST))
    )
    printed, differences = _from_print(views)
    return TrainedLooks(
        shares(said[:, :UNSEEN_CLASS]), shares(said)[:, UNSEEN_CLASS], even, own, printed, differences, whole
    )


def _from_print(views: Image) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The colour of each segment's print, and how the seen colour differs from it."""
    seen, printed = (
        lab_of(views[:, _INNER[0], _INNER[1], channels].astype(np.float32), WHITE).mean(axis=(1, 2))
        for channels in (PICTURE, BLANK)
    )
    around = views[:, _AROUND[0], _AROUND[1]]
    one, other = (around[..., channels].mean(axis=3).reshape(len(views), -1) for channels in (PICTURE, BLANK))
    one, other = (grey - grey.mean(axis=1, keepdims=True) for grey in (one, other))
    alike = (one * other).sum(axis=1) / np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1) + 1)
    differences = np.column_stack([seen - printed, 1 - alike]).astype(np.float64)
    return printed.astype(np.float64), differences


def _piece_colours(views: Image, channels: slice) -> NDArray[np.float32]:
    """The mean colour in the middle of each view, weighted by the difference from the blank."""
    middles = views[:, _MIDDLE[0], _MIDDLE[1]].astype(np.float32)
    differs = np.abs(middles[..., PICTURE] - middles[..., BLANK]).max(axis=3)
    weights = differs**2 + _ALIKE
    total = (middles[..., channels] * weights[..., None]).sum(axis=(1, 2))
    return np.asarray(total / weights.sum(axis=(1, 2))[:, None], np.float32)


def network_views(
    picture: Image, whole: Compared, board: PieceBoard, placement: Placement, size: tuple[int, int]
) -> Image:
    """The network's input, (n, height, width, 11): the views of picture and blank, equally sharp.

    The channels: the even picture, the blank as expected there, the photograph in its own colours, and the
    lean along and across.
    """
    segments = Segments(board.quads, FINENESS, SHAPE)
    pixels = segments.pixels(board.scale, VIEW)
    drift = print_drift(picture, BlankTiles.of(board.blank, _SHRUNK))
    drifted = pixels + np.stack([drift.at(view) for view in pixels])
    even = cut_out(whole.even, drifted)
    expected = whole.expected(cut_out(board.blank, pixels))
    even, expected = _equally_sharp(even, _toned_alike(even, expected))
    own = cut_out(_own_colours(picture, whole), drifted)
    leaning = np.clip(LEAN_ZERO + _LEAN_SCALE * _leans(segments, placement, size), 0, 255)
    planes = np.broadcast_to(leaning[:, None, None].astype(np.uint8), (*even.shape[:3], 2))
    return np.concatenate([even, expected, own, planes], axis=3)


def _own_colours(picture: Image, whole: Compared) -> Image:
    """The photograph in the camera's own colours, evenly lit, its brightest parts scaled to bright."""
    height, width = picture.shape[:2]
    share = min(1.0, _LONGEST / max(height, width))
    small = max(8, round(width * share)), max(8, round(height * share))
    seen, even = (
        cv2.resize(one, small, interpolation=cv2.INTER_AREA).astype(np.float32)
        for one in (picture, whole.even)
    )
    lighter = (even.mean(axis=2) + 2) / (seen.mean(axis=2) + 2)
    lighter = np.asarray(cv2.GaussianBlur(lighter, (0, 0), 0.03 * max(small)), np.float32)
    lighter /= np.quantile(lighter * seen.max(axis=2), _BRIGHTEST) / np.float32(_BRIGHT)
    field = cv2.resize(lighter, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, cv2.merge([field] * 3), dtype=cv2.CV_8U), np.uint8)


def _toned_alike(even: Image, expected: Image) -> Image:
    """Fit the tone of expected views once more to the views that are seen.

    What :func:`~vision.pieces.against_blank.compared` fits is the tone of the whole board, mostly its ground.
    Segments are a small part of it, but theirs are the colours that matter: here every printed colour counts
    nearly alike, however rare it is. Least squares, reweighted so that pieces do not count (Geman-McClure).
    """
    step = 3 + round(len(even) / _MANY)  # of more segments fewer pixels are enough
    seen = even[:, ::step, ::step].reshape(-1, 3).astype(np.float32) / np.float32(255)
    blank = expected[:, ::step, ::step].reshape(-1, 3)
    bins = (blank // 24).astype(np.int64) @ np.array([121, 11, 1])
    rarity = 1 / np.sqrt(np.bincount(bins))[bins]
    terms = _terms(blank)
    tone = np.eye(_TONES, 3, dtype=np.float32)
    pull = _RIDGE * float(rarity.sum())
    for _ in range(_FITTINGS):
        miss = np.abs(seen - terms @ tone).max(axis=1)
        usual = max(float(np.median(miss)), _LEAST_MISS)
        weight = (rarity / (1 + (miss / np.float32(2.5 * usual)) ** 2) ** 2)[:, None].astype(np.float32)
        normal = (terms * weight).T @ terms + pull * np.eye(_TONES, dtype=np.float32)
        right = (terms * weight).T @ seen + pull * np.eye(_TONES, 3, dtype=np.float32)
        tone = np.linalg.solve(normal, right).astype(np.float32)
    # As :meth:`Compared.expected` does it, far quicker than a product of matrices
    flat = np.asarray(expected.reshape(-1, 1, 3), np.float32)
    linear, square, constant = tone[:3].T, tone[3:6].T / np.float32(255), tone[6:].T * np.float32(255)
    toned = cv2.transform(flat, np.concatenate([linear, constant], axis=1))
    cv2.add(toned, cv2.transform(cv2.multiply(flat, flat), square), toned)
    return np.asarray(np.clip(toned, 0, 255), np.uint8).reshape(expected.shape)


def _terms(colours: Image) -> NDArray[np.float32]:
    """The regressors, (n, 7), of a tone for colours (n, 3)."""
    shares = colours.astype(np.float32) / np.float32(255)
    return np.concatenate([shares, shares**2, np.ones((len(shares), 1), np.float32)], axis=1)


def _equally_sharp(even: Image, expected: Image) -> tuple[Image, Image]:
    """Blur the sharper of two series of views until both have the same fine detail."""
    some = slice(None, None, max(1, len(even) // _SAMPLE))
    seen, blank = _detail(even[some]), _detail(expected[some])
    sharper = expected if blank > seen else even
    for blur in _BLURS:
        if (_detail(_blurred(sharper[some], blur)) if blur else max(seen, blank)) <= 1.05 * min(seen, blank):
            break
    if not blur:
        return even, expected
    return (even, _blurred(expected, blur)) if blank > seen else (_blurred(even, blur), expected)


def _detail(views: Image) -> float:
    """The median amount of fine detail in views: the deviation between two Gaussian blurs."""
    grey = np.ascontiguousarray(views.mean(axis=3).transpose(1, 2, 0), np.float32)
    fine, coarse = (cv2.GaussianBlur(grey, (0, 0), blur) for blur in (_FINE, _COARSE))
    return float(np.median((fine - coarse).std(axis=(0, 1))))


def _blurred(views: Image, blur: float) -> Image:
    return np.stack([cv2.GaussianBlur(view, (0, 0), blur) for view in views])


def _leans(segments: Segments, placement: Placement, size: tuple[int, int]) -> Places:
    """The apparent lean, along and across each segment, of a thing standing on it; 1 is its height."""
    ways = leans(camera_place(placement, size), segments.middles) * segments.lengths[:, None]
    return np.clip(segments.in_views(ways) / segments.fineness, -1.2, 1.2)
