"""The placement of a sheet in a picture and its rectification, for training and for reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Point, Quad
from companion.sheets.sheet import Sheet

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Places = NDArray[np.float64]  # (..., 2)
_STEP = 8  # pixels between the places that are computed exactly
_UNBENDING = 8  # steps after which nothing moves any more
_SAGGING = 3  # steps after which a place on sagging paper is found
_FINE_ENOUGH = 0.58  # of the scale of an image: less would skip pixels


@dataclass(frozen=True, eq=False)
class Sag:
    """The sag of paper that is not flat: displacements in pixels from where a flat sheet would be seen.

    ``moves``: (rows, columns, 2), at the knots of a grid from the place ``low`` of the sheet to ``high``, in
    mm; interpolated between the knots and extrapolated as constants beyond them.
    """

    low: Point
    high: Point
    moves: NDArray[np.float32]

    def at(self, flat: Places) -> Places:
        """The displacements in pixels at places of the sheet, (n, 2)."""
        rows, columns = self.moves.shape[:2]
        share = (flat - np.asarray(self.low)) / (np.asarray(self.high) - np.asarray(self.low))
        knots = np.clip(share, 0, 1) * [columns - 1, rows - 1]
        left, top = np.minimum(knots.astype(np.int64), [columns - 2, rows - 2]).T
        right, down = (knots - np.stack([left, top], axis=1)).T[..., None]
        above = self.moves[top, left] * (1 - right) + self.moves[top, left + 1] * right
        below = self.moves[top + 1, left] * (1 - right) + self.moves[top + 1, left + 1] * right
        moves: Places = above * (1 - down) + below * down
        return moves

    def scaled(self, share: tuple[float, float]) -> Sag:
        """The displacements for a picture resized by these factors, across and down."""
        return replace(self, moves=np.asarray(self.moves * np.array(share), np.float32))


@dataclass(frozen=True)
class Placement:
    """The placement of a sheet in a picture: a homography and the lens's radial distortion.

    ``homography`` maps mm on the sheet to continuous pixels (0 is the edge of the first pixel) of an ideal
    lens; ``bend`` moves a pixel away from ``centre`` by that share of its distance at ``radius``. Paper known
    not to be flat has a ``sag``.
    """

    homography: Matrix
    centre: tuple[float, float] = (0.0, 0.0)
    radius: float = 1.0
    bend: float = 0.0
    sag: Sag | None = None

    def pixels(self, places: Places) -> Places:
        """Project places on the sheet, in mm, to pixels."""
        flat = np.asarray(places, np.float64).reshape(-1, 2)
        mapped = flat @ self.homography[:, :2].T + self.homography[:, 2]
        seen = self.bent(mapped[:, :2] / mapped[:, 2:])
        return (seen if self.sag is None else seen + self.sag.at(flat)).reshape(np.shape(places))

    def places(self, pixels: Places) -> Places:
        """Back-project pixels to the plane of the sheet, in mm: the inverse of :meth:`pixels`."""
        seen = np.asarray(pixels, np.float64).reshape(-1, 2)
        places = self._flat_places(seen)
        for _ in range(0 if self.sag is None else _SAGGING):
            assert self.sag is not None
            places = self._flat_places(seen - self.sag.at(places))
        return places.reshape(np.shape(pixels))

    def _flat_places(self, pixels: Places) -> Places:
        back = np.linalg.inv(self.homography)
        mapped = self.unbent(pixels) @ back[:, :2].T + back[:, 2]
        places: Places = mapped[:, :2] / mapped[:, 2:]
        return places

    def bent(self, ideal: Places) -> Places:
        """Apply the lens's radial distortion to ideal pixels."""
        if self.bend == 0:
            return ideal
        ray = (ideal - np.asarray(self.centre)) / self.radius
        stretch = 1 + self.bend * (ray**2).sum(axis=-1, keepdims=True)
        bent: Places = np.asarray(self.centre) + self.radius * ray * stretch
        return bent

    def unbent(self, pixels: Places) -> Places:
        """Undo the radial distortion by fixed-point iteration: the inverse of :meth:`bent`."""
        seen = (pixels - np.asarray(self.centre)) / self.radius
        ray = seen
        for _ in range(0 if self.bend == 0 else _UNBENDING):
            ray = seen / np.maximum(1 + self.bend * (ray**2).sum(axis=-1, keepdims=True), 0.3)
        ideal: Places = np.asarray(self.centre) + self.radius * ray
        return ideal

    def scaled(self, share: tuple[float, float]) -> Placement:
        """The placement in a picture resized by these factors, across and down, which are nearly equal."""
        (across, down), (x, y) = share, self.centre
        return replace(
            self,
            homography=np.diag([across, down, 1.0]) @ self.homography,
            centre=(x * across, y * down),
            radius=self.radius * (across * down) ** 0.5,
            sag=None if self.sag is None else self.sag.scaled(share),
        )

    def moved(self, across: float, down: float) -> Placement:
        """The placement in a picture whose origin is shifted by this many pixels."""
        shift = np.array([[1, 0, across], [0, 1, down], [0, 0, 1]], np.float64)
        centre = (self.centre[0] + across, self.centre[1] + down)
        return replace(self, homography=shift @ self.homography, centre=centre)

    def scale_at(self, place: Point) -> float:
        """Pixels per mm at a place of the sheet: the square root of the area that a square mm covers."""
        around = self.pixels(np.asarray(place) + np.array([[0, 0], [1, 0], [0, 1]]))
        (ax, ay), (bx, by) = around[1] - around[0], around[2] - around[0]
        return float(max(abs(ax * by - ay * bx) ** 0.5, 1e-6))


def straightened(
    image: Image,
    placement: Placement,
    sheet: Sheet,
    scale: float,
    margin: int = 0,
    rectangle: Quad | None = None,
) -> Image:
    """Rectify an upright rectangle of a sheet, by default its area, to a view from straight above.

    ``scale`` is in pixels per mm; ``margin`` pixels of what lies around the rectangle are shown, too.
    """
    corners = sheet.area if rectangle is None else rectangle
    image, placement = reduced_to(image, placement, sheet, scale)
    width, height = picture_size(corners, scale, margin)
    places = _smooth_map(placement, _coarse_places(corners, scale, margin), (width, height))
    straight = cv2.remap(
        image, places, np.empty(0, np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(straight, np.uint8)


def picture_size(rectangle: Quad, scale: float, margin: int = 0) -> tuple[int, int]:
    """Width and height, in pixels, of the straightened picture of a rectangle."""
    (left, top), _, (right, bottom), _ = rectangle
    return round((right - left) * scale) + 2 * margin, round((bottom - top) * scale) + 2 * margin


@lru_cache(maxsize=8)
def _coarse_places(rectangle: Quad, scale: float, margin: int) -> Places:
    """The centre of every eighth pixel of a straightened picture, in mm on the sheet."""
    width, height = picture_size(rectangle, scale, margin)
    left, top = rectangle[0]
    across = np.arange(0.5, width + _STEP, _STEP)
    down = np.arange(0.5, height + _STEP, _STEP)
    places: Places = np.stack(
        np.meshgrid((across - margin) / scale + left, (down - margin) / scale + top), axis=-1
    )
    return places


def _smooth_map(placement: Placement, places: Places, size: tuple[int, int]) -> NDArray[np.float32]:
    """The sampling map of a straightened picture, interpolated from every eighth pixel."""
    # OpenCV counts from the middle of the first pixel.
    coarse = placement.pixels(places).astype(np.float32) - np.float32(0.5)
    matrix = np.array([[1 / _STEP, 0, 0], [0, 1 / _STEP, 0]])
    fine = cv2.warpAffine(coarse, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(fine, np.float32)


def slot_views(
    image: Image, placement: Placement, quads: Sequence[Quad], size: int, rim: float = 0.1
) -> Image:
    """Rectify places of a sheet one by one with a margin, (n, size, size, channels); ``rim``: in sides."""
    corners = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    middles = corners.mean(axis=1, keepdims=True)
    seen = placement.pixels(middles + (corners - middles) * (1 + 2 * rim)).astype(np.float32) - np.float32(
        0.5
    )
    end = size - 0.5
    square = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
    views = np.empty((len(seen), size, size, 3), np.uint8)
    for view, quad in zip(views, seen, strict=True):
        matrix = cv2.getPerspectiveTransform(square, quad)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cv2.warpPerspective(image, matrix, (size, size), view, flags, cv2.BORDER_REPLICATE)
    return views


def reduced_to(image: Image, placement: Placement, sheet: Sheet, scale: float) -> tuple[Image, Placement]:
    """Crop the image to the sheet and halve it while it is far finer than ``scale`` pixels per mm.

    This avoids aliasing when parts are cut out; halving is far quicker than any other way.
    """
    share = scale / placement.scale_at(sheet.middle)
    halvings = 0 if share > _FINE_ENOUGH else int(np.ceil(np.log2(_FINE_ENOUGH / share)))
    if not halvings:
        return image, placement
    step = 2**halvings
    rows, columns = _part_with(image, placement, sheet.size)
    size = ((columns.stop - columns.start) // step, (rows.stop - rows.start) // step)
    part = image[rows.start : rows.start + size[1] * step, columns.start : columns.start + size[0] * step]
    if not min(size):
        return image, placement
    small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, placement.moved(-columns.start, -rows.start).scaled((1 / step, 1 / step))


def _part_with(image: Image, placement: Placement, sheet_size: Point) -> tuple[slice, slice]:
    """The slices of rows and columns of an image that contain the sheet."""
    width, height = sheet_size
    rim = np.array([(x * width, y * height) for x in (0, 0.5, 1) for y in (0, 0.5, 1)])
    pixels = placement.pixels(rim)
    room = 0.02 * float(np.ptp(pixels, axis=0).max()) + 4
    size = np.array([image.shape[1], image.shape[0]])
    low = np.clip(np.floor(pixels.min(axis=0) - room), 0, size - 2).astype(int)
    high = np.clip(np.ceil(pixels.max(axis=0) + room), low + 2, size).astype(int)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
