"""What players mark beside the grid: special routes that are used up, Villages and Universities in circles.

That is evidence about the turn: a picture newly crossed off says that its route was drawn, one that is not
says that it was not, as far as this player keeps to it, which the routes of earlier rounds tell. The circles
say the same of what may be drawn on a Village or a University.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from companion.games.railroad_ink.eye.keeping import costs_of, keeping_of
from companion.games.railroad_ink.rules.board import (
    Board,
    Rules,
    specials_left,
    specials_used,
    universities,
    villages,
)
from companion.games.railroad_ink.rules.routes import parse_route, shape_of
from companion.games.railroad_ink.rules.rulebook import UNIVERSITY_CIRCLES, VILLAGE_VALUES

Crossed = Mapping[str, float]  # by route, the probability that its picture or box is crossed off
Circles: TypeAlias = tuple[Sequence[float], Sequence[float]]  # of Villages and Universities: marked
_BY_MISTAKE = 0.03  # how often something stands there without a reason
_VILLAGES = len(VILLAGE_VALUES) - 1
# How many circles of each kind are marked on a board, and how many there are.
_COUNTED: tuple[tuple[Callable[[Rules, Board], int], int], ...] = (
    (lambda rules, board: min(len(villages(rules, board)), _VILLAGES), _VILLAGES),
    (lambda rules, board: len(universities(rules, board)), UNIVERSITY_CIRCLES),
)


def crossing_cost(before: Board, after: Board, crossed: Crossed) -> float:
    """How much less probable the row is after this turn than after the likeliest, in nats.

    What cannot be seen of it does not count.

    >>> crossing_cost(Board(), Board(), {})
    0.0
    """
    seen = {shape_of(parse_route(text)): p for text, p in crossed.items()}
    return _row_cost(before, after, seen, keeping_of(_known_specials(before, seen)))


class BesideCosts:
    """What the row of special routes and the circles of buildings say of every turn, in nats."""

    def __init__(self, rules: Rules, before: Board, crossed: Crossed, circles: Circles) -> None:
        self._rules, self._before = rules, before
        self._seen = {shape_of(parse_route(text)): p for text, p in crossed.items()}
        # A row of circles of which one cannot be seen is left out: they are marked from the left.
        self._circles = [
            (count, row)
            for (count, circles_there), row in zip(_COUNTED, circles, strict=True)
            if len(row) == circles_there
        ]
        known = [p for count, row in self._circles for p in row[: count(rules, before)]]
        self._keeping = keeping_of(_known_specials(before, self._seen) + known)

    def of(self, after: Board) -> float:
        """How much less probable all that is after this turn than what fits each mark best."""
        cost = _row_cost(self._before, after, self._seen, self._keeping)
        for count, row in self._circles:
            first, marked = count(self._rules, self._before), count(self._rules, after)
            cost += sum(
                costs_of(p, self._keeping, _BY_MISTAKE)[n < marked]
                for n, p in enumerate(row[first:], start=first)
            )
        return cost


def _row_cost(before: Board, after: Board, seen: Mapping[str, float], keeping: float) -> float:
    drawn = specials_used(after)
    due = [(seen[shape], shape in drawn) for shape in specials_left(before) if shape in seen]
    return sum((costs_of(p, keeping, _BY_MISTAKE)[is_due] for p, is_due in due), start=0.0)


def _known_specials(before: Board, seen: Mapping[str, float]) -> list[float]:
    return [seen[shape] for shape in specials_used(before) if shape in seen]
