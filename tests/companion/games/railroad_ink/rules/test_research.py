"""Research Labs of a solo board: points are spent, after a roll, to roll any dice again."""

from __future__ import annotations

import pytest

from companion.core.errors import NotationError
from companion.game.base import Action, MatchRequest, NoChance, Refusal
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.research import points_left
from companion.games.railroad_ink.rules.match.state import State
from companion.table.chance import SeededChance

GAME = RailroadInk()
FACES = ["NS", "ne", "N*", "NS|ew"]


def begun(labs: str = "b1 d1", seats: int = 1) -> State:
    data = GAME.setup(MatchRequest(seats, "umpire", {"labs": labs, "goals": "none"}), SeededChance(1))
    assert not isinstance(data, Refusal), data
    assert GAME.setup_fault(data, MatchRequest(seats)) is None
    return GAME.start(data)


def done(state: State, kind: str, **data: object) -> State:
    fact = GAME.decide(state, Action(kind, 1, data), SeededChance(3))
    assert not isinstance(fact, Refusal), fact
    assert GAME.decide(state, fact, NoChance()) == fact
    return GAME.apply(state, fact)


def refused(state: State, **data: object) -> str:
    answer = GAME.decide(state, Action("reroll", 1, data), NoChance())
    assert isinstance(answer, Refusal)
    return answer.code


def test_any_dice_are_rolled_again_for_a_point_three_times() -> None:
    state = done(begun(), "roll", faces=FACES)
    assert points_left(state) == 3
    state = done(state, "reroll", dice=[2, 4], faces=["nes", "NES"])
    assert state.dice == ("NS", "nes", "N*", "NES")
    state = done(done(state, "reroll", dice=[1]), "reroll", dice=[1, 2, 3, 4])
    assert points_left(state) == 0
    assert refused(state, dice=[1]) == "no-research"
    assert not GAME.faults(state)


def test_a_lab_that_is_drawn_on_brings_a_point() -> None:
    state = done(done(begun(), "roll", faces=FACES), "draw", cell="b1", route="NS")
    assert points_left(state) == 4
    assert refused(state, dice=[1]) == "no-research", "something is drawn"


def test_only_faces_that_these_dice_can_show() -> None:
    state = done(begun(), "roll", faces=FACES)
    assert refused(state, dice=[1], faces=["N*"]) == "impossible-roll"
    assert refused(state, dice=[]) == "bad-action"
    assert refused(state, dice=[5]) == "bad-action"
    assert refused(state, dice=[1, 2], faces=["NS"]) == "bad-action"


def test_without_labs_there_is_no_research_and_nothing_new_is_stored() -> None:
    state = done(begun("none"), "roll", faces=FACES)
    assert refused(state, dice=[1]) == "no-research"
    assert all(action.kind != "reroll" for action in GAME.legal(state, 1))
    data = GAME.setup(MatchRequest(1), SeededChance(1))
    assert not isinstance(data, Refusal)
    assert "labs" not in data["options"]


def test_labs_are_cells_of_a_solo_board() -> None:
    answer = GAME.setup(MatchRequest(2, "umpire", {"labs": "b3"}), SeededChance(1))
    assert isinstance(answer, Refusal)
    assert "solo" in answer.message
    with pytest.raises(NotationError, match="z9"):
        GAME.setup(MatchRequest(1, "umpire", {"labs": "z9"}), SeededChance(1))
