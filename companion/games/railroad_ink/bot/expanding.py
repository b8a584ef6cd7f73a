"""What a bot does in matches with expansions and on larger boards: greedy, one thing at a time.

Everything open is compared by the points of the board afterwards, with some credit for what may still come of
it: open ends are no errors yet, a network at one exit may reach another, special routes are worth keeping. On
the usual board the route dice are drawn by the search of the base game, around the spaces that are full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.game.base import Action, Refusal
from companion.games.railroad_ink.bot.engines import engine
from companion.games.railroad_ink.bot.question import question_of
from companion.games.railroad_ink.bot.taste import liking
from companion.games.railroad_ink.bot.thinking import Effort, thoughts
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Placed, dice_left, specials_left
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.expansions.actions import (
    open_to,
    placement_json,
    unplaced_refusal,
    unsettled_first,
)
from companion.games.railroad_ink.rules.expansions.frame import Placement, fences
from companion.games.railroad_ink.rules.expansions.marks import number_in
from companion.games.railroad_ink.rules.expansions.playing import crossing, position_on, with_placement
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.match.turn import open_draws, try_done
from companion.games.railroad_ink.rules.rulebook import NAMES, USUAL
from companion.games.railroad_ink.rules.scoring.goals import GOALS, achieved
from companion.games.railroad_ink.rules.scoring.network import all_networks, lay_tracks
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.games.railroad_ink.rules.turns.dice_search import most_dice

_EFFORT = Effort(8, 8)
_COMPARED = 120  # boards that are looked at for one decision
_OPEN_END = 0.25  # what an end costs that can still be joined
_ONE_EXIT = 2.0  # a network that has reached one exit
_SPECIAL = 3.0  # a special route that is not used yet
_COIN = 0.2
_MAY_GROW = -0.5  # what a die may cost now as long as there is time for it to bring something


@dataclass(frozen=True)
class Outlook:
    """How a seat's boards are compared in this round."""

    goals: Mapping[str, float]  # what those bring that are not achieved yet
    left: int  # rounds after this one
    taste: int  # the seat whose taste it is, 0: none

    def worth(self, position: Position, specials: int) -> float:
        """The points of a board, and what may still come of it."""
        known = score(position)
        points = known.total + sum(brings for goal, brings in self.goals.items() if achieved(position, goal))
        if not self.left:
            return points
        hoped = (1 - _OPEN_END) * len(known.errors) + _SPECIAL * specials
        hoped += _ONE_EXIT * sum(len(one.exits) == 1 for one in all_networks(lay_tracks(position)))
        hoped += sum(liking(self.taste, cell) for cell in position.cells) if self.taste else 0.0
        return points + hoped + _COIN * number_in(position.marks, "coins")


def expanded_action(state: State, seat: int) -> Action | None:
    """What the seat does next; None when it has nothing to do."""
    rules, board, roll = state.rules, state.boards[seat], state.roll
    goals = {prize.goal: prize.points[state.round - 1] for prize in question_of(state, seat).prizes}
    taste = seat if len(state.boards) > 1 else 0
    outlook = Outlook(goals, state.options.all_rounds - state.round, taste)
    place, gain = _best_placement(state, seat, outlook)
    enough = _MAY_GROW if outlook.left > 1 else 0.0
    if place is not None and (gain > enough or unsettled_first(state, seat) is not None):
        return _action(seat, place)
    draw = None if state.only_extra else _best_drawing(state, seat, outlook)
    if draw is not None:
        return Action("draw", seat, {"cell": draw.cell, "route": draw.route, "from": draw.source})
    if isinstance(try_done(rules, board, roll), Refusal) or unplaced_refusal(state, seat) is not None:
        return None if place is None else _action(seat, place)
    return Action("done", seat)


def _action(seat: int, placement: Placement) -> Action:
    return Action("place", seat, placement_json(placement))


def _some(found: Sequence[object]) -> slice:
    """An evenly spaced selection, small enough to be compared."""
    return slice(None, None, 1 + len(found) // _COMPARED)


# --- the expansion's dice ---


def _best_placement(state: State, seat: int, outlook: Outlook) -> tuple[Placement | None, float]:
    """What brings most of all that may be done with the expansion's dice, and how much."""
    found = open_to(state, seat)
    board = state.boards[seat]
    now = outlook.worth(position_on(state.rules, board), len(specials_left(board)))
    best: tuple[Placement | None, float] = (None, 0.0)
    for one in found[_some(found)]:
        after = board
        if not one.neighbour:
            crossed = crossing(board, state.roll) if one.special else ""
            after = with_placement(board, Placed(one, state.round, crossed))
        gain = outlook.worth(position_on(state.rules, after), len(specials_left(after))) - now
        if best[0] is None or gain > best[1]:
            best = one, gain
    return best


# --- the route dice ---


def _best_drawing(state: State, seat: int, outlook: Outlook) -> Drawing | None:
    """A route that has to be drawn, or one that is worth it; None for nothing."""
    open_now = open_draws(state.rules, state.boards[seat], state.roll)
    if not open_now:
        return None
    if state.options.size == USUAL.size:
        found = _searched(state, seat)
        if found in open_now:
            return found
    return _fullest(state, seat) or _compared(state, seat, outlook, open_now)


def _searched(state: State, seat: int) -> Drawing | None:
    """The first drawing by the base game's player, with occupied spaces walled off."""
    rules, asked = state.rules, question_of(state, seat)
    around = fences(position_on(rules, asked.seat.board)) if rules.expansion else frozenset()
    plain = replace(rules, walls=rules.walls | around, expansion="")
    prizes = tuple(prize for prize in asked.prizes if prize.goal in GOALS)
    question = replace(asked, seat=replace(asked.seat, rules=plain), prizes=prizes)
    found = thoughts(question, _EFFORT, engine())
    return found[0].drawings[0] if found and found[0].drawings else None


def _fullest(state: State, seat: int) -> Drawing | None:
    """The first drawing of a line that draws the most dice, if the rules demand it."""
    rules, board = state.rules, state.boards[seat]
    if rules.must_draw != "most" or rules.expansion:
        return None
    line = most_dice(board.cells(), dice_left(board, state.roll), rules.walls, rules.edition.layout)
    return Drawing(NAMES[line[0][0]], line[0][1].text, "die", state.round) if line else None


def _compared(state: State, seat: int, outlook: Outlook, open_now: list[Drawing]) -> Drawing | None:
    """The best of the routes that have to be drawn; then one that is worth more than what it uses up."""
    board = state.boards[seat]
    worth = _worth_of(state, outlook)
    dice = [one for one in open_now if one.source == "die"]
    if dice:
        return max(dice[_some(dice)], key=lambda one: worth(board.with_drawing(one)))
    now = worth(board)
    best = max(open_now[_some(open_now)], key=lambda one: worth(board.with_drawing(one)))
    return best if worth(board.with_drawing(best)) > now else None


def _worth_of(state: State, outlook: Outlook) -> Callable[[Board], float]:
    return lambda board: outlook.worth(position_on(state.rules, board), len(specials_left(board)))
