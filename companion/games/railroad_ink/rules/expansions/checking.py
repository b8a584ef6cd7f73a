"""Checks move lists with an expansion: whether each move is legal on the board of that moment, dice aside."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.position import Position, read_position
from companion.games.railroad_ink.rules.boards.routes import any_route
from companion.games.railroad_ink.rules.expansions.frame import Placement, Turn
from companion.games.railroad_ink.rules.expansions.playing import after_placement, route_refusal
from companion.games.railroad_ink.rules.expansions.registry import placements
from companion.games.railroad_ink.rules.expansions.tables import table_of
from companion.games.railroad_ink.rules.rulebook import SPECIAL_SHAPES


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A route, or with ``uses`` what was done with an expansion's dice."""

    cell: str = ""
    route: str = ""
    round: int = 1
    source: str = msgspec.field(name="from", default="")
    uses: tuple[str, ...] | None = None
    marks: dict[str, str] = {}
    erase: dict[str, str] = {}
    destroy: tuple[str, ...] = ()
    special: str = ""


class _Moves(msgspec.Struct, frozen=True):
    moves: list[_Move]


def first_fault(position: JsonObject, moves: object) -> JsonObject | None:
    """The first move that cannot be made, and why; the position is the board before the first.

    >>> told = {"expansion": {"name": "forest"}, "cells": {}}
    >>> trees = {"uses": ["trees"], "marks": {"b1": "trees"}}
    >>> first_fault(told, [trees, {"cell": "b1", "route": "NS"}])["at"]
    1
    """
    now = read_position({"cells": {}, **position})
    for at, move in enumerate(shaped({"moves": moves}, _Moves).moves):
        after = _after(now, move)
        if not isinstance(after, Position):
            return {"at": at, **after}
        now = after
    return None


def _after(position: Position, move: _Move) -> Position | JsonObject:
    """The board after a move, or the code and the sentence against it."""
    cell = position.layout.cell(move.cell) if move.cell or move.uses is None else -1
    route = any_route(move.route) if cell >= 0 else None
    if move.uses is None and route is not None:
        refusal = route_refusal(position, cell, route)
        if refusal is not None:
            return {"code": refusal.code, "message": refusal.message}
        rounds = {**position.rounds, cell: move.round}
        return replace(position, cells={**position.cells, cell: route}, rounds=rounds)
    uses = move.uses or ()
    turn = Turn(move.round, uses, SPECIAL_SHAPES, len(SPECIAL_SHAPES), uses)
    asked = _key(uses, move.cell, route.text if route else "", move.marks, move.erase, move.destroy)
    for one in placements(position, turn):
        if _key(*_parts(one)) == asked and one.special == move.special:
            return _placed(position, one, move.round)
    where = move.cell or next(iter(move.marks), "there")
    message = m("{where}: the rules of the expansion do not allow this now", where=where)
    return {"code": "not-placed", "message": message}


def _parts(one: Placement) -> tuple[tuple[str, ...], str, str, JsonObject, JsonObject, tuple[str, ...]]:
    return one.uses, one.cell, one.route, dict(one.marks), dict(one.erase), one.destroy


def _key(
    uses: tuple[str, ...],
    cell: str,
    route: str,
    marks: JsonObject,
    erase: JsonObject,
    destroy: tuple[str, ...],
) -> tuple[object, ...]:
    """Equal for the same thing said in another order."""
    return sorted(uses), cell, route, marks, erase, sorted(destroy)


def _placed(position: Position, one: Placement, number: int) -> Position:
    gone = {position.layout.cell(name) for name in one.destroy}
    cells = {cell: route for cell, route in position.cells.items() if cell not in gone}
    rounds = {cell: when for cell, when in position.rounds.items() if cell not in gone}
    if one.cell:
        cells[position.layout.cell(one.cell)] = any_route(one.route)
        rounds[position.layout.cell(one.cell)] = number
    marks = after_placement(position.marks, one, table_of(position.expansion).boxes)
    return replace(position, cells=cells, rounds=rounds, marks=marks)
