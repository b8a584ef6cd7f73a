"""What a seat does next: the first drawing of the best turn that is found, or it is done."""

from __future__ import annotations

from functools import lru_cache

from companion.games.contract import Action, Chance, Refusal
from companion.games.railroad_ink.bot.expanding import expanded_action
from companion.games.railroad_ink.bot.model import GoalWish, Judge, Weights, learnt
from companion.games.railroad_ink.bot.search import Effort, Seat, Turn, turns
from companion.games.railroad_ink.rules.board import Drawing
from companion.games.railroad_ink.rules.race import race_points, solo_deadlines, solo_value, value_in_round
from companion.games.railroad_ink.rules.rulebook import ROUNDS
from companion.games.railroad_ink.rules.state import State
from companion.games.railroad_ink.rules.turn import try_done

EFFORT = Effort()


class RailroadInkBot:
    """The face: everything in this game lies open, and it uses no luck."""

    def decide(self, state: State, seat: int, chance: Chance) -> Action | None:
        """What the seat does next; None when it has nothing to do."""
        if state.mode == "scorekeeper" or state.finished or not state.lies or seat in state.done:
            return None
        if state.options.known or state.options.size != "usual":
            return expanded_action(state, seat, judge_of(state, seat))
        drawings = _planned(seat_of(state, seat), judge_of(state, seat))
        if drawings:
            first = drawings[0]
            return Action("draw", seat, {"cell": first.cell, "route": first.route, "from": first.source})
        done = try_done(state.rules, state.boards[seat], state.roll)
        return None if isinstance(done, Refusal) else Action("done", seat)


@lru_cache(maxsize=64)
def _planned(seat: Seat, judge: Judge) -> tuple[Drawing, ...]:
    """The best turn that is found; asked for again when a page wants to know who is waited for."""
    return best_turn(seat, judge).drawings


def best_turn(seat: Seat, judge: Judge, effort: Effort = EFFORT) -> Turn:
    """The turn that is thought worth most."""
    return turns(seat, judge, effort)[0]


def seat_of(state: State, seat: int) -> Seat:
    """What a seat's turn depends on."""
    chosen = state.options
    return Seat(state.rules, state.boards[seat], state.roll, chosen.longest, chosen.wall_ends)


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
            wishes.append(GoalWish(goal, now, later))
    played = max(1, ROUNDS - (state.options.all_rounds - number))  # as far from the end as in a usual match
    row = (weights or learnt()[state.options.edition])[played]
    return Judge(tuple(row), played, tuple(wishes), sum(one.get(seat, 0) for one in points.values()))
