"""How many dice of a round can be drawn, decided by exhaustive search.

Which places are taken, not the order, decides what a board looks like; so the search walks over *sets* of
drawings and visits each set once. It stops as soon as every die is drawn that :func:`_may_ever_fit` leaves
any hope for; that bound keeps a die without any place from costing a walk over all the other dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.railroad_ink.placement import SENT, Spot, all_facing, fitting, open_sides
from companion.games.railroad_ink.position import Cells
from companion.games.railroad_ink.routes import Route, turnings
from companion.games.railroad_ink.walls import NO_WALLS, Walls


@dataclass(frozen=True, slots=True)
class _Board:
    """A board in the middle of a search."""

    facing: list[int]
    taken: frozenset[int]
    drawn: tuple[Spot, ...]
    left: tuple[str, ...]

    def spots(self, shape: str) -> list[Spot]:
        """Where a shape fits."""
        return [
            (cell, route) for cell, mask in enumerate(self.facing) if mask for route in fitting(mask, shape)
        ]

    def with_route(self, shape: str, spot: Spot, sides: Sequence[int]) -> _Board:
        """The board with one die drawn."""
        cell, route = spot
        facing, taken = self.facing.copy(), self.taken | {cell}
        facing[cell] = 0
        for neighbour, bit in SENT[cell][route.number]:
            if neighbour not in taken:
                facing[neighbour] |= bit & sides[neighbour]
        at = self.left.index(shape)
        return _Board(facing, taken, (*self.drawn, spot), self.left[:at] + self.left[at + 1 :])

    def key(self) -> frozenset[tuple[int, int]]:
        """Equal for boards that differ only in the order of drawing."""
        return frozenset((cell, route.number) for cell, route in self.drawn)


def most_dice(cells: Cells, dice: Sequence[str], walls: Walls = NO_WALLS) -> tuple[Spot, ...]:
    """A way to draw as many of the dice (shapes) as can be drawn, in a legal order.

    >>> len(most_dice({}, ["NS", "NS", "ne", "Ns*"]))
    4
    """
    start = _Board(all_facing(cells, walls), frozenset(cells), (), tuple(sorted(dice)))
    hope = _may_ever_fit(start, open_sides(walls))
    best: tuple[Spot, ...] = ()
    for board in _walk(start, walls):
        if len(board.drawn) > len(best):
            best = board.drawn
            if len(best) == hope:
                break
    return best


def complete_turns(cells: Cells, dice: Sequence[str], walls: Walls = NO_WALLS) -> set[frozenset[Spot]]:
    """Every set of drawings after which no die that is left fits any more."""
    start = _Board(all_facing(cells, walls), frozenset(cells), (), tuple(sorted(dice)))
    return {
        frozenset(board.drawn)
        for board in _walk(start, walls)
        if not any(board.spots(shape) for shape in set(board.left))
    }


def _walk(start: _Board, walls: Walls) -> Iterator[_Board]:
    """Every board that can be reached, each once: deep ones early, the die with the fewest spots first."""
    sides = open_sides(walls)
    seen = {start.key()}
    waiting = [start]
    while waiting:
        board = waiting.pop()
        yield board
        found = [(shape, board.spots(shape)) for shape in dict.fromkeys(board.left)]
        for shape, spots in sorted(found, key=lambda pair: -len(pair[1])):
            for spot in spots:
                after = board.with_route(shape, spot, sides)
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    waiting.append(after)


def _may_ever_fit(board: _Board, sides: Sequence[int]) -> int:
    """An upper bound: the dice that would fit if all drawings that become possible stood there together.

    Ends only ever add up: what a drawn route forbids stays forbidden, and what it offers to join stays. So
    growing every possible drawing at once, one layer a die, misses nothing that is really possible.
    """
    possible = board.facing.copy()
    grown: set[tuple[str, int, Route]] = set()
    for _ in board.left:
        layer = _layer(board, possible)
        for _, cell, route in layer - grown:
            for neighbour, bit in SENT[cell][route.number]:
                if neighbour not in board.taken:
                    possible[neighbour] |= bit & sides[neighbour]
        grown = layer
    hopeful = {shape for shape, _, _ in grown}
    return sum(shape in hopeful for shape in board.left)


def _layer(board: _Board, possible: Sequence[int]) -> set[tuple[str, int, Route]]:
    return {
        (shape, cell, route)
        for cell, mask in enumerate(possible)
        if mask
        for shape in set(board.left)
        for route in turnings(shape)
        if _may_stand(board.facing[cell], mask, route)
    }


def _may_stand(certain: int, possible: int, route: Route) -> bool:
    """Does nothing certain forbid the route, and something possible join it?"""
    forbidden = certain & 15 & route.railway or certain >> 4 & route.highway
    return not forbidden and bool(possible & 15 & route.highway or possible >> 4 & route.railway)
