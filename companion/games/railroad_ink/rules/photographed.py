"""What comes from a photograph into a match: a round's drawings at once, and what is known of the picture.

The picture itself proves nothing: the rules judge the drawings one by one, as if somebody had named them.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.games.contract import Fact, Plain, Refusal
from companion.games.kit.jsontext import shaped
from companion.games.kit.pictures import Picture, picture_fact
from companion.games.kit.records import replaced
from companion.games.railroad_ink.rules.board import Board, Drawing
from companion.games.railroad_ink.rules.difference import explain_turn
from companion.games.railroad_ink.rules.position import read_cells
from companion.games.railroad_ink.rules.routes import parse_route
from companion.games.railroad_ink.rules.rulebook import GRID, NAMES
from companion.games.railroad_ink.rules.state import State
from companion.games.railroad_ink.rules.turn import try_draw


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cell: str
    route: str
    source: str | None = msgspec.field(name="from", default=None)


class _Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    moves: list[_Move]
    picture: Picture | None = None


def decide_turn(state: State, seat: int, data: Plain) -> Fact | Refusal:
    """All the drawings in a legal order, or the rule against the first one that no order allows."""
    wish = shaped(data, _Turn, "bad-action")
    if not wish.moves:
        return Refusal("no-moves", "nothing new is drawn: take the picture after drawing")
    after = _drawn(state, seat, wish.moves)
    if isinstance(after, Refusal):
        return after
    new = after.drawings[len(state.boards[seat].drawings) :]
    moves = [{"cell": one.cell, "route": one.route, "from": one.source} for one in new]
    return Fact("turn", seat, {"moves": moves, **fact_of_picture(wish.picture)})


def _drawn(state: State, seat: int, moves: list[_Move]) -> Board | Refusal:
    if any(move.source is None for move in moves):
        return _explained(state, seat, {move.cell: move.route for move in moves})
    board = state.boards[seat]
    for move in moves:
        drawing = shaped({"cell": move.cell, "route": move.route, "from": move.source}, Drawing, "bad-action")
        answer = try_draw(state.rules, board, state.roll, drawing)
        if isinstance(answer, Refusal):
            return answer
        board = answer
    return board


def _explained(state: State, seat: int, texts: Mapping[str, str]) -> Board | Refusal:
    board = state.boards[seat]
    new, before = read_cells(dict(texts)), board.cells()
    taken = [NAMES[cell] for cell in new if cell in before]
    if taken:
        return Refusal("occupied", f"{taken[0]} is drawn already", {"cell": taken[0]})
    return explain_turn(state.rules, board, state.roll, {**before, **new})


def after_turn(state: State, fact: Fact) -> Board:
    """The seat's board with the round's drawings."""
    board = state.boards[fact.seat or 0]
    for move in fact.data["moves"]:
        board = board.with_drawing(Drawing(move["cell"], move["route"], move["from"], state.round))
    return board


def fact_of_picture(picture: Picture | None) -> Plain:
    """The picture as an event keeps it, cells and routes as they are usually written; nothing without one."""
    if picture is None:
        return {}
    settled = {
        GRID.names[GRID.cell(name)]: parse_route(text).text if text else ""
        for name, text in sorted(picture.settled.items())
    }
    return picture_fact(replaced(picture, settled=settled))
