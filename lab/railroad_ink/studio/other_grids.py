"""Photographs of grids that are no boards, quickly: some twenty a second."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.railroad_ink.studio.other_grid_art import KINDS
from lab.railroad_ink.studio.other_grid_pages import SIDE, Page, blank_page
from lab.studio.darkroom import Codes, noise_field, packed
from lab.studio.tables import table_texture

_SIZES = ((1152, 864), (864, 1152), (1280, 720), (1000, 1000))
_TABLES, _TABLE_PIXELS = 24, 512
_FULL = 0.35  # share of pictures that show one thing from rim to rim


def other_grid(number: int) -> tuple[str, bytes]:
    """What it is, and a photograph of it as JPEG."""
    rng = np.random.default_rng([number, 717])
    names = list(KINDS)
    kind = names[number % len(names)]
    size = _SIZES[int(rng.integers(len(_SIZES)))]
    count = 1 if rng.random() < 0.75 else int(rng.integers(2, 5))
    picture = _table(int(rng.integers(_TABLES)), size)
    for n in range(count):
        page = blank_page(rng)
        KINDS[kind if n == 0 or rng.random() < 0.6 else names[int(rng.integers(len(names)))]](page)
        _lay(rng, picture, page, (n, count))
    quality = int(rng.integers(55, 95))
    return kind, packed(_developed(rng, picture), quality)


@lru_cache(maxsize=_TABLES)
def _texture(number: int) -> Codes:
    return table_texture(np.random.default_rng([number, 718]), _TABLE_PIXELS, 1.5)


def _table(number: int, size: tuple[int, int]) -> Codes:
    return np.asarray(cv2.resize(_texture(number), size), np.uint8)


def _lay(rng: np.random.Generator, picture: Codes, page: Page, place: tuple[int, int]) -> None:
    """Put a page into a picture, turned and tilted; of several each has a part of its own."""
    n, count = place
    high, wide = picture.shape[:2]
    full = count == 1 and rng.random() < _FULL
    half = (rng.uniform(0.5, 0.75) if full else rng.uniform(0.28, 0.47)) * min(wide, high)
    middle = np.array([wide, high]) / 2
    if count > 1:
        half *= 0.62
        middle += 0.27 * np.array([wide * (1 - 2 * (n % 2)), high * (1 - 2 * (n // 2)) * (count > 2)])
    angle = rng.normal(0, 0.5) if rng.random() < 0.6 else rng.normal(0, 0.05)
    c, s = np.cos(angle), np.sin(angle)
    corners = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ np.array([[c, s], [-s, c]])
    corners[:, 1] *= rng.uniform(0.75, 1.0)
    corners *= 1 + rng.uniform(0, 0.22) * corners[:, 1:] / half  # farther is smaller
    outline = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32)
    matrix = cv2.getPerspectiveTransform(outline, (middle + corners).astype(np.float32))
    shrink = half / SIDE * 2
    pixels = cv2.GaussianBlur(page.pixels, (0, 0), 0.45 / shrink) if shrink < 0.7 else page.pixels
    cv2.warpPerspective(pixels, matrix, (wide, high), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)


def _developed(rng: np.random.Generator, picture: Codes) -> Codes:
    """In uneven light, a little blurred, with noise, now and then with a shine on it."""
    high, wide = picture.shape[:2]
    small = np.linspace(rng.uniform(0.4, 1), 1, 32)[None] * np.linspace(rng.uniform(0.6, 1), 1, 24)[:, None]
    light = _smooth(small[:: rng.choice([-1, 1])], (wide, high))
    lit = cv2.multiply(picture, cv2.merge([light] * 3), scale=rng.uniform(0.7, 1.1), dtype=cv2.CV_32F)
    seen = np.asarray(lit, np.float32)
    if rng.random() < 0.2:
        shine = np.zeros((24, 32))
        shine[int(rng.integers(24)), int(rng.integers(32))] = 1
        spread = cv2.GaussianBlur(shine, (0, 0), rng.uniform(1, 4))
        seen += 220 * _smooth(np.asarray(spread / spread.max()), (wide, high))[..., None]
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.5)), np.float32)
    seen += noise_field(rng, seen.shape) * np.float32(rng.uniform(1, 6))
    return np.clip(seen, 0, 255).astype(np.uint8)


def _smooth(field: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(field.astype(np.float32), size, interpolation=cv2.INTER_LINEAR), np.float32)
