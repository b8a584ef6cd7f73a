"""Batches: views picked at random, turned over, in other colours, stronger or weaker, with more noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from lab.empire_builder.training.material import Material, folder_material
from lab.training.learning import Batch
from vision.rectify import Image

_BATCH, _COLOURS = 256, 3
_NOTHING = 128  # of a difference of colours
_STRENGTH = (0.7, 1.2)  # of the wax, colour by colour
_NOISE = 14.0  # at most, in a third of the views


@dataclass(frozen=True)
class Choice:
    """Which photographs of a folder are learnt from."""

    folder: Path
    numbers: tuple[str, ...]


@lru_cache(maxsize=1)
def material(choice: Choice) -> Material:
    """All views of them."""
    return folder_material(choice.folder, choice.numbers)


def edge_batch(choice: Choice, rng: np.random.Generator) -> Batch:
    """Some of their views, varied."""
    known = material(choice)
    chosen = rng.integers(len(known.labels), size=_BATCH)
    return varied(rng, known.views[chosen]), known.labels[chosen]


def varied(rng: np.random.Generator, views: Image) -> Image:
    """The same edges drawn otherwise; what is printed, and the light, stay."""
    if rng.random() < 0.5:
        views = views[:, ::-1]
    if rng.random() < 0.5:
        views = views[:, :, ::-1]
    order = [*rng.permutation(_COLOURS), *range(_COLOURS, views.shape[3])]
    changed = views[..., order].astype(np.float32)
    strength = rng.uniform(*_STRENGTH, (len(views), 1, 1, _COLOURS)).astype(np.float32)
    changed[..., :_COLOURS] = _NOTHING + (changed[..., :_COLOURS] - _NOTHING) * strength
    noisy = rng.uniform(0, _NOISE, (len(views), 1, 1, 1)) * (rng.random((len(views), 1, 1, 1)) < 0.33)
    grain = rng.standard_normal(changed.shape[:3], np.float32)[..., None]
    changed[..., :_COLOURS] += grain * noisy.astype(np.float32)
    return np.clip(changed, 0, 255).astype(np.uint8)
