"""What a seat's turn depends on, read off the match."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.games.railroad_ink.rules.boards.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.boards.position import Longest, Position, WallEnds
from companion.games.railroad_ink.rules.match.race import (
    race_points,
    solo_deadlines,
    solo_value,
    value_in_round,
)
from companion.games.railroad_ink.rules.match.state import State

_OVERTAKEN = 0.1  # how likely another seat achieves a goal in a round


@dataclass(frozen=True)
class Seat:
    """A board and its dice."""

    rules: Rules
    board: Board
    roll: Roll
    longest: Longest
    wall_ends: WallEnds

    def position(self, board: Board) -> Position:
        """Another board of the same seat, as the scorer wants it."""
        rules = self.rules
        return Position(
            board.cells(), rules.edition, board.rounds(), (), 0, self.longest, rules.walls, self.wall_ends
        )


@dataclass(frozen=True)
class Prize:
    """A goal that is not achieved yet, and what it brings, by round from the first one on."""

    goal: str
    points: tuple[float, ...]


@dataclass(frozen=True)
class Question:
    """Everything on which a turn's worth depends."""

    seat: Seat
    number: int  # the round, from 1
    rounds: int  # of the match
    prizes: tuple[Prize, ...] = ()
    won: int = 0  # points of goals achieved before
    player: int = 1  # who asks: others see other dice in their minds
    only_dice: bool = False  # in this round: without routes that nobody has to draw


def question_of(state: State, seat: int, board: Board | None = None) -> Question:
    """What a seat's turn depends on: its board as it stands, or another one."""
    chosen = state.options
    rounds, others = chosen.all_rounds, len(state.boards) - 1
    open_goals, won = _goals_of(state, seat)
    prizes = []
    for goal, earlier in open_goals.items():
        if others:
            values = _race_values(state, earlier, others)
        else:
            deadline = solo_deadlines(chosen.goals)[goal]
            values = [float(solo_value(deadline, number)) for number in range(1, rounds + 1)]
        prizes.append(Prize(goal, tuple(values)))
    asked = Seat(state.rules, board or state.boards[seat], state.roll, chosen.longest, chosen.wall_ends)
    return Question(asked, state.round, rounds, tuple(prizes), won, seat)


def _goals_of(state: State, seat: int) -> tuple[Mapping[str, Collection[int]], int]:
    """The goals a seat has not achieved, with the rounds in which others did; the points of those it has."""
    goals = state.options.goals
    achieved = {goal: state.achieved.get(goal, {}) for goal in goals}
    points = race_points(goals, achieved, solo=len(state.boards) == 1)
    left = {goal: achieved[goal].values() for goal in goals if seat not in achieved[goal]}
    return left, sum(one.get(seat, 0) for one in points.values())


def _race_values(state: State, earlier: Collection[int], others: int) -> list[float]:
    """What a goal will be worth, round by round: the later, the surer somebody else was before."""
    now, later = (
        value_in_round(earlier, state.round),
        value_in_round([*earlier, state.round], state.round + 1),
    )
    found = []
    for number in range(1, state.options.all_rounds + 1):
        overtaken = min(1.0, _OVERTAKEN * others * max(0, number - state.round))
        found.append(now + (later - now) * overtaken)
    return found
