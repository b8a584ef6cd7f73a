"""Random matches of every expansion: what is offered is accepted, and the score is counted a second time."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.contract import Action, NoChance, Refusal
from companion.games.railroad_ink.rules.expansions.playing import marks_on
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.game import RailroadInk
from companion.games.railroad_ink.rules.position import print_cells, read_position
from companion.games.railroad_ink.rules.scoring import score
from companion.games.railroad_ink.rules.state import State, position_of
from lab.railroad_ink.expansion_play import random_match

from .slow import COUNTED, Texts

GAME = RailroadInk()


def texts(state: State, seat: int) -> tuple[Texts, Texts]:
    board = state.boards[seat]
    return print_cells(board.cells()), marks_on(state.options.known, board)


@pytest.mark.parametrize("name", TABLES)
def test_a_random_match_is_legal_throughout_and_counted_the_same_slowly(name: str) -> None:
    for state, fact in random_match(name, Random(f"{name} 1"), seats=2):
        assert fact is None or GAME.decide(state, fact, NoChance()) == fact
        assert GAME.faults(state) == []
    assert state.finished
    assert state.round == state.options.all_rounds
    for seat in state.boards:
        cells, marks = texts(state, seat)
        counted = score(position_of(state, seat))
        if name in COUNTED:
            assert counted.expansion == COUNTED[name](cells, marks)
        told = {"cells": cells, "expansion": {"name": name, "marks": marks}}
        assert score(read_position(told)).expansion == counted.expansion


@pytest.mark.parametrize("name", TABLES)
def test_what_is_not_offered_is_refused_with_a_sentence(name: str) -> None:
    random = Random(f"{name} 2")
    for state, _ in random_match(name, random, seats=1):
        if state.finished or not state.lies:
            continue
        offered = [one.data for one in GAME.legal(state, 1) if one.kind == "place"]
        for data in offered[:1]:
            for changed in ({**data, "uses": ["none"]}, {**data, "marks": {"a1": "nonsense"}}):
                answer = GAME.decide(state, Action("place", 1, changed), NoChance())
                assert isinstance(answer, Refusal)
                assert answer.message
        if state.round > 2:
            break
