"""Rectifies cards to upright views of one size, for training and for reading."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.printing.printed import PRINTED
from vision.register.rectify import Image

MODEL = Path(__file__).with_name("read.onnx")  # the reading network, which sees these views
WIDTH, HEIGHT = 64, 88  # pixels of a view
RIM = 4.5  # mm around the card that a view shows
_BRIGHT = 88  # the percentile of a view's brightness that becomes paper
_PAPER = 205


def card_views(
    image: Image, quads: NDArray[np.float64], size: tuple[int, int] = (WIDTH, HEIGHT), rim: float = RIM
) -> Image:
    """Cards by their corners in pixels, clockwise from each card's own top left, (n, height, width, 3)."""
    width, height = size
    wide, high = PRINTED.card.size
    card = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    scale = np.array([width / (wide + 2 * rim), height / (high + 2 * rim)], np.float32)
    inside = (card + np.float32(rim)) * scale - np.float32(0.5)
    views = np.empty((len(quads), height, width, 3), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for view, quad in zip(views, quads, strict=True):
        matrix = cv2.getPerspectiveTransform(inside, (quad - 0.5).astype(np.float32))
        cv2.warpPerspective(image, matrix, (width, height), view, flags, cv2.BORDER_REPLICATE)
    return views


def evened(views: Image) -> Image:
    """Normalise views to paper of one brightness, whatever the lamp and the exposure."""
    step = 1 if views.shape[1] <= HEIGHT else 4  # of a whole picture a part of the pixels suffices
    even = np.empty_like(views)
    for view, to in zip(views, even, strict=True):
        cv2.convertScaleAbs(view, to, _PAPER / max(_brightness(view[::step, ::step]), 12.0))
    return even


def _brightness(view: Image) -> float:
    """The brightness of paper in a view: a high percentile of its pixels' largest channel."""
    brightest = cv2.max(cv2.max(view[..., 0], view[..., 1]), view[..., 2])
    counts = np.cumsum(cv2.calcHist([brightest], [0], None, [256], [0, 256]))
    return float(np.searchsorted(counts, _BRIGHT / 100 * (brightest.size - 1), side="right"))
