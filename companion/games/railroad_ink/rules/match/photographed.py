"""What comes from a photograph into a match: a round's drawings at once, and what is known of the picture.

The picture itself proves nothing: the rules judge the drawings one by one, as if somebody had named them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Fact, Refusal
from companion.game.pictures import Picture, picture_fact
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.boards.difference import explain_turn
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.boards.routes import parse_route
from companion.games.railroad_ink.rules.expansions.actions import (
    after_place,
    decide_placement,
    unsettled_first,
)
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.match.turn import try_draw
from companion.games.railroad_ink.rules.rulebook import GRID, NAMES


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cell: str
    route: str
    source: str | None = msgspec.field(name="from", default=None)


class _Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    moves: list[dict[str, Any]]  # routes; with ``uses`` what was done with an expansion's dice
    picture: Picture | None = None


def decide_turn(state: State, seat: int, data: JsonObject) -> Fact | Refusal:
    """All the drawings in a legal order, or the rule against the first one that no order allows."""
    wish = shaped(data, _Turn, "bad-action")
    if not wish.moves:
        return Refusal("no-moves", m("nothing new is drawn: take the picture after drawing"))
    if any("uses" in move for move in wish.moves):
        return _decide_marked(state, seat, wish)
    first = unsettled_first(state, seat)
    if first is not None:
        return first
    after = _drawn(state, seat, [shaped(move, _Move, "bad-action") for move in wish.moves])
    if isinstance(after, Refusal):
        return after
    new = after.drawings[len(state.boards[seat].drawings) :]
    return Fact("turn", seat, {"moves": [*map(_move_json, new)], **fact_of_picture(wish.picture)})


def _decide_marked(state: State, seat: int, wish: _Turn) -> Fact | Refusal:
    """Routes and placements in the order in which they are given, each as if it were made by itself."""
    now, moves = state, []
    for move in wish.moves:
        if "uses" in move:
            placed = decide_placement(now, seat, move)
            if isinstance(placed, Refusal):
                return placed
            now, told = after_place(now, placed), placed.data
        else:
            first = unsettled_first(now, seat)
            drawn = first or _drawn(now, seat, [shaped(move, _Move, "bad-action")])
            if isinstance(drawn, Refusal):
                return drawn
            now, told = _with_board(now, seat, drawn), _move_json(drawn.drawings[-1])
        moves.append(told)
    return Fact("turn", seat, {"moves": moves, **fact_of_picture(wish.picture)})


def _with_board(state: State, seat: int, board: Board) -> State:
    return replaced(state, boards={**state.boards, seat: board})


def _move_json(drawing: Drawing) -> JsonObject:
    return {"cell": drawing.cell, "route": drawing.route, "from": drawing.source}


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
        return Refusal("occupied", m("{taken} is drawn already", taken=taken[0]), {"cell": taken[0]})
    return explain_turn(state.rules, board, state.roll, {**before, **new})


def after_turn(state: State, fact: Fact) -> State:
    """The seat's board with the round's drawings, and what was done with an expansion's dice."""
    seat = fact.seat or 0
    for move in fact.data["moves"]:
        if "uses" in move:
            state = after_place(state, Fact("place", seat, move))
        else:
            drawing = Drawing(move["cell"], move["route"], move["from"], state.round)
            state = _with_board(state, seat, state.boards[seat].with_drawing(drawing))
    return state


def fact_of_picture(picture: Picture | None) -> JsonObject:
    """The picture as an event keeps it, cells and routes as they are usually written; nothing without one."""
    if picture is None:
        return {}
    settled = {
        name if _is_mark(name) else GRID.names[GRID.cell(name)]: text
        if _is_mark(name) or not text
        else parse_route(text).text
        for name, text in sorted(picture.settled.items())
    }
    return picture_fact(replaced(picture, settled=settled))


def _is_mark(slot: str) -> bool:
    """Return True if the slot is one of an expansion's marks: a border, or a cell with a plus."""
    return slot.endswith("+") or "-" in slot
