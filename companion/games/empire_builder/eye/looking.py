"""The straightened map against its blank: which edges have anything near them, and their views."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.eye.places import EdgePlaces, edge_places, map_seen, view_pixels
from vision.pieces.against_blank import WHITE, Compared, compared, most
from vision.pieces.views import cut_out
from vision.print_drift import Drift, print_drift
from vision.rectify import Image, Placement

Floats = NDArray[np.float32]
_INKED = 16.0  # of WHITE: a sample that differs so much may be wax
_NOISY = 2.2  # times the usual difference of a picture from its blank
_LEAST_ALONG = 4  # of seven samples along an edge: fewer are no line, but for
_LEAST_MIDDLE = 3  # if the one in the middle is among them
_CORE = slice(1, 8)  # of the samples across: where a line may be
_PAPER = 0.75  # of the samples around an edge: the lightest quarter is bare paper
_FINELY = 4000  # steps in which shares of light are compared
_GAINS = (0.15, 3.0)  # of what is left of the light there
_DIFFERENCE = 0.65  # of a difference of colours, so that every one fits into a byte
NOTHING, _USUAL_LIGHT = 128, 100  # no difference; the light that was expected


@dataclass(frozen=True, eq=False)
class MapLook:
    """A photograph's map: the comparison with the blank, and the edges that have to be looked at closely.

    ``near`` are places in the arrays of :class:`EdgePlaces`; ``wholly`` says which of these differ from the
    blank all along, if ever so little; ``even`` and ``expected`` their views, as they
    are in even light and as they would be without wax. ``light`` is how much lighter than expected the paper
    is around each edge, by colour: shadows have edges that no smooth light follows.
    """

    compared: Compared
    straight: Image
    near: NDArray[np.int64]
    wholly: NDArray[np.bool_]
    even: Image
    expected: Image
    light: Floats
    drift: Drift

    @property
    def inputs(self) -> Image:
        """What the network sees of each view: differences in three colours, the blank in grey, the light."""
        return coded(self.even, self.expected, self.light[self.near].mean(axis=1))


def coded(even: Image, expected: Image, light: Floats) -> Image:
    """What networks see of views, (n, height, width, 5)."""
    inputs = np.empty((*even.shape[:3], 5), np.uint8)
    if len(even):
        flat, blank = even.reshape(len(even), -1), expected.reshape(len(even), -1)
        differences = cv2.addWeighted(flat, _DIFFERENCE, blank, -_DIFFERENCE, NOTHING)
        inputs[..., :3] = np.asarray(differences, np.uint8).reshape(even.shape)
        inputs[..., 3] = expected[..., 1]
        inputs[..., 4] = np.clip(light * _USUAL_LIGHT, 0, 255).astype(np.uint8)[:, None, None]
    return inputs


def look_at(image: Image, placement: Placement) -> MapLook:
    """Straighten the map, even out its light, and find the edges with something near them."""
    places = edge_places()
    straight = map_seen(image, placement)
    whole = compared(straight, places.blank)
    drift = print_drift(straight, places.tiles)
    shift = drift.at(places.middles)
    inked, light = _inked(whole, places, shift)
    near = np.flatnonzero(_may_be_line(inked))
    views = cut_out(whole.even, view_pixels(places.middles[near] + shift[near], places.headings[near]))
    return MapLook(
        compared=whole,
        straight=straight,
        near=near,
        wholly=np.asarray(inked[near].all(axis=1), np.bool_),
        even=_lit(views, light[near]),
        expected=_painted(places.blank_views[near], whole.expected(places.shades)),
        light=light,
        drift=drift,
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


def _may_be_line(inked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Lines that only leave from one end of an edge differ at that end."""
    count, middle = inked.sum(axis=1), inked[:, inked.shape[1] // 2]
    return np.asarray((count >= _LEAST_ALONG) | (middle & (count >= _LEAST_MIDDLE)), np.bool_)


def _inked(whole: Compared, places: EdgePlaces, shift: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """By edge, which samples along it have something beside them that is not print, and the light there.

    What lies between the darkest and the lightest print around a sample may be print, a little blurred.
    """
    smooth = np.asarray(cv2.blur(whole.even, (3, 3)), np.uint8)
    seen = cut_out(smooth, places.corridor + shift[:, None, None]).astype(np.float32)
    shades = whole.expected(places.shades)
    darkest, lightest = (_painted(blank, shades).astype(np.float32) for blank in places.blank_corridor)
    light = _light(seen, lightest)
    seen /= light[:, None, None]
    differs = most(np.maximum(darkest - seen, seen - lightest)[:, _CORE])
    enough = max(_INKED, _NOISY * whole.misfit * WHITE)
    return np.asarray(differs.max(axis=1) > enough, np.bool_), light


def _light(seen: Floats, lightest: Floats) -> Floats:
    """How much lighter than expected the lightest samples around each edge are, by colour, (n, 3)."""
    shares = (seen / np.maximum(lightest, 1)).reshape(len(seen), -1, 3)
    grey = np.minimum(shares.sum(axis=2) * _FINELY, 65535).astype(np.uint16)
    place = int(_PAPER * grey.shape[1])
    limit = np.partition(grey, place, axis=1)[:, place, None]
    bare = (grey >= limit).astype(np.float32)
    light = np.einsum("nk,nkc->nc", bare, shares) / bare.sum(axis=1, keepdims=True)
    return np.asarray(np.clip(light, *_GAINS), np.float32)
