"""A board and a roll in, every complete turn of the dice out, or the best ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from typing import Literal, TypeAlias

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.board import MustDraw, roll_refusal, rolled
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.placement import Spot
from companion.games.railroad_ink.rules.boards.position import Position, read_position
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.expansions.frame import fences
from companion.games.railroad_ink.rules.rulebook import NAMES, USUAL
from companion.games.railroad_ink.rules.scoring.batch import encode, score_batch
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.games.railroad_ink.rules.turns.dice_search import complete_lines, most_dice, promising_lines

Line: TypeAlias = tuple[Spot, ...]  # what is drawn, in a legal order
Hope: TypeAlias = Callable[[Position], tuple[float, float]]  # of a board: as it is, and what may come of it

_BLOCK = 5000  # boards scored at once
_MOST_LINES = 200_000  # six dice on an empty epic board have many millions
_MOST_COMPARED = 10_000  # for the best of them; of more, a search looks at the promising ones
_LOOKED_AT = 26_000  # boards of that search, shared by the dice
_OPEN_END = 0.8  # of an end's error may be put right by a die that is still to be drawn


class AskedTurns(msgspec.Struct, frozen=True):
    """What a position has besides."""

    dice: list[str]
    best: int | None = None
    must_draw: MustDraw = "fits"
    by: Literal["score", "worth"] = "score"
    round: int | None = None


def read_question(value: JsonObject) -> tuple[Position, AskedTurns]:
    """The board, and what is asked about it."""
    asked = shaped(value, AskedTurns)
    if asked.best is not None and asked.best < 1:
        raise NotationError("bad-best", m("the best {best} turns: ask for 1 or more", best=asked.best))
    own = AskedTurns.__struct_fields__
    position = read_position({key: value[key] for key in value if key not in own})
    refusal = roll_refusal(position.edition, asked.dice)
    if refusal is not None:
        raise NotationError(refusal.code, refusal.message)
    return position, asked


def complete_turns(value: JsonObject) -> JsonObject:
    """Every set of drawings after which no die fits any more, in an order that is legal, with its score.

    Duplicates of a Factory and special routes, which nobody has to draw, are left out. Of ``best`` alone
    there is always an answer: where turns are too many to compare them all, a beam search looks at the
    promising ones, and ``searched`` says so.

    >>> complete_turns({"cells": {}, "dice": ["NS", "NS", "N*", "NES"], "best": 1})["turns"][0]["total"]
    7
    """
    position, asked = read_question(value)
    start = drawing_on(position, asked.dice)
    most = _MOST_LINES if asked.best is None else _MOST_COMPARED
    lines = list(islice(complete_lines(*start), most + 1))
    searched = len(lines) > most
    if searched and asked.best is None:
        message = m(
            "there are more than {most} complete turns of these dice: ask for the best ones", most=f"{most:,}"
        )
        raise NotationError("too-many-turns", message)
    if searched:
        lines = searched_lines(position, asked.dice, _score_and_prospect)
    if asked.must_draw == "most":
        lines = with_most_dice(lines, start)
    ranked = sorted(zip(_totals(position, lines), map(moves_json, lines), strict=True), key=_best_first)
    turns = [{"total": total, "moves": moves} for total, moves in ranked[: asked.best]]
    return {"count": len(lines), **({"searched": True} if searched else {}), "turns": turns}


def drawing_on(position: Position, dice: Sequence[str]) -> tuple[Cells, Sequence[str], Walls, Layout]:
    """What the searches need: the board's routes, the dice as shapes, walls and fences, the layout."""
    walls = position.walls | fences(position) if position.marks else position.walls
    return position.cells, rolled(0, dice).faces or (), walls, position.layout


def searched_lines(position: Position, dice: Sequence[str], hope: Hope) -> list[Line]:
    """The complete turns that a beam search comes to, guided by what boards are and what may come of them."""

    def ranked(lines: Sequence[Line]) -> Iterable[int]:
        """Places in turns by both: what is good already, and what has a future."""
        known = [hope(after_turn(position, line)) for line in lines]
        by_now = sorted(range(len(lines)), key=lambda place: -known[place][0])
        by_prospect = sorted(range(len(lines)), key=lambda place: -known[place][1])
        return dict.fromkeys(place for pair in zip(by_now, by_prospect, strict=True) for place in pair)

    return promising_lines(drawing_on(position, dice), ranked, _LOOKED_AT // len(dice))


def with_most_dice(lines: list[Line], start: tuple[Cells, Sequence[str], Walls, Layout]) -> list[Line]:
    """The lines that draw the most dice; if a search found none, the line of the exact search."""
    best = most_dice(*start)
    return [line for line in lines if len(line) == len(best)] or [best]


def moves_json(line: Sequence[Spot]) -> list[dict[str, str]]:
    """A turn as it stands in JSON."""
    return [{"cell": NAMES[cell], "route": route.text} for cell, route in line]


def after_turn(position: Position, line: Sequence[Spot]) -> Position:
    """The board with a turn drawn on it."""
    return replace(position, cells={**position.cells, **dict(line)})


def _best_first(ranked: tuple[int, list[dict[str, str]]]) -> tuple[int, int]:
    total, moves = ranked
    return -total, -len(moves)


def _score_and_prospect(position: Position) -> tuple[float, float]:
    known = score(position)
    return known.total, known.total + _OPEN_END * len(known.errors)


def _totals(position: Position, lines: Sequence[Line]) -> list[int]:
    """The score after each turn: as machine code, which knows plain usual boards only, where numba is.

    Few boards are scored before the machine code would be loaded.
    """
    plain = not (position.goals or position.expansion_points or position.expansion)
    plain = plain and position.layout is USUAL and len(lines) > _MOST_COMPARED
    if not plain or find_spec("numba") is None:
        return [score(after_turn(position, line)).total for line in lines]
    found: list[int] = []
    for first in range(0, len(lines), _BLOCK):
        boards = encode([after_turn(position, line) for line in lines[first : first + _BLOCK]])
        scores = score_batch(
            boards, position.edition.name, position.longest, position.walls, position.wall_ends
        )
        found += scores.total.tolist()
    return found
