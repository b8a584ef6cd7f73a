"""Cells cut out of a photograph and straightened to one size: what training and reading both look at."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.printed import PRINTED
from companion.games.railroad_ink.rulebook import GRID

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]


def grid_picture(image: Image, sheet_to_image: Matrix, size: int, margin: int) -> Image:
    """The 7 x 7 grid with ``size`` pixels a cell and ``margin`` pixels around it.

    ``sheet_to_image`` takes mm on the sheet to continuous pixels (0 is the edge of the first pixel).
    """
    scale = size / PRINTED.grid.cell
    left, top = PRINTED.grid.corner
    to_sheet = np.array(
        [[1 / scale, 0, left - margin / scale], [0, 1 / scale, top - margin / scale], [0, 0, 1]]
    )
    width, height = GRID.columns * size + 2 * margin, GRID.rows * size + 2 * margin
    image, shrunk = _reduced(image, sheet_to_image, scale)
    # OpenCV counts from the middle of the first pixel.
    to_image = _moved(-0.5) @ shrunk @ to_sheet @ _moved(0.5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    straight = cv2.warpPerspective(
        image, to_image, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(straight, np.uint8)


def cell_views(image: Image, sheet_to_image: Matrix, size: int, margin: int) -> Image:
    """The cells one by one, (49, size + 2 margin, size + 2 margin, colours): a rim shows the neighbours."""
    grid = grid_picture(image, sheet_to_image, size, margin)
    whole = size + 2 * margin
    return np.stack(
        [
            grid[row * size : row * size + whole, column * size : column * size + whole]
            for row in range(GRID.rows)
            for column in range(GRID.columns)
        ]
    )


def _moved(by: float) -> Matrix:
    return np.array([[1, 0, by], [0, 1, by], [0, 0, 1]])


def _reduced(image: Image, sheet_to_image: Matrix, scale: float) -> tuple[Image, Matrix]:
    """The image made smaller where it is much finer than needed, so that no pixel is skipped."""
    share = scale / _image_scale(sheet_to_image)
    if share > 0.7:
        return image, sheet_to_image
    height, width = image.shape[:2]
    size = (max(1, round(width * share)), max(1, round(height * share)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, np.diag([size[0] / width, size[1] / height, 1.0]) @ sheet_to_image


def _image_scale(sheet_to_image: Matrix) -> float:
    """Pixels per mm in the middle of the grid."""
    side = PRINTED.grid.cell * GRID.columns / 2
    middle = np.asarray(PRINTED.grid.corner) + side
    around = middle + np.array([[0, 0], [1, 0], [0, 1]])
    mapped = cv2.perspectiveTransform(around[None], sheet_to_image)[0]
    (ax, ay), (bx, by) = mapped[1] - mapped[0], mapped[2] - mapped[0]
    return float(max(abs(ax * by - ay * bx) ** 0.5, 1e-6))
