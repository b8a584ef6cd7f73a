"""Patterns of any kind that take the place of the table in a picture, so that cards are told by being cards.

The studio's tables are few: whoever learns from them alone takes the lozenges of somebody's rug for stations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.darkroom import noise_field
from vision.register.rectify import Image

Rng = np.random.Generator
_SIDE = 512  # pixels of a pattern
_MOST_PITCH = 90.0  # pixels between the motifs of a pattern
_COARSER, _LIGHT_BLUR = 8, 1.8  # how the light of a picture is kept: in a smaller copy, blurred
_EDGE = 0.8  # pixels over which a card's edge goes into its background


def make_pattern(rng: Rng) -> Image:
    """A pattern, blue first; seen in other sizes, at other angles it is another one."""
    kinds = (_motifs, _motifs, _motifs, _stripes, _tartan, _scattered, _veined, _plain)
    field = kinds[int(rng.integers(len(kinds)))](rng).astype(np.float32)
    if rng.random() < 0.5:
        field = cv2.GaussianBlur(field, (0, 0), float(rng.uniform(0.5, 2.0))).astype(np.float32)
    field += noise_field(rng, field.shape) * np.float32(rng.uniform(0, 12))
    return np.clip(field, 0, 255).astype(np.uint8)


def laid_on(rng: Rng, picture: Image, corners: NDArray[np.float64], patterns: Sequence[Image]) -> Image:
    """A picture whose cards, (n, 4, 2), lie on one of these patterns, in the light that was there."""
    height, width = picture.shape[:2]
    pattern = patterns[int(rng.integers(len(patterns)))]
    if rng.random() < 0.5:
        pattern = pattern[:, :, rng.permutation(3)]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    lain = cv2.warpPerspective(
        np.ascontiguousarray(pattern),
        _view(rng, width, height),
        (width, height),
        flags=flags,
        borderMode=cv2.BORDER_REFLECT,
    ).astype(np.float32)
    mask = np.zeros((height, width), np.uint8)
    for quad in corners:
        cv2.fillPoly(mask, [np.rint(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    lain *= _light_around(picture, mask)[..., None]
    share = cv2.GaussianBlur(mask, (0, 0), _EDGE).astype(np.float32)[..., None] / 255
    kept = np.float32(rng.choice([0.0, 0.0, 0.25]))  # of the table that was there
    share = share + (1 - share) * kept
    return np.clip(picture * share + lain * (1 - share), 0, 255).astype(np.uint8)


def _light_around(picture: Image, mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How bright the table is around what is masked, smooth, about 1."""
    size = max(1, mask.shape[1] // _COARSER), max(1, mask.shape[0] // _COARSER)
    grey = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), size, interpolation=cv2.INTER_AREA)
    free = 1.02 - cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    blurred = cv2.GaussianBlur(grey * free, (0, 0), _LIGHT_BLUR) / cv2.GaussianBlur(free, (0, 0), _LIGHT_BLUR)
    light = np.clip(blurred / max(float(np.median(blurred)), 8.0), 0.35, 1.8).astype(np.float32)
    return np.asarray(cv2.resize(light, mask.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _view(rng: Rng, width: int, height: int) -> NDArray[np.float64]:
    """A random homography from the picture to the pattern: rotated, stretched, tilted."""
    angle, size = rng.uniform(0, 2 * np.pi), float(np.exp(rng.uniform(-0.7, 0.9)))
    c, s = np.cos(angle) * size, np.sin(angle) * size
    stretch = float(np.exp(rng.normal(0, 0.25)))
    linear = np.array([[c * stretch, -s, 0], [s * stretch, c, 0], [0, 0, 1]])
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    slant = np.eye(3)
    slant[2, :2] = rng.uniform(-0.9, 0.9, 2) / max(width, height)
    there = np.array([[1, 0, rng.uniform(0, _SIDE)], [0, 1, rng.uniform(0, _SIDE)], [0, 0, 1]])
    return np.asarray(there @ linear @ slant @ middle, np.float64)


def _palette(rng: Rng, colours: int) -> NDArray[np.float64]:
    """Colours that go together: all greyish, all of one hue, or garish."""
    spread = float(rng.choice([6, 25, 70]))
    base = rng.uniform(20, 245, (colours, 1)) + rng.normal(0, 12, 3)
    return np.clip(base + rng.normal(0, spread, (colours, 3)), 3, 252)


def _canvas(colour: NDArray[np.float64]) -> NDArray[np.uint8]:
    canvas = np.empty((_SIDE, _SIDE, 3), np.uint8)
    canvas[:] = colour.astype(np.uint8)
    return canvas


def _motifs(rng: Rng) -> NDArray[np.uint8]:
    """The same figure, nested or not, at every point of a grid."""
    colours = _palette(rng, 5)
    canvas = _canvas(colours[0])
    pitch = float(np.exp(rng.uniform(np.log(12), np.log(_MOST_PITCH))))
    other = pitch * float(rng.choice([1.0, 1.0, rng.uniform(0.6, 1.6)]))
    shifted = float(rng.choice([0.0, 0.5]))
    sides, turn = int(rng.choice([3, 4, 4, 4, 6, 24])), float(rng.uniform(0, np.pi))
    angles = turn + np.arange(sides) * 2 * np.pi / sides
    figure = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = sorted(rng.uniform(0.15, 0.72, int(rng.integers(1, 4))), reverse=True)
    every = int(rng.choice([1, 1, 2, 3]))  # so many rows and columns until the colours come again
    for row in range(-1, int(_SIDE / other) + 2):
        for column in range(-1, int(_SIDE / pitch) + 2):
            middle = np.array([(column + shifted * (row % 2)) * pitch, row * other])
            for n, size in enumerate(rings):
                points = middle + figure * size * [pitch, other]
                colour = colours[1 + (n + row % every + column % every) % 4]
                cv2.fillPoly(canvas, [np.rint(points * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)
    return canvas


def _bands(rng: Rng, colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stripes of several widths, over and over: a colour for every pixel across them, (side, 3)."""
    widths = np.exp(rng.uniform(np.log(3), np.log(50), int(rng.integers(2, 7))))
    edges = np.cumsum(widths)
    at = np.arange(_SIDE) % edges[-1]
    return np.asarray(colours[np.searchsorted(edges, at, side="right") % len(colours)], np.float64)


def _stripes(rng: Rng) -> NDArray[np.float64]:
    return np.broadcast_to(_bands(rng, _palette(rng, 5))[:, None], (_SIDE, _SIDE, 3)).copy()


def _tartan(rng: Rng) -> NDArray[np.float64]:
    colours = _palette(rng, 4)
    return np.asarray((_bands(rng, colours)[:, None] + _bands(rng, colours)[None]) / 2, np.float64)


def _scattered(rng: Rng) -> NDArray[np.uint8]:
    """Specks, leaves or slips of paper in any place, of one size or of many."""
    colours = _palette(rng, 5)
    canvas = _canvas(colours[0])
    size, spread = float(np.exp(rng.uniform(np.log(3), np.log(30)))), float(rng.uniform(0, 0.5))
    sides, wide = int(rng.integers(3, 8)), float(rng.uniform(0.5, 1.0))
    for _ in range(int(min(1500, rng.uniform(0.1, 0.5) * (_SIDE / size) ** 2))):
        angles = rng.uniform(0, 2 * np.pi) + np.arange(sides) * 2 * np.pi / sides + rng.normal(0, 0.25, sides)
        points = np.stack([np.cos(angles), wide * np.sin(angles)], axis=1)
        points = rng.uniform(0, _SIDE, 2) + points * size * float(np.exp(rng.normal(0, spread)))
        colour = colours[int(rng.integers(1, 5))]
        cv2.fillPoly(canvas, [np.rint(points * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)
    return canvas


def _veined(rng: Rng) -> NDArray[np.float64]:
    """Veins of stone, or the grain of wood: where soft noise, drawn out or not, goes through nought."""
    colours = _palette(rng, 2)
    if rng.random() < 0.5:  # white stone
        colours = np.array([[235.0] * 3, [150.0] * 3]) + rng.normal(0, 15, (2, 3))
    along = float(rng.choice([1.0, 1.0, 6.0]))
    coarse = rng.normal(size=(_SIDE // 16, max(4, int(_SIDE // 16 / along)))).astype(np.float32)
    fine = rng.normal(size=(_SIDE // 4, max(4, int(_SIDE // 4 / along)))).astype(np.float32)
    enlarge: Callable[[NDArray[np.float32]], NDArray[np.float32]] = lambda one: np.asarray(  # noqa: E731
        cv2.resize(one, (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC), np.float32
    )
    field = enlarge(coarse) + float(rng.uniform(0.1, 0.6)) * enlarge(fine)
    vein = np.exp(-((field / float(rng.uniform(0.03, 0.3))) ** 2))[..., None]
    tone = 1 + 0.06 * enlarge(coarse)[..., None]
    return np.asarray((colours[0] * (1 - vein) + colours[1] * vein) * tone, np.float64)


def _plain(rng: Rng) -> NDArray[np.uint8]:
    """One colour, often as white as paper."""
    colour = rng.uniform(205, 250) + rng.normal(0, 5, 3) if rng.random() < 0.6 else _palette(rng, 1)[0]
    return _canvas(np.clip(colour, 3, 252))
