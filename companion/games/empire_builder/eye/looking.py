"""The straightened map against its blank: which edges have anything near them, and their views."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.eye.places import EdgePlaces, edge_places, map_seen, view_pixels
from vision.pieces.against_blank import WHITE, Compared, compared
from vision.pieces.views import cut_out
from vision.print_drift import print_drift
from vision.rectify import Image, Placement

Floats = NDArray[np.float32]
_INKED = 16.0  # of WHITE: a sample that differs so much may be wax
_NOISY = 2.2  # times the usual difference of a picture from its blank
_LEAST_ALONG = 3  # of seven samples along an edge: fewer are no line
_CORE = slice(1, 8)  # of the samples across: where a line may be
_PAPER = 0.75  # of the samples around an edge: the lightest quarter is bare paper
_FINELY = 4000  # steps in which shares of light are compared
_GAINS = (0.15, 3.0)  # of what is left of the light there
_DIFFERENCE = 0.65  # of a difference of colours, so that every one fits into a byte
_NOTHING, _USUAL_LIGHT = 128, 100  # no difference; the light that was expected


@dataclass(frozen=True, eq=False)
class MapLook:
    """A photograph's map: the comparison with the blank, and the edges that have to be looked at closely.

    ``near`` are places in the arrays of :class:`EdgePlaces`; ``even`` and ``expected`` their views, as they
    are in even light and as they would be without wax. ``light`` is how much lighter than expected the paper
    is around each edge, by colour: shadows have edges that no smooth light follows.
    """

    compared: Compared
    straight: Image
    inked: NDArray[np.int64]  # samples along each edge that differ
    near: NDArray[np.int64]
    even: Image
    expected: Image
    light: Floats
    shift: Floats  # by edge, in pixels: how far its print has drifted

    @property
    def inputs(self) -> Image:
        """What the network sees of each view: differences in three colours, the blank in grey, the light."""
        inputs = np.empty((*self.even.shape[:3], 5), np.uint8)
        inputs[..., :3] = _coded(self.even, self.expected)
        inputs[..., 3] = self.expected[..., 1]
        light = self.light[self.near].mean(axis=1) * _USUAL_LIGHT
        inputs[..., 4] = np.clip(light, 0, 255).astype(np.uint8)[:, None, None]
        return inputs


def _coded(even: Image, expected: Image) -> Image:
    if not len(even):
        return even
    flat = even.reshape(len(even), -1)
    coded = cv2.addWeighted(flat, _DIFFERENCE, expected.reshape(len(even), -1), -_DIFFERENCE, _NOTHING)
    return np.asarray(coded, np.uint8).reshape(even.shape)


def look_at(image: Image, placement: Placement) -> MapLook:
    """Straighten the map, even out its light, and find the edges with something near them."""
    places = edge_places()
    straight = map_seen(image, placement)
    whole = compared(straight, places.blank)
    shift = print_drift(straight, places.tiles).at(places.middles)
    inked, light = _inked(whole, places, shift)
    near = np.flatnonzero(inked >= _LEAST_ALONG)
    views = cut_out(whole.even, view_pixels(places.middles[near] + shift[near], places.ways[near]))
    return MapLook(
        compared=whole,
        straight=straight,
        inked=inked,
        near=near,
        even=_lit(views, light[near]),
        expected=_painted(places.blank_views[near], whole.expected(places.shades)),
        light=light,
        shift=shift,
    )


def _painted(numbers: Image, shades: Image) -> Image:
    """Views of the blank in the colours that it should have in the photograph."""
    flat = numbers.reshape(len(numbers), -1)
    return np.asarray(cv2.LUT(cv2.merge([flat] * 3), shades[None]), np.uint8).reshape(*numbers.shape, 3)


def _lit(views: Image, light: Floats) -> Image:
    """Views as they would be in the light that was expected."""
    if not len(views):
        return views
    row = views.shape[1] * views.shape[2]
    factors = np.tile(1 / light, (1, row)).astype(np.float32)
    return np.asarray(
        cv2.multiply(views.reshape(len(views), -1), factors, dtype=cv2.CV_8U), np.uint8
    ).reshape(views.shape)


def _inked(whole: Compared, places: EdgePlaces, shift: Floats) -> tuple[NDArray[np.int64], Floats]:
    """By edge, how many samples along it have something beside them that is not print, and the light there.

    What lies between the darkest and the lightest print around a sample may be print, a little blurred.
    """
    smooth = np.asarray(cv2.blur(whole.even, (3, 3)), np.uint8)
    seen = cut_out(smooth, places.corridor + shift[:, None, None]).astype(np.float32)
    shades = whole.expected(places.shades)
    darkest, lightest = (_painted(blank, shades).astype(np.float32) for blank in places.blank_corridor)
    light = _light(seen, lightest)
    seen /= light[:, None, None]
    differs = np.maximum(darkest - seen, seen - lightest)[:, _CORE].max(axis=3)
    enough = max(_INKED, _NOISY * whole.misfit * WHITE)
    return np.asarray((differs.max(axis=1) > enough).sum(axis=1), np.int64), light


def _light(seen: Floats, lightest: Floats) -> Floats:
    """How much lighter than expected the lightest samples around each edge are, by colour, (n, 3)."""
    shares = (seen / np.maximum(lightest, 1)).reshape(len(seen), -1, 3)
    grey = np.minimum(shares.sum(axis=2) * _FINELY, 65535).astype(np.uint16)
    place = int(_PAPER * grey.shape[1])
    limit = np.partition(grey, place, axis=1)[:, place, None]
    bare = (grey >= limit).astype(np.float32)
    light = np.einsum("nk,nkc->nc", bare, shares) / bare.sum(axis=1, keepdims=True)
    return np.asarray(np.clip(light, *_GAINS), np.float32)
