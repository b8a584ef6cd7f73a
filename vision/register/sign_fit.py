"""Fits a lattice to the signs around it, whatever they look like.

Signs of one kind are equal, so each tells by how much it is off from the others of its kind; kinds alternate
around the board. That settles place, size, turn and tilt together, even where a print has hardly any lines.
Signs are turned with the side at which they stand, as arrows are, or stand upright on all, as letters do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.find.lattices import Ring
from vision.register.lattice_fit import CELL, lattice_view
from vision.register.rectify import Image, Matrix

Strip = NDArray[np.float32]

RIM = 2 * CELL + CELL // 2  # pixels around the lattice in views of signs
DEEP, INSIDE = CELL + 2, 2  # pixels of a sign from its outer end inwards, of which so many in the lattice
# Of an upright sign: pixels of its sides, and between it and the lattice, whose lines lie differently
UPRIGHT, BESIDE = CELL - 2, 1
# Pixels by which signs may be off, and pixels of a cell, step by step
_STEPS = ((4, CELL // 2), (4, CELL // 2), (4, CELL), (4, CELL))
_SOFT = 0.8  # deviation in pixels by which views are blurred
_LEAST_CONTRAST = 2.5  # code values: what differs less is noise
_MUCH_ALIKE = 0.3  # correlation from which a sign counts
_GO_ON = 0.4  # of the signs' likeness after the first step: less is no board
# How far things are off, in cells: a sign that was matched, one that was not, what is usual of every number
_MATCHED, _OUTLIER = 0.04, 0.12
_USUAL = np.array([0.4, 0.06, 0.06, 0.4, 0.06, 0.06, 0.006, 0.006, 0.2, 0.2, 0.2, 0.2])
_ROUNDS = 5
_NO_MATRIX = np.empty(0, np.float32)


@dataclass(frozen=True)
class SignFit:
    """The homography from cells to pixels, and how much the signs of a kind resemble each other there.

    ``upright``: as they stand in the view, not turned with the side at which they are.
    """

    homography: Matrix
    alike: float
    upright: bool = False


def fitted_on_signs(levels: Sequence[Image], start: Matrix, ring: Ring) -> SignFit:
    """The lattice moved to where its signs lie alike; ``levels`` are those of a pyramid."""
    turned = _fitted(levels, start, ring, upright=False)
    return turned if turned.alike >= _GO_ON else _fitted(levels, start, ring, upright=True)


def _fitted(levels: Sequence[Image], start: Matrix, ring: Ring, *, upright: bool) -> SignFit:
    homography, alike = start, 0.0
    for reach, cell in _STEPS:
        view = lattice_view(levels, homography, ring.side, RIM * cell // CELL, cell)
        strips = sign_strips(view, ring, reach, upright=upright, cell=cell)
        off, likeness = _offsets(strips, ring, reach, upright=upright)
        alike = float(np.median(likeness))
        if alike < _GO_ON:
            break
        homography = homography @ _moved(off / cell, likeness, ring, upright=upright)
    return SignFit(np.asarray(homography / homography[2, 2], np.float64), alike, upright)


def sign_strips(view: Image, ring: Ring, reach: int, *, upright: bool = False, cell: int = CELL) -> Strip:
    """The signs with ``reach`` pixels around each, all turned as if they stood above the lattice.

    ``upright``: turned as they are in the view. Clockwise from the left one above the lattice; a view has
    ``cell`` pixels of a cell, and :data:`RIM` around the lattice where these are :data:`CELL`.
    """
    sizes = (-BESIDE, UPRIGHT, UPRIGHT) if upright else (INSIDE, DEEP, CELL)
    inner, deep, wide, rim = (size * cell // CELL for size in (*sizes, RIM))
    strips = []
    for quarter in range(4):
        turned = cv2.GaussianBlur(np.rot90(view, quarter).astype(np.float32), (0, 0), _SOFT * cell / CELL)
        top = rim + inner - deep - reach
        for place in ring.places:
            left = rim + place * cell + (cell - wide) // 2 - reach
            strip = turned[top : top + deep + 2 * reach, left : left + wide + 2 * reach]
            strips.append(np.rot90(strip, -quarter) if upright else strip)
    return np.array(strips)


def mean_signs(levels: Sequence[Image], homography: Matrix, ring: Ring, *, upright: bool) -> list[Strip]:
    """What the signs of both kinds look like around a lattice that is fitted, as :func:`sign_strips`."""
    strips = sign_strips(lattice_view(levels, homography, ring.side, RIM), ring, 0, upright=upright)
    return [np.asarray(np.median(strips[kinds_of(ring) == kind], axis=0), np.float32) for kind in (0, 1)]


def kinds_of(ring: Ring) -> NDArray[np.intp]:
    """Which of two kinds the signs are, in the order of :func:`sign_strips`."""
    return np.array([(quarter + n) % 2 for quarter in range(4) for n in range(len(ring.places))])


def likeness_map(strip: Strip, sign: Strip) -> Strip:
    """How much every part of a picture resembles a sign: normalised correlation, none where it is flat."""
    sign = sign - sign.mean()
    size = (sign.shape[1], sign.shape[0])
    shifted = strip - np.float32(strip.mean())
    both = cv2.matchTemplate(shifted, sign, cv2.TM_CCORR)
    rows, columns = both.shape
    low = size[1] // 2, size[0] // 2
    part = slice(low[0], low[0] + rows), slice(low[1], low[1] + columns)
    mean = cv2.boxFilter(shifted, cv2.CV_32F, size)[part]
    square = cv2.sqrBoxFilter(shifted, cv2.CV_32F, size)[part]
    spread = np.sqrt(np.maximum(square - mean**2, 0) * sign.size)
    least = _LEAST_CONTRAST * sign.size**0.5
    return np.asarray(both / ((spread + least) * (np.linalg.norm(sign) + 1e-3)), np.float32)


def _offsets(
    strips: Strip, ring: Ring, reach: int, *, upright: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far every sign is off from its kind, (signs, 2) in pixels of its strip, and how alike it is."""
    off, alike = np.zeros((len(strips), 2)), np.zeros(len(strips))
    for kind in (0, 1):
        own = np.flatnonzero(kinds_of(ring) == kind)
        off[own], alike[own], sign = _off_from_each_other(strips[own], reach)
        if upright:  # what all are off together is no place beside the lattice: their middle has to tell
            off[own] += _middle_of(sign)
    return off, alike


def _off_from_each_other(strips: Strip, reach: int) -> tuple[NDArray[np.float64], NDArray[np.float64], Strip]:
    deep, wide = (length - 2 * reach for length in strips.shape[1:])
    parts = sliding_window_view(strips, (deep, wide), axis=(1, 2))
    count, down, across = parts.shape[:3]
    looks = parts.reshape(count * down * across, deep * wide)
    mean, square = looks.mean(axis=1), np.einsum("ij,ij->i", looks, looks)
    spread = np.sqrt(np.maximum(square - deep * wide * mean**2, 0)) + _LEAST_CONTRAST * (deep * wide) ** 0.5

    def likeness(signs: Strip) -> Strip:
        """Of every part of every strip to each of these signs, (signs, strips, down * across)."""
        signs = signs - signs.mean(axis=1, keepdims=True)
        signs /= np.linalg.norm(signs, axis=1, keepdims=True) + 1e-3
        found = np.asarray(cv2.gemm(looks, signs, 1.0, _NO_MATRIX, 0.0, flags=cv2.GEMM_2_T)) / spread[:, None]
        return np.asarray(found.T.reshape(len(signs), count, down * across), np.float32)

    # The sign that resembles most others, then the mean of what resembles it
    tried = likeness(parts[:, reach, reach].reshape(count, -1))
    best = tried[int(np.argmax(np.median(tried.max(axis=2), axis=1)))]
    found = looks.reshape(count, down * across, -1)[np.arange(count), best.argmax(axis=1)]
    sign = np.average(found, axis=0, weights=np.maximum(best.max(axis=1), 0.01)).astype(np.float32)
    maps = likeness(sign[None])[0]
    peaks = np.array([_peak(one.reshape(down, across)) for one in maps]) - reach
    return peaks, maps.max(axis=1).astype(np.float64), sign.reshape(deep, wide)


def _middle_of(sign: Strip) -> NDArray[np.float64]:
    """Where what is printed on a sign's paper has its middle, (x, y) in pixels from that of the sign."""
    print_ = np.abs(sign - np.median(sign)).astype(np.float64)
    print_ = np.maximum(print_ - print_.mean(), 0)
    places = (np.arange(length) - (length - 1) / 2 for length in sign.shape)
    down, across = ((print_.sum(axis=1 - axis) * there).sum() for axis, there in enumerate(places))
    return np.array([across, down], np.float64) / max(float(print_.sum()), 1e-6)


def _peak(values: Strip) -> tuple[float, float]:
    """Where a map is highest, (x, y), between its pixels."""
    y, x = (int(one) for one in np.unravel_index(int(values.argmax()), values.shape))
    place = []
    for n, line in ((x, values[y]), (y, values[:, x])):
        if not 0 < n < len(line) - 1:
            place.append(float(n))
            continue
        before, peak, after = line[n - 1 : n + 2]
        place.append(
            n + float(np.clip(0.5 * (before - after) / min(before - 2 * peak + after, -1e-6), -0.5, 0.5))
        )
    return place[0], place[1]


@lru_cache(maxsize=4)
def _what_moves(ring: Ring) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By sign and axis, how it is off if a number of the lattice is; and the signs' turns, (signs, 2, 2).

    Eight numbers of a homography, and by how much the signs of each kind stand elsewhere beside their side.
    """
    rows: list[NDArray[np.float64]] = []
    turns: list[NDArray[np.float64]] = []
    middle = ring.side / 2
    for quarter in range(4):
        turn = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), quarter)
        for place in ring.places:
            x, y = turn @ [place + 0.5 - middle, -0.4 - middle]
            both = np.zeros((2, 12))
            both[0, :8] = [1, x, y, 0, 0, 0, x * x, x * y]
            both[1, :8] = [0, 0, 0, 1, x, y, x * y, y * y]
            kind = kinds_of(ring)[len(turns)]
            both[:, 8 + 2 * kind : 10 + 2 * kind] = turn
            rows.append(both)
            turns.append(turn)
    return np.concatenate(rows), np.array(turns)


def _moved(off: NDArray[np.float64], alike: NDArray[np.float64], ring: Ring, *, upright: bool) -> Matrix:
    """The homography of cells, nearly the identity, that moves the lattice to its signs.

    What all signs of a kind are off together may be their look as well as the lattice: a little of both.
    """
    matrix, turns = _what_moves(ring)
    goal = (off if upright else np.einsum("nij,nj->ni", turns, off)).ravel()
    trust = np.maximum(alike - _MUCH_ALIKE, 0.0) / (1 - _MUCH_ALIKE)
    usual = np.diag(1 / _USUAL**2)
    outlier = 3 * _OUTLIER
    numbers: NDArray[np.float64] = np.zeros(12)
    for _ in range(_ROUNDS):
        miss = np.hypot(*(goal - matrix @ numbers).reshape(-1, 2).T)
        weights = np.repeat(trust / (1 + (miss / outlier) ** 2) ** 2, 2) / _MATCHED**2
        heavy = matrix * weights[:, None]
        numbers = np.asarray(np.linalg.solve(heavy.T @ matrix + usual, heavy.T @ goal), np.float64)
        outlier = max(0.7 * outlier, _OUTLIER)
    a, b, c, d, e, f, g, h = numbers[:8]
    middle = ring.side / 2
    to_middle = np.array([[1, 0, -middle], [0, 1, -middle], [0, 0, 1]])
    move = np.array([[1 + b, c, a], [e, 1 + f, d], [-g, -h, 1]])
    return np.asarray(np.linalg.inv(to_middle) @ move @ to_middle, np.float64)
