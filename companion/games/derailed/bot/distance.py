"""How far a company is from its destination: the price of the cheapest way on, in cards."""

from __future__ import annotations

from collections.abc import Callable, Collection
from heapq import heappop, heappush

from companion.games.derailed.rules.cards import BOTTOM, faces_of, parse_face
from companion.games.derailed.rules.network import NOWHERE, Area, entered
from companion.games.derailed.rules.rulebook import ROWS
from companion.sheets.grid import DIRECTIONS

UNKNOWN = 1.7  # what a card costs that is not in the hand, against 1 for one that is
NEVER = 99.0
Pair = tuple[int, int]  # ports that a card joins


def pairs_of(hand: Collection[str]) -> frozenset[Pair]:
    """Every two ports that some card of a hand can join."""
    return frozenset(
        (port, end)
        for card in hand
        for text in faces_of(card)
        for port, exits in enumerate(parse_face(text).exits)
        for end in exits
    )


def distance(area: Area, start: int, destination: int, pairs: Collection[Pair] | None = None) -> float:
    """The cheapest way from a lane's start to a destination: Dijkstra over where a train comes in.

    Track that lies is free; a card more, on an empty cell or over another one, costs 1. Where it is known
    what a hand can join (``pairs``), other cards cost more, for they have to be drawn first.
    """
    price: Callable[[Pair], float] = (lambda _: 1.0) if pairs is None else _priced(pairs)
    last = (ROWS - 1) * area.lanes + destination
    costs = {area.start(start): 0.0}
    waiting = [(0.0, area.start(start))]
    best = NEVER
    while waiting:
        cost, place = heappop(waiting)
        if cost >= best:
            break
        if cost > costs[place]:
            continue
        cell, port = entered(place)
        face = area.faces[cell]
        for end in (*(face.exits[port] if face else ()), *DIRECTIONS):
            laid = face is not None and end in face.exits[port]
            if end == port:
                continue
            after = cost if laid else cost + price((port, end))
            if end == BOTTOM and cell == last:
                best = min(best, after)
                continue
            following = area.beyond(cell, end)
            if following != NOWHERE and after < costs.get(following, NEVER):
                costs[following] = after
                heappush(waiting, (after, following))
    return best


def _priced(pairs: Collection[Pair]) -> Callable[[Pair], float]:
    return lambda pair: 1.0 if pair in pairs else UNKNOWN
