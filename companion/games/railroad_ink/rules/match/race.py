"""What goals are worth: the race between seats, and the deadlines of a solo match.

Among several seats, everybody who achieves a goal in the first round in which anybody does takes the highest
value, everybody in the next such round the second, everybody later the last one, which never runs out.

Round 0 stands for one that nobody said. Such a seat is taken to be the first, and to have been before nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.messages import m
from companion.games.railroad_ink.rules.rulebook import GOAL_RACE


def value_in_round(achieved_in: Iterable[int], round_number: int) -> int:
    """What a goal is worth in a round, when others achieved it in those rounds.

    >>> [value_in_round([3, 5, 5], number) for number in (2, 3, 4, 5, 6)]
    [4, 4, 2, 2, 1]
    """
    earlier = len({number for number in achieved_in if 0 < number < round_number})
    return GOAL_RACE.values[min(earlier, len(GOAL_RACE.values) - 1)]


def shared_points(achieved_in: Mapping[int, int]) -> dict[int, int]:
    """The points of one goal by seat, from the round in which each seat achieved it.

    >>> shared_points({1: 4, 2: 3, 3: 3, 4: 6})
    {1: 2, 2: 4, 3: 4, 4: 1}
    """
    return {seat: value_in_round(achieved_in.values(), number) for seat, number in achieved_in.items()}


def solo_value(deadline: int, round_number: int) -> int:
    """What a goal of a solo match is worth when it is achieved in a round.

    >>> solo_value(3, 3), solo_value(3, 4)
    (4, 1)
    """
    return GOAL_RACE.solo_in_time if round_number <= deadline else GOAL_RACE.solo_late


def solo_deadlines(goals: Sequence[str]) -> dict[str, int]:
    """The last round in which each goal of a solo match is in time: the first drawn has the first deadline.

    How the printed deadlines are handed out was not found; the order of drawing needs no choice.

    >>> solo_deadlines(["K", "A", "F"])
    {'K': 3, 'A': 4, 'F': 5}
    """
    return dict(zip(goals, GOAL_RACE.solo_deadlines, strict=False))


def why_points(
    goal: str, goals: Sequence[str], achieved: Mapping[str, Mapping[int, int]], seat: int, *, solo: bool
) -> str:
    """Why a goal that a seat has achieved is worth what it is.

    >>> rounds = {"K": {1: 2, 2: 5}}
    >>> why_points("K", ["K"], rounds, 1, solo=False)
    'in round 2, the first round in which anybody did'
    >>> why_points("K", ["K"], rounds, 2, solo=False)
    'in round 5, after others in 1 earlier round'
    >>> why_points("K", ["K"], {"K": {1: 0, 2: 5}}, 1, solo=False)
    'in which round is not known: 4 if it was early enough'
    >>> why_points("K", ["K"], rounds, 1, solo=True)
    'in round 2, by its deadline, round 3'
    """
    number = achieved[goal][seat]
    if not number:
        return m("in which round is not known: {values} if it was early enough", values=GOAL_RACE.values[0])
    if solo:
        deadline = solo_deadlines(goals)[goal]
        return (
            m("in round {number}, by its deadline, round {deadline}", number=number, deadline=deadline)
            if number <= deadline
            else m(
                "in round {number}, after its deadline, round {deadline}", number=number, deadline=deadline
            )
        )
    earlier = len({other for other in achieved[goal].values() if 0 < other < number})
    if number and 0 in achieved[goal].values():
        return m("in round {number}; whether another seat was earlier is not known", number=number)
    if not earlier:
        return m("in round {number}, the first round in which anybody did", number=number)
    return (
        m("in round {number}, after others in {earlier} earlier round", number=number, earlier=earlier)
        if earlier == 1
        else m("in round {number}, after others in {earlier} earlier rounds", number=number, earlier=earlier)
    )


def race_points(
    goals: Sequence[str], achieved: Mapping[str, Mapping[int, int]], *, solo: bool
) -> dict[str, dict[int, int]]:
    """The points by goal and seat, from the rounds in which the seats achieved the goals.

    >>> race_points(["K", "A"], {"K": {1: 2, 2: 2}, "A": {2: 5}}, solo=False)
    {'K': {1: 4, 2: 4}, 'A': {2: 4}}
    """
    if not solo:
        return {goal: shared_points(achieved.get(goal, {})) for goal in goals}
    deadlines = solo_deadlines(goals)
    return {
        goal: {seat: solo_value(deadlines[goal], number) for seat, number in achieved.get(goal, {}).items()}
        for goal in goals
    }
