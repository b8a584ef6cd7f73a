"""What goals are worth: 4, 2, 1 among several, deadlines alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.games.railroad_ink.rules.match.race import (
    race_points,
    shared_points,
    solo_deadlines,
    value_in_round,
)
from companion.games.railroad_ink.rules.rulebook import GOAL_RACE


def test_score_the_highest_remaining_value_for_that_goal() -> None:
    assert shared_points({1: 2, 2: 4, 3: 6}) == {1: 4, 2: 2, 3: 1}


def test_marking_the_scored_value_reduces_future_rewards() -> None:
    assert value_in_round([], 5) == 4
    assert value_in_round([2], 5) == 2
    assert value_in_round([2, 3], 5) == 1


def test_multiple_players_can_score_the_same_goal_in_the_same_round() -> None:
    assert shared_points({1: 2, 2: 2, 3: 4, 4: 4}) == {1: 4, 2: 4, 3: 2, 4: 2}


def test_the_last_value_never_runs_out() -> None:
    assert shared_points({seat: seat for seat in range(1, 7)}) == {1: 4, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1}


def test_each_goal_is_a_race_of_its_own() -> None:
    achieved = {"C": {1: 3, 2: 5}, "F": {2: 5}}
    assert race_points(["C", "F", "K"], achieved, solo=False) == {"C": {1: 4, 2: 2}, "F": {2: 4}, "K": {}}


def test_solo_deadlines_follow_the_order_of_drawing() -> None:
    assert solo_deadlines(["K", "A", "F"]) == {"K": 3, "A": 4, "F": 5}


def test_solo_goals_are_worth_four_in_time_and_one_later() -> None:
    achieved = {"K": {1: 4}, "A": {1: 4}, "F": {1: 6}}
    assert race_points(["K", "A", "F"], achieved, solo=True) == {"K": {1: 1}, "A": {1: 4}, "F": {1: 1}}
    assert race_points(["K", "A", "F"], {}, solo=True) == {"K": {}, "A": {}, "F": {}}


@given(st.dictionaries(st.integers(1, 6), st.integers(1, 7)))
def test_nobody_earlier_gets_less(achieved_in: dict[int, int]) -> None:
    points = shared_points(achieved_in)
    assert points.keys() == achieved_in.keys()
    assert set(points.values()) <= set(GOAL_RACE.values)
    for one, when in achieved_in.items():
        for other, later in achieved_in.items():
            assert (points[one] >= points[other]) if when <= later else (points[one] <= points[other])
            assert (points[one] == points[other]) or when != later
