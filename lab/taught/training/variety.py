"""Views varied by chance, so that few boards teach as much as many."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.against_blank import WHITE
from vision.pieces.trained import BLANK, LEAN, LEAN_ZERO, PHOTOGRAPH, PICTURE, VIEW
from vision.register.rectify import Image

_SHIFT = 1.2  # pixels: how badly picture and blank may lie on each other
_LIGHT, _TINT, _BEND = 0.10, 0.06, 0.12  # how badly light, colours and contrast may have been taken out
_OWN_LIGHT, _OWN_TINT = 0.14, 0.07  # how far the camera's own exposure and white balance may be off
_SATURATION = 0.15
_SHADE, _VEIL, _OFTEN = (0.45, 0.9), 55.0, 0.15  # of shadows' edges, of gloss, and how often each is seen
_NOISE, _SOFT = 5.0, 1.1
_CODES = (np.arange(256) / WHITE)[:, None]
_TILE = np.random.default_rng(0).standard_normal((256 + VIEW[1], 256 + VIEW[0], 3), np.float32)


def varied(rng: np.random.Generator, views: Image) -> Image:
    """Augment views: rotate, mirror, shift, relight, blur, add noise."""
    return np.stack([_one(rng, view) for view in views])


def _one(rng: np.random.Generator, view: Image) -> Image:
    view = _turned(rng, view)
    even, own = _moved(rng, view[..., PICTURE], view[..., PHOTOGRAPH])
    blank = np.ascontiguousarray(view[..., BLANK])
    if rng.random() < 0.2:
        blank = np.asarray(cv2.GaussianBlur(blank, (0, 0), float(rng.uniform(0.4, _SOFT))), np.uint8)
    light = _light(rng, _LIGHT, _TINT)
    both = _light(rng, _LIGHT, _TINT)  # the blank's own light was another
    bend, saturation = np.exp(rng.normal(0, _BEND)), float(np.exp(rng.normal(0, _SATURATION)))
    field, veil = _patches(rng)
    noise = _noise(rng, rng.uniform(0, _NOISE))
    own_light = _light(rng, _OWN_LIGHT, _OWN_TINT)
    seen = [
        _saturated(cv2.LUT(one, (_CODES**bend * (WHITE * tint))[None].astype(np.float32)), saturation) * field
        + (veil + noise)
        for one, tint in ((even, light * both), (own, own_light))
    ]
    toned = _saturated(cv2.LUT(blank, (_CODES * (WHITE * both))[None].astype(np.float32)), saturation)
    codes = np.concatenate([seen[0], toned, seen[1]], axis=2)
    return np.concatenate([np.clip(codes, 0, 255).astype(np.uint8), view[..., LEAN]], axis=2)


def _light(rng: np.random.Generator, light: float, tint: float) -> NDArray[np.float64]:
    return np.exp(rng.normal(0, light) + rng.normal(0, tint, 3))


def _saturated(picture: cv2.typing.MatLike, share: float) -> NDArray[np.float32]:
    codes = np.asarray(picture, np.float32)
    grey = codes.mean(axis=2, keepdims=True)
    return np.asarray(grey + (codes - grey) * np.float32(share), np.float32)


def _moved(rng: np.random.Generator, *pictures: Image) -> list[Image]:
    """Rotate, stretch and shift all views alike a little, and now and then blur them."""
    height, width = pictures[0].shape[:2]
    zoom, angle = rng.normal(1, 0.02, 2), rng.normal(0, 0.02)
    matrix = np.array([[zoom[0], angle, 0], [-angle, zoom[1], 0]])
    matrix[:, 2] = rng.normal(0, _SHIFT / 2, 2) + np.array([width, height]) / 2 * (1 - zoom)
    blur = float(rng.uniform(0.4, _SOFT)) if rng.random() < 0.3 else 0.0
    moved = []
    for picture in pictures:
        one = cv2.warpAffine(
            np.ascontiguousarray(picture), matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
        moved.append(np.asarray(cv2.GaussianBlur(one, (0, 0), blur) if blur else one, np.uint8))
    return moved


def _patches(rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A shadow's edge across the view, or gloss over a part of it: a factor, and what is added."""
    width, height = VIEW
    if rng.random() > 2 * _OFTEN:
        return np.ones((1, 1, 1), np.float32), np.zeros((1, 1, 1), np.float32)
    turn, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 12)
    x, y = np.meshgrid(np.arange(width) - rng.uniform(0, width), np.arange(height) - rng.uniform(0, height))
    beyond = 1 / (1 + np.exp(-np.clip((np.cos(turn) * x + np.sin(turn) * y) / soft, -20, 20)))[..., None]
    if rng.random() < 0.5:
        return (1 - (1 - rng.uniform(*_SHADE)) * beyond).astype(np.float32), np.zeros((1, 1, 1), np.float32)
    veil = (rng.uniform(0, _VEIL) * beyond).astype(np.float32)
    return (1 - veil / np.float32(255)).astype(np.float32), veil


def _noise(rng: np.random.Generator, strength: float) -> NDArray[np.float32]:
    """Noise for a view, cut at random from a tile: fresh noise would cost too much."""
    top, left = (int(rng.integers(0, 256)) for _ in range(2))
    width, height = VIEW
    return _TILE[top : top + height, left : left + width] * np.float32(strength)


def _turned(rng: np.random.Generator, view: Image) -> Image:
    """Mirror views along and across, and their lean with them."""
    leans: NDArray[np.uint8] = view[..., LEAN].copy()
    if rng.random() < 0.5:
        view, leans = view[:, ::-1], leans.copy()
        leans[..., 0] = np.clip(2 * LEAN_ZERO - leans[..., 0].astype(int), 0, 255)
    if rng.random() < 0.5:
        view = view[::-1]
        leans[..., 1] = np.clip(2 * LEAN_ZERO - leans[..., 1].astype(int), 0, 255)
    return np.concatenate([view[..., : LEAN.start], leans], axis=2)
