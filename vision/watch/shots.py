"""The best picture of a sheet at rest, from the last whole frames: the sharpest, noise and glare taken out.

shots.offer(frame, views)          # whenever a whole frame was taken; nothing is kept of sheets not due
picture = shots.of(view.key)       # the sheet with its surroundings, for a reader as any photograph
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sheets.sheet import SheetKey
from vision.cameras.watching import median_of
from vision.quality import drowned
from vision.register.rectify import Image, Matrix
from vision.watch.views import SheetView

_KEPT = 3  # frames of a sheet that are kept
_AROUND = 0.05  # of a sheet's longer side: so much around it belongs to its picture
_ALIKE = 0.85  # of the sharpest frame's sharpness: blurred frames add nothing to it
_STEP = 1.0  # pixels of the whole frame: a camera that trembles less stands still


@dataclass(frozen=True, eq=False)
class Shot:
    """A part of a whole frame with one sheet in it; ``origin``: its first pixel in that frame."""

    image: Image
    origin: tuple[int, int]
    homography: Matrix  # mm on the sheet to pixels of the part
    since: float  # from when the sheet rested
    sharpness: float


class Shots:
    """The last good frames of every sheet that is due, cut out of whole ones."""

    def __init__(self) -> None:
        self._shots: dict[SheetKey, list[Shot]] = {}

    def offer(self, frame: Image, views: Sequence[SheetView]) -> None:
        """Keep what a whole frame shows of the sheets that are due; ``views`` are those of the same frame."""
        for view in views:
            if not view.due:
                self._shots.pop(view.key, None)
                continue
            shot = _cut_out(frame, view)
            kept = [one for one in self._shots.get(view.key, []) if one.since == shot.since]
            kept = sorted([*kept, shot], key=lambda one: -one.sharpness)[:_KEPT]
            self._shots[view.key] = kept

    def forget(self, key: SheetKey) -> None:
        """Begin anew with a sheet."""
        self._shots.pop(key, None)

    def count(self, key: SheetKey) -> int:
        """How many frames there are of a sheet as it lies there."""
        return len(self._shots.get(key, ()))

    def of(self, key: SheetKey) -> Image | None:
        """The best picture of a sheet as it lies there, blue first; None if there is none."""
        shots = self._shots.get(key)
        return None if not shots else merged(shots)


def _cut_out(frame: Image, view: SheetView) -> Shot:
    height, width = frame.shape[:2]
    corners = view.corners((width, height))
    room = _AROUND * float(np.ptp(corners, axis=0).max())
    left, top = np.clip(np.floor(corners.min(axis=0) - room), 0, [width - 2, height - 2]).astype(int).tolist()
    right, bottom = np.clip(np.ceil(corners.max(axis=0) + room), [left + 2, top + 2], [width, height]).astype(
        int
    )
    part = frame[top:bottom, left:right].copy()
    share = np.diag([width / view.frame[0], height / view.frame[1], 1.0])
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
    since = view.resting_since if view.resting_since is not None else 0.0
    return Shot(part, (left, top), shift @ share @ view.homography, since, _sharpness(part))


def _sharpness(part: Image) -> float:
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.ndim == 3 else part
    return float(np.mean(np.square(cv2.Laplacian(grey, cv2.CV_32F, ksize=3))))


def merged(shots: Sequence[Shot]) -> Image:
    """Several frames of a sheet as one: the middle of each pixel, the darkest where there is glare."""
    best = shots[0]
    sharp = [one for one in shots if one.sharpness >= _ALIKE * best.sharpness]
    laid = [best.image, *(_laid_on(best, one) for one in sharp[1:])]
    calm = best.image.copy() if len(laid) < 3 else median_of([one.copy() for one in laid[:3]])
    if len(shots) > 1:
        glare = drowned(calm)
        if glare.any():
            every = [best.image, *(_laid_on(best, one) for one in shots[1:])]
            calm[glare] = np.minimum.reduce(every)[glare]
    return calm


def _laid_on(best: Shot, other: Shot) -> Image:
    """A frame as it lies over the best one, by where the sheet was in both."""
    move = best.homography @ np.linalg.inv(other.homography)
    move /= move[2, 2]
    height, width = best.image.shape[:2]
    rim = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64)
    there = rim @ move.T
    plain = best.origin == other.origin and best.image.shape == other.image.shape
    if plain and np.hypot(*(there[:, :2] / there[:, 2:] - rim[:, :2]).T).max() < _STEP:
        return other.image
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = np.linalg.inv(half) @ move @ half
    laid = cv2.warpPerspective(other.image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(laid, np.uint8)
