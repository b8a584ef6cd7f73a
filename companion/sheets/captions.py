"""Boxes for placing names on a map: each name takes the candidate place where its box hides least."""

from __future__ import annotations

from typing import TypeAlias

from companion.sheets.drawing import Point

Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom, in mm

LETTER_WIDTH = 0.62  # mean width of a letter of the printed sans serif, in heights of its font


def box_around(middle: Point, across: float, down: float) -> Box:
    """The box that reaches ``across`` to the left and right of its middle, and ``down`` above and below."""
    return middle[0] - across, middle[1] - down, middle[0] + across, middle[1] + down


def grown(box: Box, by: float) -> Box:
    """The box with a margin around it."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def contains(box: Box, point: Point) -> bool:
    """Return True if the point lies inside the box, not on its edge."""
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def overlap(one: Box, other: Box) -> float:
    """The area that two boxes share.

    >>> overlap((0, 0, 2, 2), (1, 1, 5, 5)), overlap((0, 0, 2, 2), (2, 0, 4, 2))
    (1, 0.0)
    """
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0
