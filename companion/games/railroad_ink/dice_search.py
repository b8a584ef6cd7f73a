"""How many dice of a round can be drawn, decided by exhaustive search.

Which places are taken, not the order, decides what a board looks like; so the search walks over *sets* of
drawings and visits each set once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.railroad_ink.placement import SENT, Spot, all_facing, fitting, open_sides
from companion.games.railroad_ink.position import Cells
from companion.games.railroad_ink.walls import NO_WALLS, Walls

_Placed = frozenset[tuple[int, int]]


class _Board:
    """A board in the middle of a search: the facing masks, and what was drawn on top of the start."""

    __slots__ = ("drawn", "facing", "taken")

    def __init__(self, facing: list[int], taken: frozenset[int], drawn: tuple[Spot, ...]) -> None:
        self.facing = facing
        self.taken = taken
        self.drawn = drawn

    def spots(self, shape: str) -> Iterator[Spot]:
        """Where a shape fits."""
        for cell, mask in enumerate(self.facing):
            if mask:
                for route in fitting(mask, shape):
                    yield cell, route

    def with_route(self, spot: Spot, sides: tuple[int, ...]) -> _Board:
        """The board with one route more."""
        cell, route = spot
        facing = self.facing.copy()
        taken = self.taken | {cell}
        facing[cell] = 0
        for neighbour, bit in SENT[cell][route.number]:
            if neighbour not in taken:
                facing[neighbour] |= bit & sides[neighbour]
        return _Board(facing, taken, (*self.drawn, spot))

    @property
    def key(self) -> _Placed:
        """Equal for boards that differ only in the order of drawing."""
        return frozenset((cell, route.number) for cell, route in self.drawn)


def _start(cells: Cells, walls: Walls) -> _Board:
    return _Board(all_facing(cells, walls), frozenset(cells), ())


def most_dice(cells: Cells, dice: Sequence[str], walls: Walls = NO_WALLS) -> tuple[Spot, ...]:
    """A way to draw as many of the dice (shapes) as can be drawn, in a legal order."""
    return max(
        (board.drawn for board in _complete(cells, tuple(dice), walls)),
        key=len,
    )


def complete_turns(cells: Cells, dice: Sequence[str], walls: Walls = NO_WALLS) -> set[frozenset[Spot]]:
    """Every set of drawings after which no die that is left fits any more."""
    return {frozenset(board.drawn) for board in _complete(cells, tuple(dice), walls)}


def _complete(cells: Cells, dice: tuple[str, ...], walls: Walls) -> Iterator[_Board]:
    """Every board that cannot be extended, each set of drawings once."""
    sides = open_sides(walls)
    seen: set[_Placed] = set()
    waiting = [(_start(cells, walls), tuple(sorted(dice)))]
    while waiting:
        board, left = waiting.pop()
        complete = True
        for shape in dict.fromkeys(left):
            rest = _without(left, shape)
            for spot in board.spots(shape):
                complete = False
                after = board.with_route(spot, sides)
                if after.key not in seen:
                    seen.add(after.key)
                    waiting.append((after, rest))
        if complete:
            yield board


def _without(left: tuple[str, ...], shape: str) -> tuple[str, ...]:
    at = left.index(shape)
    return left[:at] + left[at + 1 :]
