"""Stations drawn over anew while pictures are learnt from: no two decks show companies alike.

What makes a station for whoever finds it is that it is a coloured card, not a letter, a disc or a hatching.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.detection import through
from vision.register.rectify import Image, Matrix

Rng = np.random.Generator
_CARD = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
_BLACK, _WHITE = 0.12, 0.08  # shares of companies without a hue
_KEPT = 0.3  # at most, of what was drawn there: it keeps its light and its grain
_CIRCLE = np.linspace(0, 2 * np.pi, 24, endpoint=False)
Colour = tuple[float, float, float]


def restyled(rng: Rng, picture: Image, stations: NDArray[np.float64]) -> Image:
    """A picture whose stations, (n, 4, 2), are drawn over, all in one style and each in its own colour."""
    drawn = picture.copy()
    paper = float(rng.uniform(150, 250))
    rim = float(rng.choice([0.0, 0.0, rng.uniform(0.03, 0.16)]))
    style = (_flat, _hatched, _disc, _banded)[int(rng.integers(4))]
    seed = int(rng.integers(1 << 30))  # the same strokes for every company
    mask = np.zeros(picture.shape[:2], np.uint8)
    for quad in stations:
        matrix = np.asarray(
            cv2.getPerspectiveTransform(_CARD.astype(np.float32), quad.astype(np.float32)), np.float64
        )
        _fill(mask, matrix, _CARD, (255.0,) * 3)
        _fill(drawn, matrix, _CARD, (paper,) * 3)
        style(np.random.default_rng(seed), drawn, matrix, rim, _colour(rng, paper), (paper,) * 3)
    share = mask.astype(np.float32)[..., None] / 255 * np.float32(1 - rng.uniform(0, _KEPT))
    return np.asarray(picture + (drawn.astype(np.float32) - picture) * share, np.uint8)


def _colour(rng: Rng, paper: float) -> Colour:
    """Of a company, blue first; strong or pale, as inks and felt tips are."""
    which = rng.random()
    if which < _BLACK + _WHITE:
        grey = float(rng.uniform(15, 60)) if which < _BLACK else paper
        return (grey, grey, grey)
    tone = np.array([[[rng.uniform(0, 180), rng.uniform(70, 255), rng.uniform(0.45, 1.0) * paper]]])
    blue, green, red = cv2.cvtColor(tone.astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(float).tolist()
    return (blue, green, red)


def _fill(picture: Image, matrix: Matrix, shape: NDArray[np.float64], colour: Colour) -> None:
    points = np.rint(through(matrix, np.asarray(shape, np.float64)) * 16).astype(np.int32)
    cv2.fillPoly(picture, [points], colour, cv2.LINE_AA, 4)


def _inside(rim: float) -> NDArray[np.float64]:
    return np.asarray(0.5 + (_CARD - 0.5) * (1 - 2 * rim), np.float64)


def _flat(rng: Rng, picture: Image, matrix: Matrix, rim: float, colour: Colour, _: Colour) -> None:
    _fill(picture, matrix, _inside(rim), colour)
    if rng.random() < 0.4:
        _sign(rng, picture, matrix)


def _hatched(rng: Rng, picture: Image, matrix: Matrix, rim: float, colour: Colour, _: Colour) -> None:
    """Strokes from border to border, more or less close."""
    strokes, lean = int(rng.integers(5, 22)), float(rng.uniform(-0.8, 0.8))
    wide = float(rng.uniform(0.3, 0.95)) / strokes * (1 + abs(lean)) / 2
    for at in np.linspace(-max(lean, 0.0), 1 - min(lean, 0.0), strokes) + rng.normal(0, 0.01, strokes):
        stroke = np.array([(0, at - wide), (1, at + lean - wide), (1, at + lean + wide), (0, at + wide)])
        _fill(picture, matrix, np.clip(stroke, rim, 1 - rim), colour)


def _disc(rng: Rng, picture: Image, matrix: Matrix, _: float, colour: Colour, paper: Colour) -> None:
    """A disc of the company's colour on paper, or of paper on its colour."""
    inside, outside = (colour, paper) if rng.random() < 0.6 else (paper, colour)
    _fill(picture, matrix, _CARD, outside)
    _fill(picture, matrix, _circle(float(rng.uniform(0.25, 0.46))), inside)
    if rng.random() < 0.6:
        _sign(rng, picture, matrix)


def _banded(rng: Rng, picture: Image, matrix: Matrix, _: float, colour: Colour, __: Colour) -> None:
    """One or two bands across the card."""
    for low in {float(rng.uniform(0, 0.2)), float(rng.choice([0.0, rng.uniform(0.5, 0.8)]))}:
        high = low + float(rng.uniform(0.15, 0.4))
        _fill(picture, matrix, np.clip([(0, low), (1, low), (1, high), (0, high)], 0, 1), colour)
    _sign(rng, picture, matrix)


def _circle(size: float) -> NDArray[np.float64]:
    """A circle on a card, its diameter ``size`` times the card's width."""
    return 0.5 + size * np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE) * 63 / 88], axis=1)


def _sign(rng: Rng, picture: Image, matrix: Matrix) -> None:
    """Something like a letter in the middle."""
    corners = np.sort(rng.integers(0, len(_CIRCLE), 5))
    ink = float(rng.choice([10.0, 240.0]))
    _fill(picture, matrix, _circle(float(rng.uniform(0.08, 0.22)))[corners], (ink, ink, ink))
