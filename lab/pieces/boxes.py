"""Boxes of pieces that nobody sells, of wider measures than any set: no shape is to be learnt by heart."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from lab.studio.habits import one_of
from lab.studio.pieces import SETS, Box, Colour, PieceSet, box_for

_INVENTED = 0.55  # share of boxes that are no set of the studio's
_FLAT, _LOW, _TALL = (0.2, 1.0), (1.0, 5.0), (5.0, 12.0)  # mm
_SLOPPIER = (1.0, 3.0)  # times: how carelessly some people lay


def training_box(rng: np.random.Generator, players: int, held_out: Collection[str]) -> Box:
    """A box of a set that is not held out, or of none."""
    box = box_for(rng, players, held_out)
    if rng.random() < _INVENTED:
        box = _invented(rng, box, held_out)
    sloppier = float(rng.uniform(*_SLOPPIER)) if rng.random() < 0.4 else 1.0
    return replace(box, paints=_any_paints(rng, box.paints), sloppy=box.sloppy * sloppier)


def _invented(rng: np.random.Generator, box: Box, held_out: Collection[str]) -> Box:
    shapes = sorted({one.shape for name, one in SETS.items() if name not in held_out})
    shape = one_of(rng, shapes)
    height = float(rng.uniform(*((_FLAT, _LOW, _LOW, _TALL)[int(rng.integers(4))])))
    width = float(rng.uniform(1.8, 8.0))
    length = float(rng.uniform(max(6.0, width), 20.0))
    if shape in ("cube", "disc"):
        length = width = float(rng.uniform(4.0, 11.0))
    gloss = float(rng.uniform(0, 1.0)) if rng.random() < 0.5 else 0.02
    grain = float(rng.uniform(0, 0.2))
    measures = ((length, length), (width, width), (height, height), (gloss, gloss))
    return Box(
        PieceSet("invented", shape, *measures, grain), length, width, height, gloss, box.paints, box.sloppy
    )


def _any_paints(rng: np.random.Generator, paints: Mapping[str, Colour]) -> dict[str, Colour]:
    """Some of the paints quite others than those that people have words for."""
    found = dict(paints)
    for name in paints:
        if rng.random() < 0.3:
            grey = float(rng.uniform(0.0, 1.0)) ** 2
            r, g, b = np.clip(grey * np.exp(rng.normal(0, 0.9, 3)), 0.003, 0.93)
            found[name] = float(r), float(g), float(b)
    return found
