"""Random matches of every expansion: what is offered is accepted, and the score is counted a second time."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.game.base import Action, NoChance, Refusal
from companion.games.railroad_ink.rules.boards.position import read_position
from companion.games.railroad_ink.rules.boards.remarks import position_remarks
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import position_of
from companion.games.railroad_ink.rules.scoring.scores import score
from lab.railroad_ink.expansion_play import (
    boards_of,
    fast_points,
    faults_of,
    main,
    number_of,
    random_match,
    slow_points,
    told,
)
from lab.railroad_ink.slow_stars import COUNTED

GAME = RailroadInk()


@pytest.mark.parametrize("name", TABLES)
def test_a_random_match_is_legal_throughout_and_counted_the_same_slowly(name: str) -> None:
    for state, fact in random_match(name, Random(f"{name} 1"), seats=2):
        assert fact is None or GAME.decide(state, fact, NoChance()) == fact
        assert GAME.faults(state) == []
    assert state.finished
    assert state.round == state.options.all_rounds
    for seat in state.boards:
        counted, board = score(position_of(state, seat)), told(state, seat)
        assert fast_points(state, seat) == slow_points(state, seat)
        position = {"cells": board.cells, "expansion": {"name": name, "marks": board.marks}}
        assert score(read_position(position)).expansion == counted.expansion
        assert position_remarks(read_position(position)) == []


# Matches of the bench on larger boards: the games on boards of their own, and some of several expansions.
SIZED = {number_of(number)[0]: number for number in range(150) if "size" in number_of(number)[2]}
OWN_BOARDS = [number for name, number in SIZED.items() if name in TABLES and TABLES[name].own_board]
LARGE = [*OWN_BOARDS, *[number for name, number in SIZED.items() if "+" in name][:4]]


@pytest.mark.parametrize("number", LARGE)
def test_matches_on_larger_boards_with_several_expansions_are_verified_and_counted_slowly(
    number: int,
) -> None:
    name, _, options = number_of(number)
    assert options["size"] in ("giant", "epic")
    counted = Counter[str]()
    assert faults_of(number, counted, boards=20) == []
    assert counted.total() >= 10, name


def test_an_expansion_that_nobody_counts_a_second_time_says_where_to_add_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert {*COUNTED} == {*TABLES}
    monkeypatch.delitem(COUNTED, "lake")
    with pytest.raises(LookupError, match="add lake to COUNTED"):
        boards_of("lake", 1)


def test_boards_alone_are_counted_twice_too() -> None:
    counted, differing = boards_of("lake", 20)
    assert counted >= 20
    assert differing == 0


def test_the_bench_says_what_it_saw_and_fails_where_points_differ(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = ["1", "--first", "12", "--boards", "4"]
    assert main(one) == 0
    assert "airline: 4 boards counted twice" in capsys.readouterr().out
    monkeypatch.setitem(COUNTED, "airline", lambda _: 99)
    assert main(one) == 1


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
