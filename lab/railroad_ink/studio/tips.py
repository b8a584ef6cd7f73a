"""What the tip of a pen and an unsteady hand make of strokes: chisel tips, drying ones, tremor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lab.railroad_ink.studio.hands import Hand
from lab.studio.strokes import Points, Stroke, distances

_BRISTLE = 0.42  # mm between the bristles of a chisel tip
_WAVE = 2.2  # mm: how long the waves of a tremor are
_STREAK = 3.5  # mm along a stroke until a drying bristle gives more or less ink


def as_held(rng: np.random.Generator, hand: Hand, strokes: Sequence[Stroke]) -> list[Stroke]:
    """The strokes as this hand's pen leaves them; those of a round tip in a steady hand stay as they are."""
    if hand.tremor:
        strokes = [_shaken(rng, line, hand.tremor) for line in strokes]
    if not hand.nib:
        return list(strokes)
    return [bristle for line in strokes for bristle in _bristles(rng, hand, line)]


def _shaken(rng: np.random.Generator, line: Stroke, tremor: float) -> Stroke:
    along = distances(line.points)
    knots = max(3, int(along[-1] / _WAVE) + 2)
    moves = rng.normal(0, tremor, (knots, 2))
    places = np.linspace(0, along[-1], knots)
    moved = np.stack([np.interp(along, places, moves[:, axis]) for axis in (0, 1)], axis=1)
    return replace(line, points=line.points + moved)


def _bristles(rng: np.random.Generator, hand: Hand, line: Stroke) -> list[Stroke]:
    """Split a chisel tip's stroke into its bristles: broad one way, thin the other, streaky when dry."""
    if line.area:
        return [line]
    count = int(np.clip(round(hand.nib / _BRISTLE), 2, 8))
    side = np.array([np.cos(hand.nib_turn), np.sin(hand.nib_turn)])
    thin = max(1.15 * hand.nib / count, 0.35)
    found = []
    for offset in np.linspace(-0.5, 0.5, count) * max(hand.nib - thin, 0.1):
        found.append(
            Stroke(
                line.points + offset * side,
                np.full(len(line.points), thin),
                line.strengths * _ink_along(rng, hand.dry, line.points),
                part=line.part,
            )
        )
    return found


def _ink_along(rng: np.random.Generator, dry: float, points: Points) -> Points:
    """How much of its ink a bristle gives along a stroke."""
    along = distances(points)
    knots = max(2, int(along[-1] / _STREAK) + 2)
    given = 1 - dry * rng.uniform(0, 1.3) - dry * rng.uniform(0, 0.5, knots)
    return np.clip(np.interp(along, np.linspace(0, along[-1], knots), given), 0.03, 1)
