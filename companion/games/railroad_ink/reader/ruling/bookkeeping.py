"""The notes beside the drawing as evidence: special routes used up, circles, round numbers.

That is evidence about the turn: a picture of a special route that is newly crossed off says that the route
was drawn, one that is not says that it was not. Circles say the same of what may be drawn on a Village or a
University. What was wiped off and left a ghost has no round number, and a number without a route is rare;
which number it is does not matter here. All that holds as far as this player keeps to noting things, which
what is known from earlier rounds, or plain to see, tells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import log
from typing import TypeAlias

from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Rules,
    specials_left,
    specials_used,
    universities,
    villages,
)
from companion.games.railroad_ink.rules.boards.routes import parse_route, shape_of
from companion.games.railroad_ink.rules.rulebook import GRID, UNIVERSITY_CIRCLES, VILLAGE_VALUES
from companion.reading.evidence import EMPTY

Pair: TypeAlias = tuple[float, float]  # what it costs in nats where nothing has to be noted, and where it has

# How often something is crossed off or circled without a reason; and a number stands beside nothing, or is
# left from an earlier match.
_CROSSED_BY_MISTAKE, _NUMBER_BY_MISTAKE = 0.03, 0.05
_PLAIN = 0.01  # the probability of emptiness below which something is plainly drawn
_KEEPING, _FORGETTING = 1.5, 0.5  # notes taken as seen before any: made as they should be, and not
_VILLAGES = len(VILLAGE_VALUES) - 1
# How many circles of each kind are marked on a board, and how many there are.
_COUNTED: tuple[tuple[Callable[[Rules, Board], int], int], ...] = (
    (lambda rules, board: min(len(villages(rules, board)), _VILLAGES), _VILLAGES),
    (lambda rules, board: len(universities(rules, board)), UNIVERSITY_CIRCLES),
)


class Bookkeeping:
    """The notes beside the grid and in the boxes of its cells, as evidence about every turn.

    What cannot be seen says nothing.
    """

    def __init__(self, rules: Rules, before: Board, slots: SlotProbabilities) -> None:
        self._rules = rules
        crossed = {shape_of(parse_route(text)): p for text, p in slots.crossed.items()}
        # A row of circles of which one cannot be seen is left out: they are marked from the left.
        rows = [
            (count, count(rules, before), row)
            for (count, circles), row in zip(_COUNTED, slots.circles, strict=True)
            if len(row) == circles
        ]
        known = [crossed[shape] for shape in specials_used(before) if shape in crossed]
        keeping = keeping_of(known + [p for _, marked, row in rows for p in row[:marked]])
        self._specials = {
            shape: noted(crossed[shape], keeping, _CROSSED_BY_MISTAKE)
            for shape in specials_left(before)
            if shape in crossed
        }
        self._circles = [
            (count, marked, [noted(p, keeping, _CROSSED_BY_MISTAKE) for p in row[marked:]])
            for count, marked, row in rows
        ]
        self._numbers = _numbers(before, slots)

    def nll(self, after: Board) -> float:
        """The nll of all notes after this turn, relative to the best fit of each note."""
        used, drawn = specials_used(after), after.cells()
        found = sum(pair[shape in used] for shape, pair in self._specials.items())
        for count, marked, row in self._circles:
            due = count(self._rules, after) - marked
            found += sum(pair[at < due] for at, pair in enumerate(row))
        return found + sum((pair[cell in drawn] for cell, pair in self._numbers.items()), start=0.0)


def _numbers(before: Board, slots: SlotProbabilities) -> dict[int, Pair]:
    """By free cell whose box was looked at, the evidence of the number in it, or of none."""
    earlier = before.cells()
    plain = {GRID.names[cell] for cell in earlier}
    plain |= {name for name, look in slots.routes.items() if look and look.get(EMPTY, 0.0) < _PLAIN}
    keeping = keeping_of([slots.written[name] for name in plain if name in slots.written])
    return {
        cell: noted(p, keeping, _NUMBER_BY_MISTAKE)
        for name, p in slots.written.items()
        if (cell := GRID.cell(name)) not in earlier
    }


def keeping_of(known: Collection[float]) -> float:
    """The probability that this player makes the notes that the rules ask for (mean of a beta posterior).

    ``known``: for each place where a note was due, the probability that it is there.
    """
    return (_KEEPING + sum(known)) / (_KEEPING + _FORGETTING + len(known))


def noted(marked: float, keeping: float, by_mistake: float) -> Pair:
    """The cost, in nats, of a place marked with this probability: if no note is due there, and if one is.

    ``by_mistake``: the probability of a note without a reason.
    """
    undue, due = (marked * chance + (1 - marked) * (1 - chance) for chance in (by_mistake, keeping))
    best = max(undue, due)
    return log(best / undue), log(best / due)
