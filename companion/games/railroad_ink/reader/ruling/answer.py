"""The ruling on a board: its position, the certainty of each cell, and the rules that it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import TypeAlias

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Refusal
from companion.games.railroad_ink.reader.labels import LABELS, label_text, number_of
from companion.games.railroad_ink.reader.ruling.likelihood import Nlls, cells_as_seen, likeliest
from companion.games.railroad_ink.reader.ruling.probabilities import mark_slot
from companion.games.railroad_ink.rules.boards.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.boards.difference import explain_turn, ink_remarks
from companion.games.railroad_ink.rules.boards.placement import loose_remarks
from companion.games.railroad_ink.rules.boards.position import print_cells, refuse_meeting_types
from companion.games.railroad_ink.rules.boards.routes import Cells, Route
from companion.games.railroad_ink.rules.boards.specials import specials_reasons
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.match.turn import try_done
from companion.games.railroad_ink.rules.rulebook import GRID, Edition
from companion.reading.evidence import Doubt, Questions, Ruling, changed_slots, ranked

Shares: TypeAlias = dict[int, float]  # by the number of the label: how probable it is in one cell

SURE_ENOUGH = 0.99  # a ruled cell whose label is less probable than this is asked about
WORTH_TELLING = 0.002
# Of 49 cells, not counting those about which the position before tells; nobody is asked about more, either:
# another photograph is less trouble, and surer.
MOST_UNSEEN = 16
UNCLEAR = m("too much of the picture is unclear: take it again, closer, sharper or with more light")
_MOST_REASONS = 5


@dataclass(frozen=True)
class Alternative:
    """Another legal position and its probability."""

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
    moves: tuple[JsonObject, ...] = ()
    others: tuple[BoardRuling, ...] = ()  # as likely ways to use an expansion's dice
    rest: Doubt[str, str] | None = None  # the one question that is asked about all that is left of a round
    signs: tuple[str, ...] = ()  # cells that are asked about because they may hold a sign that is not read

    @property
    def margin(self) -> float:
        """The ratio of the position's probability to that of the next best."""
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
        """The questions on cells, then on marks if these are read; or on what is left of the round."""
        if self.rest is not None:
            return {self.rest.slot: self.rest.named}
        return {**super().questions, **{doubt.slot: doubt.named for doubt in self._asked_marks}}

    @property
    def _asked_marks(self) -> tuple[Doubt[str, str], ...]:
        return () if self.marks is None else self.mark_doubts

    def as_json(self) -> JsonObject:
        """The ruling as ``read --json`` and the pages tell it."""
        told = super().as_json()
        found: JsonObject = {
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
        return found if self.board is None else found | {"moves": list(self.moves)}


def with_strays(shares: Mapping[int, float], own: Sequence[float] | None, stray: float) -> Shares:
    """A cell's shares mixed with the case that the picture is right and the rules were broken."""
    if own is None:
        return dict(shares)
    number = number_of(likeliest(own))
    mixed = {number: p * (1 - stray) for number, p in shares.items()}
    mixed[number] = mixed.get(number, 0.0) + stray
    return mixed


def doubts_of(
    cells: Cells, shares: Mapping[int, Shares], enough: float = SURE_ENOUGH
) -> list[Doubt[int, Route]]:
    """Questions about cells that may differ from ``cells``, the least certain first."""
    sure = {cell: own.get(number_of(cells.get(cell)), 0.0) for cell, own in shares.items()}
    unsure = sorted((p, cell) for cell, p in sure.items() if p < enough)
    return [
        Doubt(cell, tuple((LABELS[number], p) for number, p in ranked(shares[cell], WORTH_TELLING)))
        for _, cell in unsure
    ]


def ruled(
    cells: Cells,
    p: float,
    before: Cells,
    shares: Mapping[int, Shares],
    alternatives: Iterable[Alternative],
    enough: float = SURE_ENOUGH,
) -> BoardRuling:
    """Turn a legal position into a ruling; cells less certain than ``enough`` become questions."""
    ruling = BoardRuling.ruled(cells, p, before, doubts_of(cells, shares, enough))
    return replace(ruling, alternatives=tuple(alternatives))


def with_marks(
    ruling: BoardRuling,
    marks: Marks,
    before: Marks,
    shares: Mapping[str, Mapping[str, float]],
    enough: float = SURE_ENOUGH,
) -> BoardRuling:
    """A ruling on routes with the marks, and doubts where one is not sure enough."""
    doubts = [
        Doubt(mark_slot(place), ranked({text or None: p for text, p in own.items()}, WORTH_TELLING))
        for place, own in shares.items()
        if own and own.get(marks.get(place, ""), 0.0) < enough
    ]
    changed = [place for place in {**before, **marks} if before.get(place) != marks.get(place)]
    return replace(
        ruling,
        outcome="ask" if doubts and ruling.outcome == "accepted" else ruling.outcome,
        marks=marks,
        marked={mark_slot(place): marks.get(place, "") for place in sorted(changed) if place in shares},
        mark_doubts=tuple(doubts),
    )


def refused(cells: Cells, before: Cells, against: Sequence[str], nlls: Nlls) -> BoardRuling:
    """Refuse what the picture shows, with the rules it breaks."""
    shares = {cell: _as_seen(own) for cell, own in enumerate(nlls) if own is not None}
    return BoardRuling.refused(cells, before, against, doubts_of(cells, shares))


def refused_as_seen(before: Cells, against: Sequence[str], nlls: Nlls) -> BoardRuling:
    """Refuse with only what the picture shows by itself, adding nothing by the rules."""
    return refused(cells_as_seen(nlls, before), before, against, nlls)


def unless_unclear(ruling: BoardRuling, nlls: Nlls, before: Cells) -> BoardRuling:
    """The ruling, or a refusal asking for another photograph if it has too many questions."""
    return ruling if len(ruling.doubts) <= MOST_UNSEEN else refused_as_seen(before, [UNCLEAR], nlls)


def _as_seen(own: Sequence[float]) -> Shares:
    weights = [exp(-nll) for nll in own]
    total = sum(weights)
    return {number: weight / total for number, weight in enumerate(weights)}


def _alternative_json(cells: Cells, other: Alternative) -> JsonObject:
    """An alternative with only its differences."""
    differing = changed_slots(cells, other.cells)
    marks = {GRID.names[cell]: label_text(other.cells.get(cell)) or None for cell in differing}
    return {"p": round(other.p, 4), "cells": marks}


# --- what is against the rules, in the sentences of somebody who knows them ---


def turn_reasons(rules: Rules, board: Board, roll: Roll, after: Cells, finished: bool) -> list[str]:
    """Everything that is wrong with a round: earlier ink first, then drawing by drawing, then dice left."""
    before = board.cells()
    found = ink_remarks(before, after)
    left = {**after, **before}
    while len(found) < _MOST_REASONS:
        answer = explain_turn(rules, board, roll, left)
        if isinstance(answer, Board):
            die = None if found or not finished else try_done(rules, answer, roll)
            return [die.message] if isinstance(die, Refusal) else found
        found.append(answer.message)
        cell = answer.detail.get("cell")
        if cell is None:
            break
        del left[GRID.cell(cell)]
    return found


def board_reasons(cells: Cells, edition: Edition, walls: Walls) -> list[str]:
    """Everything that is wrong with a board about which nothing else is known."""
    found = loose_remarks(cells, walls) + specials_reasons(cells, edition)
    try:
        refuse_meeting_types(cells, walls)
    except NotationError as problem:
        return [problem.message, *found]
    return found
