"""What a picture shows besides the routes that are plain to see, as evidence about a turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.kit.evidence import Looks
from companion.games.railroad_ink.eye.crossings import Circles, Crossed

Written = Mapping[str, float]  # by cell, the probability that a round number stands in its box


@dataclass(frozen=True)
class Hints:
    """What cannot be seen is left out, and says nothing.

    ``crossed``: how probably each special route's picture beside the grid is crossed off. ``circles``: how
    probably each circle is marked. ``written``: how probably a round number stands in a cell's box.
    ``glimpses``: guesses at cells that cannot be seen well. ``outside``: cells that are not in the picture.
    ``veiled``: cells under so much light that ink in them would look wiped.
    """

    crossed: Crossed = field(default_factory=dict)
    circles: Circles = ((), ())
    written: Written = field(default_factory=dict)
    glimpses: Looks = field(default_factory=dict)
    outside: frozenset[str] = frozenset()
    veiled: frozenset[str] = frozenset()


NO_HINTS = Hints()
