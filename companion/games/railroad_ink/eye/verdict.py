"""What a ruling consists of, and how sure it is of each cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal, TypeAlias

from companion.games.contract import Plain
from companion.games.railroad_ink.eye.looks import MARKS, NOTHING, Costs, cheapest, mark_text
from companion.games.railroad_ink.rules.board import Board
from companion.games.railroad_ink.rules.position import print_cells
from companion.games.railroad_ink.rules.routes import Cells, Route
from companion.games.railroad_ink.rules.rulebook import GRID

Outcome: TypeAlias = Literal["accepted", "ask", "refused"]
Shares: TypeAlias = dict[int, float]  # by the number of the mark: how probable it is in one cell

# How much less probable than the picture itself a legal position may be, in nats: beyond that it is likelier
# that somebody broke a rule than that the picture was misread so badly.
REACH = 10.0
SURE = 0.995  # a cell that is less sure than this is asked about
WORTH_TELLING = 0.002
_MOST_OPTIONS = 5


@dataclass(frozen=True)
class Doubt:
    """A cell to ask about, and what may be in it, the most probable first; ``None`` is the empty cell."""

    cell: int
    options: tuple[tuple[Route | None, float], ...]


@dataclass(frozen=True)
class Alternative:
    """Another legal position, and how probable it is."""

    cells: Cells
    p: float


@dataclass(frozen=True)
class Ruling:
    """What the rules make of a picture. ``board`` tells the order and the sources where they are known."""

    outcome: Outcome
    cells: Cells
    p: float = 0.0
    changed: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    against: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    board: Board | None = None

    @property
    def doubtful(self) -> tuple[int, ...]:
        """The cells to ask about, the least sure first."""
        return tuple(doubt.cell for doubt in self.doubts)

    @property
    def margin(self) -> float:
        """How much more probable the position is than the next one."""
        return self.p - max((other.p for other in self.alternatives), default=0.0)


def stray_share(evidence: float) -> float:
    """How probable it is that a rule was broken, when the best legal position costs so much.

    >>> round(stray_share(0), 5), stray_share(REACH)
    (5e-05, 0.5)
    """
    return 1 / (1 + exp(min(REACH - evidence, 500.0)))


def with_strays(shares: Mapping[int, float], own: Sequence[float] | None, stray: float) -> Shares:
    """A cell's shares with the chance that the picture is right and the rules were broken."""
    if own is None:
        return dict(shares)
    seen = cheapest(own)
    mixed = {number: p * (1 - stray) for number, p in shares.items()}
    number = NOTHING if seen is None else seen.number
    mixed[number] = mixed.get(number, 0.0) + stray
    return mixed


def doubts_of(cells: Cells, shares: Mapping[int, Shares]) -> tuple[Doubt, ...]:
    """The cells in which something else may be than ``cells`` say, the least sure first."""
    doubts = [
        (own.get(_number(cells.get(cell)), 0.0), Doubt(cell, _ranked(own))) for cell, own in shares.items()
    ]
    unsure = [(p, doubt) for p, doubt in doubts if p < SURE]
    return tuple(doubt for _, doubt in sorted(unsure, key=lambda pair: (pair[0], pair[1].cell)))


def _number(mark: Route | None) -> int:
    return NOTHING if mark is None else mark.number


def _ranked(shares: Shares) -> tuple[tuple[Route | None, float], ...]:
    ranked = sorted(shares.items(), key=lambda pair: -pair[1])[:_MOST_OPTIONS]
    return tuple((MARKS[number], p) for number, p in ranked if p >= WORTH_TELLING)


def ruled(
    cells: Cells, p: float, before: Cells, shares: Mapping[int, Shares], alternatives: Iterable[Alternative]
) -> Ruling:
    """A legal position as a ruling."""
    doubts = doubts_of(cells, shares)
    return Ruling(
        outcome="ask" if doubts else "accepted",
        cells=cells,
        p=p,
        changed=changed_cells(before, cells),
        doubts=doubts,
        alternatives=tuple(alternatives),
    )


def refused(cells: Cells, before: Cells, against: Sequence[str], costs: Costs) -> Ruling:
    """What the picture shows, with what is against the rules about it."""
    shares = {cell: _as_seen(own) for cell, own in enumerate(costs) if own is not None}
    return Ruling(
        outcome="refused",
        cells=cells,
        changed=changed_cells(before, cells),
        doubts=doubts_of(cells, shares),
        against=tuple(against),
    )


def refused_outright(sentence: str) -> Ruling:
    """A ruling on nothing: what was asked makes no sense with these rules."""
    return Ruling("refused", {}, against=(sentence,))


def _as_seen(own: Sequence[float]) -> Shares:
    weights = {number: exp(-cost) for number, cost in enumerate(own)}
    total = sum(weights.values())
    return {number: weight / total for number, weight in weights.items()}


def changed_cells(before: Cells, after: Cells) -> tuple[int, ...]:
    """The cells that are not as they were."""
    return tuple(cell for cell in range(GRID.size) if before.get(cell) != after.get(cell))


# --- as JSON ---


def ruling_json(ruling: Ruling) -> Plain:
    """The ruling as ``read --json`` and the pages tell it."""
    found: Plain = {
        "outcome": ruling.outcome,
        "cells": print_cells(dict(sorted(ruling.cells.items()))),
        "p": round(ruling.p, 4),
        "margin": round(ruling.margin, 4),
        "changed": _names(ruling.changed),
        "doubtful": _names(ruling.doubtful),
        "questions": {GRID.names[doubt.cell]: _options_json(doubt) for doubt in ruling.doubts},
        "against_the_rules": list(ruling.against),
        "alternatives": [_alternative_json(ruling.cells, other) for other in ruling.alternatives],
    }
    if ruling.board is not None:
        found["moves"] = moves_json(ruling)
    return found


def moves_json(ruling: Ruling) -> list[Plain]:
    """The round's drawings in an order the rules allow, as ``check`` and the table understand them."""
    drawings = ruling.board.drawings if ruling.board is not None else ()
    new = {GRID.names[cell] for cell in ruling.changed}
    return [
        {"round": drawing.round, "cell": drawing.cell, "route": drawing.route, "from": drawing.source}
        for drawing in drawings
        if drawing.cell in new
    ]


def _names(cells: Iterable[int]) -> list[str]:
    return [GRID.names[cell] for cell in cells]


def _options_json(doubt: Doubt) -> list[list[str | float | None]]:
    return [[mark_text(mark) or None, round(p, 4)] for mark, p in doubt.options]


def _alternative_json(cells: Cells, other: Alternative) -> Plain:
    """Only what is different."""
    differing = changed_cells(cells, other.cells)
    marks = {GRID.names[cell]: mark_text(other.cells.get(cell)) or None for cell in differing}
    return {"p": round(other.p, 4), "cells": marks}
