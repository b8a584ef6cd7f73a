"""Views varied by chance, so that few boards teach as much as many."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.against_blank import WHITE
from vision.pieces.trained import LEAN_ZERO, VIEW
from vision.rectify import Image

_SHIFT = 1.2  # pixels: how badly picture and blank may lie on each other
_LIGHT, _TINT, _BEND = 0.10, 0.06, 0.12  # how badly light, colours and contrast may have been taken out
_NOISE, _SOFT = 5.0, 1.1
_CODES = (np.arange(256) / WHITE)[:, None]
_TILE = np.random.default_rng(0).standard_normal((256 + VIEW[1], 256 + VIEW[0], 3), np.float32)


def varied(rng: np.random.Generator, views: Image) -> Image:
    """The same segments in other pictures: turned, mirrored, moved, in other light, blurred, noisy."""
    return np.stack([_one(rng, view) for view in views])


def _one(rng: np.random.Generator, view: Image) -> Image:
    view = _turned(rng, view)
    picture = np.ascontiguousarray(view[..., :3])
    blank = np.ascontiguousarray(view[..., 3:6])
    height, width = view.shape[:2]
    zoom, angle = rng.normal(1, 0.02, 2), rng.normal(0, 0.02)
    matrix = np.array([[zoom[0], angle, 0], [-angle, zoom[1], 0]])
    matrix[:, 2] = rng.normal(0, _SHIFT / 2, 2) + np.array([width, height]) / 2 * (1 - zoom)
    picture = np.asarray(
        cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    if rng.random() < 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, _SOFT))), np.uint8)
    if rng.random() < 0.3:
        blank = np.asarray(cv2.GaussianBlur(blank, (0, 0), float(rng.uniform(0.4, _SOFT))), np.uint8)
    light = np.exp(rng.normal(0, _LIGHT) + rng.normal(0, _TINT, 3))
    both = np.exp(rng.normal(0, _LIGHT) + rng.normal(0, _TINT, 3))  # the blank's own light was another
    bend = np.exp(rng.normal(0, _BEND))
    bent = _CODES**bend * (WHITE * light * both)
    codes = cv2.LUT(picture, bent[None].astype(np.float32)) + _noise(rng, rng.uniform(0, _NOISE))
    toned = np.clip(_CODES * (WHITE * both), 0, 255).astype(np.uint8)
    return np.concatenate(
        [np.clip(codes, 0, 255).astype(np.uint8), cv2.LUT(blank, toned[None]), view[..., 6:]], axis=2
    )


def _noise(rng: np.random.Generator, strength: float) -> NDArray[np.float32]:
    """Noise for a view, cut at random from a tile of it: making it anew costs too much."""
    top, left = (int(rng.integers(0, 256)) for _ in range(2))
    width, height = VIEW
    return _TILE[top : top + height, left : left + width] * np.float32(strength)


def _turned(rng: np.random.Generator, view: Image) -> Image:
    """Mirrored along and across, and the lean with it."""
    leans: NDArray[np.uint8] = view[..., 6:].copy()
    if rng.random() < 0.5:
        view, leans = view[:, ::-1], leans.copy()
        leans[..., 0] = np.clip(2 * LEAN_ZERO - leans[..., 0].astype(int), 0, 255)
    if rng.random() < 0.5:
        view = view[::-1]
        leans[..., 1] = np.clip(2 * LEAN_ZERO - leans[..., 1].astype(int), 0, 255)
    return np.concatenate([view[..., :6], leans], axis=2)
