"""Material varied while it is learnt from: moved, turned, mirrored, in other light, out of focus."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.detection import LONGEST as FOUND_IN
from companion.games.derailed.reader.cards.detection import through
from companion.games.derailed.reader.cards.faces import (
    CLASS_NUMBER,
    CLASSES,
    COVERED,
    EMPTY,
    FACE_CLASSES,
    HALF_TURNED,
    MIRRORED,
    STATION_CLASSES,
)
from companion.games.derailed.reader.cards.views import HEIGHT, RIM, WIDTH, evened
from companion.games.derailed.reader.grids.tilt import LONG_SIDE, Tilt
from lab.derailed.training.backgrounds import laid_on
from lab.derailed.training.material import LONGEST, VIEW_RIM, VIEW_SIZE
from lab.derailed.training.station_styles import restyled
from lab.studio.darkroom import noise_field
from vision.register.rectify import Image, Matrix

Rng = np.random.Generator
# Shares of pictures that are straightened as the reader does, and of those with cards of any size.
_STRAIGHTENED, _ANY_SIZE = 0.45, 0.25
_SIZES = (18.0, 105.0)  # pixels of a card's long side, where cards are of any size
_MISJUDGED = np.radians([3.5, 9.0])  # deviation of tilt and direction by which a slant is misjudged
_FEW_PIXELS, _ENLARGED = 0.15, (1.2, 2.8)  # share of pictures that seem enlarged, and how many times
_OTHER_TABLE = 0.35  # share of pictures whose cards are laid on a pattern of any kind
_OTHER_STATIONS, _UNCOVERED = 0.25, 0.03  # share with stations of another style; hidden shares of these
_LEANING = 22.0  # degrees by which whole pictures are turned beside quarters: no card is upright for ever
_MOVED, _TURNED, _SIZED = 2.0, 2.2, 0.028  # mm, degrees, share: how far from its place a card may be cut out


def varied_view(rng: Rng, view: Image, label: int) -> tuple[Image, int]:
    """An augmented view of the size that is read, and its label."""
    if rng.random() < 0.5 and CLASSES[label] not in STATION_CLASSES:  # letters are never seen in a mirror
        view, label = view[:, ::-1], MIRRORED[label]
    if rng.random() < 0.5:
        view, label = view[::-1, ::-1], HALF_TURNED[label]
    cut = _cut_out(rng, np.ascontiguousarray(view))
    return evened(_weathered(rng, cut)[None])[0], label


def plain_view(view: Image) -> Image:
    """A view of the size that is read, without augmentation."""
    return evened(_warped(view, np.eye(2), np.zeros(2))[None])[0]


def _cut_out(rng: Rng, view: Image) -> Image:
    angle = np.radians(rng.normal(0, _TURNED))
    c, s = np.cos(angle), np.sin(angle)
    matrix = np.array([[c, -s], [s, c]]) @ (np.eye(2) + rng.normal(0, _SIZED, (2, 2)) * [[1, 0.6], [0.6, 1]])
    return _warped(view, matrix, np.clip(rng.normal(0, _MOVED, 2), -5, 5))


def _warped(view: Image, matrix: NDArray[np.float64], shift: NDArray[np.float64]) -> Image:
    """The middle of a view through ``matrix`` around it; ``shift`` in mm."""
    given = np.array([VIEW_SIZE[0], VIEW_SIZE[1]]) / (np.array([63.0, 88.0]) + 2 * VIEW_RIM)
    wanted = np.array([WIDTH, HEIGHT]) / (np.array([63.0, 88.0]) + 2 * RIM)
    linear = (matrix * given[:, None]) / wanted[None]
    middle = np.array([WIDTH, HEIGHT]) / 2 - 0.5
    offset = np.array(VIEW_SIZE) / 2 - 0.5 + shift * given - linear @ middle
    whole = np.concatenate([linear, offset[:, None]], axis=1)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(view, whole, (WIDTH, HEIGHT), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _weathered(rng: Rng, view: Image) -> Image:
    """Vary light, lens and pen."""
    if rng.random() < 0.12:
        kernel = np.ones((2, 2) if rng.random() < 0.7 else (3, 3), np.uint8)
        view = np.asarray((cv2.erode if rng.random() < 0.6 else cv2.dilate)(view, kernel), np.uint8)
    if rng.random() < 0.3:
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), float(rng.uniform(0.3, 1.1))), np.uint8)
    light = view.astype(np.float32) * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    if rng.random() < 0.4:
        light = light * _slope(rng, view.shape[:2])[..., None]
    light += noise_field(rng, view.shape) * np.float32(rng.uniform(0, 7))
    return np.clip(light * np.float32(np.exp(rng.normal(-0.1, 0.3))), 0, 255).astype(np.uint8)


def _slope(rng: Rng, size: tuple[int, int]) -> NDArray[np.float32]:
    """A random gradient of light, or the edge of a shadow."""
    rows, columns = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j]
    angle = rng.uniform(0, 2 * np.pi)
    along = np.cos(angle) * columns + np.sin(angle) * rows - rng.uniform(-0.8, 0.8)
    depth, hardness = rng.uniform(0.1, 0.6), np.exp(rng.uniform(0, 3.5))
    return (1 - depth / (1 + np.exp(-np.clip(along * hardness, -30, 30)))).astype(np.float32)


def view_weights(labels: NDArray[np.int16], source: NDArray[np.int64]) -> NDArray[np.float64]:
    """How often each view is looked at: every face equally often, and the rest as much as six faces.

    Of each of them those of every ``source`` that has it are looked at equally often.
    """
    sources = int(source.max()) + 1
    counts = np.zeros((sources, len(CLASS_NUMBER)))
    np.add.at(counts, (source, labels), 1)
    own = counts[source, labels] * (counts > 0).sum(axis=0)[labels]
    wanted = np.full(len(CLASS_NUMBER), 2.0)
    wanted[: len(FACE_CLASSES)] = 1.0
    wanted[CLASS_NUMBER[EMPTY]] = wanted[CLASS_NUMBER[COVERED]] = 2.5
    weights: NDArray[np.float64] = wanted[labels] / own
    return weights / weights.sum()


# --- whole pictures ---


def varied_picture(
    rng: Rng,
    small: Image,
    cards: NDArray[np.float32],
    side: int,
    patterns: Sequence[Image] = (),
    slant: Tilt | None = None,
) -> tuple[Image, NDArray[np.float32]]:
    """A square part of a picture, turned, mirrored, bigger or smaller, and its cards.

    With ``patterns`` the cards may lie on one of these, and stations be drawn over; with the ``slant`` at
    which it was taken the picture may be straightened.
    """
    corners = cards[:, :8].reshape(-1, 4, 2).astype(np.float64)
    before, size = _before_turning(rng, small, corners, slant)
    mirror, angle = bool(rng.random() < 0.5), np.radians(90 * int(rng.integers(4)) + rng.normal(0, _LEANING))
    c, s = float(np.cos(angle)), float(np.sin(angle))
    turning = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.diag([-size if mirror else size, size, 1.0])
    matrix = turning @ before
    shown = through(matrix, corners)
    whole = shown if len(cards) else through(matrix, np.array([[small.shape[1::-1]]], np.float64) / 2)
    focus = whole.mean(axis=(0, 1)) + rng.normal(0, 90, 2) * size
    matrix = np.array([[1, 0, side / 2 - focus[0]], [0, 1, side / 2 - focus[1]], [0, 0, 1]]) @ matrix
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # pixels have their middles at halves
    warp = np.linalg.inv(half) @ matrix @ half
    part = np.asarray(cv2.warpPerspective(small, warp, (side, side), borderValue=(110, 110, 110)), np.uint8)
    moved = through(matrix, corners)
    stations = moved[(cards[:, 8] < _UNCOVERED) & (cards[:, 9] > 0.5)]
    if len(patterns) and len(stations) and rng.random() < _OTHER_STATIONS:
        part = restyled(rng, part, stations)
    if len(patterns) and rng.random() < _OTHER_TABLE:
        part = laid_on(rng, part, moved, patterns)
    if rng.random() < _FEW_PIXELS:
        # Shrink and enlarge a picture again, as if a small photograph were enlarged
        share = float(np.exp(-rng.uniform(*np.log(_ENLARGED))))
        coarse = cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        part = np.asarray(cv2.resize(coarse, part.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    told = np.concatenate([moved.reshape(-1, 8), cards[:, 8:]], axis=1).astype(np.float32)
    return evened(_weathered(rng, part)[None])[0], told


def _before_turning(
    rng: Rng, small: Image, corners: NDArray[np.float64], slant: Tilt | None
) -> tuple[Matrix, float]:
    """How a picture is straightened, if it is, and how many times bigger it is made: as one of the copies in
    which cards are looked for, with cards as big as where they are looked for again, or of any size.
    """
    which = rng.random() if len(corners) else 1.0
    if which < _STRAIGHTENED and slant is not None:
        tilt, azimuth = np.array([slant.angle, slant.azimuth]) + rng.normal(0, _MISJUDGED)
        matrix = Tilt(max(0.0, float(tilt)), float(azimuth)).matrix((small.shape[1], small.shape[0]))
        # True if a homography leaves all of these well before its horizon
        if bool((corners @ matrix[2, :2] + matrix[2, 2] > 0.15).all()):
            return matrix, LONG_SIDE / _long_side(through(matrix, corners)) * float(
                np.exp(rng.normal(0, 0.16))
            )
    if which < _STRAIGHTENED + _ANY_SIZE:
        return np.eye(3), float(np.exp(rng.uniform(*np.log(_SIZES)))) / _long_side(corners)
    return np.eye(3), FOUND_IN / LONGEST * float(np.exp(rng.normal(0, 0.25)))


def _long_side(corners: NDArray[np.float64]) -> float:
    """The usual long side of cards, (n, 4, 2)."""
    sides = np.diff(corners, axis=1)
    return max(4.0, float(np.median(np.hypot(sides[..., 0], sides[..., 1]).max(axis=1))))
