"""A ruling on a board: what it consists of, and how sure it is of each cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import TypeAlias

from companion.games.contract import Plain
from companion.games.kit.evidence import Doubt, Questions, Ruling, changed_slots, ranked
from companion.games.railroad_ink.eye.costs import MARKS, NOTHING, Costs, cheapest, mark_text
from companion.games.railroad_ink.rules.board import Board
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.position import print_cells
from companion.games.railroad_ink.rules.routes import Cells, Route
from companion.games.railroad_ink.rules.rulebook import GRID

Shares: TypeAlias = dict[int, float]  # by the number of the mark: how probable it is in one cell

SURE_ENOUGH = 0.99  # a ruled cell whose mark is less probable than this is asked about
WORTH_TELLING = 0.002


@dataclass(frozen=True)
class Alternative:
    """Another legal position, and how probable it is."""

    cells: Cells
    p: float


@dataclass(frozen=True)
class BoardRuling(Ruling[int, Route]):
    """What the rules make of a board. ``board`` tells the order and the sources where they are known.

    With an expansion whose marks are read: all ``marks``; by their slots those that are new, or "" where one
    is gone, and the doubts about marks; the round's ``moves`` in their order, routes and placements.
    """

    alternatives: tuple[Alternative, ...] = ()
    board: Board | None = None
    marks: Marks | None = None
    marked: Mapping[str, str] = field(default_factory=dict)
    mark_doubts: tuple[Doubt[str, str], ...] = ()
    moves: tuple[Plain, ...] | None = None
    others: tuple[BoardRuling, ...] = ()  # as likely ways to use an expansion's dice
    rest: Doubt[str, str] | None = None  # the one question that is asked about all that is left of a round
    signs: tuple[str, ...] = ()  # cells that are asked about because they may hold a sign that is not read

    @property
    def margin(self) -> float:
        """How much more probable the position is than the next one."""
        return self.p - max((other.p for other in self.alternatives), default=0.0)

    def slot_name(self, slot: int) -> str:
        """The name of a cell."""
        return GRID.names[slot]

    @property
    def labels(self) -> dict[str, str]:
        """The routes by cell, in the order of the board."""
        return print_cells(dict(sorted(self.cells.items())))

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Cells, then places of marks where these are read; or what is left of the round."""
        if self.rest is not None:
            return (self.rest.slot,)
        return (*super().uncertain, *(doubt.slot for doubt in self._asked_marks))

    @property
    def questions(self) -> Questions:
        """Of cells, then of marks where these are read; or of what is left of the round."""
        if self.rest is not None:
            return {self.rest.slot: self.rest.named}
        return {**super().questions, **{doubt.slot: doubt.named for doubt in self._asked_marks}}

    @property
    def _asked_marks(self) -> tuple[Doubt[str, str], ...]:
        return () if self.marks is None else self.mark_doubts

    def as_json(self) -> Plain:
        """The ruling as ``read --json`` and the pages tell it."""
        told = super().as_json()
        found: Plain = {
            "outcome": self.outcome,
            "cells": told["cells"],
            "p": told["p"],
            "margin": round(self.margin, 4),
            "changed": told["changed"],
            "doubtful": told["doubtful"],
            "questions": told["questions"],
            "against_the_rules": told["against_the_rules"],
            "alternatives": [_alternative_json(self.cells, other) for other in self.alternatives],
        }
        if self.marks is not None:
            found |= {"marks": self.marks, "marked": {**self.marked}}
        return found if self.board is None else found | {"moves": moves_json(self)}


def with_strays(shares: Mapping[int, float], own: Sequence[float] | None, stray: float) -> Shares:
    """A cell's shares mixed with the case that the picture is right and the rules were broken."""
    if own is None:
        return dict(shares)
    seen = cheapest(own)
    mixed = {number: p * (1 - stray) for number, p in shares.items()}
    number = NOTHING if seen is None else seen.number
    mixed[number] = mixed.get(number, 0.0) + stray
    return mixed


def doubts_of(
    cells: Cells, shares: Mapping[int, Shares], enough: float = SURE_ENOUGH
) -> list[Doubt[int, Route]]:
    """The cells in which something else may be than ``cells`` say, the least sure first."""
    sure = {cell: own.get(_number(cells.get(cell)), 0.0) for cell, own in shares.items()}
    unsure = sorted((p, cell) for cell, p in sure.items() if p < enough)
    return [
        Doubt(cell, tuple((MARKS[number], p) for number, p in ranked(shares[cell], WORTH_TELLING)))
        for _, cell in unsure
    ]


def _number(mark: Route | None) -> int:
    return NOTHING if mark is None else mark.number


def ruled(
    cells: Cells,
    p: float,
    before: Cells,
    shares: Mapping[int, Shares],
    alternatives: Iterable[Alternative],
    enough: float = SURE_ENOUGH,
) -> BoardRuling:
    """A legal position as a ruling; cells less sure than ``enough`` are asked about."""
    ruling = BoardRuling.ruled(cells, p, before, doubts_of(cells, shares, enough))
    return replace(ruling, alternatives=tuple(alternatives))


def refused(cells: Cells, before: Cells, against: Sequence[str], costs: Costs) -> BoardRuling:
    """What the picture shows, with what is against the rules about it."""
    shares = {cell: _as_seen(own) for cell, own in enumerate(costs) if own is not None}
    return BoardRuling.refused(cells, before, against, doubts_of(cells, shares))


def _as_seen(own: Sequence[float]) -> Shares:
    weights = {number: exp(-cost) for number, cost in enumerate(own)}
    total = sum(weights.values())
    return {number: weight / total for number, weight in weights.items()}


def moves_json(ruling: BoardRuling) -> list[Plain]:
    """The round's drawings in an order the rules allow, as ``check`` and the table understand them."""
    if ruling.moves is not None:
        return list(ruling.moves)
    drawings = ruling.board.drawings if ruling.board is not None else ()
    new = {GRID.names[cell] for cell in ruling.changed}
    return [
        {"round": drawing.round, "cell": drawing.cell, "route": drawing.route, "from": drawing.source}
        for drawing in drawings
        if drawing.cell in new
    ]


def _alternative_json(cells: Cells, other: Alternative) -> Plain:
    """Only what is different."""
    differing = changed_slots(cells, other.cells)
    marks = {GRID.names[cell]: mark_text(other.cells.get(cell)) or None for cell in differing}
    return {"p": round(other.p, 4), "cells": marks}
