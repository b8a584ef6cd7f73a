"""The row of special routes beside the grid as evidence about a turn."""

import pytest

from companion.games.railroad_ink.eye.crossings import BesideCosts, crossing_cost
from companion.games.railroad_ink.eye.hints import Hints
from companion.games.railroad_ink.eye.ruling import rule_turn
from companion.games.railroad_ink.rules.board import Board, Drawing, Rules, rolled
from companion.games.railroad_ink.rules.position import print_cells
from companion.games.railroad_ink.rules.routes import shape_of
from companion.games.railroad_ink.rules.rulebook import GRID, SPECIALS

BEFORE = Board((Drawing("b1", "NS", "die", 1), Drawing("a2", "ew", "die", 1), Drawing("d1", "ns", "die", 1)))
ROLL = rolled(2, ["NS", "ne", "Ne*", "NES"])
CROSS = next(route for route in SPECIALS if shape_of(route) == "NESW")
ROW = {route.text: 0.01 for route in SPECIALS}
TURN = {"b2": "Nw*", "f1": "NS", "a4": "NSW", "d2": "ne"}


def _with_special(board: Board) -> Board:
    return Board((*board.drawings, Drawing("f2", "NESW", "special", 2)))


def test_who_crosses_a_route_off_has_drawn_it() -> None:
    crossed = ROW | {CROSS.text: 0.99}
    assert crossing_cost(BEFORE, _with_special(BEFORE), crossed) == pytest.approx(0.0, abs=0.1)
    assert crossing_cost(BEFORE, BEFORE, crossed) > 2
    assert crossing_cost(BEFORE, BEFORE, ROW) == pytest.approx(0.0, abs=0.1)
    assert crossing_cost(BEFORE, _with_special(BEFORE), ROW) > 0.5


def test_what_cannot_be_seen_says_nothing() -> None:
    assert crossing_cost(BEFORE, _with_special(BEFORE), {}) == 0
    elsewhere = {route.text: 0.99 for route in SPECIALS if route != CROSS}
    both = crossing_cost(BEFORE, BEFORE, elsewhere), crossing_cost(BEFORE, _with_special(BEFORE), elsewhere)
    assert both[0] == both[1]


def test_of_somebody_who_never_crosses_off_little_is_learnt() -> None:
    others = [shape_of(route) for route in SPECIALS if route != CROSS][:2]
    earlier = tuple(
        Drawing(cell, shape, "special", 1) for cell, shape in zip(("d4", "e5"), others, strict=True)
    )
    careless = Board(BEFORE.drawings + earlier)
    assert (
        0
        < crossing_cost(careless, _with_special(careless), ROW)
        < crossing_cost(BEFORE, _with_special(BEFORE), ROW)
    )


@pytest.mark.parametrize("crossed_off", [False, True])
def test_the_row_decides_what_lies_under_a_hand(crossed_off: bool) -> None:
    """Nobody sees f2, where a highway arrives: was the special crossroads drawn there?"""
    drawn = print_cells(BEFORE.cells()) | TURN
    looks = {name: {drawn.get(name, ""): 0.999, "NESw*": 0.001} for name in GRID.names}
    looks["f2"] = {"": 0.5, "NESW": 0.5}
    crossed = ROW | {CROSS.text: 0.99 if crossed_off else 0.01}
    ruling = rule_turn(looks, Rules(), BEFORE, ROLL, hints=Hints(crossed=crossed))
    unknown = rule_turn(looks, Rules(), BEFORE, ROLL)
    f2 = GRID.cell("f2")
    assert (f2 in ruling.cells) == crossed_off
    assert ruling.p > unknown.p


VILLAGE = Board((*BEFORE.drawings, Drawing("c1", "Ns*", "die", 1)))  # c1 is a Village, f2 another
NO_CIRCLES = ((0.01,) * 4, (0.01,) * 3)


def _on_f2(route: str) -> Board:
    return Board((*VILLAGE.drawings, Drawing("f2", route, "die", 2)))


def test_a_circle_says_whether_a_station_was_drawn_on_a_village() -> None:
    """Of somebody who marked the first Village, the next circle tells a station from a plain route."""
    two = BesideCosts(Rules(), VILLAGE, ROW, ((0.99, 0.98, 0.01, 0.01), NO_CIRCLES[1]))
    one = BesideCosts(Rules(), VILLAGE, ROW, ((0.99, 0.02, 0.01, 0.01), NO_CIRCLES[1]))
    assert two.of(_on_f2("Ns*")) < 0.1
    assert two.of(_on_f2("NS")) > 2
    assert one.of(_on_f2("NS")) < 0.1
    assert one.of(_on_f2("Ns*")) > 1.5


def test_circles_of_which_some_cannot_be_seen_say_nothing() -> None:
    costs = BesideCosts(Rules(), VILLAGE, ROW, ((0.99, 0.98), ()))
    assert costs.of(_on_f2("Ns*")) == costs.of(_on_f2("NS"))


def test_who_marks_no_circle_is_not_believed_to_cross_off_either() -> None:
    forgets = BesideCosts(Rules(), VILLAGE, ROW, NO_CIRCLES)
    keeps = BesideCosts(Rules(), VILLAGE, ROW, ((0.99, 0.01, 0.01, 0.01), NO_CIRCLES[1]))
    special = _with_special(VILLAGE)
    assert 0 < forgets.of(special) < keeps.of(special)


def test_without_circles_the_row_says_what_it_said() -> None:
    crossed = ROW | {CROSS.text: 0.9}
    costs = BesideCosts(Rules(), BEFORE, crossed, ((), ()))
    for after in (BEFORE, _with_special(BEFORE)):
        assert costs.of(after) == pytest.approx(crossing_cost(BEFORE, after, crossed))
