"""Fits a lattice to the signs around it, whatever they look like.

Signs of one kind are equal, so each tells by how much it is off from the others of its kind; kinds alternate
around the board. That settles place, size, turn and tilt together, even where a print has hardly any lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.lattices import Ring
from vision.register.lattice_fit import CELL, lattice_view
from vision.register.rectify import Image, Matrix

Strip = NDArray[np.float32]

RIM = 2 * CELL + CELL // 2  # pixels around the lattice in views of signs
DEEP, INSIDE = CELL + 2, 2  # pixels of a sign from its outer end inwards, of which so many in the lattice
_REACHES = (8, 7, 4)  # pixels by which signs may be off, step by step
_LEAST_CONTRAST = 2.5  # code values: what differs less is noise
_MUCH_ALIKE = 0.3  # correlation from which a sign counts
_GO_ON = 0.4  # of the signs' likeness after the first step: less is no board
# How far things are off, in cells: a sign that was matched, one that was not, what is usual of every number
_MATCHED, _OUTLIER = 0.04, 0.12
_USUAL = np.array([0.4, 0.06, 0.06, 0.4, 0.06, 0.06, 0.006, 0.006, 0.2, 0.2, 0.2, 0.2])
_ROUNDS = 5


@dataclass(frozen=True)
class SignFit:
    """The homography from cells to pixels, and how much the signs of a kind resemble each other there."""

    homography: Matrix
    alike: float


def fitted_on_signs(levels: Sequence[Image], start: Matrix, ring: Ring) -> SignFit:
    """The lattice moved to where its signs lie alike; ``levels`` are those of a pyramid."""
    homography, alike = start, 0.0
    for reach in _REACHES:
        strips = sign_strips(lattice_view(levels, homography, ring.side, RIM), ring, reach)
        off, likeness = _offsets(strips, ring)
        alike = float(np.median(likeness))
        if alike < _GO_ON:
            break
        homography = homography @ _moved(off / CELL, likeness, ring)
    return SignFit(np.asarray(homography / homography[2, 2], np.float64), alike)


def sign_strips(view: Image, ring: Ring, reach: int) -> Strip:
    """The signs, all turned as if they stood above the lattice, with ``reach`` pixels around each.

    Clockwise from the left one above the lattice; a view has :data:`RIM` pixels around the lattice.
    """
    strips = []
    for quarter in range(4):
        turned = cv2.GaussianBlur(np.rot90(view, quarter).astype(np.float32), (0, 0), 0.8)
        top = RIM + INSIDE - DEEP - reach
        for place in ring.places:
            left = RIM + place * CELL - reach
            strips.append(turned[top : top + DEEP + 2 * reach, left : left + CELL + 2 * reach])
    return np.array(strips)


def mean_signs(levels: Sequence[Image], homography: Matrix, ring: Ring) -> list[Strip]:
    """What the signs of both kinds look like around a lattice that is fitted, as if above it."""
    strips = sign_strips(lattice_view(levels, homography, ring.side, RIM), ring, 0)
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


def _offsets(strips: Strip, ring: Ring) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far every sign is off from its kind, (signs, 2) in pixels of its strip, and how alike it is."""
    off, alike = np.zeros((len(strips), 2)), np.zeros(len(strips))
    for kind in (0, 1):
        own = np.flatnonzero(kinds_of(ring) == kind)
        off[own], alike[own] = _off_from_each_other(strips[own])
    return off, alike


def _off_from_each_other(strips: Strip) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    reach = (strips.shape[2] - CELL) // 2
    signs = strips[:, reach : reach + DEEP, reach : reach + CELL]
    # The sign that resembles most others, then the mean of what resembles it
    tried = [_likeness_of(strips, sign) for sign in signs]
    maps = tried[int(np.argmax([np.median(one.max(axis=(1, 2))) for one in tried]))]
    found = [np.unravel_index(int(one.argmax()), one.shape) for one in maps]
    parts = [strip[y : y + DEEP, x : x + CELL] for strip, (y, x) in zip(strips, found, strict=True)]
    shares = np.maximum(maps.max(axis=(1, 2)), 0.01)
    maps = _likeness_of(strips, np.average(np.array(parts), axis=0, weights=shares).astype(np.float32))
    return np.array([_peak(one) for one in maps]) - reach, maps.max(axis=(1, 2)).astype(np.float64)


def _likeness_of(strips: Strip, sign: Strip) -> Strip:
    """The likeness of every part of every strip to a sign, (strips, down, across)."""
    count, rows, columns = strips.shape
    side_by_side = np.ascontiguousarray(strips.transpose(1, 0, 2).reshape(rows, count * columns))
    found = likeness_map(side_by_side, sign)
    across = columns - sign.shape[1] + 1
    return np.stack([found[:, n * columns : n * columns + across] for n in range(count)])


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


def _moved(off: NDArray[np.float64], alike: NDArray[np.float64], ring: Ring) -> Matrix:
    """The homography of cells, nearly the identity, that moves the lattice to its signs.

    What all signs of a kind are off together may be their look as well as the lattice: a little of both.
    """
    rows, told, trust = [], [], []
    middle, kinds = ring.side / 2, kinds_of(ring)
    number = 0
    for quarter in range(4):
        turn = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), quarter)
        for place in ring.places:
            x, y = turn @ [place + 0.5 - middle, -0.4 - middle]
            both = np.zeros((2, 12))
            both[0, :8] = [1, x, y, 0, 0, 0, x * x, x * y]
            both[1, :8] = [0, 0, 0, 1, x, y, x * y, y * y]
            both[:, 8 + 2 * kinds[number] : 10 + 2 * kinds[number]] = turn
            rows.append(both)
            told.append(turn @ off[number])
            trust.append(max(alike[number] - _MUCH_ALIKE, 0.0) / (1 - _MUCH_ALIKE))
            number += 1
    matrix, goal = np.concatenate(rows), np.concatenate(told)
    usual = np.diag(1 / _USUAL**2)
    numbers, outlier = np.zeros(12), 3 * _OUTLIER
    for _ in range(_ROUNDS):
        miss = np.hypot(*(goal - matrix @ numbers).reshape(-1, 2).T)
        weights = np.repeat(np.array(trust) / (1 + (miss / outlier) ** 2) ** 2, 2) / _MATCHED**2
        heavy = matrix * weights[:, None]
        numbers = np.linalg.solve(heavy.T @ matrix + usual, heavy.T @ goal)
        outlier = max(0.7 * outlier, _OUTLIER)
    a, b, c, d, e, f, g, h = numbers[:8]
    to_middle = np.array([[1, 0, -middle], [0, 1, -middle], [0, 0, 1]])
    move = np.array([[1 + b, c, a], [e, 1 + f, d], [-g, -h, 1]])
    return np.asarray(np.linalg.inv(to_middle) @ move @ to_middle, np.float64)
