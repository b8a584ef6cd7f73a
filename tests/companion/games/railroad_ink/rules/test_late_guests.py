"""Who comes late draws the rounds so far, with the dice that were thrown in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.core.records import replaced
from companion.game.base import Action, Fact, NoChance, Refusal
from companion.game.bots import any_action
from companion.games.railroad_ink.bot.player import RailroadInkBot
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.results import goal_points
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.ui.controls import controls
from companion.games.railroad_ink.ui.presenter import RailroadInkPresenter
from companion.table.chance import SeededChance
from tests.companion.games.railroad_ink.rules.test_game import begun, goal_round, refusal, with_corners

GAME = RailroadInk()


def played_round(state: State, *seats: int) -> State:
    """The dice are thrown, and these seats draw something until they may stop."""
    if GAME.dice(state):
        roll = GAME.decide(state, Action("roll"), SeededChance(state.round))
        assert not isinstance(roll, Refusal)
        state = GAME.apply(state, roll)
    for seat in seats:
        state = drawn(state, seat)
    return state


def drawn(state: State, seat: int) -> State:
    """The seat draws anything that fits until its round is over."""
    kind, chance = "", SeededChance(seat)
    while kind != "done":
        action = any_action(GAME, state, seat, chance)
        assert action is not None
        fact = GAME.decide(state, action, NoChance())
        assert not isinstance(fact, Refusal), fact
        state, kind = GAME.apply(state, fact), fact.kind
        assert GAME.faults(state) == []
    return state


def in_round(number: int) -> State:
    state = begun()
    for _ in range(number - 1):
        state = played_round(state, 1, 2)
    return state


def test_the_dice_of_the_first_round_lie_before_a_late_guest() -> None:
    state = played_round(in_round(3))
    state = GAME.admit(state, 3)
    first = state.thrown[0]
    assert first != state.dice
    assert GAME.view(state, 3)["dice"] == list(first)
    assert GAME.view(state, 1)["dice"] == list(state.dice)
    assert (GAME.view(state, 3)["round"], GAME.view(state, 1)["round"]) == (1, 3)
    assert GAME.view(state, None)["behind"] == {"3": 1}
    foreign = next(face for face in state.dice if face not in first)
    assert refusal(state, "draw", 3, cell="b1", route=foreign).code == "not-rolled"
    (row,) = (one for one in GAME.score(state) if one["seat"] == 3)
    assert row["so_far"]["note"].startswith("catching up, round 1")


def test_nobody_waits_for_a_late_guest_until_the_last_round() -> None:
    state = GAME.admit(in_round(3), 3)
    for number in range(3, 7):
        assert state.awaited == [1, 2]
        state = played_round(state, 1, 2)
        assert (state.round, state.behind) == (number + 1, {3: 1})
    state = played_round(state, 1, 2)
    assert (state.finished, state.awaited) == (False, [3])
    for number in range(1, 7):
        assert state.behind == {3: number}
        state = drawn(state, 3)
    assert (state.behind, state.caught_up) == ({}, {3: 7})
    assert drawn(state, 3).finished


def test_who_has_caught_up_plays_on_with_everybody() -> None:
    state = drawn(drawn(GAME.admit(in_round(3), 3), 3), 3)
    assert {drawing.round for drawing in state.boards[3].drawings} == {1, 2}
    assert (state.behind, state.caught_up) == ({}, {3: 3})
    assert played_round(state, 1, 2).round == 3, "now it is waited for"
    assert played_round(state, 3, 1, 2).round == 4


def test_goals_take_nothing_from_those_who_were_there() -> None:
    state = goal_round(with_corners(replaced(begun(seats=2, goals=["D"]), round=2), 1))
    state = with_corners(GAME.admit(replaced(state, round=1), 3), 3)
    late = replaced(state, round=4, caught_up={3: 4})
    assert goal_points(goal_round(late)) == {"D": {1: 4, 3: 2}}
    assert goal_points(goal_round(replaced(late, caught_up={}))) == {"D": {1: 2, 3: 4}}
    assert goal_points(goal_round(replaced(late, behind={3: 1}))) == {"D": {1: 4}}


@pytest.mark.parametrize(
    "changed",
    [
        lambda state: replaced(state, round=7),
        lambda state: replaced(state, options=replaced(state.options, expansion="rainbow")),
    ],
)
def test_it_is_too_late_where_everybody_would_wait_and_where_dice_write_on_other_boards(
    changed: Callable[[State], State],
) -> None:
    state = in_round(2)
    assert GAME.admit_fault(state) is None
    fault = GAME.admit_fault(changed(state))
    assert fault is not None
    assert fault.code == "too-late"


def test_a_late_guest_photographs_a_round_that_it_missed() -> None:
    state = GAME.admit(replaced(in_round(2), thrown=(("NS", "ns", "NS", "Ns*"),)), 3)
    moves = [{"cell": "b1", "route": "NS"}, {"cell": "d1", "route": "ns"}]
    turn = GAME.decide(state, Action("turn", 3, {"moves": moves}), NoChance())
    assert isinstance(turn, Fact)
    after = GAME.apply(state, turn)
    assert {one.round for one in after.boards[3].drawings} == {1}
    assert after.boards[1] == state.boards[1]
    assert after.round == 2


def test_who_left_in_between_goes_on_where_it_was() -> None:
    state = drawn(GAME.admit(in_round(4), 3), 3)
    state = GAME.leave(state, 3)
    assert GAME.legal(state, 3) == []
    state = GAME.come_back(played_round(state, 1, 2), 3)
    assert state.behind == {3: 2}
    assert GAME.legal(state, 3)


def test_a_bot_draws_for_a_late_guest_and_the_coach_tells_of_that_round() -> None:
    state = begun(edition="classic", bots="child")
    for _ in range(2):
        state = played_round(state, 1, 2)
    state = GAME.admit(state, 3)
    bot = RailroadInkBot()
    while state.behind == {3: 1}:
        before, action = state, bot.decide(state, 3, NoChance())
        assert action is not None
        fact = GAME.decide(state, action, NoChance())
        assert not isinstance(fact, Refusal), fact
        state = GAME.apply(state, fact)
    assert {one.round for one in state.boards[3].drawings} == {1}
    told = bot.instead(before, 3, [{"cell": "b1", "route": "NS", "from": "die"}])
    assert [(one.cell, one.round) for one in told.boards[3].drawings] == [("b1", 1)]


def test_pages_show_a_late_guest_its_round_and_everybody_who_is_behind() -> None:
    presenter, names = RailroadInkPresenter(), {1: "Ann", 2: "Bo", 3: "Cy"}
    state = played_round(GAME.admit(in_round(4), 3))
    late, other = GAME.view(state, 3), GAME.view(state, 1)
    assert presenter.headline(late) == "Round 1 of 7"
    assert presenter.status(late, names) == "Catching up: the others are in round 4"
    assert presenter.status(other, names) == "Drawing: Ann and Bo"
    assert presenter.awaited(other) == [1, 2]
    assert controls(state, 3).told["round"] == 1
    assert GAME.catches_up(state, 3)
    assert not GAME.catches_up(state, 1)
