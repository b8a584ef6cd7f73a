"""The row of special routes beside the grid: who draws one crosses its picture off.

That is evidence about the turn: a picture newly crossed off says that its route was drawn, one that is not
says that it was not, as far as this player keeps to crossing off, which the routes of earlier rounds tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from companion.games.railroad_ink.rules.board import Board, specials_left, specials_used
from companion.games.railroad_ink.rules.routes import parse_route, shape_of

Crossed = Mapping[str, float]  # by route, the probability that its picture or box is crossed off
_KEEPING, _FORGETTING = 1.5, 0.5  # routes taken as seen before any: crossed off as they should, and not
_BY_MISTAKE = 0.03  # how often something stands there without a reason


def crossing_cost(before: Board, after: Board, crossed: Crossed) -> float:
    """How much less probable the row is after this turn than after the likeliest, in nats.

    What cannot be seen of it does not count.

    >>> crossing_cost(Board(), Board(), {})
    0.0
    """
    seen = {shape_of(parse_route(text)): p for text, p in crossed.items()}
    keeping = _keeping(before, seen)
    drawn = specials_used(after)
    cost = 0.0
    for shape in specials_left(before):
        if shape in seen:
            likely, unlikely = _row(seen[shape], keeping), _row(seen[shape], _BY_MISTAKE)
            cost += log(max(likely, unlikely) / (likely if shape in drawn else unlikely))
    return cost


def _keeping(before: Board, seen: Mapping[str, float]) -> float:
    """How surely this player crosses off what is drawn."""
    known = [seen[shape] for shape in specials_used(before) if shape in seen]
    return (_KEEPING + sum(known)) / (_KEEPING + _FORGETTING + len(known))


def _row(marked: float, chance: float) -> float:
    """How probable a picture is, crossed off with probability ``marked``, if it had to be by ``chance``."""
    return marked * chance + (1 - marked) * (1 - chance)
