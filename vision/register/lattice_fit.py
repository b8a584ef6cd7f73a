"""Fits a lattice to the lines of its own print, whatever they look like: full, broken, or gaps.

Where the side of a cell is, edges along it are strongest; ink crosses it in its middle and is left out but
for short strokes across it. What the sides say is fitted robustly, so that ink and shadows count for little.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.lattices import Map, edges
from vision.register.rectify import Image, Matrix

CELL = 16  # pixels of a straightened cell
_RIM = 20  # pixels around the lattice
_REACH = 8  # pixels to each side of where a line is expected
_NEAR_NODES = np.r_[0:6, 10:16]  # pixels of a side in which no route crosses it
_BETWEEN = np.r_[2:6, 10:14]  # the same without the nodes themselves
_FINE, _SEEN_BETWEEN = 0.15, 0.12  # from which reach on those are taken, and if there is so much edge
_NODES = np.r_[0:2, 14:16]  # pixels in which crosses, dots and corners stand
_ACROSS = slice(6, 11)  # where short strokes may stand across it
_STROKES = 0.7  # what those count beside edges along it
# How far a line may be off, in cells, and how stiff the lattice is, step by step
_STEPS = ((0.3, 1.0), (0.25, 1.0), (0.18, 0.5), (0.12, 0.3), (0.1, 0.2), (0.1, 0.05))
_STIFF = np.diag([0.3, 4.0, 4.0, 0.3, 4.0, 4.0, 150.0, 150.0])
# Where the lines of a rough start may be: stretched, moved (in cells, and what that costs)
_FACTORS, _SHIFTS = np.linspace(0.94, 1.06, 9), np.linspace(-0.4, 0.4, 17)
_COSTS = 0.05 * _SHIFTS**2
_FULL_EDGE = 0.6
_SURROUNDINGS = 121  # pixels: nearly all of the view, so that lines at its rim are not drawn outwards
_CLEAR = 0.4  # height of an edge that is surely seen: more says nothing more
_OUTLIER, _LEAST_OUTLIER, _ROUNDS = 0.15, 0.04, 6


def pyramid_of(grey: Image) -> list[Image]:
    """The picture at ever half its size."""
    levels = [grey]
    while min(levels[-1].shape[:2]) > 80:
        levels.append(np.asarray(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)))
    return levels


def lattice_view(levels: Sequence[Image], homography: Matrix, side: int, rim: int, cell: int = CELL) -> Image:
    """A lattice straightened, with ``rim`` pixels around it; ``levels`` are those of :func:`pyramid_of`."""
    whole = side * cell + 2 * rim
    begun = np.array([[1, 0, -rim / cell], [0, 1, -rim / cell], [0, 0, 1]])
    return plane_view(levels, homography @ begun, (whole, whole), cell)


def plane_view(levels: Sequence[Image], homography: Matrix, size: tuple[int, int], cell: int) -> Image:
    """The plane of a lattice straightened, from its origin, with ``cell`` pixels of a cell."""
    middle = np.array(size) / 2 / cell
    ends = np.column_stack([middle + np.eye(3, 2, -1), np.ones(3)]) @ homography.T
    places = ends[:, :2] / ends[:, 2:]
    pixels = abs(np.linalg.det(places[1:] - places[0])) ** 0.5
    level = int(np.clip(np.log2(max(pixels / cell, 1.0)) + 0.3, 0, len(levels) - 1))
    source = levels[level]
    across, down = source.shape[1] / levels[0].shape[1], source.shape[0] / levels[0].shape[0]
    from_view = np.array([[1 / cell, 0, 0.5 / cell], [0, 1 / cell, 0.5 / cell], [0, 0, 1]])
    centres = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    matrix = centres @ np.diag([across, down, 1.0]) @ homography @ from_view
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(source, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


def fitted_lattice(levels: Sequence[Image], start: Matrix, side: int) -> Matrix:
    """The homography from cells to pixels, refined on the lines of the lattice's own print."""
    homography = start
    for reach, stiffness in _STEPS:
        _, upright, level = edges(lattice_view(levels, homography, side, _RIM), _SURROUNDINGS)
        pairs = (upright, level), (np.ascontiguousarray(level.T), np.ascontiguousarray(upright.T))
        profiles = [side_profiles(*pair, side, _RIM) for pair in pairs]
        if reach <= _FINE:
            between = [_between_nodes(one, side) for one, _ in pairs]
            if np.median([one.max(axis=-1) for one in between]) > _SEEN_BETWEEN:
                profiles = between
        upright_off, level_off = (_offsets(one, reach) for one in profiles)
        homography = homography @ _moved(upright_off, level_off, side, stiffness)
    return np.asarray(homography / homography[2, 2], np.float64)


def combed_lattice(levels: Sequence[Image], start: Matrix, side: int) -> Matrix:
    """The start moved and stretched, across and down, so that most edges lie on the lattice's lines."""
    _, upright, level = edges(lattice_view(levels, start, side, _RIM))
    across, down = (_comb(one, side) for one in (upright, np.ascontiguousarray(level.T)))
    move = np.array([[across[0], 0, across[1]], [0, down[0], down[1]], [0, 0, 1.0]])
    return np.asarray(start @ move, np.float64)


def _comb(upright: Map, side: int) -> tuple[float, float]:
    """The factor and the shift, in cells, with which even lines have most edges and fewest between."""
    rows = upright[_RIM : _RIM + side * CELL].reshape(side, CELL, -1)[:, _NEAR_NODES].mean(axis=1)
    values = cv2.GaussianBlur(np.minimum(rows, _FULL_EDGE).mean(axis=0)[None], (5, 1), 0.8)[0]
    lines = np.arange(side + 1.0) - side / 2
    places = lines * _FACTORS[:, None, None] + side / 2 + _SHIFTS[:, None]  # (factors, shifts, lines)
    told = np.broadcast_to(-_COSTS, places.shape[:2]).copy()
    for beside, weight in ((0.0, 1.0), (0.2, -0.5), (-0.2, -0.5)):
        pixels = np.clip(np.rint((places + beside) * CELL + _RIM - 0.5), 0, len(values) - 1).astype(int)
        told += weight * values[pixels].mean(axis=2)
    stretched, moved = np.unravel_index(int(told.argmax()), told.shape)
    factor = float(_FACTORS[stretched])
    return factor, side / 2 * (1 - factor) + float(_SHIFTS[moved])


def side_profiles(upright: Map, level: Map, side: int, rim: int) -> NDArray[np.float32]:
    """The edges along every upright side of a cell, across it: (row, line, pixels from left to right)."""
    rows, across = (one[rim : rim + side * CELL].reshape(side, CELL, -1) for one in (upright, level))
    along = (rows[:, _NEAR_NODES].mean(axis=1) + rows[:, _NODES].mean(axis=1)) / 2
    strokes = across[:, _ACROSS].mean(axis=1)
    along, strokes = (cv2.GaussianBlur(rows, (7, 1), 1.0) for rows in (along, strokes))
    where = rim + CELL * np.arange(side + 1)[:, None] + np.arange(-_REACH, _REACH)
    crossing = strokes[:, where]
    usual = np.median(crossing, axis=-1, keepdims=True)
    return np.asarray(along[:, where] + _STROKES * np.maximum(crossing - usual, 0), np.float32)


def _between_nodes(upright: Map, side: int) -> NDArray[np.float32]:
    """As :func:`side_profiles`, without the nodes: there the border's lines have others on one side only."""
    along = upright[_RIM : _RIM + side * CELL].reshape(side, CELL, -1)[:, _BETWEEN].mean(axis=1)
    where = _RIM + CELL * np.arange(side + 1)[:, None] + np.arange(-_REACH, _REACH)
    return np.asarray(cv2.GaussianBlur(along, (7, 1), 1.0)[:, where], np.float32)


def _offsets(profiles: NDArray[np.float32], reach: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each side is off, in cells, and how clearly that is seen."""
    away = (np.arange(2 * _REACH) - _REACH + 0.5) / CELL
    near = profiles * np.exp(-0.5 * (away / reach) ** 2)
    best = np.clip(near.argmax(axis=-1), 1, 2 * _REACH - 2)[..., None]
    before, peak, after = (np.take_along_axis(near, best + step, axis=-1)[..., 0] for step in (-1, 0, 1))
    curve = np.minimum(before - 2 * peak + after, -1e-6)
    off = away[best[..., 0]] + np.clip(0.5 * (before - after) / curve, -0.5, 0.5) / CELL
    height = np.take_along_axis(profiles, best, axis=-1)[..., 0]
    return off.astype(np.float64), np.clip(height - profiles.mean(axis=-1), 0, _CLEAR).astype(np.float64)


def _moved(
    upright: tuple[NDArray[np.float64], NDArray[np.float64]],
    level: tuple[NDArray[np.float64], NDArray[np.float64]],
    side: int,
    stiffness: float,
) -> Matrix:
    """The homography of cells, nearly the identity, that moves the lattice to where its sides were seen."""
    row, line = np.meshgrid(np.arange(side) + 0.5, np.arange(side + 1.0), indexing="ij")
    x, y = (line - side / 2).ravel(), (row - side / 2).ravel()
    one, nil = np.ones_like(x), np.zeros_like(x)
    across = np.stack([one, x, y, nil, nil, nil, x * x, x * y], axis=1)
    down = np.stack([nil, nil, nil, one, x, y, x * y, x * x], axis=1)  # places are exchanged there
    rows = np.concatenate([across, down])
    off = np.concatenate([upright[0].ravel(), level[0].ravel()])
    weights = np.concatenate([upright[1].ravel(), level[1].ravel()])
    numbers, outlier = np.zeros(8), _OUTLIER
    for _ in range(_ROUNDS):
        trust = weights / (1 + ((off - rows @ numbers) / outlier) ** 2) ** 2
        heavy = rows * trust[:, None]
        numbers = np.linalg.solve(heavy.T @ rows + stiffness * _STIFF, heavy.T @ off)
        outlier = max(0.75 * outlier, _LEAST_OUTLIER)
    a, b, c, d, e, f, g, h = numbers
    to_middle = np.array([[1, 0, -side / 2], [0, 1, -side / 2], [0, 0, 1]])
    move = np.array([[1 + b, c, a], [f, 1 + e, d], [-g, -h, 1]])
    return np.asarray(np.linalg.inv(to_middle) @ move @ to_middle, np.float64)
