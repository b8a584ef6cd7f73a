"""Measures how well a sheet is seen: sharpness, light, contrast, reflections, and parts cut off."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.sheets.drawing import Quad
from vision.register.rectify import Image, Placement, Places

_DROWNED = 250  # a value from which a pixel says nothing
_BRIGHT = 225  # paper as bright as this is near to drowning by itself
_FEWER = 4  # every so many rows and columns tell how bright a picture is
_STEPS = 6  # places looked at along each side of a rectangle
_DARK, _LIGHT = 0.03, 0.85  # shares of all pixels that are darker than ink, and than paper
_NIGHT = 40  # not even the lightest of a picture is lighter: phones make paper in a dim room 60 and more
_LIGHTEST, _STEEPEST = 0.95, 0.995  # shares of all pixels, and of all steps between two of them
_LOOKED_AT = 800  # pixels of the longer side at which a whole picture's edges are measured
_NEAR, _FAR = 1, 8  # pixels across which a step is measured
_AN_EDGE = 16  # of 255: smaller steps are shades and grain
# How much of a far step lies between neighbours: 0.37 to 0.64 in twelve rendered photographs in focus, easy
# and hard; 0.12 to 0.18 in the same blurred by a deviation of 0.3 % of the longer side, or more.
_LEAST_STEEP = 0.22


@dataclass(frozen=True)
class Quality:
    """The quality of a straightened picture.

    ``sharpness``: the share of the finest detail in all detail, 0 to 1. ``light``: brightness of the paper, 1
    is white. ``contrast``: of print and drawing against the paper, 0 to 1.
    """

    sharpness: float
    light: float
    contrast: float


def picture_quality(picture: Image) -> Quality:
    """The sharpness, brightness and contrast of a straightened picture."""
    values = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    grey = values.astype(np.float32)
    fine, coarse = cv2.GaussianBlur(grey, (0, 0), 0.8), cv2.GaussianBlur(grey, (0, 0), 2.5)
    dark, light = level(values, _DARK), level(values, _LIGHT)
    return Quality(
        sharpness=float(np.std(grey - fine) / max(np.std(grey - coarse), 1.0)),
        light=light / 255,
        contrast=(light - dark) / max(light, 1),
    )


def why_unclear(picture: Image) -> str:
    """A sentence for people if the whole picture is too dark or blurred to show anything, else empty."""
    shrunk = min(1.0, _LOOKED_AT / max(picture.shape))
    small = cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    if level(grey, _LIGHTEST) < _NIGHT:
        return m("The picture is too dark: make more light, keep the lens free, and take it again.")
    # A hand that shakes blurs along its own way only: every direction is looked at by itself.
    for values, down, across in ((grey, 0, 1), (grey, 1, 0), (grey, 1, 1), (grey[::-1], 1, 1)):
        near, far = (_steepest(values, down * apart, across * apart) for apart in (_NEAR, _FAR))
        if far >= _AN_EDGE and near < _LEAST_STEEP * far:
            return m(
                "The picture is blurred: hold still, give the camera a second to focus, and take it again."
            )
    return ""


def _steepest(values: Image, down: int, across: int) -> int:
    """The step between pixels this far apart that few exceed (a high quantile)."""
    height, width = values.shape
    step = cv2.absdiff(values[down:, across:], values[: height - down, : width - across])
    return level(np.asarray(step, np.uint8), _STEEPEST)


def level(values: Image, share: float) -> int:
    """The quantile of all values, by histogram, which is faster than sorting."""
    counts = np.bincount(values.ravel(), minlength=256).cumsum()
    return int(np.searchsorted(counts, share * counts[-1]))


def drowned(picture: Image) -> NDArray[np.bool_]:
    """Mask of pixels saturated in all channels, as in the reflection of a lamp.

    Empty if the picture is white all over: then its paper is only well lit.
    """
    blue, green, red = cv2.split(picture)
    least = np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
    if level(least[::_FEWER, ::_FEWER], 0.5) >= _BRIGHT:
        return np.zeros(least.shape, np.bool_)
    return np.asarray(least >= _DROWNED, np.bool_)


def places_in(rectangle: Quad) -> Places:
    """A regular grid of places in an upright rectangle, (n, 2)."""
    (left, top), _, (right, bottom), _ = rectangle
    along = (np.arange(_STEPS) + 0.5) / _STEPS
    steps = np.stack(np.meshgrid(along * (right - left), along * (bottom - top)), axis=-1).reshape(-1, 2)
    places: Places = np.array([left, top]) + steps
    return places


def outside_shares(size: tuple[int, int], placement: Placement, places: Places) -> NDArray[np.float64]:
    """For groups of places (groups, n, 2), the share of each that lies outside the picture, (groups,)."""
    seen = placement.pixels(places)
    out = (seen < 0) | (seen > np.asarray(size, np.float64))
    return np.asarray(out.any(axis=-1).mean(axis=1), np.float64)
