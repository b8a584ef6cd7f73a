"""Walls of a blueprint: borders between two cells that no route crosses.

A wall is written by the two cells it divides, ``c3-d3``. Inside it is kept from both sides, as
(cell, direction), so that one look-up answers whether an end faces a wall.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.rulebook import NAMES, NEIGHBOURS, USUAL

Walls: TypeAlias = frozenset[tuple[int, int]]
NO_WALLS: Walls = frozenset()


def parse_walls(texts: Iterable[str], layout: Layout = USUAL) -> Walls:
    """
    >>> sorted(parse_walls(["a1-b1"]))
    [(0, 1), (1, 3)]
    """
    return frozenset(side for text in texts for side in _sides(text, layout))


def _sides(text: str, layout: Layout) -> tuple[tuple[int, int], tuple[int, int]]:
    first, _, second = text.partition("-")
    one, other = layout.cell(first), layout.cell(second)
    if other not in NEIGHBOURS[one]:
        raise NotationError(
            "bad-wall",
            m(
                "{text} is no wall: {first} and {second} are not side by side",
                text=quoted(text),
                first=first,
                second=second,
            ),
        )
    return (one, NEIGHBOURS[one].index(other)), (other, NEIGHBOURS[other].index(one))


def print_walls(walls: Walls) -> list[str]:
    """
    >>> print_walls(parse_walls(["c4-c3", "a1-b1"]))
    ['a1-b1', 'c3-c4']
    """
    return [
        f"{NAMES[cell]}-{NAMES[NEIGHBOURS[cell][direction]]}"
        for cell, direction in sorted(walls)
        if NEIGHBOURS[cell][direction] > cell
    ]
