"""Paper and light learnt from the picture itself, so that no colour and no brightness is fixed."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Image

_BLOCK = 8  # pixels
_BRIGHT_SHARE = 4  # the brightest quarter of a block is paper
_WHITE = 200  # what paper becomes; above it is room for reflections


def paper_field(grid: Image) -> NDArray[np.float32]:
    """The colour that paper would have at every pixel of a straightened picture."""
    height, width = grid.shape[0] // _BLOCK * _BLOCK, grid.shape[1] // _BLOCK * _BLOCK
    blocks = grid[:height, :width].reshape(height // _BLOCK, _BLOCK, width // _BLOCK, _BLOCK, -1)
    pixels = np.sort(blocks.transpose(0, 2, 1, 3, 4).reshape(*blocks.shape[0:4:2], _BLOCK**2, -1), axis=2)
    bright = pixels[:, :, -(_BLOCK**2) // _BRIGHT_SHARE :].mean(axis=2).astype(np.uint8)
    # A block that is full of ink takes the paper of its neighbours.
    bright = cv2.dilate(cv2.medianBlur(bright, 3), np.ones((3, 3), np.uint8))
    smooth = cv2.GaussianBlur(bright.astype(np.float32), (0, 0), 1.5)
    whole = cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR)
    field = cv2.copyMakeBorder(
        whole, 0, grid.shape[0] - height, 0, grid.shape[1] - width, cv2.BORDER_REPLICATE
    )
    return np.asarray(np.maximum(field, 8), np.float32)


def on_white_paper(grid: Image) -> Image:
    """The picture as it would be on white paper in even white light."""
    even = cv2.divide(grid.astype(np.float32), paper_field(grid), scale=_WHITE)
    return np.asarray(np.clip(even, 0, 255), np.uint8)
