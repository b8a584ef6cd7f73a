"""Crayon on a sheet: wax that catches on the grain, covers a part and tints the rest; what a cloth leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.darkroom import Codes
from lab.studio.ink import noise, streak_kernel
from lab.studio.strokes import Stroke

_SUBPIXEL = 4
_USUAL = 150  # the pressure of a usual stroke in an 8-bit canvas
_EDGE = 0.22  # mm over which the pressure falls at the rim of a line
_CATCHING, _SOFT = 0.42, 0.16  # pressure at which half of an even sheet takes wax, and how sharply
_TILE = 509  # pixels of the grain, which is repeated
_SMEAR_SCALE = 2.0  # pixels per mm: there is nothing fine in a smear


@dataclass(frozen=True)
class WaxLayer:
    """Strokes with one crayon; ``wiped`` mm of smear and the share ``left`` where they were rubbed out."""

    wax: str  # ``#rrggbb``
    opaque: float
    strokes: Sequence[Stroke]
    wiped: float = 0.0
    left: float = 1.0
    turn: float = 0.0  # the way the cloth went


def waxed(sheet: Codes, scale: float, layers: Sequence[WaxLayer], rough: float, seed: int) -> Codes:
    """The sheet with wax on it; ``rough`` is how deep the grain of the sheet is."""
    picture = sheet.copy()
    rng = np.random.default_rng(seed)
    size = (_TILE, _TILE)
    field = noise(rng, size, max(1.0, 0.3 * scale)) + 0.7 * noise(rng, size, max(1.0, 1.1 * scale))
    grain = np.asarray(field / field.std(), np.float32) * np.float32(rough)
    for layer in layers:
        if layer.wiped > 0:
            _blend(picture, _smeared(picture.shape[:2], scale, layer, grain), layer)
        else:
            _blend(picture, _covered(picture.shape[:2], scale, layer.strokes, grain), layer)
    return picture


def _covered(
    shape: tuple[int, int], scale: float, strokes: Sequence[Stroke], grain: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The share of every pixel that took wax."""
    # The pressure of the crayon at every pixel; higher where a line was drawn twice
    canvas = np.zeros(shape, np.uint8)
    for stroke in strokes:
        places = np.rint((stroke.points * scale - 0.5) * 2**_SUBPIXEL).astype(np.int32)
        low = np.maximum((places.min(axis=0) >> _SUBPIXEL) - round(3 * scale) - 2, 0)
        high = (places.max(axis=0) >> _SUBPIXEL) + round(3 * scale) + 3
        part = canvas[low[1] : high[1], low[0] : high[0]]
        if not part.size:
            continue
        own = np.zeros_like(part)
        level = float(np.clip(stroke.strengths.mean() * _USUAL, 20, 250))
        width = max(1, round(float(stroke.widths.mean()) * scale))
        cv2.polylines(own, [places - low * 2**_SUBPIXEL], False, level, width, cv2.LINE_AA, _SUBPIXEL)
        both = cv2.addWeighted(cv2.max(part, own), 1.0, cv2.min(part, own), 0.3, 0)
        part[:] = both
    pressed = np.asarray(cv2.GaussianBlur(canvas, (0, 0), max(_EDGE * scale, 0.4)), np.uint8)
    cover = np.zeros(shape, np.float32)
    rows, columns = np.nonzero(pressed > 8)
    press = pressed[rows, columns] / np.float32(_USUAL)
    tooth = grain[rows % _TILE, columns % _TILE]
    caught = 1 / (1 + np.exp(np.clip((_CATCHING + 0.3 * tooth - press) / _SOFT, -30, 30)))
    cover[rows, columns] = caught * np.minimum(1, press * 1.6)
    return cover


def _smeared(
    shape: tuple[int, int], scale: float, layer: WaxLayer, grain: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Smear lines that were rubbed out: faint, drawn out one way, with a ghost of the lines."""
    share = _SMEAR_SCALE / scale
    small = (max(1, round(shape[0] * share)), max(1, round(shape[1] * share)))
    cover = _covered(small, _SMEAR_SCALE, layer.strokes, grain)
    smear = cv2.filter2D(cover, -1, streak_kernel(layer.wiped * _SMEAR_SCALE, layer.turn))
    faint = (0.5 * cover + 0.8 * smear) * np.float32(layer.left)
    return np.asarray(cv2.resize(faint, shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _blend(picture: Codes, cover: NDArray[np.float32], layer: WaxLayer) -> None:
    rows, columns = np.nonzero(cover > 0.004)
    share = cover[rows, columns][:, None]
    wax = np.array([int(layer.wax[n : n + 2], 16) for n in (1, 3, 5)], np.float32)
    below = picture[rows, columns].astype(np.float32)
    full = layer.opaque * wax + (1 - layer.opaque) * below * wax / 255
    picture[rows, columns] = np.clip(below + (full - below) * share + 0.5, 0, 255).astype(np.uint8)
