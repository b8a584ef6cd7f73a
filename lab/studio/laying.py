"""How sheets lie on a table, and what lies about on and beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.sheets.drawing import Point
from lab.studio.cameras import Matrix, rotation, shift, transformed
from lab.studio.habits import one_of
from lab.studio.levels import Level
from lab.studio.settings import Patch
from lab.studio.strokes import Points
from lab.studio.things import Thing, hand_over, pen, small_thing


def laid(rng: np.random.Generator, level: Level, at: Points, size: Point, count: int) -> Matrix:
    """The homography of a sheet centred ``at`` a place; sheets face players all around the table."""
    facing = rng.choice([0, 90, 180, 270]) if count > 1 and level.turn > 20 else 0.0
    turn = facing + np.clip(rng.normal(0, level.turn / 2.5), -level.turn, level.turn) * (
        0.5 if count > 1 else 1
    )
    return shift(at) @ rotation(float(turn)) @ shift(-np.asarray(size) / 2)


def things_for(
    rng: np.random.Generator, level: Level, patches: Sequence[Patch], tags: Sequence[Points], reach: float
) -> list[Thing]:
    """Clutter, pens, things on corners, a hand: as much as the level allows.

    ``tags`` are the middles of each sheet's four corner tags, in mm on it; ``reach`` is how far the sheets
    spread from their middle, in mm.
    """
    outlines = [patch.outline for patch in patches]
    middle = np.concatenate(outlines).mean(axis=0)
    things = [
        small_thing(rng, middle + rng.normal(0, 1.1 * reach, 2), over=False)
        for _ in range(int(rng.integers(level.clutter[0], level.clutter[1] + 1)))
    ]
    if rng.random() < level.pens_near:
        things += [pen(rng, _beside(rng, one_of(rng, outlines))) for _ in range(int(rng.integers(1, 4)))]
    for patch, middles in zip(patches, tags, strict=True):
        if rng.random() < level.covered_corner:
            things.append(_on_a_corner(rng, patch, middles))
    if rng.random() < level.hands:
        tip = _beside(rng, one_of(rng, outlines), 0.75)
        things.append(hand_over(rng, tip, middle + (tip - middle) * 4))
    return things


def _beside(rng: np.random.Generator, outline: Points, least: float = 1.1) -> Points:
    """A random place around the rim of a sheet; with ``least`` below 1 perhaps on it."""
    middle = outline.mean(axis=0)
    share = rng.uniform(0, 1)
    side = int(rng.integers(4))
    rim = outline[side] * (1 - share) + outline[(side + 1) % 4] * share
    place: Points = middle + (rim - middle) * rng.uniform(least, least + 0.5)
    return place


def _on_a_corner(rng: np.random.Generator, patch: Patch, middles: Points) -> Thing:
    corner = middles[int(rng.integers(4))]
    at = transformed(patch.to_table, corner[None])[0] + rng.normal(0, 5, 2)
    return pen(rng, at) if rng.random() < 0.3 else _small_on_top(rng, at)


def _small_on_top(rng: np.random.Generator, at: Points) -> Thing:
    while True:
        thing = small_thing(rng, at, over=True)
        if np.ptp(thing.surfaces[0].outline, axis=0).max() < 40:
            return thing
