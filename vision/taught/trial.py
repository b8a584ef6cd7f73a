"""Tries at once whether a taught board will be found again, before anybody relies on it.

The taught picture is looked for in made-up views of itself: turned and tilted on other tables (a checked
cloth among them), in other light, drawn on, less sharp. A plain white print that fails here fails at the
table, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from vision.register.rectify import Image, Matrix, Placement
from vision.taught.boards import TaughtBoard, picture_to_sheet, taught_image
from vision.taught.finding import find_taught

_VIEWS, _MOST_MISSED = 4, 1  # so often it has to be found; the trial ends when it was missed more often
_SIZE = (960, 720)  # pixels of a view
_FAR_OFF = 0.02  # of the area's longer side
_REMEDY = {
    True: "stick tag stickers around the board and teach it again,",
    False: "photograph it from above,",
}
_STROKES = 70  # lines drawn on a view


@dataclass(frozen=True)
class Trial:
    """The number of made-up views in which a board was found, out of how many.

    ``stickers``: whether there are corner stickers for boards of this kind.
    """

    found: int
    tried: int
    stickers: bool

    @property
    def says(self) -> str:
        """A sentence for the owner if it was found too seldom, or nothing."""
        if self.tried - self.found <= _MOST_MISSED:
            return ""
        return (
            f"This print is hard to find again (in {self.found} of {self.tried} trials): "
            f"{_REMEDY[self.stickers]} or give its four corners with every photograph."
        )


def trial(board: TaughtBoard, sheet: Sheet) -> Trial:
    """Try to find a board that was just taught; with stickers around it there is nothing to try."""
    if len(board.tags) > 1:
        return Trial(_VIEWS, _VIEWS, True)
    area = np.array(sheet.area)
    allowed = _FAR_OFF * float(np.ptp(area, axis=0).max())
    found, tried = 0, 0
    for tried, (view, to_view) in enumerate(_views(board), start=1):
        truth = Placement(to_view @ np.linalg.inv(picture_to_sheet(board, sheet)))
        seen = find_taught(view, board, sheet)
        if seen is not None:
            off = np.hypot(*(seen.placement.pixels(area) - truth.pixels(area)).T).max()
            found += bool(off < allowed * truth.scale_at(sheet.middle))
        if found == _VIEWS or tried - found > _MOST_MISSED:
            break
    return Trial(found, tried, bool(sheet.stickers))


def _views(board: TaughtBoard) -> Iterator[tuple[Image, Matrix]]:
    """Yield made-up views of the taught picture, each with its homography."""
    rng = np.random.default_rng(5)
    picture = taught_image(board.picture)
    height, width = picture.shape[:2]
    rim = board.rim * board.scale
    inner = np.array([(rim, rim), (width - rim, rim), (width - rim, height - rim), (rim, height - rim)])
    for number in range(_VIEWS + _MOST_MISSED):
        to_view = _camera(rng, inner)
        view = _table(rng, number)
        drawn = _drawn_on(rng, picture, inner)
        flat = cv2.warpPerspective(drawn, to_view, _SIZE, flags=cv2.INTER_AREA)
        # No more of the rim is seen than the board has: what lay around it was another table.
        shown = np.zeros(view.shape[:2], np.uint8)
        corners = cv2.perspectiveTransform(inner[None].astype(np.float64), to_view)
        cv2.fillPoly(shown, [np.rint(corners[0]).astype(np.int32)], 255)
        margin = max(3, int(0.4 * rim * _scale_of(to_view, inner)))
        shown = np.asarray(cv2.dilate(shown, np.ones((margin, margin), np.uint8)), np.uint8)
        view[shown > 0] = flat[shown > 0]
        yield _exposed(rng, view), to_view


def _scale_of(to_view: Matrix, inner: NDArray[np.float64]) -> float:
    seen = cv2.perspectiveTransform(inner[None].astype(np.float64), to_view)[0].astype(np.float32)
    return float((cv2.contourArea(seen) / cv2.contourArea(inner.astype(np.float32))) ** 0.5)


def _camera(rng: np.random.Generator, inner: NDArray[np.float64]) -> Matrix:
    """A random homography: the board turned and tilted in the middle of a view."""
    middle, turn = inner.mean(axis=0), rng.uniform(0, 2 * np.pi)
    turning = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    turned = (inner - middle) @ turning.T
    depth = 1 + turned @ rng.uniform(-0.28, 0.28, 2) / np.abs(turned).max()
    seen = turned / depth[:, None]
    seen *= rng.uniform(0.62, 0.92) * min((np.array(_SIZE) / np.ptp(seen, axis=0)).tolist())
    seen += np.array(_SIZE) / 2 - (seen.min(axis=0) + seen.max(axis=0)) / 2
    return np.asarray(
        cv2.getPerspectiveTransform(inner.astype(np.float32), seen.astype(np.float32)), np.float64
    )


def _table(rng: np.random.Generator, number: int) -> Image:
    """A background: a checked cloth every third time, otherwise wood or something plain."""
    x, y = np.meshgrid(np.arange(_SIZE[0]), np.arange(_SIZE[1]))
    one, other = rng.uniform(30, 230, 3), rng.uniform(30, 230, 3)
    if number % 3 == 0:
        pitch = rng.uniform(14, 45)
        share = ((x / pitch % 1 < 0.5).astype(float) + (y / pitch % 1 < 0.5)) / 2
    elif number % 3 == 1:
        share = 0.5 + 0.5 * np.sin(y / 9 + np.sin(x / 130) * 3)
    else:
        share = np.zeros(x.shape)
    table = one + (other - one) * share[..., None] + rng.normal(0, 5, (*x.shape, 1))
    return np.clip(table, 0, 255).astype(np.uint8)


def _drawn_on(rng: np.random.Generator, picture: Image, inner: NDArray[np.float64]) -> Image:
    """The board with random lines on it, as players draw them."""
    drawn = picture.copy()
    low, high = inner.min(axis=0), inner.max(axis=0)
    length = float((high - low).max())
    for _ in range(_STROKES):
        start = rng.uniform(low, high)
        end = np.clip(start + rng.normal(0, 0.08, 2) * length, low, high)
        colour = [int(value) for value in rng.integers(0, 130, 3)]
        points = [tuple(int(value) for value in point) for point in (start, end)]
        cv2.line(drawn, points[0], points[1], colour, max(1, round(length / 190)), cv2.LINE_AA)
    return drawn


def _exposed(rng: np.random.Generator, view: Image) -> Image:
    """The view in other light, slightly blurred, with noise."""
    height, width = view.shape[:2]
    slope = 1 + rng.uniform(-0.35, 0.35) * np.linspace(-1, 1, width)
    slope = slope[None, :] * (1 + rng.uniform(-0.35, 0.35) * np.linspace(-1, 1, height))[:, None]
    light = view * (slope * rng.uniform(0.45, 1.0))[..., None] * rng.uniform(0.8, 1.0, 3)
    soft = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.6, 1.2)))
    return np.clip(soft + rng.normal(0, 5, view.shape), 0, 255).astype(np.uint8)
