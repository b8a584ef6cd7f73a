"""Lamps and daylight over a board, and what a camera does to their colours.

Light is counted linearly, red first, with white paper in full light at 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.studio.settings import Lamp, lamp_falloff


@dataclass(frozen=True)
class SizedLamp(Lamp):
    """A lamp of so many mm across."""

    size: float


@dataclass(frozen=True)
class Lighting:
    """All the light of a picture; ``balance`` is what the camera does to its colours."""

    ambient: NDArray[np.float64]
    lamps: tuple[SizedLamp, ...]
    balance: NDArray[np.float64]
    exposure: float  # in EV, of what a meter would choose


def white_of(kelvin: float) -> NDArray[np.float64]:
    """The linear colour of a black body of this temperature (a fit), scaled to green 1."""
    heat = kelvin / 100
    red = 255.0 if heat <= 66 else 329.7 * (heat - 60) ** -0.1332
    green = 99.47 * np.log(heat) - 161.12 if heat <= 66 else 288.12 * (heat - 60) ** -0.0755
    blue = 255.0 if heat >= 66 else 138.52 * np.log(max(heat - 10, 1.1)) - 305.04
    codes = np.clip([red, green, blue], 8, 255) / 255
    linear: NDArray[np.float64] = codes**2.2 / codes[1] ** 2.2
    return linear


def lighting_for(rng: np.random.Generator, size: tuple[float, float], kind: str) -> Lighting:
    """Random light of a kind: even, day, evening, mixed; candle and noon are held out of training."""
    warm, ambient, lamps, exposure = {
        "even": ((3200, 6500), (0.6, 0.95), (0, 2), (-0.7, 0.2)),
        "day": ((4800, 7500), (0.5, 0.95), (0, 2), (-0.5, 0.5)),
        "evening": ((2500, 3600), (0.12, 0.5), (1, 3), (-1.7, 0.1)),
        "mixed": ((2700, 6500), (0.2, 0.8), (1, 3), (-1.1, 0.4)),
        "candle": ((2300, 2900), (0.08, 0.3), (1, 2), (-2.0, -0.5)),
        "noon": ((5200, 8500), (0.25, 0.6), (1, 1), (-0.1, 0.6)),
    }[kind]
    middle, reach = np.array(size) / 2, max(size)
    count = int(rng.integers(lamps[0], lamps[1] + 1))
    share = float(rng.uniform(*ambient)) if count else 1.0
    kelvin = float(rng.uniform(*warm))
    shine = []
    for _ in range(count):
        height = float(rng.uniform(0.5, 2.5)) * reach
        place = middle + rng.normal(0, 0.7 * height, 2)
        colour = white_of(np.clip(kelvin * rng.normal(1, 0.12), 2000, 9500)) * rng.uniform(0.3, 1)
        away = (1 + ((place - middle) ** 2).sum() / height**2) ** -1.5
        shine.append((place, height, colour, away * colour[1]))
    power = sum(entry[3] for entry in shine) or 1.0
    found = tuple(
        SizedLamp(
            place,
            height,
            colour * (1 - share) / power,
            float(rng.uniform(10, 220)) if kind != "noon" else 6.0,
        )
        for place, height, colour, _ in shine
    )
    sky = white_of(float(np.clip(kelvin * rng.normal(1.05, 0.12), 2200, 11000))) * share
    middle_light = sky + sum((lamp.colour * lamp_falloff(lamp, middle) for lamp in found), np.zeros(3))
    # Cameras find the colour of the light well enough, and leave evenings a little warm.
    corrected = float(rng.uniform(0.6, 1.02))
    balance = (middle_light[1] / middle_light) ** corrected * np.exp(rng.normal(0, 0.04, 3))
    return Lighting(sky, found, balance, float(rng.uniform(*exposure)))
