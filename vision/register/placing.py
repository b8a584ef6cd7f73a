"""Fits a sheet's placement to matched points: a homography and one coefficient of radial distortion."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.register.rectify import Matrix, Placement, Places

_FOCAL = (0.6, 3.0)  # focal lengths of cameras, of the longer side of their pictures
_NEARLY_SQUARE = 0.1  # logarithm of two sides of which nobody can see which is the longer
_USUAL_FOCAL = 0.9  # of the longer side of a picture
ROUNDS = 5  # steps to the best placement from a rough one
_LEAST_NOISE = 0.05  # pixels: nothing is seen more exactly
_FAR_OFF = 3.0  # times the noise: what is farther off hardly counts


@dataclass(frozen=True)
class Match:
    """Places on a sheet in mm, (n, 2), and where they were seen in pixels; ``weights``: their precision."""

    places: Places
    pixels: Places
    weights: NDArray[np.float64]

    def joined(self, other: Match) -> Match:
        """The points of both matches."""
        return Match(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.pixels, other.pixels]),
            np.concatenate([self.weights, other.weights]),
        )

    def only(self, kept: NDArray[np.bool_]) -> Match:
        """The points selected by the mask ``kept``."""
        return Match(self.places[kept], self.pixels[kept], self.weights[kept])


@dataclass(frozen=True)
class Bend:
    """A coefficient of radial distortion and its precision (1 / variance), as a normal distribution."""

    value: float = 0.0
    sureness: float = 1 / 0.1**2  # of lenses about which nothing is known


UNKNOWN_LENS = Bend()


def by_tags(match: Match, size: tuple[int, int]) -> Placement | None:
    """The homography by the normalised DLT, without distortion; None if the points do not determine it."""
    homography = weighted_homography(match.places, match.pixels, match.weights)
    return None if homography is None else Placement(homography, *_lens(size))


def by_pose(match: Match, size: tuple[int, int]) -> Placement | None:
    """The placement by the pose of one or two tags (IPPE), assuming a usual focal length.

    Accurate near the tags. Two tags at one edge of a sheet leave the far side of a free homography
    undetermined, but not that of a pose.
    """
    centre, radius = _lens(size)
    focal = _USUAL_FOCAL * max(size)
    camera = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    middle = match.places.mean(axis=0)
    flat = np.column_stack([match.places - middle, np.zeros(len(match.places))])
    found, turns, moves, _ = cv2.solvePnPGeneric(flat, match.pixels, camera, None, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    turned = cv2.Rodrigues(turns[0])[0]
    to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    homography = camera @ np.column_stack([turned[:, :2], moves[0]]) @ to_middle
    if not np.isfinite(homography).all() or abs(homography[2, 2]) < 1e-9:
        return None
    return Placement(np.asarray(homography / homography[2, 2], np.float64), centre, radius)


def _lens(size: tuple[int, int]) -> tuple[tuple[float, float], float]:
    return (size[0] / 2, size[1] / 2), max(size) / 2


def fitted(
    match: Match, start: Placement, size: tuple[int, int], lens: Bend, rounds: int = ROUNDS
) -> tuple[Placement, Bend] | None:
    """Fit a placement to a match, starting at ``start``; also the distortion by this match alone.

    The fit is robust: points that do not belong, such as ink taken for print, count for little.
    """
    known = _Places(match, start, *_lens(size))
    for _ in range(rounds):
        step = known.step(lens)
        if step is None:
            return None
        known.go(step)
    return known.placement(), known.own_bend(lens)


class _Places:
    """The eight free entries of a homography and a bend, refined by Gauss-Newton steps.

    Places and pixels are normalised first. Every step weights points by their residuals (Geman-McClure), so
    that outliers hardly count.
    """

    def __init__(self, match: Match, start: Placement, centre: tuple[float, float], radius: float) -> None:
        self.centre, self.radius, self.weights = centre, radius, match.weights
        self.to_unit, unit = _normalised(match.places)
        self.x, self.y = unit.T
        self.seen = (match.pixels - np.asarray(centre)) / radius
        ideal = _to_rays(centre, radius) @ start.homography @ np.linalg.inv(self.to_unit)
        self.numbers = np.append((ideal / ideal[2, 2]).ravel()[:8], start.bend)
        self.needed = np.eye(9)

    def step(self, lens: Bend) -> NDArray[np.float64] | None:
        """The Gauss-Newton step for all nine parameters; None where the normal equations are singular."""
        left, slopes = self._left_and_slopes()
        noise = 1.5 * float(np.median(np.hypot(*left))) + _LEAST_NOISE / self.radius
        trust = self.weights / (1 + (left**2).sum(axis=0) / (_FAR_OFF * noise) ** 2) ** 2 / noise**2
        flat = slopes.reshape(9, -1)
        rows = (slopes * trust).reshape(9, -1)
        self.needed = rows @ flat.T
        wanted = rows @ left.ravel()
        whole = self.needed.copy()
        whole[8, 8] += lens.sureness
        wanted[8] += lens.sureness * (lens.value - self.numbers[8])
        try:
            return np.asarray(np.linalg.solve(whole, wanted), np.float64)
        except np.linalg.LinAlgError:
            return None

    def go(self, step: NDArray[np.float64]) -> None:
        """Add a step of the optimiser to the parameters."""
        self.numbers += step

    def _left_and_slopes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The residuals, (2, n), and the Jacobian of the projection, (9, 2, n)."""
        a, b, c, d, e, f, g, h, bend = self.numbers
        x, y = self.x, self.y
        depth = 1 / (g * x + h * y + 1)
        u, v = (a * x + b * y + c) * depth, (d * x + e * y + f) * depth
        square = u * u + v * v
        stretch = 1 + bend * square
        left = self.seen.T - np.stack([u, v]) * stretch
        across, down = x * depth, y * depth
        nil = np.zeros_like(x)
        ideal = np.array(
            [
                [across, down, depth, nil, nil, nil, -u * across, -u * down],
                [nil, nil, nil, across, down, depth, -v * across, -v * down],
            ]
        )
        both = 2 * bend * u * v
        slopes = np.empty((9, 2, len(x)))
        slopes[:8, 0] = ideal[0] * (stretch + 2 * bend * u * u) + ideal[1] * both
        slopes[:8, 1] = ideal[1] * (stretch + 2 * bend * v * v) + ideal[0] * both
        slopes[8] = u * square, v * square
        return left, slopes

    def placement(self) -> Placement:
        """The parameters as a placement in mm and pixels, without the normalisation."""
        ideal = np.append(self.numbers[:8], 1.0).reshape(3, 3)
        homography = np.linalg.inv(_to_rays(self.centre, self.radius)) @ ideal @ self.to_unit
        return Placement(homography / homography[2, 2], self.centre, self.radius, float(self.numbers[8]))

    def own_bend(self, lens: Bend) -> Bend:
        """The bend by these points alone, without the prior: its marginal precision is a Schur complement."""
        rest = self.needed[:8, 8]
        sureness = float(self.needed[8, 8] - rest @ np.linalg.lstsq(self.needed[:8, :8], rest, rcond=None)[0])
        if sureness <= 0:
            return Bend(0.0, 0.0)
        value = self.numbers[8] + lens.sureness / sureness * (self.numbers[8] - lens.value)
        return Bend(float(value), sureness)


def _to_rays(centre: tuple[float, float], radius: float) -> Matrix:
    return np.array([[1 / radius, 0, -centre[0] / radius], [0, 1 / radius, -centre[1] / radius], [0, 0, 1]])


def misses(placement: Placement, match: Match) -> NDArray[np.float64]:
    """The reprojection error of every point of a match, in pixels, (n,)."""
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
    """The similarity that takes points to mean 0 and mean absolute coordinate 1, and these points."""
    middle = points.mean(axis=0)
    size = max(float(np.abs(points - middle).mean()), 1e-9)
    matrix = np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]])
    return matrix, (points - middle) / size


def is_sensible(placement: Placement, outline: Places, size: tuple[int, int]) -> bool:
    """Return True if a sheet is seen from above, lies in front of the camera and is large enough to read."""
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


def is_turned(placement: Placement, plane: tuple[float, float], size: tuple[int, int]) -> bool:
    """Return True if a plane's corners were probably marked starting a quarter turn off.

    A camera with square pixels and its principal point in the middle of the picture shows both sides of the
    plane at one scale and at right angles for some focal length. If that holds better with the sides
    exchanged, they were.
    """
    shift = np.array([[1.0, 0.0, -size[0] / 2], [0.0, 1.0, -size[1] / 2], [0.0, 0.0, 1.0]])
    across, down = (shift @ placement.homography)[:, :2].T
    focal = np.geomspace(*_FOCAL, 40)[:, None] * max(size)
    one, other = (
        np.column_stack([side[:2] / focal, np.full(len(focal), side[2])]) for side in (across, down)
    )
    lengths = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
    askew = np.abs((one * other).sum(axis=1)) / (lengths[0] * lengths[1])
    stretched, longer = np.log(lengths[0] / lengths[1]), np.log(plane[0] / plane[1])
    as_marked = (np.abs(stretched) + askew).min()
    exchanged = (np.abs(stretched + 2 * longer) + askew).min()
    return bool(as_marked - exchanged > max(abs(longer), _NEARLY_SQUARE))
