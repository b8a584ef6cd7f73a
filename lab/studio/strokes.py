"""Pen strokes as people make them: vector data, so that ink can be rendered at any resolution.

People's straight lines bow rather than jitter. Measured on real drawings, in shares of a stroke's length: the
bow (sagitta) has a median of 1.3 % and 4.2 % at the 90th percentile, and the wobble around it 0.4 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Point

Points: TypeAlias = NDArray[np.float64]  # (n, 2), in mm

_BOW_MEDIAN, _BOW_SPREAD = 0.013, 0.915  # lognormal: the 90th percentile is then 4.2 %
_WOBBLE = 0.0041
_STEP = 0.9  # mm between the points of a stroke
_LIFT = 0.08  # share of strokes that begin or end thin, because the pen was still or already moving


Part = Literal["", "rail", "station"]


class Holding(Protocol):
    """How somebody holds which pen: all that a stroke needs to know of a hand."""

    @property
    def sloppy(self) -> float:
        """1 is an ordinary hand; scales every inaccuracy."""

    @property
    def width(self) -> float:
        """The width of a line, in mm."""

    @property
    def dry(self) -> float:
        """How dry the pen is, from 0 to 1."""

    @property
    def strength(self) -> float:
        """The strength of the ink; 1 is a full layer."""


@dataclass(frozen=True)
class Stroke:
    """One touch of the pen: widths and strengths have one value a point; ``area`` strokes are filled.

    ``part`` says what a stroke belongs to, for people who have a pen of its own for it.
    """

    points: Points
    widths: NDArray[np.float64]
    strengths: NDArray[np.float64]
    area: bool = False
    part: Part = ""


def as_points(path: Sequence[Point]) -> Points:
    """A path as an array."""
    return np.asarray(path, np.float64).reshape(-1, 2)


def resampled(points: Points, step: float = _STEP, at_least: int = 4) -> Points:
    """The line with points at even distances."""
    along = distances(points)
    count = max(at_least, int(along[-1] / step) + 2)
    places = np.linspace(0, along[-1], count)
    return np.stack([np.interp(places, along, points[:, axis]) for axis in (0, 1)], axis=1)


def distances(points: Points) -> NDArray[np.float64]:
    """How far each point lies along the line."""
    steps = points[1:] - points[:-1]
    found = np.zeros(len(points))
    np.cumsum(np.hypot(steps[:, 0], steps[:, 1]), out=found[1:])
    return found


@lru_cache(maxsize=256)
def _shares(count: int) -> NDArray[np.float64]:
    """Even steps from 0 to 1: a board has hundreds of strokes of some ten points."""
    return np.linspace(0, 1, count)


def stroke(rng: np.random.Generator, hand: Holding, path: Points, tidy: float = 1.0) -> Stroke:
    """A line drawn by hand; ``tidy`` below 1 is for short strokes, which come out more exact."""
    care = hand.sloppy * tidy
    points = _overshot(rng, resampled(path), care)
    chord = points[-1] - points[0]
    length = float(distances(points)[-1])
    across = np.array([-chord[1], chord[0]]) / max(float(np.hypot(*chord)), 1e-9)
    sagitta = np.clip(_BOW_MEDIAN * np.exp(_BOW_SPREAD * rng.normal()) * (0.4 + 0.6 * care), 0, 0.09)
    t = _shares(len(points))
    bow: Points = ((2 * int(rng.integers(2)) - 1) * sagitta * length * 4 * t * (1 - t))[:, None] * across
    points = points + bow + _wobble(rng, points, care)
    return Stroke(points, *_pressure(rng, hand, len(points)))


def area(rng: np.random.Generator, hand: Holding, outline: Points) -> Stroke:
    """A surface filled with ink, and its rim."""
    closed = resampled(np.concatenate([outline, outline[:1]]))
    points = closed + _wobble(rng, closed, 2.0 * hand.sloppy)
    widths, strengths = _pressure(rng, hand, len(points))
    return Stroke(points, widths * 0.6, strengths, area=True)


def _overshot(rng: np.random.Generator, points: Points, care: float) -> Points:
    """Move both ends a little along the line and a little aside."""
    moved = points.copy()
    length = float(distances(points)[-1])
    reach = min(0.45, 0.03 * length + 0.1) * care
    share = _shares(len(points))[:, None]
    for end, inner, weight in ((0, 1, 1 - share), (-1, -2, share)):
        tangent = points[end] - points[inner]
        tangent /= max(float(np.hypot(*tangent)), 1e-9)
        # Lines are drawn a little too long more often than too short.
        shift = tangent * rng.normal(0.25, 1.0) * reach + rng.normal(0, 0.45 * reach, 2)
        moved += shift * weight**2
    return moved


def _wobble(rng: np.random.Generator, points: Points, care: float) -> Points:
    """Offsets of a shaking hand: a few slow waves in both directions."""
    length = float(distances(points)[-1])
    t = _shares(len(points))[:, None]
    waves = np.zeros_like(points)
    for order in (1, 2, 3):
        size = rng.normal(0, 1, 2) / order
        waves += size * np.sin(np.pi * order * t + rng.uniform(0, 2 * np.pi, 2))
    return waves * (_WOBBLE * (0.4 + 0.6 * care) * length)


def _pressure(
    rng: np.random.Generator, hand: Holding, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Width and strength along a stroke: one slow change, and ends where the pen is lifted."""
    t = _shares(count)
    press = 1 + rng.normal(0, 0.06) + rng.normal(0, 0.08) * (t - 0.5)
    if rng.random() < _LIFT * hand.sloppy:
        end = t if rng.random() < 0.7 else 1 - t
        press = press * np.clip(1.15 - end**4, 0.2, 1)
    fading = 1 - hand.dry * rng.uniform(0, 0.5) * t
    return hand.width * np.clip(press, 0.3, 1.5), hand.strength * np.clip(press**0.7 * fading, 0.1, 2)
