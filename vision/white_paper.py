"""Estimates paper and light from the picture itself, so that no colour or brightness is fixed."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.register.rectify import Image

_BLOCK = 4  # pixels of the picture at half its size
_BRIGHT = 4  # of the 16 pixels of a block, those that are paper
_WHITE = 200  # what paper becomes; above it is room for reflections


def paper_field(grid: Image) -> NDArray[np.float32]:
    """The colour that paper would have at every pixel of a straightened picture."""
    rows, columns = (length // (2 * _BLOCK) for length in grid.shape[:2])
    half = cv2.resize(grid, (columns * _BLOCK, rows * _BLOCK), interpolation=cv2.INTER_AREA)
    blocks = half.reshape(rows, _BLOCK, columns, _BLOCK, 3).transpose(0, 2, 4, 1, 3)
    pixels = np.partition(blocks.reshape(rows, columns, 3, _BLOCK**2), _BLOCK**2 - _BRIGHT, axis=3)
    bright = pixels[..., -_BRIGHT:].mean(axis=3).astype(np.uint8)
    # A block that is full of ink takes the paper of its neighbours.
    bright = cv2.dilate(cv2.medianBlur(bright, 3), np.ones((3, 3), np.uint8))
    smooth = cv2.GaussianBlur(bright.astype(np.float32), (0, 0), 1.5)
    field = cv2.resize(smooth, (grid.shape[1], grid.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.maximum(field, 8), np.float32)


def on_white_paper(grid: Image) -> Image:
    """The picture as it would be on white paper in even white light."""
    even = cv2.divide(grid.astype(np.float32), paper_field(grid), scale=_WHITE)
    return np.asarray(cv2.convertScaleAbs(even), np.uint8)
