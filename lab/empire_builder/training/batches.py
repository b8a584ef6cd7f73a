"""Batches: views picked at random, turned over, in other colours, stronger or weaker, with more noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.empire_builder.training.material import Kind, Material, folder_material
from lab.training.learning import Batch
from vision.register.rectify import Image

_BATCH, _COLOURS = 256, 3
_NOTHING = 128  # of a difference of colours
_STRENGTH = (0.7, 1.2)  # of the wax, colour by colour
# Channels that show wax, which are fainter where less of it is; the others show print and light.
_OF_WAX: Mapping[Kind, Sequence[int]] = {
    "glance": (0, 1, 2),
    "edges": (0, 1, 2),
    "posts": (),
    "crayons": (0, 1, 2, 4, 5, 6),
}
_GLANCED_STRENGTH = (0.5, 1.2)  # the same where single places are not seen
_LIGHT = 0.5  # of the views: drawn with less pressure than they were
_PRESS, _ROUGH = (0.36, 0.95), (0.0, 0.4)
_CATCHING, _SOFT = 0.42, 0.16  # as in the studio
_WIDE = (0.6, 1.4, 4.0)  # pixels of what is uneven in a line
_NOISE = 14.0  # at most, in a third of the views
_BLURRED, _BLUR = 0.4, (-0.6, 0.9)  # share of the batches that are softer or sharper, and by how much


@dataclass(frozen=True)
class Choice:
    """Which photographs of a folder are learnt from."""

    folder: Path
    numbers: tuple[str, ...]
    kind: Kind


@lru_cache(maxsize=1)
def material(choice: Choice) -> Material:
    """All views of the chosen photographs."""
    return folder_material(choice.folder, choice.numbers, choice.kind)


def view_batch(choice: Choice, rng: np.random.Generator) -> Batch:
    """A batch of augmented views and their labels."""
    known = material(choice)
    chosen = rng.integers(len(known.labels), size=_BATCH)
    return varied(rng, known.views[chosen], choice.kind), known.labels[chosen]


def varied(rng: np.random.Generator, views: Image, kind: Kind) -> Image:
    """Augment views as if drawn otherwise and seen by other cameras; print and light stay.

    The first three channels are differences of colours, in any order.
    """
    if rng.random() < 0.5:
        views = views[:, ::-1]
    if rng.random() < 0.5:
        views = views[:, :, ::-1]
    order = [*rng.permutation(_COLOURS), *range(_COLOURS, views.shape[3])]
    views = views[..., order]
    finely = kind != "glance"  # whose samples lie far from each other
    if finely:
        views = _shifted(rng, views)
    changed = views.astype(np.float32)
    changed[..., :_COLOURS] -= _NOTHING
    if finely:
        changed[..., _OF_WAX[kind]] *= _grain(rng, changed.shape[:3])[..., None]
    strengths = _STRENGTH if finely else _GLANCED_STRENGTH
    strength = rng.uniform(*strengths, (len(views), 1, 1, _COLOURS)).astype(np.float32)
    changed[..., :_COLOURS] *= strength
    if finely and rng.random() < _BLURRED:
        changed[..., :_COLOURS] = _blurred(changed[..., :_COLOURS], rng.uniform(*_BLUR))
    noisy = rng.uniform(0, _NOISE, (len(views), 1, 1, 1)) * (rng.random((len(views), 1, 1, 1)) < 0.33)
    grain = rng.standard_normal(changed.shape[:3], np.float32)[..., None]
    changed[..., :_COLOURS] += _NOTHING + grain * noisy.astype(np.float32)
    return np.clip(changed, 0, 255).astype(np.uint8)


def _grain(rng: np.random.Generator, shape: tuple[int, int, int]) -> NDArray[np.float32]:
    """The share of the wax that is left in each pixel with less pressure on rougher paper."""
    sheet, (count, height, width) = _tooth(), shape
    rows = rng.integers(len(sheet) - height, size=(count, 1, 1)) + np.arange(height)[:, None]
    columns = rng.integers(len(sheet) - width, size=(count, 1, 1)) + np.arange(width)
    rough = rng.uniform(*_ROUGH, (count, 1, 1)).astype(np.float32)
    press = rng.uniform(*_PRESS, (count, 1, 1)).astype(np.float32)
    press[rng.random(len(press)) > _LIGHT] = 3.0  # as it was drawn
    caught = 1 / (1 + np.exp((_CATCHING + rough * sheet[rows, columns] - press) / _SOFT))
    return np.asarray(caught, np.float32)


@lru_cache(maxsize=1)
def _tooth() -> NDArray[np.float32]:
    """The grain of a sheet of paper, and what a hand does on its way: deviations from the middle."""
    noise = np.random.default_rng(0).standard_normal((600, 600)).astype(np.float32)
    layers = [cv2.GaussianBlur(noise[turn:], (0, 0), wide)[:560] for turn, wide in enumerate(_WIDE)]
    grain = sum(layer / layer.std() for layer in layers)
    return np.asarray(grain / np.std(grain), np.float32)


def _shifted(rng: np.random.Generator, views: Image) -> Image:
    """Shift views by a pixel at most: no map lies as flat as it is taken to."""
    down, right = (int(step) for step in rng.integers(-1, 2, size=2))
    padded = np.pad(views, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
    return padded[:, 1 + down : 1 + down + views.shape[1], 1 + right : 1 + right + views.shape[2]]


def _blurred(changed: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """Blur views, or for negative shares sharpen them, as phones do."""
    flat = np.ascontiguousarray(changed.transpose(1, 2, 0, 3)).reshape(*changed.shape[1:3], -1)
    soft = np.stack([cv2.blur(flat[..., n : n + 4], (3, 3)) for n in range(0, flat.shape[2], 4)], axis=2)
    soft = soft.reshape(*changed.shape[1:3], len(changed), _COLOURS).transpose(2, 0, 1, 3)
    return np.asarray(changed + share * (soft - changed), np.float32)
