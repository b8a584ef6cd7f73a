"""A board and a roll in, every complete turn of the dice out, the best score first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice

import msgspec

from companion.games.contract import Plain
from companion.games.kit.errors import NotationError
from companion.games.kit.jsontext import shaped
from companion.games.railroad_ink.rules.batch import encode, score_batch
from companion.games.railroad_ink.rules.board import MustDraw, roll_refusal, rolled
from companion.games.railroad_ink.rules.dice_search import complete_lines
from companion.games.railroad_ink.rules.expansions.frame import fences
from companion.games.railroad_ink.rules.placement import Spot
from companion.games.railroad_ink.rules.position import Position, read_position
from companion.games.railroad_ink.rules.rulebook import NAMES, USUAL
from companion.games.railroad_ink.rules.scoring import score

_BLOCK = 5000  # boards scored at once
_MOST_LINES = 200_000  # six dice on an empty epic board have many millions


class _TurnJson(msgspec.Struct, frozen=True):
    """What a position has besides."""

    dice: list[str]
    best: int | None = None
    must_draw: MustDraw = "fits"


def complete_turns(value: Plain) -> Plain:
    """Every set of drawings after which no die fits any more, in an order that is legal, with its score.

    Duplicates of a Factory and special routes, which nobody has to draw, are left out.

    >>> complete_turns({"cells": {}, "dice": ["NS", "NS", "N*", "NES"], "best": 1})["turns"][0]["total"]
    7
    """
    asked = shaped(value, _TurnJson)
    if asked.best is not None and asked.best < 1:
        raise NotationError("bad-best", f"the best {asked.best} turns: ask for 1 or more")
    own = _TurnJson.__struct_fields__
    position = read_position({key: value[key] for key in value if key not in own})
    refusal = roll_refusal(position.edition, asked.dice)
    if refusal is not None:
        raise NotationError(refusal.code, refusal.message)
    walls = position.walls | fences(position) if position.marks else position.walls
    every = complete_lines(position.cells, rolled(0, asked.dice).faces or (), walls, position.layout)
    lines = list(islice(every, _MOST_LINES + 1))
    if len(lines) > _MOST_LINES:
        message = f"there are more than {_MOST_LINES:,} complete turns of these dice: too many to list"
        raise NotationError("too-many-turns", message)
    if asked.must_draw == "most":
        most = max(map(len, lines))
        lines = [line for line in lines if len(line) == most]
    ranked = sorted(zip(_totals(position, lines), map(_moves, lines), strict=True), key=_best_first)
    turns = [{"total": total, "moves": moves} for total, moves in ranked[: asked.best]]
    return {"count": len(lines), "turns": turns}


def _best_first(ranked: tuple[int, list[dict[str, str]]]) -> tuple[int, int]:
    total, moves = ranked
    return -total, -len(moves)


def _moves(line: Sequence[Spot]) -> list[dict[str, str]]:
    return [{"cell": NAMES[cell], "route": route.text} for cell, route in line]


def _totals(position: Position, lines: Sequence[Sequence[Spot]]) -> list[int]:
    """The score after each turn: as machine code, which knows plain usual boards only, where numba is."""
    plain = not (position.goals or position.expansion_points or position.expansion)
    plain = plain and position.layout is USUAL
    if not plain or find_spec("numba") is None:
        return [score(_after(position, line)).total for line in lines]
    found: list[int] = []
    for first in range(0, len(lines), _BLOCK):
        boards = encode([_after(position, line) for line in lines[first : first + _BLOCK]])
        scores = score_batch(
            boards, position.edition.name, position.longest, position.walls, position.wall_ends
        )
        found += scores.total.tolist()
    return found


def _after(position: Position, line: Sequence[Spot]) -> Position:
    return replace(position, cells={**position.cells, **dict(line)})
