"""What a seat does next: the first drawing of the best turn that is found, or it is done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from zlib import crc32

from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Bot, Chance, Coaching, Fact, Refusal
from companion.games.railroad_ink.bot.advice import advice_of, best_turns
from companion.games.railroad_ink.bot.coaching import advice, moves_json
from companion.games.railroad_ink.bot.engines import engine, prepare
from companion.games.railroad_ink.bot.expanding import expanded_action
from companion.games.railroad_ink.bot.levels import LEVELS
from companion.games.railroad_ink.bot.question import Question, question_of
from companion.games.railroad_ink.bot.thinking import Looks, fitting, looks_of, thoughts
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.boards.routes import turned
from companion.games.railroad_ink.rules.match.state import BotLevel, State
from companion.games.railroad_ink.rules.match.turn import try_done
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.sheets.grid import Symmetry

# The symmetries of the usual board with its exits; a quarter turn would exchange highways and railways.
_SYMMETRIES = (Symmetry(0, False), Symmetry(2, False), Symmetry(0, True), Symmetry(2, True))


class RailroadInkBot(Bot[State]):
    """A bot without randomness, in a game without hidden information."""

    best_turns = staticmethod(best_turns)
    advice = staticmethod(advice_of)
    prepare = staticmethod(prepare)

    def coaching(self, state: State, /) -> Coaching:
        return state.options.coach

    def hint(self, state: State, seat: int, /) -> Sequence[JsonObject] | None:
        state = state.at_seat(seat)
        if not state.lies or state.finished or seat in state.done or state.mode == "scorekeeper":
            return None
        question = question_of(state, seat)
        if state.options.known or not fitting(question):
            return None
        made = state.boards[seat].in_round(state.round)
        return moves_json((*made, *_planned(question, "best", frozenset())))

    def ends_moves(self, fact: Fact, /) -> bool:
        return fact.kind == "done"

    def instead(self, before: State, seat: int, moves: Sequence[JsonObject], /) -> State:
        number = before.at_seat(seat).round
        board = before.boards[seat].before_round(number)
        for move in moves:
            board = board.with_drawing(Drawing(move["cell"], move["route"], move["from"], number))
        return replaced(before, boards={**before.boards, seat: board})

    def coach(self, before: State, fact: Fact, /) -> JsonObject | None:
        seat = fact.seat
        if not self.ends_moves(fact) or seat is None or before.mode == "scorekeeper":
            return None
        before = before.at_seat(seat)
        if before.options.known or not before.dice:
            return None
        board = before.boards[seat]
        question = question_of(before, seat, board.before_round(before.round))
        if not fitting(question):
            return None
        return advice(question, board.in_round(before.round), engine()).as_json()

    def decide(self, state: State, seat: int, chance: Chance) -> Action | None:
        state = state.at_seat(seat)
        if state.mode == "scorekeeper" or state.finished or not state.lies or seat in state.done:
            return None
        if state.options.known or state.options.size != "usual":
            return expanded_action(state, seat)
        left = _left_to_draw(state, seat)
        if left:
            first = left[0]
            return Action("draw", seat, {"cell": first.cell, "route": first.route, "from": first.source})
        done = try_done(state.rules, state.boards[seat], state.roll)
        return None if isinstance(done, Refusal) else Action("done", seat)


def _left_to_draw(state: State, seat: int) -> Sequence[Drawing]:
    """What is left of the turn planned when the dice fell; planned anew where something else was drawn."""
    others = frozenset(
        image for number in state.done if number != seat for image in images(state.boards[number])
    )
    drawn = state.boards[seat].in_round(state.round)
    before = state.boards[seat].before_round(state.round)
    plan = _planned(question_of(state, seat, before), state.options.bots, others)
    if drawn == plan[: len(drawn)]:
        return plan[len(drawn) :]
    return _planned(question_of(state, seat), state.options.bots, others)


def _planned(question: Question, level: BotLevel, others: frozenset[Looks]) -> tuple[Drawing, ...]:
    """The best turn that is found after which the board looks like none of ``others``, if there is any."""
    found = _ranked(question, level)
    before = question.seat.board.drawings
    new = (drawings for drawings in found if looks_of((*before, *drawings)) not in others)
    return next(new, found[0])


@lru_cache(maxsize=64)
def _ranked(question: Question, level: BotLevel) -> list[tuple[Drawing, ...]]:
    """The turns by what they are worth, as well as a player of the level can tell.

    They are asked for again with every drawing, and when a page wants to know who is waited for.
    """
    effort = LEVELS[level]
    found = [(one.worth, one.drawings) for one in thoughts(question, effort, engine())]
    if effort.noise:
        random = Random(crc32(f"{question.player} {question.seat.board} {question.seat.roll}".encode()))
        found = sorted(
            [(worth + random.gauss(0, effort.noise), drawings) for worth, drawings in found],
            key=lambda one: -one[0],
        )
    return [drawings for _, drawings in found]


def images(board: Board) -> list[Looks]:
    """How a board looks, and in a mirror: boards that differ by that alone make the same points."""
    return [
        frozenset(
            (symmetry.cell(cell, GRID), turned(route, symmetry).text) for cell, route in board.cells().items()
        )
        for symmetry in _SYMMETRIES
    ]
