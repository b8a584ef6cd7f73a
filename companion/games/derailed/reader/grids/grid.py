"""A hypothesis for the grid of a table, and the detections from which hypotheses are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.grids.lattice import Lattice
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END
from vision.register.rectify import Places


@dataclass(frozen=True, eq=False)
class Grid:
    """A lattice with lanes counted from 0 and the starts in row 0, and the cards detected in its places."""

    lattice: Lattice
    lanes: int


@dataclass(frozen=True, eq=False)
class Detections:
    """What is known of a picture before its grid, in its pixels; anything unknown is left out.

    ``lanes``: the possible numbers; ``corners``: of the field of cards as marked by hand, (4, 2); ``tags``:
    corners of a mat's tags in lattice coordinates and in pixels, (n, 2) each; ``rough``: an earlier grid;
    ``size``: of the picture, (width, height).
    """

    cards: Sequence[DetectedCard] = ()
    lanes: Collection[int] = tuple(ARRIVALS_TO_END)
    corners: Places | None = None
    tags: tuple[Places, Places] | None = None
    rough: Grid | None = None
    size: tuple[int, int] = (0, 0)


Generator: TypeAlias = Callable[[Detections], Iterator[Grid]]  # one way to a grid


def hypotheses(detections: Detections, ways: Iterable[Generator]) -> Iterator[Grid]:
    """Chain the grids of these generators, lazily."""
    for way in ways:
        yield from way(detections)
