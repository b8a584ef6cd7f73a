"""What boards lie on: wood, cloth and patterns, made by the seed."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.studio.habits import one_of
from lab.studio.ink import noise

Texture = NDArray[np.uint8]  # (n, n, 3), sRGB, red first
Field: TypeAlias = NDArray[np.floating[Any]]
_WOODS = ((150, 104, 66), (196, 154, 108), (92, 58, 38), (222, 190, 150), (120, 88, 70), (60, 42, 34))


def table_texture(rng: np.random.Generator, size: int, scale: float, kind: str = "") -> Texture:
    """A square piece of a table, ``scale`` pixels per mm; it is mirrored where more is seen.

    ``kind`` is one of wood, plain, cloth, stripes, checks, dots and mottled, if not left to chance.
    """
    makes = (_wood, _wood, _wood, _plain, _cloth, _stripes, _checks, _dots, _mottled)
    make = one_of(rng, [make for make in makes if kind in ("", make.__name__[1:])])
    field = make(rng, size, scale)
    speckle = noise(rng, (size, size), 1.2)[..., None] * rng.uniform(0, 5)
    return np.clip(field + speckle, 0, 255).astype(np.uint8)


def _colour(rng: np.random.Generator) -> Field:
    """Any colour, the garish ones seldom."""
    grey = rng.uniform(20, 235)
    return np.clip(grey + rng.normal(0, rng.choice([6, 25, 60]), 3), 5, 250).astype(np.float32)


def _wood(rng: np.random.Generator, size: int, scale: float) -> Field:
    base = np.array(one_of(rng, _WOODS), np.float32) * rng.uniform(0.7, 1.15) + rng.normal(0, 6, 3)
    along = max(8.0, 60 * scale)
    fibre = _stretched(rng, size, along, max(1.0, 0.6 * scale))
    rings = _stretched(rng, size, 2 * along, max(2.0, 6 * scale))
    waves = np.sin(
        2 * np.pi * (rings * rng.uniform(0.5, 1.6) + np.arange(size)[:, None] / (rng.uniform(6, 25) * scale))
    )
    grain = fibre * rng.uniform(4, 14) + waves * rng.uniform(3, 16)
    field = base + grain[..., None] * np.array([1, 0.85, 0.65], np.float32)
    return _with_joints(rng, field, scale) if rng.random() < 0.5 else field


def _stretched(rng: np.random.Generator, size: int, along: float, across: float) -> Field:
    """Noise drawn out along the rows."""
    ratio = max(1, round(along / across))
    thin = noise(rng, (max(4, size // ratio), size), across)
    places = np.linspace(0, thin.shape[1] - 1.001, size)
    left = places.astype(int)
    share = (places - left).astype(np.float32)
    return np.asarray(thin[:, left] * (1 - share) + thin[:, left + 1] * share, np.float32)


def _with_joints(rng: np.random.Generator, field: Field, scale: float) -> Field:
    """Planks: a dark joint and another shade every few centimetres."""
    plank = max(8, round(rng.uniform(60, 150) * scale))
    rows = np.arange(len(field))
    shades = rng.normal(0, 10, len(field) // plank + 2).astype(np.float32)
    field = field + shades[rows // plank][:, None, None]
    field[rows % plank < max(1, round(scale))] *= 0.55
    return field


def _plain(rng: np.random.Generator, size: int, scale: float) -> Field:
    field: Field = _colour(rng) + noise(rng, (size, size), 80 * scale)[..., None] * rng.uniform(0, 6)
    return field


def _cloth(rng: np.random.Generator, size: int, scale: float) -> Field:
    thread = rng.uniform(0.6, 2.0) * scale
    turn = 2 * np.pi * np.arange(size) / max(thread, 2.2)
    weave = np.sin(turn)[:, None] * np.sin(turn)[None]
    folds = noise(rng, (size, size), 120 * scale) * rng.uniform(0, 14)
    field: Field = _colour(rng) + (weave * rng.uniform(3, 16) + folds)[..., None]
    return field


def _stripes(rng: np.random.Generator, size: int, scale: float) -> Field:
    period = rng.uniform(8, 60) * scale
    band = (np.arange(size) / period % 1 < rng.uniform(0.2, 0.8))[:, None, None]
    return np.where(band, _colour(rng), _colour(rng)) + np.zeros((size, size, 1), np.float32)


def _checks(rng: np.random.Generator, size: int, scale: float) -> Field:
    """A gingham: two bands of half strength that cross."""
    period = rng.uniform(10, 70) * scale
    band = (np.arange(size) / period % 1 < 0.5).astype(np.float32)
    share = ((band[:, None] + band[None]) / 2)[..., None]
    field: Field = _colour(rng) * (1 - share) + _colour(rng) * share
    return field


def _dots(rng: np.random.Generator, size: int, scale: float) -> Field:
    period = rng.uniform(10, 40) * scale
    place = np.arange(size) / period % 1 - 0.5
    inside = (place[:, None] ** 2 + place[None] ** 2) ** 0.5 < rng.uniform(0.12, 0.4)
    return np.where(inside[..., None], _colour(rng), _colour(rng))


def _mottled(rng: np.random.Generator, size: int, scale: float) -> Field:
    """Stone, terrazzo, or a printed oilcloth with big blots."""
    blots = noise(rng, (size, size), rng.uniform(4, 50) * scale)
    if rng.random() < 0.5:
        blots = np.sign(blots - rng.uniform(0, 1)).astype(np.float32)
    share = np.clip(blots * 0.5 + 0.5, 0, 1)[..., None]
    field: Field = _colour(rng) * (1 - share) + _colour(rng) * share
    return field
