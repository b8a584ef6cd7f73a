"""Estimates the local drift of a print that does not lie flat against its placement.

A placement is a homography and the bend of a lens. Paper waves, and a map is glued together from pages: then
the print drifts by a millimetre or two, slowly from place to place. Tiles of the blank are looked for in the
straightened picture by normalised cross-correlation; where a tile shows little, its neighbours count.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.register.rectify import Image, Places

_TILE = 56  # pixels of the small pictures that are compared
_STEP = 90
_REACH = 4
_LEAST_ALIKE = 0.35  # correlation below which a tile says nothing
_SMOOTH = 0.7  # tiles over which the drift is averaged
_AVERAGE_PULL = 0.15  # weight of the drift of the whole sheet where tiles say little


@dataclass(frozen=True, eq=False)
class Drift:
    """Offsets of the print in a straightened picture from where it should be, in its pixels."""

    field: NDArray[np.float32]  # (rows, columns, 2)
    first: tuple[float, float]  # the place of the first of the field's values
    step: tuple[float, float]

    def at(self, pixels: Places | NDArray[np.float32]) -> NDArray[np.float32]:
        """The drift at places of the straightened picture, interpolated bilinearly between tiles."""
        flat = np.asarray(pixels, np.float32).reshape(-1, 1, 2)
        where = np.asarray((flat - np.array(self.first)) / np.array(self.step), np.float32)
        found = cv2.remap(
            self.field, where, np.empty(0, np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found, np.float32).reshape(np.shape(pixels))


@dataclass(frozen=True, eq=False)
class BlankTiles:
    """The blank in grey, reduced by an integer factor, and the corners of its tiles."""

    grey: Image
    shrunk: float
    corners: NDArray[np.int64]  # (rows, columns, 2): x, y

    @classmethod
    def of(cls, blank: Image, shrunk: float) -> BlankTiles:
        """The tiles of a straightened blank, in colour or grey."""
        grey = _small_grey(blank, shrunk)
        across = _firsts(grey.shape[1])
        down = _firsts(grey.shape[0])
        return cls(grey, shrunk, np.stack(np.meshgrid(across, down), axis=-1))


def _small_grey(image: Image, shrunk: float) -> Image:
    size = max(_TILE, round(image.shape[1] / shrunk)), max(_TILE, round(image.shape[0] / shrunk))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def _firsts(length: int) -> NDArray[np.int64]:
    count = max(1, (length - _TILE - 2 * _REACH) // _STEP + 1)
    return np.linspace(_REACH, max(length - _TILE - _REACH, _REACH), count).astype(np.int64)


def print_drift(picture: Image, tiles: BlankTiles) -> Drift:
    """Estimate the drift of a straightened picture against its blank, which has the same pixels."""
    seen = _small_grey(picture, tiles.shrunk)
    rows, columns, _ = tiles.corners.shape
    moves = np.zeros((rows, columns, 2), np.float32)
    sure = np.zeros((rows, columns), np.float32)
    for row in range(rows):
        for column in range(columns):
            x, y = tiles.corners[row, column].tolist()
            patch = tiles.grey[y : y + _TILE, x : x + _TILE]
            around = seen[y - _REACH : y + _TILE + _REACH, x - _REACH : x + _TILE + _REACH]
            alike = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
            moves[row, column], sure[row, column] = _peak(np.asarray(alike, np.float32))
    field = _smoothed(moves, sure) * np.float32(tiles.shrunk)
    middles = np.asarray((tiles.corners + _TILE / 2) * tiles.shrunk, np.float64)
    first = (float(middles[0, 0, 0]), float(middles[0, 0, 1]))
    step = (_pitch(middles[0, :, 0]), _pitch(middles[:, 0, 1]))
    return Drift(field, first, step)


def _pitch(places: NDArray[np.float64]) -> float:
    return float(places[-1] - places[0]) / (len(places) - 1) if len(places) > 1 else 1.0


def _peak(alike: NDArray[np.float32]) -> tuple[tuple[float, float], float]:
    """The shift with the highest correlation, to subpixel precision, and its weight."""
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    if best < _LEAST_ALIKE or not (0 < x < 2 * _REACH and 0 < y < 2 * _REACH):
        return (0.0, 0.0), 0.0
    dx = _vertex(float(alike[y, x - 1]), best, float(alike[y, x + 1]))
    dy = _vertex(float(alike[y - 1, x]), best, float(alike[y + 1, x]))
    return (x - _REACH + dx, y - _REACH + dy), best**2


def _vertex(before: float, middle: float, after: float) -> float:
    curve = before - 2 * middle + after
    return 0.0 if curve > -1e-9 else float(np.clip(0.5 * (before - after) / curve, -0.5, 0.5))


def _smoothed(moves: NDArray[np.float32], sure: NDArray[np.float32]) -> NDArray[np.float32]:
    """Average the offsets of neighbouring tiles, giving little weight to outliers."""
    if not sure.any():
        return moves
    usual = np.median(moves[sure > 0].reshape(-1, 2), axis=0).astype(np.float32)
    around = moves.copy()
    around[sure == 0] = usual
    around = np.stack(
        [cv2.medianBlur(np.ascontiguousarray(around[..., axis]), 3) for axis in (0, 1)], axis=-1
    )
    strange = np.hypot(*np.moveaxis(moves - around, -1, 0))
    weight = sure / (1 + (strange / np.float32(0.6)) ** 2) ** 2
    above = cv2.GaussianBlur(moves * weight[..., None], (0, 0), _SMOOTH)
    below = cv2.GaussianBlur(weight, (0, 0), _SMOOTH)
    pull = np.float32(_AVERAGE_PULL * float(weight.mean()))
    return np.asarray((above + pull * usual) / (below + pull)[..., None], np.float32)
