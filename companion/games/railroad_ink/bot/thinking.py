"""The best turn: candidates of a beam, each played to the end of the match on the same dice.

A turn's *worth* are the points that the match is expected to end with. It is the mean of many playouts, whose
dice are the same for all candidates; the worse half is left out again and again (sequential halving), or more
of them at once. In the last round the points are known. How much is thought is counted in playouts: it is the
same on every machine that plays by the same engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from companion.games.railroad_ink.bot.engines import GREEDY, Engine
from companion.games.railroad_ink.bot.question import Question, Seat
from companion.games.railroad_ink.bot.tables import (
    MOST_ROUNDS,
    SOURCES,
    Array,
    Ints,
    Record,
    dice_number,
    move_number,
    rolls,
    start,
    tables_of,
)
from companion.games.railroad_ink.bot.worth import Weights, strategy
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.boards.board import dice_left as dice_of_board
from companion.games.railroad_ink.rules.boards.facing import facing_at
from companion.games.railroad_ink.rules.boards.placement import fits
from companion.games.railroad_ink.rules.boards.routes import EVERY_ROUTE, SHAPES, Cells, shape_of
from companion.games.railroad_ink.rules.rulebook import GRID, ROUNDS, SPECIAL_SHAPES
from companion.games.railroad_ink.rules.scoring.goals import GOALS, achieved
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.games.railroad_ink.rules.turns.dice_search import most_dice

Looks = frozenset[tuple[int, str]]  # a board as it is seen: what is drawn where


def looks_of(drawings: Sequence[Drawing]) -> Looks:
    """What drawings look like, in whatever order and by whatever die they were drawn."""
    return frozenset((GRID.cell(drawing.cell), drawing.route) for drawing in drawings)


@dataclass(frozen=True)
class Effort:
    """How much is thought about one turn."""

    width: int = 40  # boards that are drawn on, on each level of the beam
    keep: int = 40  # complete turns that are compared
    # Of the rest of the match, all candidates together, in the first round; in later ones, where the rest is
    # shorter, as many more. 0: what the boards promise decides.
    playouts: int = 0
    finalists: int = 2  # turns that are played on longest
    # Beams with which the first and the last round of playouts are played; 0, as all others: one route after
    # the other. The first one is that which follows, and in the last one the score is known.
    next_beam: int = 0
    last_beam: int = 0
    noise: float = 0.0  # by how many points a turn may be misjudged

    def widths(self, question: Question) -> Ints:
        """The beams of playouts, by round."""
        found = GREEDY.copy()
        found[question.number], found[question.rounds - 1] = self.next_beam, self.last_beam
        return found


@dataclass(frozen=True)
class Thought:
    """A complete turn, what it is worth, and the standard error of that."""

    drawings: tuple[Drawing, ...]
    worth: float
    error: float = 0.0
    playouts: int = 0


@dataclass
class Standing:
    """A board as the engines want it, with the dice of its round on the table."""

    question: Question
    engine: Engine
    table: Array
    head: Array
    body: Array

    @property
    def number(self) -> int:
        """The round, from 0."""
        return self.question.number - 1

    def drawings(self, body: Array) -> tuple[Drawing, ...]:
        """What was drawn since."""
        moves = body["moves"][self.body["drawn"][0] : body["drawn"]]
        return tuple(_drawing(int(move), self.question.number) for move in moves)


def _drawing(move: int, number: int) -> Drawing:
    cell, route, source = move >> 8 & 63, EVERY_ROUTE[move & 255], SOURCES[move >> 19]
    return Drawing(GRID.names[cell], route.text, source, number)  # type: ignore[arg-type]


def _move(drawing: Drawing) -> int:
    source = SOURCES.index(drawing.source) if drawing.source in SOURCES else 0
    route = drawing.drawn
    if drawing.source == "given" and shape_of(route) in SPECIAL_SHAPES:
        source = SOURCES.index("special")
    shape = SHAPES.index(shape_of(route)) if shape_of(route) in SHAPES else 0  # of no die here
    return move_number(source, shape, GRID.cell(drawing.cell), route.number)


def in_order(drawings: Sequence[Drawing], seat: Seat, before: Cells) -> list[Drawing]:
    """Drawings in an order in which each joins what is there, as far as that is possible."""
    left, found = list(drawings), []
    cells = dict(before)
    while left:
        one = next(
            (one for one in left if fits(facing_at(cells, seat.rules.walls, GRID.cell(one.cell)), one.drawn)),
            left[0],
        )
        left.remove(one)
        found.append(one)
        cells[GRID.cell(one.cell)] = one.drawn
    return found


def table_for(question: Question, weights: Weights | None = None) -> Array:
    """The tables with the weights of every round, and what goals bring."""
    seat = question.seat
    table = tables_of(seat.rules.edition, seat.rules.walls, seat.wall_ends, seat.rules.free_special).copy()
    rows = strategy(seat.rules.edition.name) if weights is None else weights
    for number in range(question.rounds):
        usual = max(0, ROUNDS - (question.rounds - number))  # as far from the end as in a usual match
        table["weights"][0, number] = rows[usual]
    codes = list(GOALS)
    table["goal_count"] = len(question.prizes)
    for place, prize in enumerate(question.prizes):
        table["goal"][0, place] = codes.index(prize.goal)
        table["prize"][0, : len(prize.points), place] = prize.points
    return table


def standing(question: Question, engine: Engine, weights: Weights | None = None) -> Standing:
    """Set a board up."""
    seat, table = question.seat, table_for(question, weights)
    head, body = start(seat.rules.walls, engine.body)
    earlier = [one for one in seat.board.drawings if one.round < question.number]
    now = [one for one in seat.board.drawings if one.round == question.number]
    for drawing in in_order(earlier, seat, {}):
        body["drawn"] = 0
        engine.draw(head, body, _move(drawing), table)
    engine.begin(head, body, dice_number(seat.roll.faces or ()), table)
    for drawing in now:
        engine.draw(head, body, _move(drawing), table)
    body["left"] = dice_number(tuple(dice_of_board(seat.board, seat.roll)))
    return Standing(question, engine, table, head, body)


def fitting(question: Question) -> bool:
    """Do the engines know everything that is on this board?"""
    seat = question.seat
    rules = seat.rules
    plain = not rules.expansion and not rules.edition.copies and seat.board.size == "usual"
    goals = all(prize.goal in GOALS for prize in question.prizes)
    return plain and goals and question.rounds < MOST_ROUNDS and not seat.board.placed


def thoughts(
    question: Question, effort: Effort, engine: Engine, weights: Weights | None = None
) -> list[Thought]:
    """The turns that were compared, the best first."""
    at = standing(question, engine, weights)
    last = question.number == question.rounds
    width, keep = (max(effort.width, 100), max(effort.keep, 100)) if last else (effort.width, effort.keep)
    heads, bodies = _complete(at, width, keep)
    if question.seat.rules.must_draw == "most":
        enough = np.flatnonzero([dice_left(body) <= _dice_over(question) for body in bodies])
        if not len(enough) and len(drawings := most_drawings(question)) >= dice_left(at.body[0]) - _dice_over(
            question
        ):
            return [Thought(drawings, 0.0)]  # the beam did not come to it
        if len(enough):
            heads, bodies = heads[enough], bodies[enough]
    if last:
        turns = [at.drawings(body) for body in bodies]
        found = [Thought(drawings, scored(question, drawings)) for drawings in turns]
    elif effort.playouts and len(heads) > 1:
        return _played_out(at, heads, bodies, effort)
    else:
        found = [Thought(at.drawings(body), float(body["value"]) + question.won) for body in bodies]
    return sorted(found, key=lambda one: -one.worth)


def _complete(at: Standing, width: int, keep: int) -> tuple[Array, Array]:
    """The turns of a beam."""
    body, table = at.body, at.table
    if at.question.only_dice:
        body, table = body.copy(), table.copy()
        body["used"], body["duplicates"], table["factory"] = 63, 0, 0
    heads, bodies = at.engine.complete(at.head, body, width, keep, at.number, table)
    if at.question.only_dice:
        bodies["used"] = at.body["used"]
    return heads, bodies


def dice_left(body: Record) -> int:
    """How many dice are not drawn."""
    return sum(int(body["left"]) >> 3 * place & 7 for place in range(len(SHAPES)))


def _dice_over(question: Question) -> int:
    """How many dice of the roll cannot be drawn, wherever the others are."""
    seat = question.seat
    faces = seat.roll.faces or ()
    before = seat.board.before_round(question.number).cells()
    return len(faces) - len(most_dice(before, faces, seat.rules.walls))


def most_drawings(question: Question) -> tuple[Drawing, ...]:
    """A turn that draws as many of the dice that are left as can be drawn."""
    seat = question.seat
    left = dice_of_board(seat.board, seat.roll)
    return tuple(
        Drawing(GRID.names[cell], route.text, "die", question.number)
        for cell, route in most_dice(seat.board.cells(), left, seat.rules.walls)
    )


def scored(question: Question, drawings: Sequence[Drawing]) -> int:
    """The points after a turn of the last round."""
    position = question.seat.position(Board((*question.seat.board.drawings, *drawings)))
    goals = sum(
        int(prize.points[question.number - 1]) for prize in question.prizes if achieved(position, prize.goal)
    )
    return score(position).total + goals + question.won


def with_drawings(at: Standing, drawings: Sequence[Drawing]) -> Standing:
    """The board after a turn, at the end of the round."""
    seat, head, body = at.question.seat, at.head.copy(), at.body.copy()
    for drawing in in_order(drawings, seat, seat.board.cells()):
        at.engine.draw(head, body, _move(drawing), at.table)
    return Standing(at.question, at.engine, at.table, head, body)


def _played_out(at: Standing, heads: Array, bodies: Array, effort: Effort) -> list[Thought]:
    """Turns by the mean of their playouts; those that were played on longest first."""
    samples = halved(at, heads, bodies, effort)
    found = [
        Thought(
            at.drawings(body),
            float(np.mean(points)) + at.question.won,
            float(np.std(points) / len(points) ** 0.5),
            len(points),
        )
        for body, points in zip(bodies, samples, strict=True)
    ]
    return sorted(found, key=lambda one: (-one.playouts, -one.worth))


def dice_to_come(question: Question, count: int, salt: str = "") -> Ints:
    """Dice for playouts: the same whenever the same is asked."""
    said = f"{salt}{question.player} {question.number} {question.seat.board} {question.seat.roll}"
    return rolls(question.seat.rules.edition, count, question.rounds, crc32(said.encode()))


def halved(at: Standing, heads: Array, bodies: Array, effort: Effort) -> list[Array]:
    """The points of playouts from every board; the worse half is played on no more, again and again."""
    samples: list[Array] = [np.zeros(0) for _ in heads]
    who = np.arange(len(heads))
    cut = at.engine.cut
    stages = max(1, int(np.ceil(np.log2(len(heads)) / np.log2(cut))))
    question = at.question
    rounds_left = question.rounds - question.number
    playouts = min(effort.playouts, at.engine.most_playouts) * (question.rounds - 1) / rounds_left
    sizes = [max(effort.finalists, -(-len(heads) // cut**stage)) for stage in range(stages)]
    each = [max(1, round(playouts / stages / size)) for size in sizes]
    dice = dice_to_come(at.question, sum(each))
    widths = effort.widths(question)
    done = 0
    for more in each:
        points = at.engine.play_outs(
            heads[who], bodies[who], widths, dice[done : done + more], at.number + 1, at.table
        )
        for place, board in enumerate(who):
            samples[board] = np.concatenate([samples[board], points[place]])
        done += more
        order = sorted(who, key=lambda board: (-samples[board].mean(), -bodies["value"][board]))
        who = np.array(order[: max(effort.finalists, -(-len(who) // cut))])
    return samples
