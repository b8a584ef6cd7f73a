"""How many dice of a round can be drawn: an exact search.

What makes the search short is this: whether two routes clash does not depend on their order, and a drawn
route only gives others more to join. So if all dice can be drawn, then any one of them can come first, with
nothing before it but a *chain*: dice in neighbouring cells, each joined to the one before it, that lead to it
from what is drawn already. The search takes the die with the fewest places, follows every chain to it, and
goes on from there with the rest. A die that has no place even in a relaxation of the problem
(:func:`_hopeful`) is left out at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from companion.games.railroad_ink.rules.boards.facing import SENT, open_sides
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.placement import Spot, all_facing, fitting
from companion.games.railroad_ink.rules.boards.routes import Cells, Route, turnings
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.rulebook import USUAL


@dataclass(frozen=True, slots=True)
class _Board:
    """A board in the middle of a search."""

    facing: list[int]
    taken: frozenset[int]
    drawn: tuple[Spot, ...]
    left: tuple[str, ...]

    def spots(self, shape: str, cells: Iterable[int] | None = None) -> list[Spot]:
        """The places where a shape fits, only in ``cells`` if they are given."""
        facing = self.facing
        among = range(len(facing)) if cells is None else cells
        return [(cell, route) for cell in among if facing[cell] for route in fitting(facing[cell], shape)]

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


def _start(cells: Cells, dice: Sequence[str], walls: Walls, layout: Layout = USUAL) -> _Board:
    return _Board(all_facing(cells, walls, layout), frozenset(cells), (), tuple(sorted(dice)))


def most_dice(
    cells: Cells, dice: Sequence[str], walls: Walls = NO_WALLS, layout: Layout = USUAL
) -> tuple[Spot, ...]:
    """A way to draw as many of the dice (shapes) as can be drawn, in a legal order.

    >>> len(most_dice({}, ["NS", "NS", "ne", "Ns*"]))
    4
    """
    sides = open_sides(walls)
    start = _start(cells, dice, walls, layout)
    hopeful = _hopeful(start, sides)
    dice = [shape for shape in start.left if shape in hopeful]
    for count in range(len(dice), 0, -1):
        for chosen in sorted(set(combinations(dice, count))):
            drawn = _draw_all(replace(start, left=chosen), sides)
            if drawn is not None:
                return drawn
    return ()


def _draw_all(board: _Board, sides: Sequence[int]) -> tuple[Spot, ...] | None:
    """A way to draw every die that is left, if there is one."""
    if not board.left:
        return board.drawn
    target = min(board.left, key=lambda shape: len(board.spots(shape)))
    for reached in _chains(board, target, range(len(board.facing)), sides):
        drawn = _draw_all(reached, sides)
        if drawn is not None:
            return drawn
    return None


def _chains(board: _Board, target: str, cells: Iterable[int], sides: Sequence[int]) -> Iterator[_Board]:
    """Every board with ``target`` just drawn, in one of ``cells`` or at the end of a chain from there."""
    yield from (board.with_route(target, spot, sides) for spot in board.spots(target, cells))
    for shape in dict.fromkeys(board.left):
        if shape != target:
            for spot in board.spots(shape, cells):
                after = board.with_route(shape, spot, sides)
                cell, route = spot
                yield from _chains(
                    after, target, [neighbour for neighbour, _ in SENT[cell][route.number]], sides
                )


def complete_turns(cells: Cells, dice: Sequence[str], walls: Walls = NO_WALLS) -> set[frozenset[Spot]]:
    """Every set of drawings after which no die that is left fits any more."""
    return {frozenset(drawn) for drawn in complete_lines(cells, dice, walls)}


def complete_lines(
    cells: Cells, dice: Sequence[str], walls: Walls = NO_WALLS, layout: Layout = USUAL
) -> Iterator[tuple[Spot, ...]]:
    """Each set of drawings after which no die that is left fits any more, once, in a legal order."""
    for board in _walk(_start(cells, dice, walls, layout), open_sides(walls)):
        if not any(board.spots(shape) for shape in set(board.left)):
            yield board.drawn


def promising_lines(
    start: tuple[Cells, Sequence[str], Walls, Layout],
    ranked: Callable[[Sequence[tuple[Spot, ...]]], Iterable[int]],
    looked_at: int,
) -> list[tuple[Spot, ...]]:
    """Lines as :func:`complete_lines` has them, by a beam search: those that the best boards lead to.

    On every level the boards on which dice are left are drawn on with each of them, the best ones first
    (``ranked`` gives their places in that order), until ``looked_at`` boards of the next level are there.
    """
    cells, dice, walls, layout = start
    sides, level = open_sides(walls), [_start(cells, dice, walls, layout)]
    complete: list[tuple[Spot, ...]] = []
    while level:
        following: dict[frozenset[tuple[int, int]], _Board] = {}
        for board in level:
            if len(following) >= looked_at:
                break
            spots = [(shape, spot) for shape in dict.fromkeys(board.left) for spot in board.spots(shape)]
            if not spots:
                complete.append(board.drawn)
            for shape, spot in spots:
                after = board.with_route(shape, spot, sides)
                following.setdefault(after.key(), after)
        boards = list(following.values())
        complete += [board.drawn for board in boards if not board.left]
        boards = [board for board in boards if board.left]
        level = [boards[place] for place in ranked([board.drawn for board in boards])]
    return complete


def _walk(start: _Board, sides: Sequence[int]) -> Iterator[_Board]:
    """Every board that can be reached, each once although many orders of drawing lead to it."""
    seen = {start.key()}
    waiting = [start]
    while waiting:
        board = waiting.pop()
        yield board
        for shape in dict.fromkeys(board.left):
            for spot in board.spots(shape):
                after = board.with_route(shape, spot, sides)
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    waiting.append(after)


def _hopeful(board: _Board, sides: Sequence[int]) -> set[str]:
    """A superset of the dice that can be drawn: those that fit if all possible drawings stood there at once.

    Drawing only adds ends: what a route forbids stays forbidden, and what it offers to join stays. So adding
    every possible drawing at once, one layer for each die, misses no drawing that is really possible.
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
    return {shape for shape, _, _ in grown}


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
    """True if no end that is drawn forbids the route and some end that is possible joins it."""
    forbidden = certain & 15 & route.railway or certain >> 4 & route.highway
    return not forbidden and bool(possible & 15 & route.highway or possible >> 4 & route.railway)
