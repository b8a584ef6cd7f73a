"""A camera over a table: where a place on the table comes to lie in the picture, and back.

The table is a plane measured in mm. A picture's pixels are continuous: 0 is the left edge of the first pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.strokes import Points

Matrix = NDArray[np.float64]
_GRID = 16  # pixels between the places at which smooth fields are computed exactly


@dataclass(frozen=True)
class Camera:
    """A pinhole with one radial coefficient, as OpenCV counts it (``k1``, in focal lengths)."""

    size: tuple[int, int]
    table_to_ideal: Matrix  # homography from mm to pixels without distortion
    focal: float
    k1: float

    @property
    def centre(self) -> Points:
        """The optical centre, in pixels."""
        return np.array(self.size, np.float64) / 2

    @cached_property
    def place(self) -> Points:
        """The camera's position, in mm: x and y on the table, and its height above it."""
        inner = np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1]])
        pose = np.linalg.solve(inner, self.table_to_ideal)
        pose /= np.linalg.norm(pose[:, 0])
        turning = np.stack([pose[:, 0], pose[:, 1], np.cross(pose[:, 0], pose[:, 1])], axis=1)
        x, y, z = -turning.T @ pose[:, 2]
        return np.array([x, y, -z])  # its z axis points away from the camera, into the table

    def lifted(self, places: Points, height: float) -> Points:
        """Where on the table points at a height above it appear to lie, seen from the camera."""
        under, above = self.place[:2], float(self.place[2])
        seen: Points = under + (places - under) * (above / max(above - height, 1e-3))
        return seen

    def project(self, places: Points) -> Points:
        """Project places on the table, in mm, to pixels."""
        return self.distort(transformed(self.table_to_ideal, places))

    def distort(self, ideal: Points) -> Points:
        """Apply the lens's distortion to pixels of an ideal camera."""
        ray = (ideal - self.centre) / self.focal
        if self.k1 < 0:
            # Beyond this radius, far outside the picture, the formula would fold back into it.
            limit = (3 * -self.k1) ** -0.5
            ray = ray * np.minimum(1, limit / np.maximum(np.hypot(*np.moveaxis(ray, -1, 0)), 1e-9))[..., None]
        bent: Points = self.centre + self.focal * ray * (1 + self.k1 * (ray**2).sum(axis=-1, keepdims=True))
        return bent

    def undistort(self, pixels: Points) -> Points:
        """The inverse of :meth:`distort`."""
        seen = (pixels - self.centre) / self.focal
        ray = seen
        for _ in range(12):
            ray = seen / (1 + self.k1 * (ray**2).sum(axis=-1, keepdims=True))
        ideal: Points = self.centre + self.focal * ray
        return ideal

    def table_at(self, pixels: Points) -> Points:
        """Project pixels back to places on the table, in mm."""
        return transformed(inverse(self.table_to_ideal), self.undistort(pixels))

    def in_front(self, outline: Points) -> Points:
        """The part of an outline on the table that lies before the camera, not below or behind it."""
        depth = outline @ self.table_to_ideal[2, :2] + self.table_to_ideal[2, 2]
        # As an outline is seen from inside the picture, what is this near to the horizon is out of it.
        over = depth - 0.1 * float(self.table_to_ideal[2] @ self._middle_of_picture())
        if (over > 0).all():
            return outline
        following, next_over = np.roll(outline, -1, axis=0), np.roll(over, -1)
        crossing = (over > 0) != (next_over > 0)
        share = np.where(crossing, over / np.where(crossing, over - next_over, 1), 0)[:, None]
        cuts = outline + (following - outline) * share
        both = np.stack([outline, cuts], axis=1).reshape(-1, 2)
        kept: Points = both[np.stack([over > 0, crossing], axis=1).ravel()]
        return kept

    def _middle_of_picture(self) -> Points:
        return np.append(self.table_at(self.centre), 1.0)

    def scale_at(self, place: Points) -> float:
        """Pixels per mm around a place on the table."""
        around = self.project(place + np.array([[0, 0], [1, 0], [0, 1]]))
        (ax, ay), (bx, by) = around[1] - around[0], around[2] - around[0]
        return float(abs(ax * by - ay * bx) ** 0.5)


@dataclass(frozen=True)
class Frame:
    """A part of a picture: the first pixel and (width, height)."""

    left: int
    top: int
    size: tuple[int, int]

    def padded(self, by: int) -> Frame:
        """The frame, larger by so many pixels on every side."""
        return Frame(self.left - by, self.top - by, (self.size[0] + 2 * by, self.size[1] + 2 * by))


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a homography."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def transformed(matrix: Matrix, points: Points) -> Points:
    """Map points through a homography."""
    flat = points.reshape(-1, 2)
    mapped = flat @ matrix[:, :2].T + matrix[:, 2]
    result: Points = (mapped[:, :2] / mapped[:, 2:]).reshape(points.shape)
    return result


def grid_places(frame: Frame) -> Points:
    """The pixel positions, (rows, columns, 2), at which smooth fields of a frame are computed."""
    width, height = frame.size
    xs = frame.left + np.arange(-1, -(-width // _GRID) + 2) * _GRID
    ys = frame.top + np.arange(-1, -(-height // _GRID) + 2) * _GRID
    return np.stack(np.meshgrid(xs, ys), axis=-1).astype(np.float64)


def spread(field: NDArray[np.float64], frame: Frame) -> NDArray[np.float32]:
    """Interpolate a smooth field, given at :func:`grid_places`, to every pixel of the frame."""
    step = 1 / _GRID
    # The middle of pixel n of the frame is n + 0.5 from its edge; the grid begins one step before it.
    matrix = np.array([[step, 0, 0.5 * step + 1], [0, step, 0.5 * step + 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    smooth = cv2.warpAffine(
        field.astype(np.float32), matrix, frame.size, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(smooth, np.float32)


def surface_map(camera: Camera, frame: Frame) -> NDArray[np.float32]:
    """The place on the table, in mm, that every pixel of a frame sees."""
    return spread(camera.table_at(grid_places(frame)), frame)


def rotation(turn: float) -> Matrix:
    """A rotation by so many degrees, clockwise in a picture, as a homography."""
    angle = np.radians(turn)
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def shift(by: Points) -> Matrix:
    """A translation as a homography."""
    return np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1]], np.float64)


def camera_over(
    places: Points,
    size: tuple[int, int],
    tilt: float,
    azimuth: float,
    margin: float,
    lens: tuple[float, float],
) -> Camera:
    """A camera that just sees all the places, tilted so many degrees from straight down towards ``azimuth``.

    ``lens`` is the focal length in pixels and the radial coefficient.
    """
    angle = np.radians(tilt)
    c, s = np.cos(angle), np.sin(angle)
    turning = rotation(azimuth) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ rotation(-azimuth)
    target = places.mean(axis=0)
    for _ in range(3):
        camera = _nearest(places, size, turning, target, lens, margin)
        seen = camera.project(places)
        middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
        target = transformed(inverse(camera.table_to_ideal), middle[None])[0]
    return _nearest(places, size, turning, target, lens, margin)


def _nearest(
    places: Points,
    size: tuple[int, int],
    turning: Matrix,
    target: Points,
    lens: tuple[float, float],
    margin: float,
) -> Camera:
    """The camera at the smallest distance at which all places are in the picture."""
    low, high = 20.0, 20000.0
    for _ in range(40):
        distance = (low * high) ** 0.5
        camera = _camera_at(distance, size, turning, target, lens)
        if _sees(camera, places, margin):
            high = distance
        else:
            low = distance
    return _camera_at(high, size, turning, target, lens)


def _camera_at(
    distance: float, size: tuple[int, int], turning: Matrix, target: Points, lens: tuple[float, float]
) -> Camera:
    focal, k1 = lens
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    # The table is z = 0 around the target; the camera looks along z from that distance.
    pose = np.stack([turning[:, 0], turning[:, 1], np.array([0, 0, distance])], axis=1)
    return Camera(size, inner @ pose @ shift(-target), focal, k1)


def _sees(camera: Camera, places: Points, margin: float) -> bool:
    depth = places @ camera.table_to_ideal[2, :2] + camera.table_to_ideal[2, 2]
    if depth.min() <= 0:
        return False
    away = np.abs(camera.project(places) - camera.centre) * 2 * margin
    return bool((away <= np.array(camera.size)).all())
