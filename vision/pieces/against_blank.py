"""Compares a straightened picture with the empty board, removing light, printer and camera.

The picture of an empty board would be ``gain(place) * tone(blank)``: the gain is the light on it, smooth and
of any colour; the tone is what printer, paper and camera make of the blank's colours, the same everywhere.
Both are fitted to the picture itself, alternately, by least squares with weights that leave out what differs
(pieces, hands, reflections).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quality import drowned
from vision.register.rectify import Image

Floats = NDArray[np.float32]
WHITE = 190.0  # what the blank's white becomes in full light; above it is room for gloss
_LONGEST = 150  # pixels of the small copies in which light and tone are fitted
_SPREADS = (0.10, 0.06, 0.04, 0.025)  # of the longer side: how smooth the light is taken to be, step by step
_TONES = 7  # coefficients of a colour: 1, three colours, their squares
_RIDGE = 0.02  # pull of the tone towards leaving colours as they are
_LEAST_MISS, _LEAST_GAIN = 0.02, 0.03
_DROWNED = 0.985  # of full scale: such pixels say nothing about the light


@dataclass(frozen=True, eq=False)
class Compared:
    """A straightened picture registered to its blank.

    ``even``: the picture in even light, :data:`WHITE` where the blank is white; ``tone``: maps the blank's
    colours to it (see :meth:`expected`); ``drowned``: mask of pixels lost in reflections; ``misfit``: the
    usual residual, as a share of white.
    """

    even: Image
    tone: Floats
    drowned: NDArray[np.bool_]
    light: float  # of white paper in the picture, 1 is full scale
    misfit: float

    def expected(self, blank: Image) -> Image:
        """The colours that parts of the blank (.., 3) would have in the even picture with nothing on them."""
        if not blank.size:  # OpenCV refuses a picture without pixels
            return blank
        flat = np.asarray(blank.reshape(-1, 1, 3), np.float32)
        tone = self.tone * np.float32(WHITE)
        linear, square, constant = tone[:, :3] / 255, tone[:, 3:6] / 255**2, tone[:, 6:]
        toned = cv2.transform(flat, np.concatenate([linear, constant], axis=1))
        cv2.add(toned, cv2.transform(cv2.multiply(flat, flat), square), toned)
        return np.asarray(cv2.convertScaleAbs(np.maximum(toned, 0)), np.uint8).reshape(blank.shape)


def compared(picture: Image, blank: Image) -> Compared:
    """Compare a straightened picture (BGR) with its blank, pixel by pixel."""
    size = _small_size(picture)
    seen, print_ = _small(picture, size), _small(blank, size)
    swallowed = drowned(picture)
    usable = (most(seen) < _DROWNED).astype(np.float32)
    if usable.mean() < 0.2:  # paper brighter than the camera can count is still paper
        usable = np.ones_like(usable)
    gain, tone, misfit = _fitted(seen, print_, usable)
    inverse = np.float32(WHITE / 255) / gain
    field = cv2.resize(inverse, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    even = np.asarray(cv2.multiply(picture, field, dtype=cv2.CV_8U), np.uint8)
    whites = float(np.median(gain.mean(axis=2)))
    return Compared(even, tone, swallowed, min(whites, 1.0), misfit)


def most(values: NDArray[Any]) -> NDArray[Any]:
    """The maximum of three channels (.., 3), far quicker than ``max`` along that axis."""
    return np.asarray(np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2]))


def _small_size(picture: Image) -> tuple[int, int]:
    share = min(1.0, _LONGEST / max(picture.shape[:2]))
    return max(8, round(picture.shape[1] * share)), max(8, round(picture.shape[0] * share))


def _small(image: Image, size: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)


def _terms(colours: Floats) -> Floats:
    """The regressors of a tone for every pixel, (rows, columns, 7)."""
    ones = np.ones((*colours.shape[:2], 1), np.float32)
    return np.concatenate([colours, colours**2, ones], axis=2)


def _fitted(seen: Floats, blank: Floats, usable: Floats) -> tuple[Floats, Floats, float]:
    """The gain at every pixel, the tone (3, 7), and the usual residual of the fit."""
    terms = _terms(blank)
    tone = np.eye(3, _TONES, dtype=np.float32)
    weight, misfit = usable, 1.0
    gain = np.ones_like(seen)
    for spread in _SPREADS:
        gain = _light(
            seen, np.asarray(cv2.transform(terms, tone), np.float32), weight, spread * max(seen.shape[:2])
        )
        tone = _tone(seen / gain, terms, weight)
        miss = most(np.abs(seen / gain - cv2.transform(terms, tone)))
        misfit = max(float(np.median(miss[usable > 0])), _LEAST_MISS / 2)
        strange = miss / np.float32(2.5 * max(misfit, _LEAST_MISS))
        weight = np.asarray(usable / (1 + strange**2) ** 2, np.float32)
    white = np.maximum(tone.sum(axis=1), _LEAST_GAIN)  # taken out of the tone: it belongs to the light
    return gain * white, tone / white[:, None], misfit


def _light(seen: Floats, print_: Floats, weight: Floats, spread: float) -> Floats:
    """The smooth gain from print to picture: weighted least squares in a window around each pixel."""
    print_ = np.maximum(print_, np.float32(_LEAST_GAIN))
    heavy = weight[..., None] * print_
    above = cv2.GaussianBlur(heavy * seen, (0, 0), spread, borderType=cv2.BORDER_REFLECT)
    below = cv2.GaussianBlur(heavy * print_, (0, 0), spread, borderType=cv2.BORDER_REFLECT)
    # Where hardly anything counts, the light of the whole picture does.
    overall = (heavy * seen).sum(axis=(0, 1)) / np.maximum((heavy * print_).sum(axis=(0, 1)), 1e-6)
    little = np.float32(0.01)
    return np.asarray(np.maximum((above + little * overall) / (below + little), _LEAST_GAIN), np.float32)


def _tone(seen: Floats, terms: Floats, weight: Floats) -> Floats:
    """The tone by weighted least squares, drawn a little towards leaving colours as they are."""
    flat, heavy = terms.reshape(-1, _TONES), weight.reshape(-1, 1)
    whole = float(heavy.sum()) + 1e-6
    normal = (flat * heavy).T @ flat / whole + _RIDGE * np.eye(_TONES, dtype=np.float32)
    asis = np.eye(3, _TONES, dtype=np.float32)
    right = (flat * heavy).T @ seen.reshape(-1, 3) / whole + _RIDGE * asis.T
    return np.ascontiguousarray(np.linalg.solve(normal, right).T.astype(np.float32))
