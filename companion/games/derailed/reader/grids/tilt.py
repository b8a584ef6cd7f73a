"""Estimates the camera's tilt from the cards alone, to rectify the picture before reading it.

All cards are alike and lie in one plane, most of them side by side. For every tilt and direction of a camera
with a usual lens their middles are straightened, and the tilt counts by which the steps between neighbours
come out most square and most alike, and the cards of one size. Their shapes count little: whoever finds cards
makes them look as from above.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.classification import ImagePyramid
from companion.games.derailed.reader.cards.detection import through
from companion.games.derailed.reader.constants import CONSTANTS
from vision.register.rectify import Image, Matrix, Places

_C = CONSTANTS.tilt

_TILTS = np.radians([0.0, 12.0, 24.0, 34.0, 43.0, 51.0, 57.0])
_AZIMUTHS = np.radians(np.arange(0, 360, 22.5))
_FINER = np.radians([-7.5, -3.5, 0.0, 3.5, 7.5])  # steps around the best of the coarse search
_ASPECT = log(PRINTED.card.size[1] / PRINTED.card.size[0])
_STEP_ASPECT = log(PRINTED.mat.cell[1] / PRINTED.mat.cell[0])
LONG_SIDE = 56.0  # pixels of a card's long side in a straightened picture


@dataclass(frozen=True, eq=False)
class Rectified:
    """A picture of the table as from above, and the homography that leads there from the photograph."""

    image: Image
    matrix: Matrix


@dataclass(frozen=True)
class Tilt:
    """A camera's angle from straight down, and the direction in the picture in which the table falls away."""

    angle: float  # radians
    azimuth: float

    def matrix(self, size: tuple[int, int]) -> Matrix:
        """The homography that takes a picture of this size to the table as from above, up to its scale."""
        return np.asarray(_matrices(np.array([self.angle]), np.array([self.azimuth]), size)[0], np.float64)


def estimated_tilt(corners: Places, size: tuple[int, int]) -> Tilt:
    """The tilt at which cards with these corners, (n, 4, 2), become most alike."""
    steps = _steps(corners)
    tilts, azimuths = (half.ravel() for half in np.meshgrid(_TILTS, _AZIMUTHS, indexing="ij"))
    best = _best(corners, steps, tilts, azimuths, size)[: _C.starts]
    for step in (1.0, 0.4):
        finer = np.stack([half.ravel() for half in np.meshgrid(_FINER * step, 2 * _FINER * step)], axis=1)
        around = np.concatenate([np.add(finer, (one.angle, one.azimuth)) for one in best])
        best = _best(corners, steps, np.clip(around[:, 0], 0, np.radians(_C.steepest)), around[:, 1], size)[
            :1
        ]
    return best[0]


def tilt_of(matrix: Matrix, size: tuple[int, int]) -> float:
    """The camera's tilt in radians in a picture of this size, by the homography from the table to pixels.

    The angle between the camera's axis and the normal of the plane, which follows from its horizon.
    """
    horizon = np.linalg.inv(matrix)[2]
    focal = _C.focal * max(size)
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    normal = horizon @ inner
    return float(np.arctan2(np.hypot(normal[0], normal[1]), abs(normal[2])))


def rectified(picture: ImagePyramid, tilt: Tilt, shown: Places) -> Rectified:
    """Rectify the part of a picture around these cards to a view from above, with cards of standard size."""
    size = picture.image.shape[1], picture.image.shape[0]
    plain = tilt.matrix(size)
    corners = through(plain, shown)
    areas = np.abs(_area(corners))
    long = float(np.sqrt(np.median(areas) * PRINTED.card.size[1] / PRINTED.card.size[0]))
    rim = through(plain, np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float64))
    low = np.maximum(corners.min(axis=(0, 1)) - _C.around * long, rim.min(axis=0))
    high = np.minimum(corners.max(axis=(0, 1)) + _C.around * long, rim.max(axis=0))
    scale = min(LONG_SIDE / long, _C.longest / float((high - low).max()))
    wide, tall = np.maximum(np.rint((high - low) * scale), 32).astype(int).tolist()
    matrix = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]]) @ plain
    shrunk = float(np.sqrt(np.median(np.abs(_area(shown)) / (areas * scale**2))))
    return Rectified(warped(picture, matrix, (wide, tall), shrunk), matrix / matrix[2, 2])


def warped(picture: ImagePyramid, matrix: Matrix, size: tuple[int, int], shrunk: float) -> Image:
    """Warp a picture by a homography that shrinks it ``shrunk`` times, without aliasing."""
    copy, share = picture.smaller(min(1.0, 1 / shrunk))
    matrix = matrix @ np.diag([1 / share, 1 / share, 1.0])
    flat = cv2.warpPerspective(copy, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(110, 110, 110))
    return np.asarray(flat, np.uint8)


def _area(corners: Places) -> NDArray[np.float64]:
    """The signed areas of quadrilaterals, (..., 4, 2)."""
    one, other = corners[..., 2, :] - corners[..., 0, :], corners[..., 3, :] - corners[..., 1, :]
    return np.asarray((one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) / 2, np.float64)


def _best(
    corners: Places,
    steps: NDArray[np.int64],
    tilts: NDArray[np.float64],
    azimuths: NDArray[np.float64],
    size: tuple[int, int],
) -> list[Tilt]:
    """The tilts with the lowest costs, cheapest first."""
    of_tilt = _C.per_radian + _C.per_radian_and_step / max(len(steps), 1)
    costs = _costs(corners, steps, _matrices(tilts, azimuths, size)) + of_tilt * tilts
    return [Tilt(float(tilts[n]), float(azimuths[n])) for n in np.argsort(costs, kind="stable")]


def _matrices(
    tilts: NDArray[np.float64], azimuths: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float64]:
    """The rectifying homography of every camera, (n, 3, 3): rotated until it looks straight down."""
    focal = _C.focal * max(size)
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    c, s = np.cos(azimuths), np.sin(azimuths)
    spin = np.zeros((len(tilts), 3, 3))
    spin[:, 0, 0], spin[:, 0, 1], spin[:, 1, 0], spin[:, 1, 1], spin[:, 2, 2] = c, s, -s, c, 1
    pitch = np.zeros_like(spin)
    pitch[:, 0, 0], pitch[:, 0, 2] = np.cos(tilts), np.sin(tilts)
    pitch[:, 2, 0], pitch[:, 2, 2] = -np.sin(tilts), np.cos(tilts)
    pitch[:, 1, 1] = 1
    turning = np.swapaxes(spin, 1, 2) @ pitch @ spin
    return np.asarray(inner @ turning @ np.linalg.inv(inner), np.float64)


def _steps(corners: Places) -> NDArray[np.int64]:
    """The index pairs of neighbouring cards, (m, 2)."""
    middles, sides = corners.mean(axis=1), np.sqrt(np.abs(_area(corners)))
    away = np.hypot(*np.moveaxis(middles[:, None] - middles[None], -1, 0))
    np.fill_diagonal(away, np.inf)
    nearest = np.argsort(away, axis=1, kind="stable")[:, : _C.neighbours]
    pairs = np.stack([np.broadcast_to(np.arange(len(corners))[:, None], nearest.shape), nearest], axis=-1)
    pairs = pairs.reshape(-1, 2)
    near = away[pairs[:, 0], pairs[:, 1]] < _C.near * sides[pairs].max(axis=1)
    return np.asarray(np.unique(np.sort(pairs[near], axis=1), axis=0), np.int64).reshape(-1, 2)


def _costs(corners: Places, steps: NDArray[np.int64], matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each homography, the cost of quadrilaterals (n, 4, 2) and their steps as a table from above."""
    flat = np.concatenate([corners.reshape(-1, 2), np.ones((corners.shape[0] * 4, 1))], axis=1)
    mapped = np.einsum("hij,nj->hni", matrices, flat)
    depth = mapped[..., 2:]
    behind = (depth < 0.08).any(axis=(1, 2))
    points = (mapped[..., :2] / np.maximum(depth, 0.08)).reshape(len(matrices), -1, 4, 2)
    costs = _costs_of_cards(points)
    if len(steps):
        middles = points.mean(axis=2)
        costs = costs + _costs_of_steps(middles[:, steps[:, 1]] - middles[:, steps[:, 0]])
    return np.asarray(np.where(behind, 99.0, costs), np.float64)


def _costs_of_cards(points: Places) -> NDArray[np.float64]:
    """For each view, how much quadrilaterals (h, n, 4, 2) differ from each other and from cards."""
    short = (points[:, :, 1] + points[:, :, 2] - points[:, :, 0] - points[:, :, 3]) / 2
    long = (points[:, :, 2] + points[:, :, 3] - points[:, :, 0] - points[:, :, 1]) / 2
    wide, high = np.hypot(*np.moveaxis(short, -1, 0)), np.hypot(*np.moveaxis(long, -1, 0))
    aspect = np.abs(np.abs(np.log(high / wide)) - _ASPECT)
    askew = np.abs((short * long).sum(axis=-1)) / (wide * high)
    shapes = np.minimum(aspect, _C.worst) + np.minimum(0.8 * askew, _C.worst)
    sizes = np.log(np.maximum(np.abs(_area(points)), 1e-9)) / 2
    uneven = np.abs(sizes - np.median(sizes, axis=1, keepdims=True))
    both = _C.shapes * shapes + _C.sizes * np.minimum(uneven, _C.worst)
    return np.asarray(both.mean(axis=1), np.float64)


def _costs_of_steps(ways: Places) -> NDArray[np.float64]:
    """For each view, how much the steps (h, m, 2) differ from those of a grid."""
    angles = np.arctan2(ways[..., 1], ways[..., 0])
    lengths = np.log(np.maximum(np.hypot(ways[..., 0], ways[..., 1]), 1e-9))
    first = np.angle(np.exp(4j * angles).mean(axis=1, keepdims=True)) / 4
    quarters = np.rint((angles - first) / (np.pi / 2))
    off = np.abs(angles - first - quarters * np.pi / 2)
    costs = _C.square * np.minimum(off / np.radians(_C.not_square), 1).mean(axis=1)
    spread, usual = np.full(lengths.shape, _C.worst), []
    for side in (0, 1):
        own = (off < np.radians(_C.not_square)) & (np.mod(quarters, 2) == side)
        count = own.sum(axis=1)
        ordered = np.sort(np.where(own, lengths, np.inf), axis=1)
        median = np.take_along_axis(ordered, np.maximum((count - 1) // 2, 0)[:, None], axis=1)
        median = np.where(count[:, None] > 1, median, np.nan)
        spread = np.where(own, np.fmin(np.abs(lengths - median), _C.worst), spread)
        usual.append(median[:, 0])
    proportions = np.abs(np.abs(usual[0] - usual[1]) - _STEP_ASPECT)
    proportions = np.minimum(np.where(np.isnan(proportions), _C.unknown, proportions), _C.worst)
    return np.asarray(costs + _C.alike * spread.mean(axis=1) + _C.proportions * proportions, np.float64)
