"""From matched points to where a sheet lies: a homography, and how the lens bends it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Matrix, Placement, Places

_BENDS = np.linspace(-0.2, 0.2, 9)


@dataclass(frozen=True)
class Match:
    """Places on a sheet, in mm, and the pixels where they were seen; ``weights`` say how exactly."""

    places: Places
    pixels: Places
    weights: NDArray[np.float64]

    def joined(self, other: Match) -> Match:
        """Both."""
        return Match(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.pixels, other.pixels]),
            np.concatenate([self.weights, other.weights]),
        )

    def only(self, kept: NDArray[np.bool_]) -> Match:
        """A part of it."""
        return Match(self.places[kept], self.pixels[kept], self.weights[kept])


def fitted(match: Match, size: tuple[int, int], bending: bool = False) -> Placement | None:
    """The placement that suits a match best; nothing when there is none."""
    centre, radius = (size[0] / 2, size[1] / 2), max(size) / 2
    straight = _with_bend(match, centre, radius, 0.0)
    if not bending or straight is None:
        return straight
    costs = [_cost(_with_bend(match, centre, radius, bend), match) for bend in _BENDS]
    best = int(np.argmin(costs))
    if not 0 < best < len(_BENDS) - 1:
        return (
            straight
            if costs[best] > 0.8 * _cost(straight, match)
            else _with_bend(match, centre, radius, float(_BENDS[best]))
        )
    return _with_bend(match, centre, radius, _lowest(_BENDS[best - 1 : best + 2], costs[best - 1 : best + 2]))


def _lowest(places: NDArray[np.float64], costs: list[float]) -> float:
    """Where the parabola through three values is lowest."""
    before, middle, after = costs
    curve = before - 2 * middle + after
    step = float(places[1] - places[0])
    return float(places[1]) + (0.0 if curve <= 0 else step * 0.5 * (before - after) / curve)


def _with_bend(match: Match, centre: tuple[float, float], radius: float, bend: float) -> Placement | None:
    ideal = _unbent(match.pixels, centre, radius, bend)
    homography = weighted_homography(match.places, ideal, match.weights)
    return None if homography is None else Placement(homography, centre, radius, bend)


def _unbent(pixels: Places, centre: tuple[float, float], radius: float, bend: float) -> Places:
    seen = (pixels - np.asarray(centre)) / radius
    ray = seen
    for _ in range(0 if bend == 0 else 5):
        ray = seen / np.maximum(1 + bend * (ray**2).sum(axis=-1, keepdims=True), 0.3)
    ideal: Places = np.asarray(centre) + radius * ray
    return ideal


def _cost(placement: Placement | None, match: Match) -> float:
    if placement is None:
        return float("inf")
    error = misses(placement, match)
    spread = float(np.median(error)) + 1e-6
    robust = np.minimum(error, 4 * spread) ** 2
    return float((match.weights * robust).sum() / match.weights.sum())


def misses(placement: Placement, match: Match) -> NDArray[np.float64]:
    """How far every point of a match is from where the placement has it, in pixels."""
    away: NDArray[np.float64] = np.hypot(*(placement.pixels(match.places) - match.pixels).T)
    return away


def weighted_homography(
    places: Places, pixels: Places, weights: NDArray[np.float64] | None = None
) -> Matrix | None:
    """The homography with the least weighted squares (normalised direct linear transform)."""
    if len(places) < 4:
        return None
    to_unit_places, unit_places = _normalised(places)
    to_unit_pixels, unit_pixels = _normalised(pixels)
    x, y = unit_places.T
    u, v = unit_pixels.T
    nil, one = np.zeros_like(x), np.ones_like(x)
    across = np.stack([x, y, one, nil, nil, nil, -u * x, -u * y, -u], axis=1)
    down = np.stack([nil, nil, nil, x, y, one, -v * x, -v * y, -v], axis=1)
    rows = np.concatenate([across, down])
    if weights is not None:
        rows *= np.tile(np.sqrt(weights), 2)[:, None]
    try:
        _, values, vectors = np.linalg.svd(rows.T @ rows)
    except np.linalg.LinAlgError:
        return None
    matrix = np.linalg.inv(to_unit_pixels) @ vectors[-1].reshape(3, 3) @ to_unit_places
    if not np.isfinite(matrix).all() or abs(matrix[2, 2]) < 1e-12 or values[-2] < 1e-12:
        return None
    return np.asarray(matrix / matrix[2, 2], np.float64)


def _normalised(points: Places) -> tuple[Matrix, Places]:
    """Points around 0 at a mean distance near 1, and the way there."""
    middle = points.mean(axis=0)
    size = max(float(np.abs(points - middle).mean()), 1e-9)
    matrix = np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]])
    return matrix, (points - middle) / size


def is_sensible(placement: Placement, outline: Places, size: tuple[int, int]) -> bool:
    """Is a sheet with this outline seen from above, in front of the camera, and of a readable size?"""
    homography = placement.homography
    depth = np.asarray(outline) @ homography[2, :2] + homography[2, 2]
    if depth.min() <= 0.2 * depth.max() or depth.min() <= 0:
        return False
    seen = placement.pixels(outline)
    (ax, ay), (bx, by) = (np.roll(seen, -1, 0) - seen).T, (np.roll(seen, -2, 0) - np.roll(seen, -1, 0)).T
    turning = ax * by - ay * bx
    if turning.min() <= 0:  # mirrored, folded or no quadrilateral
        return False
    area = float(cv2.contourArea(seen.astype(np.float32)))
    sides = np.hypot(*(np.roll(seen, -1, 0) - seen).T)
    inside = ((seen > -0.35 * np.array(size)) & (seen < 1.35 * np.array(size))).all()
    return bool(inside and area > 3000 and sides.max() < 12 * sides.min())
