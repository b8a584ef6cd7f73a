"""What a seat does next: the first drawing of the best turn that is found, or it is done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.game.base import Action, Bot, Chance, Refusal
from companion.games.railroad_ink.bot.advice import best_turns
from companion.games.railroad_ink.bot.expanding import expanded_action
from companion.games.railroad_ink.bot.model import GoalPlan, Judge, Weights, learnt
from companion.games.railroad_ink.bot.search import Effort, Seat, Turn, turns
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.match.race import (
    race_points,
    solo_deadlines,
    solo_value,
    value_in_round,
)
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.match.turn import try_done
from companion.games.railroad_ink.rules.rulebook import ROUNDS

EFFORT = Effort()


class RailroadInkBot(Bot[State]):
    """A bot without randomness, in a game without hidden information."""

    best_turns = staticmethod(best_turns)

    def decide(self, state: State, seat: int, chance: Chance) -> Action | None:
        if state.mode == "scorekeeper" or state.finished or not state.lies or seat in state.done:
            return None
        if state.options.known or state.options.size != "usual":
            return expanded_action(state, seat, judge_of(state, seat))
        left = _left_to_draw(state, seat)
        if left:
            first = left[0]
            return Action("draw", seat, {"cell": first.cell, "route": first.route, "from": first.source})
        done = try_done(state.rules, state.boards[seat], state.roll)
        return None if isinstance(done, Refusal) else Action("done", seat)


def _left_to_draw(state: State, seat: int) -> Sequence[Drawing]:
    """What is left of the turn planned when the dice fell; planned anew where something else was drawn."""
    drawn, plan = state.boards[seat].in_round(state.round), _plan(state, seat)
    if drawn == plan[: len(drawn)]:
        return plan[len(drawn) :]
    return _planned(seat_of(state, seat), judge_of(state, seat))


def _plan(state: State, seat: int) -> tuple[Drawing, ...]:
    """The turn of a seat, from the board as it was before the round.

    A seat whose board was the same as that of another one before it plans another turn than that one.
    """
    before = {number: board.before_round(state.round) for number, board in state.boards.items()}
    same = [number for number in before if number < seat and before[number] == before[seat]]
    others = frozenset(_looks(_plan(state, number)) for number in same)
    return _planned(seat_of(state, seat, before[seat]), judge_of(state, seat), others)


@lru_cache(maxsize=64)
def _planned(
    seat: Seat, judge: Judge, others: frozenset[frozenset[tuple[str, str]]] = frozenset()
) -> tuple[Drawing, ...]:
    """The best turn that is found and looks like none of ``others``, if there is any.

    It is asked for again with every drawing, and when a page wants to know who is waited for.
    """
    found = [turn.drawings for turn in turns(seat, judge, EFFORT)]
    return next((drawings for drawings in found if _looks(drawings) not in others), found[0])


def _looks(drawings: Sequence[Drawing]) -> frozenset[tuple[str, str]]:
    """What is seen of a turn, in whatever order it was drawn and from whatever die."""
    return frozenset((drawing.cell, drawing.route) for drawing in drawings)


def best_turn(seat: Seat, judge: Judge, effort: Effort = EFFORT) -> Turn:
    """The turn that is thought worth most."""
    return turns(seat, judge, effort)[0]


def seat_of(state: State, seat: int, board: Board | None = None) -> Seat:
    """What a seat's turn depends on: its board as it stands, or another one."""
    chosen = state.options
    return Seat(state.rules, board or state.boards[seat], state.roll, chosen.longest, chosen.wall_ends)


def judge_of(state: State, seat: int, weights: Weights | None = None) -> Judge:
    """The model for a seat in this round, usually with the weights that were learnt."""
    goals, solo, number = state.options.goals, len(state.boards) == 1, state.round
    achieved = {goal: state.achieved.get(goal, {}) for goal in goals}
    points = race_points(goals, achieved, solo=solo)
    wishes = []
    for goal in goals:
        if seat not in achieved[goal]:
            if solo:
                deadline = solo_deadlines(goals)[goal]
                now, later = solo_value(deadline, number), solo_value(deadline, number + 1)
            else:
                now = value_in_round(achieved[goal].values(), number)
                later = value_in_round(achieved[goal].values(), number + 1)
            wishes.append(GoalPlan(goal, now, later))
    played = max(1, ROUNDS - (state.options.all_rounds - number))  # as far from the end as in a usual match
    row = (weights or learnt()[state.options.edition])[played]
    won = sum(one.get(seat, 0) for one in points.values())
    return Judge(tuple(row), played, tuple(wishes), won, taste=0 if solo else seat)
