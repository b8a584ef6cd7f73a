"""How a sheet came out of the printer and the laminator."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.habits import between

Codes = NDArray[np.uint8]  # sRGB, red first


@dataclass(frozen=True)
class Paper:
    """What printer and paper do to the colours of a sheet."""

    tint: tuple[float, float, float]
    strength: float  # of the print; 1 is as designed
    grey: bool  # printed without colour


def paper_for(rng: np.random.Generator) -> Paper:
    """A random printer and paper."""
    white = rng.uniform(0.8, 1.0)
    r, g, b = np.clip(white + rng.normal(0, 0.02, 3) * [1, 0.5, 1.5], 0.6, 1)
    return Paper((float(r), float(g), float(b)), between(rng, (0.7, 1.1)), bool(rng.random() < 0.12))


def on_paper(print_: Codes, paper: Paper) -> Codes:
    """The colours of a print as this printer makes them on this paper."""
    if paper.grey:
        print_ = np.asarray(
            cv2.cvtColor(cv2.cvtColor(print_, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), np.uint8
        )
    codes = np.arange(256, dtype=np.float32)
    faded = 255 - (255 - codes) * paper.strength
    table = np.clip(faded[:, None] * np.array(paper.tint), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(print_, table[None]), np.uint8)
