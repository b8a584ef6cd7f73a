"""What a match has come to: goals, scores, places, the view for the pages, and what can never be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from companion.core.jsontext import JsonObject, builtins_of, builtins_with_messages
from companion.core.messages import Seat, joined, m
from companion.core.records import replaced
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    copies_left,
    duplicates_left,
    specials_used,
    universities,
    villages,
)
from companion.games.railroad_ink.rules.boards.facing import meeting
from companion.games.railroad_ink.rules.boards.placement import placement_refusal
from companion.games.railroad_ink.rules.boards.position import GoalClaim, Position, print_cells
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.match.race import race_points, solo_deadlines, why_points
from companion.games.railroad_ink.rules.match.research import points_left
from companion.games.railroad_ink.rules.match.state import NO_EXPANSION, State, marks_of, position_of
from companion.games.railroad_ink.rules.rulebook import SPECIALS_A_MATCH, SPECIALS_A_ROUND
from companion.games.railroad_ink.rules.scoring.explained import explain, tie_words
from companion.games.railroad_ink.rules.scoring.goals import achieved, goal_text
from companion.games.railroad_ink.rules.scoring.scores import Score, ranking, score, score_json

# --- goals ---


def with_goals(state: State, seats: Iterable[int]) -> State:
    """The state with the goals that these seats have achieved, and in which rounds."""
    judged = list(seats)
    found = {
        goal: {
            **{seat: number for seat, number in state.achieved.get(goal, {}).items() if seat not in judged},
            **_first_rounds(state, judged, goal),
        }
        for goal in state.options.goals
    }
    return replaced(state, achieved=found)


def _first_rounds(state: State, seats: list[int], goal: str) -> dict[int, int]:
    rounds = {seat: _first_round(state, seat, goal) for seat in seats}
    return {seat: number for seat, number in rounds.items() if number is not None}


def _first_round(state: State, seat: int, goal: str) -> int | None:
    """The round in which a seat achieved a goal, if it did (0: nobody said); its board shows it.

    What a late guest achieves while catching up takes nothing from those who were there: it counts from the
    round in which the guest is level with them.
    """
    if not achieved(position_of(state, seat), goal):
        return None
    if state.mode == "scorekeeper" and not all(drawing.round for drawing in state.boards[seat].drawings):
        return 0
    first = next(
        number
        for number in range(1, state.options.all_rounds + 1)
        if achieved(position_of(state, seat, number), goal)
    )
    return max(first, state.caught_up.get(seat, 0))


def goal_points(state: State) -> dict[str, dict[int, int]]:
    """What each goal brought each seat."""
    solo = len(state.boards) == 1
    return race_points(state.options.goals, state.achieved, solo=solo)


# --- scores ---


def seat_scores(state: State) -> dict[int, Score]:
    """Every seat's score as the board stands."""
    points = goal_points(state)
    return {seat: _with_reasons(state, seat, score(_claimed(state, seat, points))) for seat in state.boards}


def _with_reasons(state: State, seat: int, one: Score) -> Score:
    """The score, with the reason why each goal is worth what it is."""
    if not one.goals:
        return one
    solo, drawn = len(state.boards) == 1, state.options.goals
    reasons = {goal.goal: why_points(goal.goal, drawn, state.achieved, seat, solo=solo) for goal in one.goals}
    return replace(one, goals=tuple(replace(goal, why=reasons[goal.goal]) for goal in one.goals))


def _claimed(state: State, seat: int, points: dict[str, dict[int, int]]) -> Position:
    claims = tuple(GoalClaim(goal, won[seat]) for goal, won in points.items() if seat in won)
    return replace(position_of(state, seat), goals=claims)


def scores(state: State) -> list[JsonObject]:
    """Best first: the numbers, the lines that explain them, and the cells behind each line.

    While ends can still be joined, ``so_far`` says how a seat stands without them.
    """
    by_seat = seat_scores(state)
    so_far = _so_far(state, by_seat)
    places = ranking(list(by_seat.values()))
    ties = _ties(list(by_seat.values())) if state.finished else {}
    rows = [
        {
            "seat": seat,
            "place": place,
            "edition": state.rules.edition.name,
            **score_json(one),
            "lines": explain(one),
            "parts": builtins_with_messages(one),
            "tie": ties.get(one.total, ""),
            **so_far.get(seat, {}),
        }
        for (seat, one), place in zip(by_seat.items(), places, strict=True)
    ]
    return sorted(rows, key=lambda row: (row["place"], row["seat"]))


def _so_far(state: State, by_seat: dict[int, Score]) -> dict[int, JsonObject]:
    """By seat, the score while open ends are not yet errors; empty once they all count."""
    errors_count = state.mode == "umpire" and state.last_round
    if state.finished or (errors_count and not state.behind):
        return {}
    final = set(by_seat) - set(state.behind) if errors_count else set()
    still_open = set(by_seat) - (set(state.done) if state.mode == "scorekeeper" else final)
    ends = {seat: len(one.errors) if seat in still_open else 0 for seat, one in by_seat.items()}
    return {
        seat: {
            "so_far": {
                "total": one.total + ends[seat],
                "errors": score_json(one)["errors"] + ends[seat],
                "note": _note(state, seat, ends[seat]),
            }
        }
        for seat, one in by_seat.items()
    }


def _note(state: State, seat: int, ends: int) -> str:
    """What may still change a total: open ends, and rounds that a late guest has yet to draw."""
    late = m("catching up, round {round}", round=state.behind[seat]) if seat in state.behind else ""
    open_ends = m("open ends {seat}", seat=ends) if ends else ""
    return joined(", ", [one for one in (late, open_ends) if one])


def _ties(found: list[Score]) -> dict[int, str]:
    """What decides between seats with equal points, by their points."""
    by_total: dict[int, list[int]] = {}
    for one in found:
        by_total.setdefault(one.total, []).append(len(one.errors))
    return {total: tie_words(total, sorted(errors)) for total, errors in by_total.items() if len(errors) > 1}


# --- what everybody sees ---


def table_view(state: State, seat: int | None = None) -> JsonObject:
    """The whole match for the pages, with the round and the dice before a seat; nothing is hidden."""
    late = {"behind": {str(one): number for one, number in state.behind.items()}} if state.behind else {}
    others, state = state, state.at_seat(seat or 0)
    return {
        "mode": state.mode,
        "options": builtins_of(state.options),
        "round": state.round,
        "research": points_left(state) if state.options.labs else None,
        "rounds": state.options.all_rounds,
        "dice": list(state.dice),
        **_expansion_view(state),
        "finished": state.finished,
        "done": list(state.done),
        "out": list(state.out),
        "better": {str(seat): builtins_with_messages(one) for seat, one in state.better.items()},
        "boards": {str(one): _board_view(others, one) for one in others.boards},
        "goals": _goals_view(state),
        "scores": scores(others),
        **({**late, "table_round": others.round} if late else {}),
    }


def _expansion_view(state: State) -> JsonObject:
    """What an expansion adds to a match: its dice, the marks of each board, points counted by hand."""
    if state.options.expansion == NO_EXPANSION:
        return {}
    marks = {str(seat): marks_of(state, board) for seat, board in state.boards.items()}
    return {
        "extra": list(state.extra),
        "marks": marks,
        "stars": {str(seat): points for seat, points in state.stars.items()},
    }


def _board_view(state: State, seat: int) -> JsonObject:
    board, roll = state.boards[seat], state.at_seat(seat).roll
    return {
        "cells": print_cells(board.cells()),
        "rounds": {drawing.cell: drawing.round for drawing in board.drawings if drawing.round},
        "specials": list(specials_used(board)),
        "villages": list(villages(state.rules, board)),
        "universities": [drawing.cell for drawing in universities(state.rules, board)],
        "duplicates": max(0, duplicates_left(state.rules, board, roll)),
        **({"copies": copies_left(state.rules, board)} if state.rules.edition.copies else {}),
    }


def _goals_view(state: State) -> list[JsonObject]:
    points, deadlines = goal_points(state), solo_deadlines(state.options.goals)
    return [
        {
            "goal": goal,
            "says": goal_text(goal),
            "points": {str(seat): n for seat, n in points[goal].items()},
            "deadline": deadlines[goal] if len(state.boards) == 1 else None,
        }
        for goal in state.options.goals
    ]


# --- what can never be ---


def faults(state: State) -> list[str]:
    """The invariants of a match; an umpire's match has to satisfy all of them after every event."""
    found = _match_faults(state)
    if state.mode == "umpire":
        for seat, board in state.boards.items():
            found += [f"{Seat(seat)}: {fault}" for fault in _board_faults(state, board)]
    return found


def _match_faults(state: State) -> list[str]:
    dice = len(state.options.board.dice)
    checks = {
        f"round {state.round} is none of its rounds": 1 <= state.round <= state.options.all_rounds,
        f"{len(state.dice)} dice lie on the table": len(state.dice) in (0, dice),
        "a seat is done twice": len(set(state.done)) == len(state.done),
        "a seat is done that is not in the match": set(state.done) <= set(state.boards),
        "a seat has left that is not in the match": set(state.out) <= set(state.boards),
        "a late guest draws a round that nobody has thrown": all(
            seat in state.boards and 1 <= number <= len(state.thrown) for seat, number in state.behind.items()
        ),
        "more research points were spent than there are": not state.options.labs or points_left(state) >= 0,
        "a goal was achieved that is not in play": set(state.achieved) <= set(state.options.goals),
    }
    return [fault for fault, holds in checks.items() if not holds]


def _board_faults(state: State, board: Board) -> list[str]:
    dice = len(state.options.board.dice)
    by_source = Counter(drawing.source for drawing in board.drawings)
    by_round = Counter((drawing.source, drawing.round) for drawing in board.drawings)
    checks = {
        "a cell is drawn twice": len(board.cells()) == sum(not one.erased for one in board.drawings),
        "too many special routes": by_source["special"] <= SPECIALS_A_MATCH and by_source["university"] <= 1,
        "too many special routes in a round": all(
            count <= SPECIALS_A_ROUND for (source, _), count in by_round.items() if source == "special"
        ),
        "more dice drawn than rolled": all(
            count <= dice for (source, _), count in by_round.items() if source == "die"
        ),
        "more duplicates than Factories": duplicates_left(state.rules, board, state.roll) >= 0,
        "too many dice drawn twice": by_source["copy"] <= state.rules.edition.copies
        and all(count <= 1 for (source, _), count in by_round.items() if source == "copy"),
        "a special route used twice": len(set(specials_used(board))) == len(specials_used(board)),
        "a route that could not be drawn": _all_drawable(state, board),
    }
    return [fault for fault, holds in checks.items() if not holds]


def _all_drawable(state: State, board: Board) -> bool:
    if state.options.known:  # where marks come between, every placement was judged when it was made
        return not meeting(board.cells(), state.options.walls)
    cells: Cells = {}
    for drawing in board.drawings:
        if placement_refusal(cells, state.options.walls, board.number(drawing), drawing.drawn):
            return False
        cells[board.number(drawing)] = drawing.drawn
    return True
