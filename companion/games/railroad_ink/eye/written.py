"""The numbers in the white boxes: who draws a route writes the round beside it.

That is evidence about the turn: what was wiped off and left a ghost has no number, and a number without a
route is rare, as far as this player keeps to writing them, which the routes that are known or plain tell.
Which number it is does not matter here.
"""

from __future__ import annotations

from companion.games.kit.evidence import EMPTY, Looks
from companion.games.railroad_ink.eye.hints import Written
from companion.games.railroad_ink.eye.keeping import costs_of, keeping_of
from companion.games.railroad_ink.rules.board import Board
from companion.games.railroad_ink.rules.rulebook import GRID

_BY_MISTAKE = 0.05  # how often a number stands beside nothing, or is left from an earlier match
_PLAIN = 0.01  # the share of emptiness below which something is plainly drawn


class NumberCosts:
    """What the numbers say of every free cell that was looked at, in nats: left empty, or drawn in."""

    def __init__(self, looks: Looks, before: Board, written: Written) -> None:
        known = before.cells()
        keeping = _keeping(looks, {GRID.names[cell] for cell in known}, written)
        self._costs = {
            cell: costs_of(p, keeping, _BY_MISTAKE)
            for name, p in written.items()
            if (cell := GRID.cell(name)) not in known
        }

    def of(self, after: Board) -> float:
        """How much less probable the numbers are after this turn than what fits each of them best."""
        drawn = after.cells()
        return sum(costs[cell in drawn] for cell, costs in self._costs.items())


def _keeping(looks: Looks, known: set[str], written: Written) -> float:
    """How surely this player writes a number beside what is drawn."""
    plain = known | {name for name, look in looks.items() if look and look.get(EMPTY, 0.0) < _PLAIN}
    return keeping_of([written[name] for name in plain if name in written])
