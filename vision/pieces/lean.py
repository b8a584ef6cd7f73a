"""The direction and length by which things standing on a board lean away from the camera.

The camera's place follows from the homography once its focal length is known; that is estimated from the
homography, too, as far as it tells (hardly, from straight above), and else is a usual one.
"""

from __future__ import annotations

import numpy as np

from vision.register.rectify import Matrix, Placement, Places

_FOCALS = np.geomspace(0.55, 1.9, 22)  # in longer sides of the picture
_USUAL, _USUALLY = 0.92, 0.35  # and how far it usually is from that, as a logarithm
_TRUST = 0.03  # how far from orthogonal the axes of an exact homography may be


def camera_place(placement: Placement, size: tuple[int, int]) -> Places:
    """The camera's position: x and y on the board and the height above it, in the board's units."""
    centre = placement.centre if placement.bend else (size[0] / 2, size[1] / 2)
    homography = placement.homography / np.linalg.norm(placement.homography)
    poses = [_pose(homography, centre, focal * max(size)) for focal in _FOCALS]
    misses = [(np.log(focal / _USUAL) / _USUALLY) ** 2 for focal in _FOCALS]
    misses = [usual + _skew(pose) for usual, pose in zip(misses, poses, strict=True)]
    pose = poses[int(np.argmin(misses))]
    pose = pose / np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    if pose[2, 2] < 0:
        pose = -pose
    turning = np.stack([pose[:, 0], pose[:, 1], np.cross(pose[:, 0], pose[:, 1])], axis=1)
    x, y, z = np.linalg.solve(turning, -pose[:, 2])
    return np.array([x, y, abs(z)])


def _pose(homography: Matrix, centre: tuple[float, float], focal: float) -> Matrix:
    """The board's axes and origin in the camera's frame, up to scale."""
    inner = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    return np.asarray(np.linalg.solve(inner, homography), np.float64)


def _skew(pose: Matrix) -> float:
    """The squared deviation of the axes from orthogonal and equally long, in variances."""
    one, other = np.linalg.norm(pose[:, 0]), np.linalg.norm(pose[:, 1])
    oblique = float(pose[:, 0] @ pose[:, 1] / (one * other))
    return (oblique**2 + float(np.log(one / other)) ** 2) / _TRUST**2


def leans(camera: Places, places: Places) -> Places:
    """The apparent offset of a thing's top from its foot, per unit of height, at places on the board."""
    lean: Places = (places - camera[:2]) / camera[2]
    return lean
