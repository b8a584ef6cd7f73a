"""Move lists: legal, or the first move that is not, and why.

The input is a position with ``moves`` added; its ``cells`` are the board before the first of them. How much
is judged depends on how much is told:

* moves alone: may each route be drawn where it is?
* moves with ``round``: also special routes (one a round, three a match, each once, and the free one), and
  whether any roll of the edition's dice, with Factories, gives so many routes of a round;
* moves with ``round`` and ``from``: also buildings, and whether the edition's dice can show the routes;
* with ``dice`` too: do the routes match the roll, and is every die drawn that had to be?

Where a move does not say ``from``, any source that the rules allow will do, as with a photograph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, shaped
from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Drawing,
    FreeSpecial,
    MustDraw,
    Roll,
    Rules,
    roll_refusal,
    rolled,
)
from companion.games.railroad_ink.rules.boards.difference import (
    Ordered,
    by_source,
    count_from,
    explain_drawings,
    in_some_order,
    likeliest_ways,
    reason,
    sources_of,
    too_many,
)
from companion.games.railroad_ink.rules.boards.placement import may_draw, placement_refusal
from companion.games.railroad_ink.rules.boards.position import Position, read_position
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.expansions.checking import first_fault
from companion.games.railroad_ink.rules.match.turn import try_done, try_draw
from companion.games.railroad_ink.rules.rulebook import NAMES, SPECIAL_SHAPES


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One move as it stands in the input."""

    cell: str
    route: str
    round: int | None = None
    source: Literal["die", "factory", "special", "university"] | None = msgspec.field(
        name="from", default=None
    )


class _MovesJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a move list has beyond a position."""

    moves: list[_Move]
    dice: dict[str, list[str]] | list[list[str]] | None = None
    must_draw: MustDraw = "fits"
    free_special: FreeSpecial = "round"
    # "free": the order inside a round (of all moves, where no rounds are given) is not known.
    order: Literal["given", "free"] = "given"
    # Is the last round over, so that its dice must be drawn as well?
    finished: bool = False


@dataclass(frozen=True)
class _Fault:
    """The first thing against the rules. ``at`` is a move's number from 0; the number of moves: the end."""

    at: int
    refusal: Refusal


# A drawing with its number in the input.
_Numbered: TypeAlias = tuple[int, Drawing]


def check_moves(value: JsonObject) -> JsonObject:
    """The verdict on a move list; what cannot be read is a :class:`NotationError`.

    >>> check_moves({"moves": [{"cell": "b1", "route": "NS"}]})
    {'valid': True}
    >>> check_moves({"moves": [{"cell": "b1", "route": "NS"}, {"cell": "d4", "route": "ns"}]})["at"]
    1
    """
    own = {key: value[key] for key in value if key in _MovesJson.__struct_fields__}
    if isinstance(value.get("expansion"), dict) and value["expansion"].get("name"):
        found = first_fault({key: value[key] for key in value if key not in own}, own.get("moves"))
        return {"valid": True} if found is None else {"valid": False, **found}
    text = shaped(own, _MovesJson)
    position = read_position({"cells": {}, **{key: value[key] for key in value if key not in own}})
    drawings = [_drawing(position, move) for move in text.moves]
    if text.dice is None and all(move.round is None for move in text.moves):
        fault = _placement_fault(position, drawings, text.order)
    else:
        fault = _round_fault(position, drawings, text)
    if fault is None:
        return {"valid": True}
    return {"valid": False, "at": fault.at, "code": fault.refusal.code, "message": fault.refusal.message}


def _drawing(position: Position, move: _Move) -> Drawing:
    drawing = Drawing(move.cell, move.route, move.source or "given", move.round or 0)
    _ = _cell(position, drawing), drawing.drawn  # unknown cells and routes are said before anything is judged
    return drawing


def _cell(position: Position, drawing: Drawing) -> int:
    return position.layout.cell(drawing.cell)


# --- moves alone ---


def _placement_fault(position: Position, drawings: Sequence[Drawing], order: str) -> _Fault | None:
    cells = dict(position.cells)
    left = list(enumerate(drawings))
    if order == "free":
        left = _draw_what_fits(cells, position, left)
    for at, drawing in left:
        refusal = placement_refusal(cells, position.walls, _cell(position, drawing), drawing.drawn)
        if refusal is not None:
            return _Fault(at, refusal)
        cells[_cell(position, drawing)] = drawing.drawn
    return None


def _draw_what_fits(cells: Cells, position: Position, drawings: list[_Numbered]) -> list[_Numbered]:
    """Draw into ``cells`` whatever some order allows, and return the rest.

    A route that is drawn only gives the others more to join, and a clash is one in any order; so nothing is
    gained by waiting.
    """
    left = list(drawings)
    while True:
        fitting = next((numbered for numbered in left if _fits(cells, position, numbered[1])), None)
        if fitting is None:
            return left
        left.remove(fitting)
        cells[_cell(position, fitting[1])] = fitting[1].drawn


def _fits(cells: Cells, position: Position, drawing: Drawing) -> bool:
    return may_draw(cells, position.walls, _cell(position, drawing), drawing.drawn)


# --- moves with rounds ---


@dataclass(frozen=True)
class _Round:
    """One round of the input."""

    roll: Roll
    moves: list[_Numbered]
    first: int  # the number of its first move, or of the move after it where it has none
    ended: bool

    @property
    def end(self) -> int:
        """The number behind its last move."""
        return 1 + max(at for at, _ in self.moves) if self.moves else self.first


def _round_fault(position: Position, drawings: list[Drawing], text: _MovesJson) -> _Fault | None:
    fault = _round_number_fault(text, position.layout.rounds)
    if fault is not None:
        return fault
    rules = Rules(position.edition, position.walls, text.must_draw, text.free_special)
    rounds = list(_rounds(drawings, text, position.layout.rounds))  # all are read before the first is judged
    return _fault_from(rules, _start_sheet(position), rounds, text.order)


def _fault_from(rules: Rules, board: Board, rounds: Sequence[_Round], order: str) -> _Fault | None:
    """The first fault of these rounds, on the way through them that comes furthest."""
    if not rounds:
        return None
    faults = []
    for outcome in _ways_through(rules, board, rounds[0], order):
        fault = outcome if isinstance(outcome, _Fault) else _fault_from(rules, outcome, rounds[1:], order)
        if fault is None:
            return None
        faults.append(fault)
    return max(faults, key=lambda fault: fault.at)


def _start_sheet(position: Position) -> Board:
    return Board(
        tuple(
            Drawing(NAMES[cell], route.text, "given", position.rounds.get(cell, 0))
            for cell, route in position.cells.items()
        ),
        size=position.layout.size,
    )


def _rounds(drawings: list[Drawing], text: _MovesJson, last: int) -> Iterator[_Round]:
    """Every round with moves or dice, in order."""
    rolls = _rolls(text, last)
    told = sorted(enumerate(drawings), key=_round_of)  # "free" says nothing of the order of rounds, either
    by_round = {number: list(moves) for number, moves in groupby(told, _round_of)}
    numbers = sorted({*rolls, *by_round})
    first = 0
    for number in numbers:
        if rolls and number not in rolls:
            raise NotationError(
                "no-dice", f"round {number} has moves but no dice: give the dice of every round"
            )
        moves = by_round.get(number, [])
        ended = number != numbers[-1] or text.finished
        found = _Round(rolls.get(number, Roll(number, None)), moves, moves[0][0] if moves else first, ended)
        yield found
        first = found.end


def _round_of(numbered: _Numbered) -> int:
    return numbered[1].round


def _rolls(text: _MovesJson, last: int) -> dict[int, Roll]:
    """The rolls by round; in a list the first is round 1."""
    if text.dice is None:
        return {}
    if isinstance(text.dice, list):
        numbered = {str(number): faces for number, faces in enumerate(text.dice, 1)}
    else:
        numbered = text.dice
    return {_round_key(key, last): rolled(_round_key(key, last), faces) for key, faces in numbered.items()}


def _round_key(key: str, last: int) -> int:
    if key not in map(str, range(1, last + 1)):
        raise NotationError("bad-dice", f"dice of round {quoted(key)}: rounds are 1 to {last}")
    return int(key)


def _ways_through(rules: Rules, board: Board, round_: _Round, order: str) -> Iterator[Board | _Fault]:
    """The boards that the round may end with, or faults.

    All that later rounds can notice of how a round's routes came about is whether the free special route was
    used; so of the ways that agree in this only the first that works is told.
    """
    roll = round_.roll
    impossible = None if roll.faces is None else roll_refusal(rules.edition, roll.faces)
    if impossible is not None:
        yield _Fault(round_.first, impossible)
        return
    drawings = [drawing for _, drawing in round_.moves]
    unsaid = any(drawing.source == "given" for drawing in drawings)
    crowded = too_many(rules, drawings) if unsaid or order == "free" else None
    if crowded is not None:
        yield _Fault(round_.first, crowded)
        return
    unexplained = _unexplained(rules, board, round_, order) if unsaid and roll.faces is None else None
    if unexplained is not None:
        yield unexplained
        return
    choices = [_possible_sources(drawing, roll, rules) for drawing in drawings]
    ways = likeliest_ways(rules, board, roll, choices) if unsaid else [tuple(drawings)]
    worked: set[int] = set()
    # Faults last among equals: few people think of the free special route when a special one is refused.
    for way in sorted(ways, key=lambda way: count_from(way, "university")) if unsaid else ways:
        free = count_from(way, "university")
        if free in worked:
            continue
        outcome = _play_round(rules, board, round_, way, order)
        if isinstance(outcome, Board):
            worked.add(free)
        yield outcome


def _unexplained(rules: Rules, board: Board, round_: _Round, order: str) -> _Fault | None:
    """The first move of a round that no roll of the dice, Factory or special route can have brought.

    Which dice fell is not known, nor where a route came from: only what is too much in any case is a fault.
    """
    drawings = [drawing for _, drawing in round_.moves]
    answer = explain_drawings(rules, board, round_.roll, drawings, by_source)
    if isinstance(answer, Board):
        return None
    if order == "free":
        return _Fault(round_.first, answer)
    for count, (at, _) in enumerate(round_.moves, start=1):
        refusal = explain_drawings(rules, board, round_.roll, drawings[:count], by_source)
        if isinstance(refusal, Refusal):
            return _Fault(at, refusal)
    return _Fault(round_.first, answer)


def _possible_sources(drawing: Drawing, roll: Roll, rules: Rules) -> list[Drawing]:
    """The drawing as it was said to come about, or in every way it may have.

    Without the dice nobody can say of an ordinary route whether it was a die or its duplicate: it stays
    "given", and only its place is judged.
    """
    if drawing.source != "given" or (roll.faces is None and drawing.shape not in SPECIAL_SHAPES):
        return [drawing]
    return [msgspec.structs.replace(drawing, source=source) for source in sources_of(drawing, rules.edition)]


def _play_round(
    rules: Rules, board: Board, round_: _Round, way: Sequence[Drawing], order: str
) -> Board | _Fault:
    """The board at the end of a round in which the routes came about in this way."""
    draw = _draw_in_any_order if order == "free" else _draw_in_order
    outcome = draw(rules, board, round_, way)
    if isinstance(outcome, Board) and round_.ended:
        answer = try_done(rules, outcome, round_.roll)
        if isinstance(answer, Refusal):
            return _Fault(round_.end, answer)
    return outcome


def _draw_one(rules: Rules, board: Board, roll: Roll, drawing: Drawing) -> Board | Refusal:
    """Draw a route by the rules; if its source is unknown, only the placement is checked."""
    if drawing.source != "given":
        return try_draw(rules, board, roll, drawing)
    refusal = placement_refusal(board.cells(), rules.walls, board.number(drawing), drawing.drawn)
    return refusal or board.with_drawing(drawing)


def _draw_in_order(rules: Rules, board: Board, round_: _Round, way: Sequence[Drawing]) -> Board | _Fault:
    for drawing, (at, as_said) in zip(way, round_.moves, strict=True):
        answer = _draw_one(rules, board, round_.roll, drawing)
        if isinstance(answer, Refusal):
            said = answer if as_said == drawing else reason(rules, round_.roll, Ordered(board, (drawing,)))
            return _Fault(at, said)
        board = answer
    return board


def _draw_in_any_order(rules: Rules, board: Board, round_: _Round, way: Sequence[Drawing]) -> Board | _Fault:
    found = in_some_order(board, way, lambda board, drawing: _draw_one(rules, board, round_.roll, drawing))
    if found.left:
        at = round_.moves[way.index(found.left[0])][0]
        return _Fault(at, reason(rules, round_.roll, found, _draw_one))
    return found.board


def _round_number_fault(text: _MovesJson, rounds: int) -> _Fault | None:
    before = 1
    for at, move in enumerate(text.moves):
        if move.round is None:
            message = (
                f"move {at + 1} has no round, though rounds or dice are given: give every move its round"
            )
            raise NotationError("no-round", message)
        if not 1 <= move.round <= rounds:
            return _Fault(
                at, Refusal("no-such-round", f"there is no round {move.round}: a match has {rounds}")
            )
        if move.round < before and text.order == "given":
            message = f"round {move.round} comes after round {before}: rounds never go back"
            return _Fault(at, Refusal("round-back", message))
        before = move.round
    return None
