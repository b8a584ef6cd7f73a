"""The longest highway and the longest railway; exact on every board.

Programs read the rule in three ways. A *walk* goes from piece to linked piece and

``trail``   uses no link twice; a piece passed again counts once (the default);
``visits``  uses no link twice; every pass counts;
``path``    uses no cell twice.

A walk never gets worse by being extended, so a trail may start where the number of links is odd (a trail that
ends anywhere else can leave again); where there is no such piece, any start will do, for all links fit into
one round trip. Ordinary boards are searched depth-first from those starts. Where that takes too many steps,
as on a board of nothing but crossings, the dynamic programming of
:mod:`~companion.games.railroad_ink.rules.scoring.frontier` decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.railroad_ink.rules.boards.position import Longest
from companion.games.railroad_ink.rules.scoring.frontier import best_links, walk_along
from companion.games.railroad_ink.rules.scoring.network import Links, Node

# Steps of the depth-first search before the frontier takes over: beyond this, it is the faster one.
PATIENCE = 1000


@dataclass(frozen=True, slots=True)
class LongestRoute:
    """What it counts, and its pieces in walking order (a trail may pass a piece again)."""

    length: int
    nodes: tuple[Node, ...]


NOTHING = LongestRoute(0, ())


def longest_route(links: Links, reading: Longest) -> LongestRoute:
    """The longest walk over the links of one type.

    >>> longest_route({2: [16], 16: [2, 30], 30: [16], 50: []}, "trail")
    LongestRoute(length=3, nodes=(30, 16, 2))
    """
    best = NOTHING
    parts = [(_bound(part, reading), part) for part in _parts(links)]
    parts.sort(key=_first, reverse=True)
    for bound, part in parts:
        if bound <= best.length:
            break
        found = _longest_in(part, reading, bound)
        if found.length > best.length:
            best = found
    return best


def _first(bounded: tuple[int, Links]) -> int:
    return bounded[0]


def _parts(links: Links) -> list[Links]:
    """The connected components of the links."""
    left = dict(links)
    parts = []
    while left:
        node, others = left.popitem()
        part = {node: others}
        waiting = [others]
        for found in waiting:
            for other in found:
                if other in left:
                    part[other] = left.pop(other)
                    waiting.append(part[other])
        parts.append(part)
    return parts


def _bound(part: Links, reading: Longest) -> int:
    """An upper bound: of the pieces with one link only, a walk has at most two, at its ends."""
    degrees = [len(others) for others in part.values()]
    if reading == "visits":
        odd = sum(degree & 1 for degree in degrees)
        return sum(degrees) // 2 + 1 - max(0, odd // 2 - 1)
    return len(part) - max(0, degrees.count(1) - 2)


def _longest_in(part: Links, reading: Longest, bound: int) -> LongestRoute:
    if len(part) == 1:
        return LongestRoute(1, tuple(part))
    search = _Search(part, reading, bound)
    if search.run():
        return search.best
    links = best_links(part, reading, search.best.length)
    if not links:
        return search.best
    walk = walk_along(links)
    if reading == "visits":
        return LongestRoute(len(walk), tuple(walk))
    length = len(set(walk))
    while walk[-1] in walk[:-1]:  # coming back to a piece adds nothing
        walk.pop()
    return LongestRoute(length, tuple(walk))


# A step: the node it leads to, the bits it needs free and then uses, and the bit of the node.
_Step: TypeAlias = tuple[Node, int, int]


class _Search:
    """Depth-first search over walks from every useful start, up to the bound or a number of steps."""

    def __init__(self, part: Links, reading: Longest, bound: int) -> None:
        self.part = part
        self.reading = reading
        self.bound = bound
        self.steps = _steps_by_cell(part) if reading == "path" else _steps_by_link(part)
        self.patience = PATIENCE
        self.best = NOTHING
        self.walk: list[Node] = []

    def run(self) -> bool:
        """False if the steps ran out; ``best`` is only a lower bound then."""
        for start in self._starts():
            used = 1 << (start >> 1) if self.reading == "path" else 0
            self._go(start, used, 1 << start, 1)
            if self.best.length == self.bound:
                return True
            if self.patience < 0:
                return False
        return True

    def _starts(self) -> Iterator[Node]:
        if self.reading == "path":
            yield from sorted(self.part, key=lambda node: len(self.part[node]))
            return
        odd = [node for node, others in self.part.items() if len(others) & 1]
        if sum(map(len, self.part.values())) == 2 * len(self.part) - 2:  # a tree: its ends are leaves
            yield odd[0]
            yield self.best.nodes[-1]  # the leaf farthest from any node is an end of a longest walk
        else:
            yield from odd or [next(iter(self.part))]

    def _go(self, node: Node, used: int, seen: int, length: int) -> None:
        self.walk.append(node)
        self.patience -= 1
        if length > self.best.length:
            self.best = LongestRoute(length, tuple(self.walk))
        for other, bar, bit in self.steps[node]:
            if not used & bar and self.patience >= 0 and self.best.length < self.bound:
                again = self.reading == "trail" and seen & bit
                self._go(other, used | bar, seen | bit, length if again else length + 1)
        self.walk.pop()


def _steps_by_link(part: Links) -> dict[Node, list[_Step]]:
    """The steps where a walk may use each link once."""
    numbers: dict[tuple[Node, Node], int] = {}
    return {
        node: [
            (other, 1 << numbers.setdefault((min(node, other), max(node, other)), len(numbers)), 1 << other)
            for other in others
        ]
        for node, others in part.items()
    }


def _steps_by_cell(part: Links) -> dict[Node, list[_Step]]:
    """The steps where a walk may use each cell once."""
    return {
        node: [(other, 1 << (other >> 1), 1 << other) for other in others] for node, others in part.items()
    }
