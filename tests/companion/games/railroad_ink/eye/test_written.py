"""The round numbers in the white boxes as evidence about a turn."""

import pytest

from companion.games.kit.evidence import Looks
from companion.games.railroad_ink.eye.hints import Hints
from companion.games.railroad_ink.eye.ruling import rule_turn
from companion.games.railroad_ink.eye.written import NumberCosts
from companion.games.railroad_ink.rules.board import Board, Drawing, Rules, rolled
from companion.games.railroad_ink.rules.position import print_cells
from companion.games.railroad_ink.rules.rulebook import GRID

BEFORE = Board((Drawing("b1", "NS", "die", 1), Drawing("a2", "ew", "die", 1), Drawing("d1", "ns", "die", 1)))
ROLL = rolled(2, ["NS", "ne", "Ne*", "NES"])
TURN = {"b2": "Nw*", "f1": "NS", "a4": "NSW", "d2": "ne"}
WITH_F2 = Board((*BEFORE.drawings, Drawing("f2", "NESW", "special", 2)))
KEEPS = {"b1": 0.99, "a2": 0.97, "d1": 0.99}
NEVER = {"b1": 0.01, "a2": 0.03, "d1": 0.01}


def _of(written: dict[str, float], after: Board, looks: Looks | None = None) -> float:
    return NumberCosts(looks or {}, BEFORE, written).of(after)


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
    plain: Looks = {name: {"NS": 0.999, "": 0.001} for name in ("b1", "c1", "e1", "f1")}
    none = dict.fromkeys(plain, 0.01) | {"f2": 0.01}
    assert _of(none, WITH_F2, plain) < _of({"f2": 0.01}, WITH_F2)


@pytest.mark.parametrize("number", [0.99, 0.01])
def test_a_number_decides_between_ink_and_a_ghost(number: float) -> None:
    """In f2, where a highway arrives, stands a faint special crossroads: was it drawn, or wiped off?"""
    drawn = print_cells(BEFORE.cells()) | TURN
    looks = {name: {drawn.get(name, ""): 0.999, "NESw*": 0.001} for name in GRID.names}
    looks["f2"] = {"": 0.4, "NESW": 0.6}
    hints = Hints(written=KEEPS | dict.fromkeys(TURN, 0.98) | {"f2": number})
    ruling, unknown = (rule_turn(looks, Rules(), BEFORE, ROLL, hints=one) for one in (hints, Hints()))
    f2 = GRID.cell("f2")
    assert (f2 in ruling.cells) == (number > 0.5)
    assert ruling.p > unknown.p
