"""How steeply a table is seen, from the cards on it alone: what straightens the picture before they are read.

All cards are alike and lie in one plane. Seen at a slant the far ones are smaller, and all are foreshortened
in the same way. For every tilt and direction of a camera with a usual lens the cards are straightened, and
the slant counts by which they come out most alike and most card-like.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.eye.finding import through
from companion.games.derailed.eye.looking import Copies
from companion.games.derailed.paper.printed import PRINTED
from vision.rectify import Image, Matrix, Places

_TILTS = np.radians([0.0, 12.0, 24.0, 34.0, 43.0, 51.0, 58.0])
_AZIMUTHS = np.radians(np.arange(0, 360, 22.5))
_FINER = np.radians([-7.5, -3.5, 0.0, 3.5, 7.5])  # steps around the best of the coarse search
_FOCAL = 0.85  # of a lens, in longer sides of the picture: between a phone's and a camera's
_ASPECT = log(PRINTED.card.size[1] / PRINTED.card.size[0])
_WORST = 0.5  # of a card's deviation, in natural logarithms: beyond it the card is no card
_PER_RADIAN = 0.02  # cost of tilt: where little is seen, straight from above is likelier
LONG_SIDE = 56.0  # pixels of a card's long side in a straightened picture
_AROUND = 2.6  # cards' long sides that are shown around those that are known
_LONGEST = 900  # pixels of a straightened picture


@dataclass(frozen=True, eq=False)
class Straightened:
    """A picture of the table as from above, and the homography that leads there from the photograph."""

    image: Image
    matrix: Matrix


@dataclass(frozen=True)
class Slant:
    """A camera's tilt from straight down, and the direction in the picture in which the table falls away."""

    tilt: float  # radians
    azimuth: float

    def matrix(self, size: tuple[int, int]) -> Matrix:
        """The homography that takes a picture of this size to the table as from above, up to its scale."""
        return np.asarray(_matrices(np.array([self.tilt]), np.array([self.azimuth]), size)[0], np.float64)


def likeliest_slant(corners: Places, size: tuple[int, int]) -> Slant:
    """The slant at which cards with these corners, (n, 4, 2), are most alike; the size is (width, height)."""
    tilts, azimuths = (half.ravel() for half in np.meshgrid(_TILTS, _AZIMUTHS, indexing="ij"))
    best = _best(corners, tilts, azimuths, size)
    for step in (1.0, 0.4):
        tilts, azimuths = (half.ravel() for half in np.meshgrid(_FINER * step, 2 * _FINER * step))
        best = _best(corners, np.clip(best.tilt + tilts, 0, 1.1), best.azimuth + azimuths, size)
    return best


def straightened(picture: Copies, slant: Slant, shown: Places) -> Straightened:
    """The part of a picture around these cards as from above, every card of one usual size."""
    size = picture.image.shape[1], picture.image.shape[0]
    plain = slant.matrix(size)
    corners = through(plain, shown)
    areas = np.abs(_area(corners))
    long = float(np.sqrt(np.median(areas) * PRINTED.card.size[1] / PRINTED.card.size[0]))
    rim = through(plain, np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float64))
    low = np.maximum(corners.min(axis=(0, 1)) - _AROUND * long, rim.min(axis=0))
    high = np.minimum(corners.max(axis=(0, 1)) + _AROUND * long, rim.max(axis=0))
    scale = min(LONG_SIDE / long, _LONGEST / float((high - low).max()))
    wide, tall = np.maximum(np.rint((high - low) * scale), 32).astype(int).tolist()
    matrix = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]]) @ plain
    shrunk = float(np.sqrt(np.median(np.abs(_area(shown)) / (areas * scale**2))))
    return Straightened(warped(picture, matrix, (wide, tall), shrunk), matrix / matrix[2, 2])


def warped(picture: Copies, matrix: Matrix, size: tuple[int, int], shrunk: float) -> Image:
    """A picture through a homography that makes it ``shrunk`` times smaller, without skipping pixels."""
    copy, share = picture.smaller(min(1.0, 1 / shrunk))
    matrix = matrix @ np.diag([1 / share, 1 / share, 1.0])
    flat = cv2.warpPerspective(copy, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(110, 110, 110))
    return np.asarray(flat, np.uint8)


def _area(corners: Places) -> NDArray[np.float64]:
    """The signed areas of quadrilaterals, (..., 4, 2)."""
    one, other = corners[..., 2, :] - corners[..., 0, :], corners[..., 3, :] - corners[..., 1, :]
    return np.asarray((one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) / 2, np.float64)


def _best(
    corners: Places, tilts: NDArray[np.float64], azimuths: NDArray[np.float64], size: tuple[int, int]
) -> Slant:
    costs = _costs(corners, _matrices(tilts, azimuths, size)) + _PER_RADIAN * tilts
    n = int(costs.argmin())
    return Slant(float(tilts[n]), float(azimuths[n]))


def _matrices(
    tilts: NDArray[np.float64], azimuths: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float64]:
    """For every camera the homography to the table as from above, (n, 3, 3): turned until it looks down."""
    focal = _FOCAL * max(size)
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    c, s = np.cos(azimuths), np.sin(azimuths)
    spin = np.zeros((len(tilts), 3, 3))
    spin[:, 0, 0], spin[:, 0, 1], spin[:, 1, 0], spin[:, 1, 1], spin[:, 2, 2] = c, s, -s, c, 1
    lean = np.zeros_like(spin)
    lean[:, 0, 0], lean[:, 0, 2] = np.cos(tilts), np.sin(tilts)
    lean[:, 2, 0], lean[:, 2, 2] = -np.sin(tilts), np.cos(tilts)
    lean[:, 1, 1] = 1
    turning = np.swapaxes(spin, 1, 2) @ lean @ spin
    return np.asarray(inner @ turning @ np.linalg.inv(inner), np.float64)


def _costs(corners: Places, matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """How unlike each other, and unlike cards, the quadrilaterals (n, 4, 2) are through each matrix."""
    flat = np.concatenate([corners.reshape(-1, 2), np.ones((corners.shape[0] * 4, 1))], axis=1)
    mapped = np.einsum("hij,nj->hni", matrices, flat)
    depth = mapped[..., 2:]
    behind = (depth < 0.08).any(axis=(1, 2))
    points = (mapped[..., :2] / np.maximum(depth, 0.08)).reshape(len(matrices), -1, 4, 2)
    short = (points[:, :, 1] + points[:, :, 2] - points[:, :, 0] - points[:, :, 3]) / 2
    long = (points[:, :, 2] + points[:, :, 3] - points[:, :, 0] - points[:, :, 1]) / 2
    wide, high = np.hypot(*np.moveaxis(short, -1, 0)), np.hypot(*np.moveaxis(long, -1, 0))
    aspect = np.abs(np.abs(np.log(high / wide)) - _ASPECT)
    sizes = np.log(np.maximum(np.abs(_area(points)), 1e-9))
    uneven = np.abs(sizes - np.median(sizes, axis=1, keepdims=True))
    askew = np.abs((short * long).sum(axis=-1)) / (wide * high)
    each = sum(np.minimum(term, _WORST) for term in (aspect, 0.6 * uneven, 0.8 * askew))
    angle = np.arctan2(long[..., 1], long[..., 0])
    apart = 1 - np.abs(np.exp(4j * angle).mean(axis=1))  # all lie along two directions
    return np.asarray(np.where(behind, 99.0, np.asarray(each).mean(axis=1) + 0.3 * apart), np.float64)
