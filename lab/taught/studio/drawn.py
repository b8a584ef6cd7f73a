"""Marks that people draw on a print instead of laying pieces: strokes of crayon and of felt pens."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.ink import noise
from lab.studio.strokes import Points
from lab.taught.studio.colours import Colour

DRAWN = ("crayon", "marker")
_DIM = 100.0  # mean of a print below which felt pens must cover, or nobody would see them


def drawn_on(
    rng: np.random.Generator,
    raster: NDArray[np.uint8],
    marks: list[tuple[Points, Colour]],
    scale: float,
    kind: str,
) -> NDArray[np.uint8]:
    """Draw a stroke along each of these segments, as one person does with one set of pens."""
    height, width = raster.shape[:2]
    cover = np.zeros((height, width), np.uint8)
    colours = np.zeros_like(raster)
    thick, strokes = float(rng.uniform(0.22, 0.75)), int(rng.integers(1, 4))
    for quad, colour in marks:
        ink = tuple(map(float, colour))
        for _ in range(strokes):
            line = np.rint(_stroke(rng, quad) * scale * 16).astype(np.int32)
            across = float(np.hypot(*(quad[3] - quad[0])))
            pen = max(1, round(thick * across * scale / strokes**0.5))
            cv2.polylines(cover, [line], False, 255, pen, cv2.LINE_AA, 4)
            cv2.polylines(colours, [line], False, ink, pen + 4, cv2.LINE_AA, 4)
    share = cover.astype(np.float32)[..., None] / np.float32(255)
    if kind == "crayon":  # wax stays on the grain's hills
        grain = noise(rng, (width, height), max(0.6, 0.22 * scale))[..., None]
        wax = 1 / (
            1 + np.exp(-(grain + np.float32(rng.uniform(-0.2, 1.6))) * np.float32(rng.uniform(1.5, 4)))
        )
        share *= wax * np.float32(rng.uniform(0.75, 0.97))
        through = 0.0
    else:
        share *= np.float32(rng.uniform(0.75, 0.98))
        through = float(rng.uniform(0, 0.6)) if raster[::9, ::9].mean() > _DIM else 0.0
    print_, inked = raster.astype(np.float32), colours.astype(np.float32)
    mixed = inked * (np.float32(1 - through) + np.float32(through / 255) * print_)
    return np.asarray(print_ + (mixed - print_) * share, np.uint8)


def _stroke(rng: np.random.Generator, quad: Points) -> Points:
    """A line from end to end of a segment, a little too long or too short, and bowed."""
    start, end = (quad[0] + quad[3]) / 2, (quad[1] + quad[2]) / 2
    along, across = end - start, (quad[3] - quad[0])
    t = np.linspace(rng.normal(0, 0.05), 1 + rng.normal(0, 0.05), 9)[:, None]
    aside = rng.normal(0, 0.13) + rng.normal(0, 0.1) * (2 * t - 1) + rng.normal(0, 0.12) * 4 * t * (1 - t)
    line: Points = start + along * t + across * aside
    return line
