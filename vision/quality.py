"""How well a sheet is seen: sharpness, light and contrast, reflections, and what lies outside the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.drawing import Quad
from vision.rectify import Image, Placement, Places

_DROWNED = 250  # a value from which a pixel says nothing
_BRIGHT = 225  # paper as bright as this is near to drowning by itself
_FEWER = 4  # every so many rows and columns tell how bright a picture is
_STEPS = 6  # places looked at along each side of a rectangle
_DARK, _LIGHT = 0.03, 0.85  # shares of all pixels that are darker than ink, and than paper


@dataclass(frozen=True)
class Quality:
    """Of a straightened picture.

    ``sharpness``: how much of the detail is finest detail, 0 to 1. ``light``: of the paper, 1 is white.
    ``contrast``: of what is printed and drawn against the paper, 0 to 1.
    """

    sharpness: float
    light: float
    contrast: float


def picture_quality(picture: Image) -> Quality:
    """How sharp, bright and rich in contrast a straightened picture is."""
    values = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    grey = values.astype(np.float32)
    fine, coarse = cv2.GaussianBlur(grey, (0, 0), 0.8), cv2.GaussianBlur(grey, (0, 0), 2.5)
    dark, light = level(values, _DARK), level(values, _LIGHT)
    return Quality(
        sharpness=float(np.std(grey - fine) / max(np.std(grey - coarse), 1.0)),
        light=light / 255,
        contrast=(light - dark) / max(light, 1),
    )


def level(values: Image, share: float) -> int:
    """The value below which that share of all values lies (a quantile by histogram: faster than sorting)."""
    counts = np.bincount(values.ravel(), minlength=256).cumsum()
    return int(np.searchsorted(counts, share * counts[-1]))


def drowned(picture: Image) -> NDArray[np.bool_]:
    """Which pixels of a straightened picture are saturated in all colours, as in a lamp's reflection.

    None where the picture is white all over: then its paper is only well lit.
    """
    blue, green, red = cv2.split(picture)
    least = np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
    if level(least[::_FEWER, ::_FEWER], 0.5) >= _BRIGHT:
        return np.zeros(least.shape, np.bool_)
    return np.asarray(least >= _DROWNED, np.bool_)


def places_in(rectangle: Quad) -> Places:
    """Places spread evenly over an upright rectangle, (n, 2)."""
    (left, top), _, (right, bottom), _ = rectangle
    along = (np.arange(_STEPS) + 0.5) / _STEPS
    steps = np.stack(np.meshgrid(along * (right - left), along * (bottom - top)), axis=-1).reshape(-1, 2)
    places: Places = np.array([left, top]) + steps
    return places


def outside_shares(size: tuple[int, int], placement: Placement, places: Places) -> NDArray[np.float64]:
    """For groups of places of a sheet, (groups, n, 2), the share of each beyond the edge of the picture."""
    seen = placement.pixels(places)
    out = (seen < 0) | (seen > np.asarray(size, np.float64))
    return np.asarray(out.any(axis=-1).mean(axis=1), np.float64)
