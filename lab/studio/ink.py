"""Ink on a sheet: strokes rendered into layers of density, at any resolution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.strokes import Points, Stroke

FULL = 128  # the density of one full layer of ink in an 8-bit canvas; a stroke may be up to twice as strong
_SUBPIXEL = 4  # bits
_FINEST_LINE = 5.0  # pixels: OpenCV draws lines of whole widths, so thin ones are drawn bigger and reduced

_WIPED_SCALE = 4.0  # pixels per mm


@dataclass(frozen=True)
class InkLayer:
    """What one pen left: colour ``#rrggbb``, strokes, how streaky (0 to 1), and what wiping did to it."""

    ink: str
    strokes: tuple[Stroke, ...]
    dry: float = 0.0
    wiped: float = 0.0  # mm of smear; 0 is untouched
    left: float = 1.0  # share of the ink that wiping left
    seed: int = 0


@dataclass(frozen=True)
class Window:
    """A part of a sheet as a picture: top left corner in mm, pixels per mm, and (width, height) in pixels."""

    corner: tuple[float, float]
    scale: float
    size: tuple[int, int]

    def of(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """This part of the picture of the whole sheet."""
        left, top = (round(place * self.scale) for place in self.corner)
        width, height = self.size
        return picture[top : top + height, left : left + width]


def layer_density(layer: InkLayer, window: Window) -> NDArray[np.uint8]:
    """How much ink of a layer lies where: :data:`FULL` is one full layer."""
    if layer.wiped > 0 and window.scale > _WIPED_SCALE:
        return _enlarged(layer, window)
    if not layer.strokes:
        return np.zeros(window.size[::-1], np.uint8)
    reached = _reached(layer.strokes, window)
    density = np.zeros(window.size[::-1], np.uint8)
    left, top, right, bottom = reached
    if left < right and top < bottom:
        # The density within a part, as it is in the whole
        finest = min(float(stroke.widths.min()) for stroke in layer.strokes)
        fineness = int(np.clip(np.ceil(_FINEST_LINE / (finest * window.scale)), 1, 4))
        size = (reached[2] - reached[0], reached[3] - reached[1])
        canvas = np.zeros((size[1] * fineness, size[0] * fineness), np.uint8)
        scale, first = window.scale * fineness, np.array(reached[:2]) * fineness
        for stroke in layer.strokes:
            _draw(canvas, stroke, np.asarray(window.corner), scale, first)
        if layer.dry > 0:
            # Thin the ink out as a drying pen does: fine gaps along the line, coarse ones over all
            rng = np.random.default_rng(layer.seed)
            # Cheap at any size: a small tile of grain is repeated.
            tile = noise(rng, (192, 192), max(1.0, 0.22 * scale)) + 0.8 * noise(
                rng, (192, 192), max(1.0, 0.7 * scale)
            )
            gain = np.clip(1 - layer.dry * (0.35 + 0.5 * tile), 0, 1.2) * 200
            height, width = canvas.shape
            tile_here = np.roll(gain.astype(np.uint8), (-int(first[1]), -int(first[0])), axis=(0, 1))
            grain = np.tile(tile_here, (-(-height // 192), -(-width // 192)))[:height, :width]
            canvas = _u8(cv2.multiply(canvas, grain, scale=1 / 200))
        density[top:bottom, left:right] = (
            _u8(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)) if fineness > 1 else canvas
        )
    return _wiped(density, layer, window.scale) if layer.wiped > 0 else density


_Box: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom, in pixels of a window


def _reached(strokes: Sequence[Stroke], window: Window) -> _Box:
    """The part of a window that strokes touch: mostly far less than all of it."""
    width = max(float(stroke.widths.max()) for stroke in strokes)
    points = np.concatenate([stroke.points for stroke in strokes])
    room = width / 2 + 2 / window.scale
    low = np.floor((points.min(axis=0) - room - window.corner) * window.scale).astype(int)
    high = np.ceil((points.max(axis=0) + room - window.corner) * window.scale).astype(int)
    (left, top), (right, bottom) = np.maximum(low, 0), np.minimum(high, window.size)
    return int(left), int(top), int(right), int(bottom)


def _enlarged(layer: InkLayer, window: Window) -> NDArray[np.uint8]:
    """Render small and enlarge: smears have no fine detail."""
    share = _WIPED_SCALE / window.scale
    width, height = window.size
    small = (max(1, round(width * share)), max(1, round(height * share)))
    density = layer_density(layer, Window(window.corner, _WIPED_SCALE, small))
    return _u8(cv2.resize(density, window.size, interpolation=cv2.INTER_LINEAR))


def _u8(image: object) -> NDArray[np.uint8]:
    return np.asarray(image, np.uint8)


def _draw(
    canvas: NDArray[np.uint8], stroke: Stroke, corner: Points, scale: float, first: NDArray[np.int_]
) -> None:
    places = np.rint(((stroke.points - corner) * scale - 0.5) * 2**_SUBPIXEL).astype(np.int32)
    places -= (first * 2**_SUBPIXEL).astype(np.int32)
    if stroke.area:
        cv2.fillPoly(canvas, [places], _level(_mean(stroke.strengths)), cv2.LINE_AA, _SUBPIXEL)
    for start, end in _even_parts(stroke):
        width = max(1, round(_mean(stroke.widths[start:end]) * scale))
        level = _level(_mean(stroke.strengths[start:end]))
        cv2.polylines(canvas, [places[start : end + 1]], False, level, width, cv2.LINE_AA, _SUBPIXEL)


def _level(strength: float) -> int:
    return int(min(max(strength * FULL, 1), 255))


def _mean(values: NDArray[np.float64]) -> float:
    """The mean of a few values: numpy's own takes thrice as long, and there are thousands of strokes."""
    return float(np.add.reduce(values)) / len(values)


def _even_parts(stroke: Stroke) -> list[tuple[int, int]]:
    """Parts in which the pen's pressure hardly changes; OpenCV draws each with one width."""
    last = len(stroke.points) - 1
    widths, strengths = stroke.widths, stroke.strengths
    change = float(widths.max() - widths.min()) / _mean(widths) + float(strengths.max() - strengths.min())
    count = int(min(max(change * 12, 1), 6, last))
    if count == 1:
        return [(0, last)]
    cuts = np.linspace(0, last, count + 1).astype(int)
    return [(int(a), int(b)) for a, b in pairwise(cuts)]


def noise(rng: np.random.Generator, size: tuple[int, int], grain: float) -> NDArray[np.float32]:
    """Smooth noise of mean 0 and deviation 1, its spots ``grain`` pixels big; ``size`` is (width, height)."""
    width, height = size
    small = (max(2, round(width / grain) + 3), max(2, round(height / grain) + 3))
    field = rng.standard_normal((small[1], small[0]), np.float32)
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _wiped(canvas: NDArray[np.uint8], layer: InkLayer, scale: float) -> NDArray[np.uint8]:
    """Smear the ink as a cloth or finger does: faint, drawn out one way, with a ghost of the lines."""
    rng = np.random.default_rng(layer.seed + 1)
    length = max(1.0, layer.wiped * scale)
    smear = _u8(cv2.filter2D(canvas, -1, streak_kernel(length, float(rng.uniform(0, np.pi)))))
    ghost = float(rng.uniform(0.25, 0.9))
    return np.clip((canvas * ghost + smear * (1 - ghost)) * layer.left, 0, 255).astype(np.uint8)


def streak_kernel(length: float, angle: float) -> NDArray[np.float32]:
    """A line of this length in pixels as a blur kernel."""
    size = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((size, size), np.float32)
    middle = size // 2
    step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = np.rint((np.array([middle, middle]) + np.array([-step, step])) * 2**_SUBPIXEL).astype(np.int32)
    cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0, 1, cv2.LINE_8, _SUBPIXEL)
    kernel[middle, middle] = max(kernel[middle, middle], 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def linear(colour: str) -> NDArray[np.float32]:
    """``#rrggbb`` as linear light, red first."""
    codes = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)], np.float32)
    return to_linear(codes)


def to_linear(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """sRGB codes from 0 to 1 as linear light (the 2.2 power is near enough here)."""
    return np.asarray(np.power(np.clip(values, 0, 1), 2.2), np.float32)


def inked(paper: NDArray[np.uint8], layers: Iterable[InkLayer], window: Window) -> NDArray[np.uint8]:
    """Put the ink layers on a picture (sRGB, red first) of a sheet's window."""
    picture = paper.copy()
    for layer in layers:
        density = layer_density(layer, window)
        left, top, width, height = cv2.boundingRect(density)
        part = (slice(top, top + height), slice(left, left + width))
        if width:
            # By density and colour, the factor on an sRGB value: light that a layer lets through,
            # layer by layer
            absorbance = -np.log(np.maximum(linear(layer.ink), 0.004))
            through = np.exp(-np.arange(256)[:, None] / FULL * absorbance)
            shade = cv2.LUT(
                cv2.merge([density[part]] * 3), np.rint(255 * through ** (1 / 2.2)).astype(np.uint8)[None]
            )
            picture[part] = cv2.multiply(picture[part], shade, scale=1 / 255)
    return picture
