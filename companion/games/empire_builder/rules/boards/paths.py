"""The cheapest way to build between mileposts: Dijkstra's algorithm.

Prices are small whole numbers, so the queue has one bucket for each price instead of a heap (Dial).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from companion.games.empire_builder.rules.boards.board import Board

BUILDABLE, FREE, BARRED = range(3)  # the kinds of edges
_FAR = 1 << 30


@dataclass(frozen=True)
class BuildPath:
    """A path to build along, and the price of those of its segments that are not there yet."""

    mileposts: tuple[int, ...]
    price: int


def edge_kinds(board: Board, free: Iterable[int] = (), barred: Iterable[int] = ()) -> bytearray:
    """What each edge is to a builder; the red areas are free for everybody."""
    kinds = bytearray(board.red)
    for edge in barred:
        kinds[edge] = BARRED
    for edge in free:
        kinds[edge] = FREE
    return kinds


def cheapest_path(
    board: Board,
    starts: Iterable[int],
    goals: Collection[int],
    kinds: bytearray | None = None,
    avoid: Collection[int] = (),
) -> BuildPath | None:
    """The cheapest way to build from any start to any goal; None when there is none."""
    cost, came, reached = spread(board, starts, goals, kinds or edge_kinds(board), avoid)
    if reached is None:
        return None
    path = [reached]
    while came[path[-1]] >= 0:
        path.append(came[path[-1]])
    return BuildPath(tuple(reversed(path)), cost[reached])


def build_costs(board: Board, starts: Iterable[int], kinds: bytearray | None = None) -> list[int | None]:
    """The cheapest price to build to every milepost; None for those out of reach."""
    cost, _, _ = spread(board, starts, (), kinds or edge_kinds(board), ())
    return [None if price == _FAR else price for price in cost]


def spread(
    board: Board,
    starts: Iterable[int],
    goals: Collection[int],
    kinds: bytes | bytearray,
    avoid: Collection[int],
    *,
    inwards: bool = False,
) -> tuple[list[int], list[int], int | None]:
    """Dijkstra from all starts: price and predecessor of each milepost, and the first goal reached.

    With ``inwards`` it is the price to build from each milepost to the nearest start instead.
    """
    ways, price, surcharge = board.ways, board.price, board.surcharge
    cost = [_FAR] * len(ways)
    came = [-1] * len(ways)
    waiting: dict[int, list[int]] = {0: list(starts)}
    for milepost in avoid:
        cost[milepost] = -1  # no path is cheaper, so none leads there
    for start in waiting[0]:
        cost[start] = 0
    goals = frozenset(goals)
    now = 0
    while waiting:
        for here in waiting.get(now, ()):
            if cost[here] != now:
                continue
            if here in goals:
                return cost, came, here
            for there, edge in ways[here]:
                kind = kinds[edge]
                into = here if inwards else there
                after = now if kind == FREE else now + price[into] + surcharge[edge]
                if kind != BARRED and after < cost[there]:
                    cost[there] = after
                    came[there] = here
                    waiting.setdefault(after, []).append(there)
        waiting.pop(now, None)
        now = min(waiting, default=0)
    return cost, came, None
