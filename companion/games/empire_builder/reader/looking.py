"""Compares the straightened map with its blank, and cuts out views of the edges that differ.

Of all edges a smallest network sees a few samples along and beside them, a *glance*, and says which of them
are worth a closer look.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.reader.places import (
    EdgePlaces,
    map_seen,
    softened,
    view_pixels,
)
from vision.nets import scores, shares
from vision.pieces.against_blank import WHITE, Compared, compared
from vision.pieces.views import cut_out
from vision.register.print_drift import Drift, print_drift
from vision.register.rectify import Image, Placement

Floats = NDArray[np.float32]
GLANCE = Path(__file__).with_name("glance.onnx")
GLANCE_CHANNELS = 6
# Probabilities of a line, and of something that hides it, from which an edge is looked at. What is hidden by
# something that looks like bare print is as good as seen.
_WORTH, _WORTH_HIDDEN = 0.003, 0.1
_NOISE = 8  # times as much of the picture's noise is told, so that it fills a byte
_PAPER = 0.75  # of the samples around an edge: the lightest quarter is bare paper
_FINELY = 4000  # steps in which shares of light are compared
_GAINS = (0.15, 3.0)  # of what is left of the light there
_DIFFERENCE = 0.65  # of a difference of colours, so that every one fits into a byte
NOTHING, _USUAL_LIGHT = 128, 100  # no difference; the light that was expected


@dataclass(frozen=True, eq=False)
class MapLook:
    """A photograph's map compared with its blank, and the edges to be looked at closely.

    ``near``: indices into the arrays of :class:`EdgePlaces`; ``even`` and ``expected``: their views, in even
    light and as expected without wax; ``light``: how much lighter than expected the paper is around each
    edge, by colour, since the edges of shadows follow no smooth light.
    """

    places: EdgePlaces
    compared: Compared
    straight: Image
    near: NDArray[np.int64]
    even: Image
    expected: Image
    light: Floats
    drift: Drift

    @property
    def inputs(self) -> Image:
        """The network's input for each view: difference in three colours, blank in grey, light."""
        return coded(self.even, self.expected, self.light[self.near].mean(axis=1))


def coded(even: Image, expected: Image, light: Floats) -> Image:
    """Encode views for the networks, (n, height, width, 5)."""
    inputs = np.empty((*even.shape[:3], 5), np.uint8)
    if len(even):
        flat, blank = even.reshape(len(even), -1), expected.reshape(len(even), -1)
        differences = cv2.addWeighted(flat, _DIFFERENCE, blank, -_DIFFERENCE, NOTHING)
        inputs[..., :3] = np.asarray(differences, np.uint8).reshape(even.shape)
        inputs[..., 3] = expected[..., 1]
        inputs[..., 4] = np.clip(light * _USUAL_LIGHT, 0, 255).astype(np.uint8)[:, None, None]
    return inputs


@dataclass(frozen=True, eq=False)
class Glances:
    """The smallest network's input for all edges, (n, across, along, channels), and the light there."""

    inputs: Image
    light: Floats


def look_at(image: Image, placement: Placement, places: EdgePlaces) -> MapLook:
    """Straighten the map, even out its light, and find the edges with something near them."""
    straight = map_seen(image, placement, places.sheet)
    whole = compared(straight, places.blank)
    drift = print_drift(straight, places.tiles)
    shift = drift.at(places.middles)
    glances = glances_of(whole, places, shift)
    glanced = shares(scores(GLANCE, glances.inputs))
    near = np.flatnonzero((glanced[:, 1] > _WORTH) | (glanced[:, 2] > _WORTH_HIDDEN))
    views = cut_out(whole.even, view_pixels(places.middles[near] + shift[near], places.headings[near]))
    return MapLook(
        places=places,
        compared=whole,
        straight=straight,
        near=near,
        even=_lit(views, glances.light[near]),
        expected=_painted(places.blank_views[near], whole.expected(places.shades)),
        light=glances.light,
        drift=drift,
    )


def glances_of(whole: Compared, places: EdgePlaces, shift: Floats) -> Glances:
    """Sample every edge's corridor for the smallest network; also the picture's noise.

    The channels: the difference from the print in three colours, the print's lightness, and how much lighter
    it is than the darkest print nearby.
    """
    seen = cut_out(softened(whole.even), places.corridor + shift[:, None, None])
    shades = whole.expected(places.shades)
    darkest, usual, lightest = (_painted(blank, shades) for blank in places.blank_corridor)
    light = _light(seen, lightest)
    inputs = np.empty((*seen.shape[:3], GLANCE_CHANNELS), np.uint8)
    flat = _lit(seen, light).reshape(len(seen), -1)
    differences = cv2.addWeighted(flat, _DIFFERENCE, usual.reshape(len(seen), -1), -_DIFFERENCE, NOTHING)
    inputs[..., :3] = np.asarray(differences, np.uint8).reshape(seen.shape)
    inputs[..., 3] = lightest[..., 1]
    inputs[..., 4] = lightest[..., 1] - darkest[..., 1]
    inputs[..., 5] = min(255, round(_NOISE * WHITE * whole.misfit))
    return Glances(inputs, light)


def _painted(numbers: Image, shades: Image) -> Image:
    """Views of the blank in the colours expected in the photograph."""
    flat = numbers.reshape(len(numbers), -1)
    return np.asarray(cv2.LUT(cv2.merge([flat] * 3), shades[None]), np.uint8).reshape(*numbers.shape, 3)


def _lit(views: Image, light: Floats) -> Image:
    """Views corrected to the expected light."""
    if not len(views):
        return views
    row = views.shape[1] * views.shape[2]
    factors = np.tile(1 / light, (1, row)).astype(np.float32)
    return np.asarray(
        cv2.multiply(views.reshape(len(views), -1), factors, dtype=cv2.CV_8U), np.uint8
    ).reshape(views.shape)


def _light(seen: Image, lightest: Image) -> Floats:
    """The light around each edge: its lightest samples relative to those expected, by colour, (n, 3)."""
    left = seen.astype(np.float32) / np.maximum(lightest, 1)
    share = left.reshape(len(seen), -1, 3)
    grey = np.minimum(share.sum(axis=2) * _FINELY, 65535).astype(np.uint16)
    place = int(_PAPER * grey.shape[1])
    limit = np.partition(grey, place, axis=1)[:, place, None]
    bare = (grey >= limit).astype(np.float32)
    light = np.einsum("nk,nkc->nc", bare, share) / bare.sum(axis=1, keepdims=True)
    return np.asarray(np.clip(light, *_GAINS), np.float32)
