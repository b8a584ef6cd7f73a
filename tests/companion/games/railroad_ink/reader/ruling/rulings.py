"""Rulings as tests ask for them."""

from __future__ import annotations

from typing import Any

from companion.games.railroad_ink.reader.ruling.answer import BoardRuling
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.rules.boards.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import EDITION, Edition
from companion.reading.evidence import Looks


def rule_board(
    routes: Looks, edition: Edition = EDITION["challenge"], walls: Walls = NO_WALLS
) -> BoardRuling:
    """A board about which nothing else is known."""
    return rule(BoardContext(Rules(edition, walls)), SlotProbabilities(routes))


def rule_turn(
    routes: Looks, rules: Rules, board: Board, roll: Roll, *, finished: bool = True, **seen: Any
) -> BoardRuling:
    """One round more on a board that is known; ``seen`` is what else the picture shows."""
    return rule(BoardContext(rules, board, roll, finished=finished), SlotProbabilities(routes, **seen))


def rule_round(slots: SlotProbabilities, state: State, board: Board, *, finished: bool = True) -> BoardRuling:
    """One round more of a match on another board, with its dice and those of its expansion."""
    return rule(BoardContext(state.rules, board, state.roll, state.extra, finished), slots)
