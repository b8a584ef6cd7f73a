"""Upright views of one size of every segment and its surroundings, from which evidence is taken.

The maps from view to board are made once for a board, and the views of its blank with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Quad
from vision.register.rectify import Image, Places

SIZE = (40, 24)  # pixels of a view, along and across the segment
LENGTH = 1.5  # of a segment's length that a view shows along it; across it shows as much for each pixel
_NO_MAP = np.empty(0, np.float32)


@dataclass(frozen=True, eq=False)
class Segments:
    """Quadrilaterals for pieces on a plane: corners clockwise, the first side along the segment or across it.

    ``fineness``: the length of a segment in pixels of its view. With ``shape``, segments of other proportions
    are stretched to it: long ones are not shown too small, and square ones not without surroundings.
    """

    quads: Mapping[str, Quad]
    fineness: float = SIZE[0] / LENGTH
    shape: tuple[float, float] | None = None

    @property
    def names(self) -> list[str]:
        """The names of the segments, in the order of all arrays."""
        return list(self.quads)

    @cached_property
    def middles(self) -> Places:
        """The centre of every segment, (n, 2)."""
        middles: Places = self._corners.mean(axis=1)
        return middles

    @cached_property
    def along(self) -> Places:
        """The vector from end to end of every segment, (n, 2)."""
        one = self._corners[:, [1, 2]].mean(axis=1) - self._corners[:, [0, 3]].mean(axis=1)
        other = self._corners[:, [2, 3]].mean(axis=1) - self._corners[:, [0, 1]].mean(axis=1)
        first = np.hypot(*one.T) >= np.hypot(*other.T)
        along: Places = np.where(first[:, None], one, other)
        if self.shape is not None:
            length, width = np.hypot(*along.T), np.hypot(*np.where(first[:, None], other, one).T)
            along *= (np.clip(length, self.shape[0] * width, self.shape[1] * width) / length)[:, None]
        return along

    @cached_property
    def _corners(self) -> Places:
        return np.asarray(list(self.quads.values()), np.float64).reshape(-1, 4, 2)

    def places(self, size: tuple[int, int] = SIZE) -> Places:
        """The place on the plane of every pixel of every view, (n, height, width, 2).

        A view of another size shows more or less of the plane at the same scale.
        """
        width, height = size
        pitch = self.along / self.fineness
        x = np.arange(width) - (width - 1) / 2
        y = np.arange(height) - (height - 1) / 2
        across = np.stack([-pitch[:, 1], pitch[:, 0]], axis=1)
        places: Places = (
            self.middles[:, None, None]
            + pitch[:, None, None] * x[None, None, :, None]
            + across[:, None, None] * y[None, :, None, None]
        )
        return places

    def pixels(self, scale: float, size: tuple[int, int] = SIZE) -> NDArray[np.float32]:
        """The sampling map of the views for so many pixels per unit, in OpenCV's convention."""
        return np.ascontiguousarray(self.places(size) * scale - 0.5, np.float32)

    def in_views(self, ways: Places) -> Places:
        """Vectors on the plane, one per segment, in pixels along and across its view."""
        along = self.along / (self.along**2).sum(axis=1, keepdims=True) * self.fineness
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        turned: Places = np.stack([(ways * along).sum(axis=1), (ways * across).sum(axis=1)], axis=1)
        return turned

    def in_view(self, number: int, places: Places) -> Places:
        """Places on the plane in pixels of one segment's view, relative to its centre."""
        along = self.along[number] / float((self.along[number] ** 2).sum()) * self.fineness
        turning = np.array([along, [-along[1], along[0]]])
        seen: Places = (places - self.middles[number]) @ turning.T
        return seen

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """The length of every segment, (n,)."""
        lengths: NDArray[np.float64] = np.hypot(*self.along.T)
        return lengths


def cut_out(picture: Image, pixels: NDArray[np.float32]) -> Image:
    """Sample the views from a straightened picture, (n, height, width, colours), replicating its border."""
    count, height, width, _ = pixels.shape
    views = np.empty((count, height, width, *picture.shape[2:]), np.uint8)
    rows = 32_000 // height  # OpenCV's maps have fewer rows than that
    for first in range(0, count, rows):
        part = pixels[first : first + rows].reshape(-1, width, 2)
        seen = cv2.remap(picture, part, _NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        views[first : first + rows] = seen.reshape(-1, height, width, *picture.shape[2:])
    return views
