"""What a hand writes beside routes: round numbers, goal codes, scores, ticks and crosses."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

import msgspec
import numpy as np

from companion.sheets.drawing import Quad
from lab.railroad_ink.studio.hands import Hand
from lab.studio.habits import one_of
from lab.studio.strokes import Points, Stroke, as_points, stroke

MarkKind = Literal["tick", "cross", "slash", "fill", "ring"]
MARK_KINDS: tuple[MarkKind, ...] = ("tick", "cross", "slash", "fill", "ring")
_WIDTH, _HEIGHT = 6.0, 10.0  # the box in which the glyphs are given


class _Glyphs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    glyph: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class GlyphLine:
    """A line of a glyph, or an area filled with ink."""

    points: Points
    filled: bool = False


def read_way(text: str) -> list[GlyphLine]:
    """The lines of a glyph: "^" behind a line rounds its corners, "#" fills it."""
    return [_read_line(part.strip()) for part in text.split(" / ")]


def _read_line(text: str) -> GlyphLine:
    lines = text.rstrip("^#")
    points = as_points([_pair(pair) for pair in lines.split()])
    return GlyphLine(_rounded(points) if "^" in text else points, text.endswith("#"))


def _pair(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def _rounded(points: Points) -> Points:
    """Corners cut off twice (Chaikin), ends kept."""
    for _ in range(2):
        near, far = points[:-1] * 0.75 + points[1:] * 0.25, points[:-1] * 0.25 + points[1:] * 0.75
        middle = np.stack([near, far], axis=1).reshape(-1, 2)
        points = np.concatenate([points[:1], middle[1:-1], points[-1:]])
    return points


GLYPHS: dict[str, list[list[Points]]] = {
    name: [[line.points for line in read_way(way)] for way in ways]
    for name, ways in msgspec.toml.decode(
        files(__package__).joinpath("glyphs.toml").read_bytes(), type=_Glyphs
    ).glyph.items()
}


class Writer:
    """Somebody's handwriting: one way for each sign, one slant."""

    def __init__(self, rng: np.random.Generator, hand: Hand) -> None:
        self.rng, self.hand = rng, hand
        self._ways = {name: one_of(rng, ways) for name, ways in GLYPHS.items()}
        self._slant = float(rng.normal(0.08, 0.12))
        self._narrow = float(rng.uniform(0.75, 1.15))

    def by(self, rng: np.random.Generator) -> Writer:
        """The handwriting with a random generator of its own."""
        other = copy(self)
        other.rng = rng
        return other

    def text(self, words: str, quad: Quad, height: float) -> list[Stroke]:
        """The strokes of words in the middle of a box, ``height`` mm high."""
        advance = height * 0.75 * self._narrow
        middle = as_points(quad).mean(axis=0) + self.rng.normal(0, 0.07 * height, 2)
        start = middle - [advance * (len(words) - 1) / 2, 0]
        return [
            line
            for n, sign in enumerate(words)
            for line in self._sign(sign, start + np.array([n * advance, 0]), height)
        ]

    def _sign(self, sign: str, middle: Points, height: float) -> list[Stroke]:
        size = height / _HEIGHT * float(self.rng.uniform(0.88, 1.12))
        turn = float(self.rng.normal(0, 0.06))
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        matrix = matrix @ np.array([[self._narrow, -self._slant], [0, 1]]) * size
        lines = [line - [_WIDTH / 2, _HEIGHT / 2] for line in self._ways[sign]]
        wavered = [line + self.rng.normal(0, 0.22, line.shape) * self.hand.sloppy for line in lines]
        return [stroke(self.rng, self.hand, line @ matrix.T + middle, 0.45) for line in wavered]

    def mark(self, kind: MarkKind, quad: Quad) -> list[Stroke]:
        """A place marked as used."""
        corners = as_points(quad)
        middle, half = corners.mean(axis=0), (corners[2] - corners[0]) / 2
        middle = middle + self.rng.normal(0, 0.1, 2) * half
        half = half * self.rng.uniform(0.75, 1.25)
        return [
            stroke(self.rng, self.hand, middle + line * half, 0.6) for line in _mark_lines(self.rng, kind)
        ]


def _mark_lines(rng: np.random.Generator, kind: MarkKind) -> list[Points]:
    """A mark in a box from -1 to 1."""
    match kind:
        case "tick":
            return [as_points([(-0.8, -0.1), (-0.25, 0.75), (1.0, -1.0)])]
        case "cross":
            return [as_points([(-1, -1), (1, 1)]), as_points([(1, -1), (-1, 1)])]
        case "slash":
            return [as_points([(-1, 1), (1, -1)] if rng.random() < 0.8 else [(-1, -1), (1, 1)])]
        case "fill":
            places = np.linspace(-0.8, 0.8, 7)
            return [np.stack([places, np.where(np.arange(7) % 2 == 0, -0.8, 0.8)], axis=1)]
        case "ring":
            turn = np.linspace(0, 2.15 * np.pi, 16) + rng.uniform(0, 6)
            return [np.stack([np.cos(turn), np.sin(turn)], axis=1)]
