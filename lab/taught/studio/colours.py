"""Colours by their usual names, of pieces and of the print that imitates them. sRGB to 255, red first."""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray

Colour = NDArray[np.float64]  # (3,)

# Hue in degrees, saturation, value: what toy makers sell under these names.
_RANGES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "red": ((346, 368), (0.72, 0.98), (0.5, 0.9)),
    "green": ((88, 168), (0.4, 0.95), (0.22, 0.75)),
    "blue": ((200, 244), (0.55, 0.98), (0.28, 0.9)),
    "black": ((0, 360), (0.0, 0.3), (0.06, 0.2)),
    "yellow": ((45, 60), (0.68, 0.98), (0.8, 1.0)),
    "white": ((30, 60), (0.0, 0.1), (0.86, 0.98)),
    "orange": ((13, 38), (0.75, 0.98), (0.82, 1.0)),
    "purple": ((258, 300), (0.35, 0.9), (0.28, 0.68)),
    "pink": ((314, 348), (0.24, 0.65), (0.78, 1.0)),
    "brown": ((12, 30), (0.4, 0.8), (0.2, 0.46)),
    "grey": ((0, 360), (0.0, 0.1), (0.38, 0.66)),
}
NAMES = tuple(_RANGES)
# How often people have pieces of a colour: the first five are in nearly every box.
_USUAL = np.array([1.0, 1.0, 1.0, 0.9, 0.9, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2])


def colour_named(rng: np.random.Generator, name: str) -> Colour:
    """A random colour among those that people call by this name."""
    hue, saturation, value = (rng.uniform(*range_) for range_ in _RANGES[name])
    return 255 * np.array(colorsys.hsv_to_rgb(hue / 360 % 1, saturation, value))


def colours_of_a_box(rng: np.random.Generator) -> dict[str, Colour]:
    """A random choice of three to six colours of pieces, by name."""
    count = int(rng.integers(3, 7))
    chosen = rng.choice(NAMES, count, replace=False, p=_USUAL / _USUAL.sum())
    return {str(name): colour_named(rng, str(name)) for name in chosen}


def printed_like(rng: np.random.Generator, colour: Colour) -> Colour:
    """A piece's colour as the board prints it: often paler or darker than the plastic."""
    pale, dark = rng.uniform(0, 0.35), rng.uniform(0.7, 1.1)
    return np.clip((colour * (1 - pale) + 235 * pale) * dark + rng.normal(0, 10, 3), 4, 252)
