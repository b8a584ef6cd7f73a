"""Searches for the legal rounds on a known board that explain a picture, best first.

Every way to use the expansion's dice is tried (:mod:`.dice_uses`; without an expansion there is one). With
each, :mod:`.turn_search` finds the round's routes as if its moves had been made first; then an order of all
moves is looked for in which the rules allow every one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.games.railroad_ink.reader.labels import LABELS, label_text
from companion.games.railroad_ink.reader.ruling.bookkeeping import Bookkeeping
from companion.games.railroad_ink.reader.ruling.dice_uses import (
    ReadSigns,
    Use,
    crossed_for,
    settled_classes,
    unread_uses,
)
from companion.games.railroad_ink.reader.ruling.handwriting import adapted
from companion.games.railroad_ink.reader.ruling.likelihood import Likelihood, nll_of
from companion.games.railroad_ink.reader.ruling.order import Move, Round, in_order
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.turn_search import Turn, Turns, legal_turns
from companion.games.railroad_ink.rules.boards.board import Board, Rules
from companion.games.railroad_ink.rules.boards.routes import ROUTES
from companion.games.railroad_ink.rules.expansions.frame import fences
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.playing import position_on
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import EMPTY, MAX_NLL, Looks

_MOST_USES = 16  # that routes are searched for
# A route drawn earlier that seems gone under a veil of light: so probably the picture tells nothing about it.
# It is asked about then, and no reason to refuse the round.
_VEILED = 0.05


class RoundSearch:
    """The search for rounds that explain a picture, given what is known of the round."""

    def __init__(self, round_: Round, slots: SlotProbabilities) -> None:
        self.round, self.board = round_, round_.board
        self.cells, self.marks = self.board.cells(), round_.position.marks
        self._bookkeeping = Bookkeeping(round_.rules, self.board, slots)
        known = settled_classes(round_) if slots.expansion else {}
        plain = {cell: route for cell, route in self.cells.items() if GRID.names[cell] not in self.marks}
        slots = replace(slots, routes=self._looked_at(slots))
        self.likelihood = Likelihood(adapted(slots, plain, known), known)
        self.signs = ReadSigns(round_, self.likelihood, known) if slots.expansion else None

    def _looked_at(self, slots: SlotProbabilities) -> Looks:
        """The probabilities of routes as far as they say something, with what is known of the board."""
        looks = dict(slots.routes)
        for cell, route in self.cells.items():
            name = GRID.names[cell]
            look = looks.get(name)
            if route.text not in ROUTES:  # only an expansion draws it: of such ink the reader says nothing
                looks[name] = None
            # Where somebody said that it is empty there is one label.
            elif name in slots.veiled and look and len(look) > 1 and max(look, key=look.__getitem__) == EMPTY:
                looks[name] = under_light(look)
        if not slots.expansion:
            filled = (cell for cell in self.round.position.filled if cell not in self.cells)
            looks |= {GRID.names[cell]: {EMPTY: 1.0} for cell in filled}
        return looks

    def altered(self, board: Board, marks: Marks) -> set[int]:
        """Cells whose earlier route stays by the rules, but where the picture clearly shows another."""
        nlls, cells = self.likelihood.routes_beside(marks, self.cells), board.cells()
        return {cell for cell in self.cells if cell in cells and nll_of(nlls[cell], cells[cell]) > MAX_NLL}

    def found(self) -> list[tuple[Use, Turns]]:
        """Uses of the expansion's dice with the legal rounds in which they are made.

        Where its signs are read there is one answer for all uses together: their slots say which is likelier.
        """
        if self.signs is None:
            uses = unread_uses(self.round, self.likelihood)
            return [(use, self._rounds(use)) for use in uses]
        if self.signs.altered():
            return []
        uses = self.signs.uses()
        each = [self._rounds(use) for use in uses[:_MOST_USES]]
        rounds = _distinct(turn for some in each for turn in some.found)
        complete = len(uses) <= _MOST_USES and all(some.complete for some in each)
        return [(uses[0], Turns(rounds, complete))] if uses else []

    def rules_after(self, use: Use) -> Rules:
        """The rules for the routes of the other dice: none can be drawn where a sign takes up a space."""
        position = position_on(self.round.rules, use.board)
        return replace(self.round.rules, walls=self.round.rules.walls | fences(position))

    def _rounds(self, use: Use) -> Turns:
        """The legal rounds that contain these moves."""
        if self.altered(use.board, use.marks):
            return Turns((), True)
        nlls = self.likelihood.routes_beside(use.marks, use.board.cells())
        finished = self.round.finished
        turns = legal_turns(self.rules_after(use), use.board, self.round.roll, nlls, finished)
        rounds = []
        for turn in turns.found:
            moves = (*use.moves, *turn.board.drawings[len(use.board.drawings) :])
            ordered: tuple[Board, tuple[Move, ...]] | None = (turn.board, moves)
            if self.signs is not None or use.moves:  # signs that are not read are entered afterwards
                ordered = in_order(self.round, moves, settled=finished and self.signs is not None)
            if ordered is not None:
                board, moves = ordered
                total = use.nll + use.surprise + turn.total + self._bookkeeping.nll(board)
                rounds.append(Turn(board, use.nll + turn.nll, total, moves, use.marks))
        return Turns(tuple(sorted(rounds, key=lambda turn: turn.total)), turns.complete)


def _distinct(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The cheapest way to each outcome, most likely first: equal dice are interchangeable."""
    found: dict[object, Turn] = {}
    for turn in sorted(turns, key=lambda turn: turn.total):
        drawn = frozenset(turn.board.cells().items()), frozenset(turn.marks.items())
        found.setdefault((*drawn, crossed_for(turn.moves)), turn)
    return tuple(found.values())


def under_light(look: Mapping[str, float]) -> dict[str, float]:
    """Treat earlier ink that seems gone under a veil of light as hidden.

    >>> round(under_light({"": 1.0, "NS": 0.0})["NS"], 4)
    0.0007
    """
    told, share = (1 - _VEILED) / sum(look.values()), _VEILED / len(LABELS)
    return {text: share + told * look.get(text, 0.0) for text in map(label_text, LABELS)}
