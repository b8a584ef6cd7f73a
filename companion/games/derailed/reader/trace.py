"""How a reading came about: the grids that were tried, and the ways every place was cut out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.core.jsontext import JsonObject
from companion.games.derailed.reader.cards.classification import Probabilities
from companion.games.derailed.reader.cards.faces import CLASSES
from companion.games.derailed.reader.grids.lattice import Node
from vision.register.rectify import Places

Read: TypeAlias = tuple[Places, Probabilities]  # where a card or a place was cut out, and what it looks like
# The card that was detected; the place of the grid; either, cut out beside where it lies; also seen upside
# down and in a mirror; both cuts, where they show different faces; compared with a taught deck, or with cards
# of the match; like the table around it; no card was detected there; the mean over several grids.
Cut: TypeAlias = Literal[
    "card", "grid", "moved", "mirrored", "both", "deck", "match", "table", "no card", "grids"
]


@dataclass(frozen=True)
class TriedGrid:
    """A grid in one look at the picture: pixels of its longer side, the tilt in degrees, lanes, and nats.

    ``longest`` is 0 for a look at the picture rectified by its own grid.
    """

    longest: int
    tilt: int
    lanes: int
    log_likelihood: float

    def as_json(self) -> JsonObject:
        """The grid in a line of ``read --explain``."""
        by = {"look": self.longest} if self.longest else {"look": "rectified"}
        return {**by, "tilt": self.tilt, "lanes": self.lanes, "nats": round(self.log_likelihood, 1)}


@dataclass(frozen=True)
class Look:
    """One look at a place: how it was cut out, what it showed, how probably."""

    cut: Cut
    mark: str
    p: float

    def as_json(self) -> JsonObject:
        """The look in a line of ``read --explain``."""
        return {"cut": self.cut, "mark": self.mark, "p": round(self.p, 4)}


class Trace:
    """The looks at the places of one grid, in their order: the last one decided."""

    def __init__(self) -> None:
        self._looks: dict[Node, list[Look]] = defaultdict(list)

    def add(self, cut: Cut, read: Mapping[Node, Read]) -> None:
        """Remember what these places showed, cut out this way."""
        for node, (_, own) in read.items():
            best = int(own.argmax())
            self._looks[node].append(Look(cut, CLASSES[best], float(own[best])))

    def moved(self, lanes: int) -> Trace:
        """The same looks, counted from another lane."""
        there = Trace()
        there._looks.update({(lane - lanes, row): looks for (lane, row), looks in self._looks.items()})
        return there

    def of(self, node: Node) -> tuple[Look, ...]:
        """The looks at a place."""
        return tuple(self._looks[node])
