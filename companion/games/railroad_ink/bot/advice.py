"""The turns of a roll that are worth most, and what a drawing cost, for a board without a match.

What a board is worth are the points that it is expected to have at the end of the match. The round, on which
that depends, is one of the position, or it is told by how much is drawn.
"""

from __future__ import annotations

import math
from dataclasses import replace

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.railroad_ink.bot.coaching import advice
from companion.games.railroad_ink.bot.engines import engine
from companion.games.railroad_ink.bot.expanding import Outlook
from companion.games.railroad_ink.bot.question import Prize, Question, Seat
from companion.games.railroad_ink.bot.tables import MOST_GOALS
from companion.games.railroad_ink.bot.thinking import Effort, fitting, thoughts
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Drawing,
    Rules,
    Source,
    rolled,
    specials_left,
)
from companion.games.railroad_ink.rules.boards.position import Position, read_position
from companion.games.railroad_ink.rules.boards.routes import shape_of
from companion.games.railroad_ink.rules.expansions.tables import table_of
from companion.games.railroad_ink.rules.rulebook import GOAL_RACE, GRID, NAMES, SPECIAL_SHAPES, USUAL
from companion.games.railroad_ink.rules.scoring.goals import GOALS
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.games.railroad_ink.rules.turns.search import (
    AskedTurns,
    Line,
    after_turn,
    drawing_on,
    moves_json,
    read_question,
    searched_lines,
    with_most_dice,
)

_EFFORT = Effort(60, 60, playouts=600)
_MOST = 400  # turns that are compared
MOST_DRAWN = 9  # routes of one round


def best_turns(value: JsonObject) -> JsonObject:
    """The best turns of a position with ``dice``, each with its score and what it is worth.

    >>> found = best_turns({"cells": {}, "dice": ["NES", "nes", "NE|SW", "NeS*"], "best": 1})
    >>> len(found["turns"][0]["moves"]), found["searched"]
    (4, True)
    """
    position, asked = read_question(value)
    every_round = _rounds_of(position)
    number = _round_now(position, asked, every_round)
    plain = position.layout is USUAL and not position.expansion
    found = (
        _by_playouts(position, asked, number, every_round)
        if plain
        else _by_the_outlook(position, asked, every_round - number)
    )
    told = [
        {
            "total": score(after_turn(position, line)).total,
            "worth": round(worth, 2),
            "moves": moves_json(line),
        }
        for worth, line in found
    ]
    return {"count": len(told), "searched": True, "turns": told[: asked.best]}


def advice_of(value: JsonObject) -> JsonObject | None:
    """What the latest round noted on a board cost, its dice being those that were drawn."""
    position = read_position(value)
    number = max(position.rounds.values(), default=0)
    if not number:
        raise NotationError("no-round", m("note the round of the routes that were drawn last"))
    rounds = _rounds_of(position)
    if number > rounds:
        raise NotationError(
            "bad-round", m("round {round}: rounds are 1 to {every_round}", round=number, every_round=rounds)
        )
    earlier = {cell: route for cell, route in position.cells.items() if position.rounds.get(cell) != number}
    before = _board(replace(position, cells=earlier, rounds={}))
    made = _drawn_in(position, number)
    if len(made) > MOST_DRAWN:
        raise NotationError("too-many-routes", m("round {round} has more routes than a turn", round=number))
    rules = Rules(position.edition, position.walls)
    roll = rolled(number, [one.shape for one in made if one.source == "die"])
    seat = Seat(rules, before, roll, position.longest, position.wall_ends)
    goals, won = _wishes(position)
    question = Question(seat, number, rounds, _prizes(goals, rounds), won)
    return advice(question, made, engine()).as_json() if fitting(question) else None


def _drawn_in(position: Position, number: int) -> tuple[Drawing, ...]:
    """What was drawn in a round: by dice, and of what is too much what comes twice by a Factory."""
    found: list[Drawing] = []
    special = {*SPECIAL_SHAPES} - position.edition.specials_on_dice
    drawn = [(cell, route) for cell, route in position.cells.items() if position.rounds.get(cell) == number]
    twice = [shape_of(route) for _, route in drawn]
    too_many = sum(shape not in special for shape in twice) - len(position.edition.dice)
    for cell, route in drawn:
        shape = shape_of(route)
        source: Source = "special" if shape in special else "die"
        if source == "die" and too_many > 0 and twice.count(shape) > 1:
            source, too_many = "factory", too_many - 1
            twice.remove(shape)
        found.append(Drawing(NAMES[cell], route.text, source, number))
    return tuple(found)


def _rounds_of(position: Position) -> int:
    """How many rounds a match on this board usually has."""
    usual = position.layout is USUAL and position.expansion
    return table_of(position.expansion).rounds if usual else position.layout.rounds


def _round_now(position: Position, asked: AskedTurns, every_round: int) -> int:
    if asked.round is not None:
        if not 1 <= asked.round <= every_round:
            raise NotationError(
                "bad-round",
                m("round {round}: rounds are 1 to {every_round}", round=asked.round, every_round=every_round),
            )
        return asked.round
    drawn = len(position.cells) / len(asked.dice)
    return min(every_round, 1 + max(math.floor(drawn), *position.rounds.values(), 0))


def _board(position: Position) -> Board:
    """The board as drawn before; which of it were special routes is told by their shapes."""
    drawn = [(NAMES[cell], route) for cell, route in position.cells.items()]
    special = {*SPECIAL_SHAPES} - position.edition.specials_on_dice
    return Board(
        tuple(
            Drawing(name, route.text, "special" if shape_of(route) in special else "given")
            for name, route in drawn
        ),
        size=position.layout.size,
    )


def _wishes(position: Position) -> tuple[dict[str, float], int]:
    """The goals that still bring something, and what the others have brought."""
    value = float(GOAL_RACE.values[0])
    open_goals = [claim.goal for claim in position.goals if claim.points is None]
    won = sum(claim.points or 0 for claim in position.goals)
    return dict.fromkeys(open_goals, value), won


def _prizes(goals: dict[str, float], rounds: int) -> tuple[Prize, ...]:
    """As much in every round; goals of expansions are nothing here."""
    known = [(goal, points) for goal, points in goals.items() if goal in GOALS]
    return tuple(Prize(goal, (points,) * rounds) for goal, points in known[:MOST_GOALS])


def _by_playouts(position: Position, asked: AskedTurns, number: int, rounds: int) -> list[tuple[float, Line]]:
    """Judge by the rest of the match, on the usual board; without routes that nobody has to draw."""
    rules = Rules(position.edition, position.walls, asked.must_draw)
    roll = rolled(number, asked.dice)
    seat = Seat(rules, _board(position), roll, position.longest, position.wall_ends)
    goals, won = _wishes(position)
    question = Question(seat, number, rounds, _prizes(goals, rounds), won, only_dice=True)
    told = min(_MOST, max(2, asked.best or 0))
    effort = replace(_EFFORT, keep=max(_EFFORT.keep, told), finalists=told)
    return [
        (one.worth, tuple((GRID.cell(drawing.cell), drawing.drawn) for drawing in one.drawings))
        for one in thoughts(question, effort, engine())
    ]


def _by_the_outlook(position: Position, asked: AskedTurns, left: int) -> list[tuple[float, Line]]:
    """Judge by the points and the outlook, on larger boards and with expansions."""
    specials = len(specials_left(_board(position)))
    goals, won = _wishes(position)
    bare = replace(position, goals=())
    outlook = Outlook(goals, left, taste=0)

    def worth(board: Position) -> float:
        return outlook.worth(replace(board, goals=()), specials) + won

    def hope(board: Position) -> tuple[float, float]:
        return worth(board), worth(board)

    lines = searched_lines(bare, asked.dice, hope)
    if asked.must_draw == "most":
        lines = with_most_dice(lines, drawing_on(position, asked.dice))
    judged = [(worth(after_turn(bare, line)), line) for line in lines]
    return sorted(judged, key=lambda one: -one[0])
