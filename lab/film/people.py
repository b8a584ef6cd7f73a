"""People around a table: whose hands come over it, from where, and what else they do there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.studio.cameras import Matrix, transformed
from lab.studio.settings import SoftShape
from lab.studio.strokes import Points, as_points
from lab.studio.things import Surface, Thing, hand_over

_PEN_LENGTH, _PEN_WIDTH = 130.0, 11.0
_GRIP = 22.0  # mm from the tip of the pen to the tips of the fingers


@dataclass(frozen=True)
class Person:
    """One person, who sits at a sheet's lower edge; ``seed`` makes the same hand again in every frame."""

    seed: int
    lean: float  # mm sideways over the length of an arm: from the right, from the left
    with_pen: bool = True

    def over(self, tip: Points, to_table: Matrix) -> list[Thing]:
        """Hand and sleeve, and the pen in it, with the tip of the pen at a place of the sheet, in mm."""
        elbow = tip + np.array([self.lean, 380.0])
        if not self.with_pen:
            return [self._hand(*transformed(to_table, np.stack([tip, elbow])))]
        along = (elbow - tip) / np.hypot(*(elbow - tip))
        aside = np.array([-along[1], along[0]])
        barrel = [tip + aside * 0.6, tip + aside * 4 + along * 14, tip + aside * _PEN_WIDTH / 2 + along * 24]
        far = [tip + side * aside * _PEN_WIDTH / 2 + along * _PEN_LENGTH for side in (1, -1)]
        outline = np.array(
            [
                *barrel,
                *far,
                tip - aside * _PEN_WIDTH / 2 + along * 24,
                tip - aside * 4 + along * 14,
                tip - aside * 0.6,
            ]
        )
        rng = np.random.default_rng([self.seed, 1])
        colour = rng.uniform(0.02, 0.7, 3)
        pen = Thing(
            [Surface(transformed(to_table, outline), (float(colour[0]), float(colour[1]), float(colour[2])))],
            True,
            np.array([4.0, 5.0]),
            3.0,
        )
        grip = tip + along * _GRIP + aside * 6
        return [pen, self._hand(*transformed(to_table, np.stack([grip, elbow])))]

    def _hand(self, tip: Points, elbow: Points) -> Thing:
        return hand_over(np.random.default_rng(self.seed), tip, elbow)


def head_shadow(rng: np.random.Generator, at: Points, reach: float) -> SoftShape:
    """The shadow of a head and shoulders."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    size = rng.uniform(0.35, 0.8) * reach
    outline = np.stack([np.cos(turn), np.sin(turn) * rng.uniform(0.7, 1.4)], axis=1) * size + at
    return SoftShape(outline, float(rng.uniform(12, 60)), float(rng.uniform(0.15, 0.5)))


def leaning(rng: np.random.Generator, middle: Points, reach: float, share: float) -> list[Thing]:
    """Somebody who leans over the table, from a side into the picture: head, shoulders, an arm."""
    angle = float(rng.uniform(0, 2 * np.pi))
    c, s = np.cos(angle), np.sin(angle)
    turning = np.array([[c, s], [-s, c]])
    turn = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    centre = np.array([(1.9 - 1.3 * share) * reach, 0.0])
    hair, cloth = (rng.uniform(0.02, 0.25) * np.ones(3) * rng.uniform(0.7, 1.3, 3) for _ in range(2))
    shoulders = ring * [0.5 * reach, 1.1 * reach] + centre + [0.35 * reach, 0]
    head = ring * [0.42 * reach, 0.36 * reach] + centre - [0.25 * reach, 0]
    arm = as_points([(0, -60), (900, -80), (900, 80), (0, 60)]) + centre - [0.8 * reach, 0.3 * reach]
    surfaces = [
        Surface(outline @ turning + middle, (float(colour[0]), float(colour[1]), float(colour[2])))
        for outline, colour in ((arm, cloth), (shoulders, cloth), (head, hair))
    ]
    return [Thing(surfaces, True, np.array([20.0, 20.0]), 40.0)]
