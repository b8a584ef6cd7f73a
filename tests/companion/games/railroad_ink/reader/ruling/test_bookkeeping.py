"""What is noted beside the grid, and the round numbers in the white boxes, as evidence about a turn."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.railroad_ink.reader.readings import CellReading, SheetReading
from companion.games.railroad_ink.reader.ruling.bookkeeping import Bookkeeping
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Rules, rolled
from companion.games.railroad_ink.rules.boards.position import print_cells
from companion.games.railroad_ink.rules.boards.routes import shape_of
from companion.games.railroad_ink.rules.rulebook import GRID, SPECIALS
from companion.reading.evidence import SheetProbabilities
from tests.companion.games.railroad_ink.reader.readings import QUALITY

from .rulings import rule_turn

BEFORE = Board((Drawing("b1", "NS", "die", 1), Drawing("a2", "ew", "die", 1), Drawing("d1", "ns", "die", 1)))
ROLL = rolled(2, ["NS", "ne", "Ne*", "NES"])
CROSS = next(route for route in SPECIALS if shape_of(route) == "NESW")
ROW = {route.text: 0.01 for route in SPECIALS}
TURN = {"b2": "Nw*", "f1": "NS", "a4": "NSW", "d2": "ne"}


def _bookkeeping(before: Board, probabilities: SheetProbabilities | None = None, **seen: Any) -> Bookkeeping:
    return Bookkeeping(Rules(), before, SlotProbabilities(probabilities or {}, **seen))


def _row_nll(before: Board, after: Board, crossed: dict[str, float]) -> float:
    return _bookkeeping(before, crossed=crossed).nll(after)


def _with_special(board: Board) -> Board:
    return Board((*board.drawings, Drawing("f2", "NESW", "special", 2)))


def test_who_crosses_a_route_off_has_drawn_it() -> None:
    crossed = ROW | {CROSS.text: 0.99}
    assert _row_nll(BEFORE, _with_special(BEFORE), crossed) == pytest.approx(0.0, abs=0.1)
    assert _row_nll(BEFORE, BEFORE, crossed) > 2
    assert _row_nll(BEFORE, BEFORE, ROW) == pytest.approx(0.0, abs=0.1)
    assert _row_nll(BEFORE, _with_special(BEFORE), ROW) > 0.5


def test_what_cannot_be_seen_says_nothing() -> None:
    assert _row_nll(BEFORE, _with_special(BEFORE), {}) == 0
    elsewhere = {route.text: 0.99 for route in SPECIALS if route != CROSS}
    both = _row_nll(BEFORE, BEFORE, elsewhere), _row_nll(BEFORE, _with_special(BEFORE), elsewhere)
    assert both[0] == both[1]


def test_of_somebody_who_never_crosses_off_little_is_learnt() -> None:
    others = [shape_of(route) for route in SPECIALS if route != CROSS][:2]
    earlier = tuple(
        Drawing(cell, shape, "special", 1) for cell, shape in zip(("d4", "e5"), others, strict=True)
    )
    careless = Board(BEFORE.drawings + earlier)
    assert 0 < _row_nll(careless, _with_special(careless), ROW) < _row_nll(BEFORE, _with_special(BEFORE), ROW)


@pytest.mark.parametrize("crossed_off", [False, True])
def test_the_row_decides_what_lies_under_a_hand(crossed_off: bool) -> None:
    """Nobody sees f2, where a highway arrives: was the special crossroads drawn there?"""
    drawn = print_cells(BEFORE.cells()) | TURN
    probabilities = {name: {drawn.get(name, ""): 0.999, "NESw*": 0.001} for name in GRID.names}
    probabilities["f2"] = {"": 0.5, "NESW": 0.5}
    crossed = ROW | {CROSS.text: 0.99 if crossed_off else 0.01}
    ruling = rule_turn(probabilities, Rules(), BEFORE, ROLL, crossed=crossed)
    unknown = rule_turn(probabilities, Rules(), BEFORE, ROLL)
    f2 = GRID.cell("f2")
    assert (f2 in ruling.cells) == crossed_off
    assert ruling.p > unknown.p


VILLAGE = Board((*BEFORE.drawings, Drawing("c1", "Ns*", "die", 1)))  # c1 is a Village, f2 another
NO_CIRCLES = ((0.01,) * 4, (0.01,) * 3)


def _on_f2(route: str) -> Board:
    return Board((*VILLAGE.drawings, Drawing("f2", route, "die", 2)))


def test_a_circle_says_whether_a_station_was_drawn_on_a_village() -> None:
    """Of somebody who marked the first Village, the next circle tells a station from a plain route."""
    two = _bookkeeping(VILLAGE, crossed=ROW, circles=((0.99, 0.98, 0.01, 0.01), NO_CIRCLES[1]))
    one = _bookkeeping(VILLAGE, crossed=ROW, circles=((0.99, 0.02, 0.01, 0.01), NO_CIRCLES[1]))
    assert two.nll(_on_f2("Ns*")) < 0.1
    assert two.nll(_on_f2("NS")) > 2
    assert one.nll(_on_f2("NS")) < 0.1
    assert one.nll(_on_f2("Ns*")) > 1.5


def test_circles_of_which_some_cannot_be_seen_say_nothing() -> None:
    costs = _bookkeeping(VILLAGE, crossed=ROW, circles=((0.99, 0.98), ()))
    assert costs.nll(_on_f2("Ns*")) == costs.nll(_on_f2("NS"))


def test_who_marks_no_circle_is_not_believed_to_cross_off_either() -> None:
    forgets = _bookkeeping(VILLAGE, crossed=ROW, circles=NO_CIRCLES)
    keeps = _bookkeeping(VILLAGE, crossed=ROW, circles=((0.99, 0.01, 0.01, 0.01), NO_CIRCLES[1]))
    special = _with_special(VILLAGE)
    assert 0 < forgets.nll(special) < keeps.nll(special)


def test_without_circles_the_row_says_what_it_said() -> None:
    crossed = ROW | {CROSS.text: 0.9}
    costs = _bookkeeping(BEFORE, crossed=crossed, circles=((), ()))
    for after in (BEFORE, _with_special(BEFORE)):
        assert costs.nll(after) == pytest.approx(_row_nll(BEFORE, after, crossed))


# --- round numbers ---

WITH_F2 = Board((*BEFORE.drawings, Drawing("f2", "NESW", "special", 2)))
KEEPS = {"b1": 0.99, "a2": 0.97, "d1": 0.99}
NEVER = {"b1": 0.01, "a2": 0.03, "d1": 0.01}


def _of(written: dict[str, float], after: Board, probabilities: SheetProbabilities | None = None) -> float:
    return _bookkeeping(BEFORE, probabilities, written=written).nll(after)


def test_a_number_stands_beside_what_is_drawn() -> None:
    number, none = KEEPS | {"f2": 0.99}, KEEPS | {"f2": 0.01}
    assert _of(number, BEFORE) > _of(number, WITH_F2) + 2
    assert _of(none, WITH_F2) > _of(none, BEFORE) + 1.5


def test_what_was_not_looked_at_says_nothing() -> None:
    assert _of({}, WITH_F2) == _of(KEEPS, WITH_F2) == _of(KEEPS, BEFORE) == 0


def test_of_somebody_who_writes_no_numbers_little_is_learnt() -> None:
    careless = _of(NEVER | {"f2": 0.01}, WITH_F2)
    assert 0 <= careless < 0.6 < _of(KEEPS | {"f2": 0.01}, WITH_F2)


def test_in_the_first_round_what_is_plainly_drawn_tells_who_writes_numbers() -> None:
    plain: SheetProbabilities = {name: {"NS": 0.999, "": 0.001} for name in ("b1", "c1", "e1", "f1")}
    none = dict.fromkeys(plain, 0.01) | {"f2": 0.01}
    assert _of(none, WITH_F2, plain) < _of({"f2": 0.01}, WITH_F2)


@pytest.mark.parametrize("number", [0.99, 0.01])
def test_a_number_decides_between_ink_and_a_ghost(number: float) -> None:
    """In f2, where a highway arrives, stands a faint special crossroads: was it drawn, or wiped off?"""
    drawn = print_cells(BEFORE.cells()) | TURN
    probabilities = {name: {drawn.get(name, ""): 0.999, "NESw*": 0.001} for name in GRID.names}
    probabilities["f2"] = {"": 0.4, "NESW": 0.6}
    written = KEEPS | dict.fromkeys(TURN, 0.98) | {"f2": number}
    ruling = rule_turn(probabilities, Rules(), BEFORE, ROLL, written=written)
    unknown = rule_turn(probabilities, Rules(), BEFORE, ROLL)
    f2 = GRID.cell("f2")
    assert (f2 in ruling.cells) == (number > 0.5)
    assert ruling.p > unknown.p


def test_a_number_in_a_cell_counts_where_the_cell_is_seen() -> None:
    slots = {
        "b1": CellReading({"NS": 1.0}, written=0.9),
        "b2": CellReading({"NS": 1.0}, "glare", written=0.8),
    }
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    sheet = SheetReading("railroad-ink", "challenge", 1, corners, slots, QUALITY)
    assert SlotProbabilities.of(sheet).written == {"b1": 0.9}
