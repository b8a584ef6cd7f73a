"""An expansion in a match: the marks on a board, the dice of the round, and what may be done with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from companion.core.messages import joined, m
from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Drawing,
    Placed,
    Roll,
    Rules,
    Source,
    dice_left,
    free_special_refusal,
    special_refusal,
    specials_left,
)
from companion.games.railroad_ink.rules.boards.placement import Spot, placement_refusal
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import Route
from companion.games.railroad_ink.rules.expansions.frame import Placement, Turn, fences, no_faults, spots
from companion.games.railroad_ink.rules.expansions.marks import Marks, with_sign, without_sign
from companion.games.railroad_ink.rules.expansions.registry import placements, rules_of
from companion.games.railroad_ink.rules.expansions.tables import begins_with, parts_of, table_of
from companion.games.railroad_ink.rules.rulebook import LAYOUTS, NAMES

# --- the board ---


def marks_on(expansion: str, board: Board, *, begun: bool = True) -> Marks:
    """What is written on a board besides routes: as it began, then every placement in its order."""
    table = table_of(expansion)
    marks: Marks = begins_with(expansion, LAYOUTS[board.size].spread) if begun else {}
    for placed in board.placed:
        marks = after_placement(marks, placed.placement, table.boxes)
    return marks


def after_placement(marks: Marks, placement: Placement, boxes: Sequence[str]) -> Marks:
    """The marks after a placement on this board."""
    for place, sign in placement.erase:
        marks = without_sign(marks, place, sign)
    for place, word in placement.marks:
        marks = {**marks, place: word} if place in boxes else with_sign(marks, place, word)
    return marks


@lru_cache(maxsize=256)  # asked again and again while one board is shown
def position_on(rules: Rules, board: Board) -> Position:
    """A seat's board with its marks, as placements and the score want it."""
    return Position(
        cells=board.cells(),
        edition=rules.edition,
        rounds=board.rounds(),
        expansion=rules.expansion,
        marks=marks_on(rules.expansion, board) if rules.expansion else {},
        walls=rules.walls,
    )


def with_placement(board: Board, placed: Placed) -> Board:
    """The board after a placement of its own seat, or after what a neighbour wrote on it."""
    placement = placed.placement
    drawings = tuple(
        replaced(one, erased=placed.round) if one.cell in placement.destroy and not one.erased else one
        for one in board.drawings
    )
    after = Board(drawings, (*board.placed, placed), board.size)
    if not placement.cell:
        return after
    source: Source = "die" if placement.source == "die" else "expansion"
    return after.with_drawing(Drawing(placement.cell, placement.route, source, placed.round))


# --- routes beside marks ---


def route_spots(position: Position, shape: str) -> list[Spot]:
    """The places where a shape may be drawn within the expansion's own limits (bridge points)."""
    found = spots(position, shape)
    faults = rules_of(position.expansion).faults
    if faults is no_faults:
        return found
    return [spot for spot in found if not any(faults(_with_route(position, *spot)))]


def _with_route(position: Position, cell: int, route: Route) -> Position:
    return replace(position, cells={**position.cells, cell: route})


def route_refusal(position: Position, cell: int, route: Route) -> Refusal | None:
    """Why a route may not be drawn in a cell; nothing when it may."""
    name = NAMES[cell]
    if cell in position.filled and cell not in position.cells:
        return Refusal(
            "occupied",
            m("{name} is taken: {name2} is written there", name=name, name2=position.marks[name]),
            {"cell": name},
        )
    refusal = placement_refusal(position.cells, position.walls | fences(position), cell, route)
    if (
        refusal is not None
        and refusal.code == "not-connected"
        and (cell, route) in spots(position, route.text)
    ):
        refusal = None
    fault = next(iter(rules_of(position.expansion).faults(_with_route(position, cell, route))), None)
    return refusal or (Refusal("expansion", joined(": ", [name, fault]), {"cell": name}) if fault else None)


# --- a round ---


def faces_left(board: Board, number: int, rolled: Sequence[str]) -> tuple[str, ...]:
    """The faces of the expansion dice that a seat has not used up, and what they left to be done."""
    left = Counter(rolled)
    for placed in board.placed:
        if placed.round == number and placed.own:
            left.update(placed.placement.gives)
            left.subtract(placed.placement.uses)
    return tuple(left.elements())


def turn_of(
    rules: Rules, board: Board, roll: Roll, rolled: Sequence[str], beside: tuple[Board, Board] | None = None
) -> Turn:
    """What a seat's placements depend on in this round."""
    may_cross = not special_refusal(board, roll) or not free_special_refusal(rules, board, roll)
    around = None
    if beside is not None:
        around = (position_on(rules, beside[0]), position_on(rules, beside[1]))
    return Turn(
        round=roll.round,
        left=faces_left(board, roll.round, rolled),
        specials=specials_left(board) if may_cross else (),
        used_specials=len(board.crossed_off()),
        rolled=tuple(rolled),
        dice=dice_left(board, roll),
        beside=around,
    )


def open_placements(rules: Rules, board: Board, turn: Turn) -> list[Placement]:
    """Everything that a seat may do with its expansion dice now."""
    return list(placements(position_on(rules, board), turn))


@lru_cache(maxsize=512)  # listed, decided, and asked for by the page
def placements_in(
    rules: Rules, board: Board, roll: Roll, rolled: tuple[str, ...], beside: tuple[Board, Board]
) -> tuple[Placement, ...]:
    """Every placement open to a seat in a match; cached, because several callers need it."""
    return tuple(open_placements(rules, board, turn_of(rules, board, roll, rolled, beside)))


def crossing(board: Board, roll: Roll) -> str:
    """Where a special route is crossed off: among the three, or else at the third University."""
    return "special" if special_refusal(board, roll) is None else "university"


def unsettled(rules: Rules, board: Board, turn: Turn) -> Iterator[Placement]:
    """Placements that have to be made before the round is over; one of them at least, if there is one."""
    needed: set[str] = set()
    for table in map(table_of, parts_of(rules.expansion)):
        left, rolled = ([face for face in faces if face in table.faces] for faces in (turn.left, turn.rolled))
        must = {face for face in left if face in table.must_faces}
        if not must and len(rolled) - len(left) < min(table.must, len(rolled)):
            must = {face for face in left if face in rolled}
        needed |= must
    if needed:
        yield from (one for one in open_placements(rules, board, turn) if set(one.uses) & needed)
