"""What boards lie on: wood, cloth and patterns, made by the seed."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.studio.habits import one_of
from lab.studio.ink import noise

Texture = NDArray[np.uint8]  # (n, n, 3), sRGB, red first
Field: TypeAlias = NDArray[np.floating[Any]]
KINDS = (
    "wood", "plain", "cloth", "stripes", "checks", "dots", "mottled", "marble", "carpet", "rug", "terrazzo",
)  # fmt: skip
_WOODS = ((150, 104, 66), (196, 154, 108), (92, 58, 38), (222, 190, 150), (120, 88, 70), (60, 42, 34))


def table_texture(rng: np.random.Generator, size: int, scale: float, kind: str = "") -> Texture:
    """A square piece of a table, ``scale`` pixels per mm; it is mirrored where more is seen.

    ``kind`` is one of :data:`KINDS`, if not left to chance; some come only by name.
    """
    usual = (_wood, _wood, _wood, _plain, _cloth, _stripes, _checks, _dots, _mottled)
    by_name = {make.__name__[1:]: make for make in (*usual, _marble, _carpet, _rug, _terrazzo)}
    make = by_name[kind] if kind else one_of(rng, usual)
    field = make(rng, size, scale)
    speckle = noise(rng, (size, size), 1.2)[..., None] * rng.uniform(0, 5)
    return np.clip(field + speckle, 0, 255).astype(np.uint8)


def _colour(rng: np.random.Generator) -> Field:
    """A random colour, seldom a garish one."""
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
    """Noise stretched along the rows."""
    ratio = max(1, round(along / across))
    thin = noise(rng, (max(4, size // ratio), size), across)
    places = np.linspace(0, thin.shape[1] - 1.001, size)
    left = places.astype(int)
    share = (places - left).astype(np.float32)
    return np.asarray(thin[:, left] * (1 - share) + thin[:, left + 1] * share, np.float32)


def _with_joints(rng: np.random.Generator, field: Field, scale: float) -> Field:
    """Cut the wood into planks: a dark joint and another shade every few centimetres."""
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


def _marble(rng: np.random.Generator, size: int, scale: float) -> Field:
    """Pale or dark stone with veins: thin crests of slow noise."""
    base = rng.uniform(190, 245) if rng.random() < 0.7 else rng.uniform(25, 80)
    field = base + rng.normal(0, 5, 3) + noise(rng, (size, size), 60 * scale)[..., None] * rng.uniform(2, 9)
    vein = (90.0 if base < 120 else -90.0) * rng.uniform(0.4, 1.0)
    for _ in range(int(rng.integers(1, 4))):
        warped = noise(rng, (size, size), rng.uniform(20, 70) * scale) + 0.35 * noise(
            rng, (size, size), rng.uniform(4, 12) * scale
        )
        crest = np.exp(-((warped / rng.uniform(0.02, 0.09)) ** 2))
        field = field + (crest * rng.uniform(0.3, 1.0))[..., None] * vein
    return np.asarray(field, np.float32)


def _carpet(rng: np.random.Generator, size: int, scale: float) -> Field:
    """Tufts of two or three yarns, and paths that feet have left in the pile."""
    tufts = noise(rng, (size, size), max(1.2, rng.uniform(0.8, 2.5) * scale))
    paths = noise(rng, (size, size), rng.uniform(40, 150) * scale)
    share = np.clip(tufts * 0.6 + 0.5, 0, 1)[..., None]
    field = _colour(rng) * share + _colour(rng) * (1 - share) * 0.6 + 20
    return np.asarray(field + tufts[..., None] * rng.uniform(6, 22) + paths[..., None] * 8, np.float32)


def _rug(rng: np.random.Generator, size: int, scale: float) -> Field:
    """A woven pattern of lozenges and borders, its repeat of the size of cards."""
    period = rng.uniform(40, 130) * scale
    across, down = np.meshgrid(np.arange(size) / period % 1 - 0.5, np.arange(size) / period % 1 - 0.5)
    rings = (np.abs(across) + np.abs(down)) * rng.uniform(3, 9)
    yarns = np.stack([_colour(rng) for _ in range(4)])
    field = yarns[rings.astype(int) % 4] + noise(rng, (size, size), 1.5 * scale)[..., None] * rng.uniform(
        3, 14
    )
    border = np.abs(across) > 0.5 - rng.uniform(0.02, 0.08)
    field[border] = _colour(rng)
    return np.asarray(field, np.float32)


def _terrazzo(rng: np.random.Generator, size: int, scale: float) -> Field:
    """Chips of several stones in a ground."""
    field = _colour(rng) + np.zeros((size, size, 1), np.float32)
    for _ in range(int(rng.integers(2, 5))):
        chips = noise(rng, (size, size), rng.uniform(2, 9) * scale) > rng.uniform(1.1, 1.8)
        field[chips] = _colour(rng)
    return np.asarray(field, np.float32)
