"""Finds boards equal to one that was found: they lie in its plane, are as large, and have the same signs.

So only place and turn are open. In views of the plane at every turn, each of the board's own signs is looked
for, and where all of them stand as they do around that board there is another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.directions import turned_back
from vision.find.lattices import Map, Ring
from vision.register.lattice_fit import CELL, plane_view
from vision.register.rectify import Image, Matrix
from vision.register.sign_fit import (
    BESIDE,
    DEEP,
    INSIDE,
    UPRIGHT,
    kinds_of,
    likeness_map,
    mean_signs,
)

_PIXELS = 8  # of a cell in views of the plane
_AWAY = 22.0  # cells from the middle of the board to where others are looked for
FAR = 10.0  # cells between boards from which it is worth looking from both
_TURNS = np.arange(0.0, 90.0, 6.0)  # degrees; quarters are told by the signs
_LEAST = 0.3  # mean likeness of the signs where another board may be
_MOST = 10
_BEYOND = 0.03  # of the picture: how far corners may lie outside


def equals_of(
    levels: Sequence[Image], homography: Matrix, ring: Ring, *, upright: bool = False
) -> list[Matrix]:
    """Where boards equal to that at a place may be, roughly, the likeliest first.

    ``upright``: its signs stand so on all sides, and are not turned with them.
    """
    share = _PIXELS / CELL
    signs = [
        np.asarray(cv2.resize(sign, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.float32)
        for sign in mean_signs(levels, homography, ring, upright=upright)
    ]
    found = [
        one
        for turn in _TURNS
        for one in _turned_equals(levels, homography, ring, (signs, upright), float(turn))
    ]
    kept: list[Matrix] = []
    middles: list[NDArray[np.float64]] = []
    for _, start in sorted(found, key=lambda one: -one[0]):
        middle = np.linalg.inv(homography) @ start @ [ring.side / 2, ring.side / 2, 1]
        middle = middle[:2] / middle[2]
        if all(np.hypot(*(middle - other)) > 1.0 for other in middles):
            kept.append(start)
            middles.append(middle)
    return kept[:_MOST]


def _turned_equals(
    levels: Sequence[Image], homography: Matrix, ring: Ring, look: tuple[Sequence[Map], bool], degrees: float
) -> Iterator[tuple[float, Matrix]]:
    """The likeliest places of boards turned like this (and by quarters), each with its mean likeness."""
    turned = homography @ turned_back(-degrees)
    low, high = _box_of(turned, levels[0], turned_back(degrees) @ [ring.side / 2, ring.side / 2, 1])
    to_picture = turned @ np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1.0]])
    wide, tall = (int(length * _PIXELS) for length in high - low)
    if min(wide, tall) <= (ring.side + 2) * _PIXELS:
        return
    view = plane_view(levels, to_picture, (wide, tall), _PIXELS).astype(np.float32)
    signs, upright = look
    maps = {
        (kind, quarter): cv2.dilate(
            likeness_map(view, np.ascontiguousarray(np.rot90(sign, -quarter))), np.ones((3, 3))
        )
        for (kind, sign), quarter in product(enumerate(signs), range(4))
    }
    whole = ring.side * _PIXELS
    rows, columns = (length - whole - 2 * _PIXELS for length in view.shape)
    # Turned by a quarter, the kinds change places; by half, signs that stand upright are upside down.
    for quarters in range(4 if upright else 2):
        total = np.zeros((rows, columns), np.float32)
        for number, kind in enumerate(kinds_of(ring)):
            side, place = divmod(number, len(ring.places))
            down, across = _corner_of(ring, side, ring.places[place], upright)
            of_sign = maps[(kind + quarters) % 2, quarters if upright else side]
            part = of_sign[down : down + rows, across : across + columns]
            total[: part.shape[0], : part.shape[1]] += np.maximum(part, 0)
        total /= len(kinds_of(ring))
        highest = (total >= cv2.dilate(total, np.ones((_PIXELS, _PIXELS)))) & (total > _LEAST)
        for y, x in np.argwhere(highest):
            corner = (np.array([x, y]) + _PIXELS) / _PIXELS
            laid = to_picture @ np.array([[1, 0, corner[0]], [0, 1, corner[1]], [0, 0, 1.0]])
            if _in_picture(laid, ring, levels[0]):
                yield float(total[y, x]), laid


def _in_picture(homography: Matrix, ring: Ring, picture: Image) -> bool:
    """Return True if a lattice lies before the camera, and in the picture with all its corners, or nearly."""
    ends = np.column_stack([ring.corners, np.ones(4)]) @ homography.T
    if not (ends[:, 2] * homography[2, 2] > 0).all():
        return False
    places = ends[:, :2] / ends[:, 2:]
    size = np.array([picture.shape[1], picture.shape[0]])
    return bool(((places > -_BEYOND * size) & (places < (1 + _BEYOND) * size)).all())


def _box_of(
    homography: Matrix, picture: Image, middle: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The box, in cells of a plane, in which the picture lies, as far as it is near a middle."""
    wide, tall = picture.shape[1], picture.shape[0]
    ends = np.linalg.inv(homography) @ [[0, wide, wide, 0], [0, 0, tall, tall], [1, 1, 1, 1]]
    near = np.array([middle[:2] - _AWAY, middle[:2] + _AWAY])
    if not (ends[2] * ends[2, 0] > 0).all():  # the horizon is in the picture
        return near[0], near[1]
    corners = (ends[:2] / ends[2]).T
    return np.maximum(near[0], corners.min(axis=0) - 1), np.minimum(near[1], corners.max(axis=0) + 1)


def _corner_of(ring: Ring, quarter: int, place: int, upright: bool) -> tuple[int, int]:
    """Where a sign begins, (down, across) in pixels, counted from a cell before the lattice's corner."""
    inner, deep, wide = (-BESIDE, UPRIGHT, UPRIGHT) if upright else (INSIDE, DEEP, CELL)
    inside, deep, wide = (round(length * _PIXELS / CELL) for length in (inner, deep, wide))
    end, rim = ring.side * _PIXELS, (_PIXELS - wide) // 2
    above, below = inside - deep + _PIXELS, _PIXELS + end - inside
    along, back = _PIXELS + place * _PIXELS + rim, _PIXELS + end - (place + 1) * _PIXELS + rim
    return ((above, along), (along, below), (below, back), (back, above))[quarter]
