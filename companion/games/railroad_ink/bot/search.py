"""The best turn of a roll that is found: beam search over the order in which dice are drawn.

On every level each board is drawn on with every die that is left, wherever it fits; the boards that promise
most go on. Boards on which no die fits any more are complete; to those that promise most the routes are added
that nobody has to draw (duplicates of a Factory, special routes), and then the best ones are looked at
exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.railroad_ink.bot.model import Judge, Judged
from companion.games.railroad_ink.bot.sketch import Ground, Sketch, ground_of, sketch_of, with_route
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Drawing,
    Roll,
    Rules,
    Source,
    dice_left,
    specials_used,
)
from companion.games.railroad_ink.rules.boards.placement import Spot
from companion.games.railroad_ink.rules.boards.position import Longest, Position, WallEnds
from companion.games.railroad_ink.rules.boards.routes import shape_of
from companion.games.railroad_ink.rules.match.turn import open_shapes
from companion.games.railroad_ink.rules.rulebook import GRID, SPECIALS_A_MATCH
from companion.games.railroad_ink.rules.turns.dice_search import most_dice


@dataclass(frozen=True)
class SearchEffort:
    """How far the search goes, in boards: the same on every machine."""

    beam: int = 24  # boards that are drawn on, on each level
    exact: int = 160  # complete boards that are looked at exactly
    extras: int = 10  # complete boards to which routes are added that nobody has to draw


@dataclass(frozen=True)
class Seat:
    """Everything on which a turn depends."""

    rules: Rules
    board: Board
    roll: Roll
    longest: Longest
    wall_ends: WallEnds

    @property
    def ground(self) -> Ground:
        """What the walls come to."""
        return ground_of(self.rules.walls, self.wall_ends)

    def position(self, board: Board) -> Position:
        """Another board of the same seat, as the scorer wants it."""
        rules = self.rules
        return Position(
            board.cells(), rules.edition, board.rounds(), (), 0, self.longest, rules.walls, self.wall_ends
        )


@dataclass(frozen=True)
class Line:
    """The drawings of a turn that are left, in a legal order, and the board after them."""

    drawings: tuple[Drawing, ...]
    sketch: Sketch
    hope: float


@dataclass(frozen=True)
class Turn:
    """A turn that was looked at exactly."""

    drawings: tuple[Drawing, ...]
    judged: Judged


def turns(seat: Seat, judge: Judge, effort: SearchEffort) -> list[Turn]:
    """The turns that were looked at exactly, the best first."""
    lines = _complete(seat, judge, effort)
    if seat.rules.must_draw == "most":
        lines = _with_most_dice(seat, lines)
    found = _best(lines, effort.exact)
    latest = found[: effort.extras]
    while latest:
        latest = _best(
            [more for line in latest for more in _with_extra(seat, judge, line)], effort.exact // 2
        )
        found += latest
        latest = latest[: effort.extras // 2]
    looked_at = [Turn(line.drawings, _judged(seat, judge, line)) for line in found]
    return sorted(looked_at, key=lambda turn: -turn.judged.worth)


def _best(lines: Sequence[Line], count: int) -> list[Line]:
    return sorted(lines, key=lambda line: -line.hope)[:count]


def _complete(seat: Seat, judge: Judge, effort: SearchEffort) -> list[Line]:
    """The boards on which no die fits any more that the beam comes to."""
    specials, edition = SPECIALS_A_MATCH - len(specials_used(seat.board)), seat.rules.edition
    start = sketch_of(seat.board.cells(), seat.ground, sorted(dice_left(seat.board, seat.roll)))
    level = [Line((), start, judge.hope(start, specials, edition))]
    complete: list[Line] = []
    seen: set[frozenset[tuple[int, int]]] = set()
    while level:
        following: list[Line] = []
        for line in level:
            spots = [
                (shape, spot)
                for shape in dict.fromkeys(line.sketch.left)
                for spot in line.sketch.spots(shape)
            ]
            if not spots:
                complete.append(line)
            for shape, spot in spots:
                after = with_route(line.sketch, spot, seat.ground, shape)
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    drawings = (*line.drawings, _drawing(spot, "die", seat.roll))
                    following.append(Line(drawings, after, judge.hope(after, specials, edition)))
        level = _best(following, effort.beam if following and following[0].sketch.left else effort.exact)
    return complete


def _with_most_dice(seat: Seat, lines: Sequence[Line]) -> list[Line]:
    """The lines that draw as many dice as could be drawn, where that is asked for.

    A beam that came to none of them is replaced by the exact search; where dice drawn before stand in the
    way of all of them, any line is as good.
    """
    faces = seat.roll.faces or ()
    before = seat.board.before_round(seat.roll.round).cells()
    wanted = len(most_dice(before, faces, seat.rules.walls)) - (
        len(faces) - len(dice_left(seat.board, seat.roll))
    )
    enough = [line for line in lines if len(line.drawings) >= wanted]
    if enough:
        return enough
    left = dice_left(seat.board, seat.roll)
    sketch, drawings = sketch_of(seat.board.cells(), seat.ground, sorted(left)), []
    for spot in most_dice(seat.board.cells(), left, seat.rules.walls):
        sketch = with_route(sketch, spot, seat.ground, shape_of(spot[1]))
        drawings.append(_drawing(spot, "die", seat.roll))
    return [Line(tuple(drawings), sketch, 0.0)] if len(drawings) >= wanted else list(lines)


def _with_extra(seat: Seat, judge: Judge, line: Line) -> Iterator[Line]:
    """A complete board with one route more that nobody has to draw."""
    board = _after(seat, line)
    specials = SPECIALS_A_MATCH - len(specials_used(board))
    for source, shape in open_shapes(seat.rules, board, seat.roll):
        left = specials if source == "factory" else specials - 1
        for spot in line.sketch.spots(shape) if source != "die" else ():
            after = with_route(line.sketch, spot, seat.ground)
            drawings = (*line.drawings, _drawing(spot, source, seat.roll))
            yield Line(drawings, after, judge.hope(after, max(0, left), seat.rules.edition))


def _drawing(spot: Spot, source: Source, roll: Roll) -> Drawing:
    cell, route = spot
    return Drawing(GRID.names[cell], route.text, source, roll.round)


def _after(seat: Seat, line: Line) -> Board:
    return Board((*seat.board.drawings, *line.drawings))


def _judged(seat: Seat, judge: Judge, line: Line) -> Judged:
    board = _after(seat, line)
    return judge.judged(
        line.sketch, seat.position(board), max(0, SPECIALS_A_MATCH - len(specials_used(board)))
    )
