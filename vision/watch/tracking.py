"""Where a sheet has moved to between two frames: its print is followed, and searched for if it is lost."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.register.rectify import Image, Matrix, Places
from vision.watch.looks import Canvas, Look

_POINTS, _LEAST = 90, 10  # corners of the print that are followed; fewer prove nothing
_WINDOW, _LEVELS = 15, 3
_BACK = 1.0  # pixels by which a corner followed there and back may be off
_AGREE = 2.0  # pixels by which corners may be off the common movement
_MOST_STRETCH = 1.25  # by so much a sheet does not grow or shrink between two frames
_COARSE = 4  # times as coarse is the picture in which a lost sheet is searched for
_TURNS = range(-40, 41, 8)  # degrees


def corners_of_look(look: Look, canvas: Canvas) -> NDArray[np.float32]:
    """Corners of the print, (n, 2) in pixels of the canvas, spread over the sheet."""
    height, width = look.ink.shape
    apart = max(4.0, 0.7 * (width * height / _POINTS) ** 0.5)
    there = canvas.within.astype(np.uint8)
    found = cv2.goodFeaturesToTrack(look.ink, _POINTS, 0.02, apart, mask=there)
    return np.zeros((0, 2), np.float32) if found is None else np.asarray(found.reshape(-1, 2), np.float32)


def movement(known: Look, seen: Look, corners: NDArray[np.float32]) -> tuple[Matrix, float] | None:
    """The homography from a known look to one that is seen in the same place, by Lucas and Kanade's flow.

    Also the share of the corners that agree with it; None if too few do.
    """
    if len(corners) < _LEAST:
        return None
    there, found = _flow(known.ink, seen.ink, corners)
    back, found_back = _flow(seen.ink, known.ink, there)
    kept = found & found_back & (np.hypot(*(back - corners).T) < _BACK)
    if kept.sum() < _LEAST:
        return None
    one, other = corners[kept], there[kept]
    matrix, agreeing = cv2.estimateAffinePartial2D(
        one, other, method=cv2.RANSAC, ransacReprojThreshold=_AGREE
    )
    if matrix is None:
        return None
    inside = agreeing.ravel() > 0
    stretch = float(np.hypot(*matrix[:2, 0]))
    if inside.sum() < _LEAST or not 1 / _MOST_STRETCH < stretch < _MOST_STRETCH:
        return None
    share = float(inside.sum() / len(corners))
    whole = np.vstack([matrix, [0, 0, 1]])
    if _spread_over(one[inside], known.ink.shape):
        free, _ = cv2.findHomography(one[inside], other[inside], 0)
        if free is not None and np.isfinite(free).all() and abs(np.linalg.det(free[:2, :2])) > 0.5:
            whole = free
    return np.asarray(whole, np.float64), share


def _flow(
    first: Image, second: Image, points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    window = (_WINDOW, _WINDOW)
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        first, second, points, np.empty_like(points), winSize=window, maxLevel=_LEVELS
    )
    return np.asarray(there, np.float32), np.asarray(found.ravel() > 0, np.bool_)


def _spread_over(points: NDArray[np.float32], shape: tuple[int, ...]) -> bool:
    """Return True if points lie all over a picture, so that they determine a homography."""
    if len(points) < 3 * _LEAST:
        return False
    height, width = shape[:2]
    quarters = (points[:, 0] > width / 2) * 2 + (points[:, 1] > height / 2)
    return all((quarters == quarter).sum() >= 4 for quarter in range(4))


def moved_by(canvas: Canvas, homography: Matrix, move: Matrix) -> Matrix:
    """The homography of a sheet after a movement that was seen in its look."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    exact = half @ move @ np.linalg.inv(half)
    there = homography @ np.linalg.inv(canvas.from_sheet) @ exact @ canvas.from_sheet
    return np.asarray(there / there[2, 2], np.float64)


def searched(
    frame: Image, known: Look, canvas: Canvas, homography: Matrix, taken: list[Places]
) -> list[Matrix]:
    """Where a lost sheet may lie, the likeliest first: pushed and turned, as normalised correlation has it.

    ``taken``: outlines of other sheets, (4, 2) in pixels of the frame, where it does not lie.
    """
    width, height = (length // _COARSE for length in frame.shape[1::-1])
    small = np.asarray(cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    # The sheet as the frame showed it last, on grey ground
    to_frame = homography @ np.linalg.inv(canvas.from_sheet)
    corners = _mapped(to_frame, canvas.outline) / _COARSE
    middle, reach = corners.mean(axis=0), np.ptp(corners, axis=0).max() * 0.75
    side = int(min(2 * reach, min(width, height) - 1))
    if side < 12:
        return []
    ideas: list[tuple[float, Matrix]] = []
    for turn in _TURNS:
        spin = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), turn, 1.0)
        spun = np.vstack([spin, [0, 0, 1]])
        here = spun @ np.diag([1 / _COARSE, 1 / _COARSE, 1]) @ to_frame
        outline = _mapped(here, canvas.outline)
        low = np.floor(outline.min(axis=0)).astype(int)
        size = np.ceil(outline.max(axis=0)).astype(int) - low
        if (size >= (width, height)).any() or (size < 8).any():
            continue
        shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
        shape = (int(size[0]), int(size[1]))
        patch = cv2.warpPerspective(known.light, shift @ here, shape)
        sheet = np.full_like(known.light, 255) * canvas.within
        mask = cv2.warpPerspective(np.asarray(sheet, np.uint8), shift @ here, shape)
        likeness = cv2.matchTemplate(small, patch, cv2.TM_CCOEFF_NORMED, mask=mask)
        likeness = np.nan_to_num(likeness, nan=-1, posinf=-1, neginf=-1)
        for other in taken:
            centre = other.mean(axis=0) / _COARSE - size / 2
            near = float(np.ptp(other, axis=0).min()) / _COARSE * 0.4
            cv2.circle(likeness, (int(centre[0]), int(centre[1])), int(near), -1.0, -1)
        best = int(likeness.argmax())
        y, x = divmod(best, likeness.shape[1])
        move = np.array([[1, 0, x - low[0]], [0, 1, y - low[1]], [0, 0, 1]]) @ spun
        exact = np.diag([_COARSE, _COARSE, 1.0]) @ move @ np.diag([1 / _COARSE, 1 / _COARSE, 1.0])
        ideas.append((float(likeness[y, x]), exact @ homography))
    ideas.sort(key=lambda idea: -idea[0])
    return [matrix / matrix[2, 2] for _, matrix in ideas[:3]]


def _mapped(matrix: Matrix, points: Places) -> Places:
    flat = points @ matrix[:, :2].T + matrix[:, 2]
    mapped: Places = flat[:, :2] / flat[:, 2:]
    return mapped
