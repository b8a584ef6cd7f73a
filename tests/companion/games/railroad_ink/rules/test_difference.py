"""From one board to the next: the order and the sources of what was added."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given as each
from hypothesis import settings
from hypothesis import strategies as st

from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Roll, Rules, given, rolled
from companion.games.railroad_ink.rules.boards.difference import explain_turn
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.match.turn import Done, open_draws, try_done, try_draw
from companion.games.railroad_ink.rules.rulebook import DICE, EDITION
from companion.languages import said

RULES = Rules()
ROLL = rolled(1, ["NS", "ns", "Ns*", "NS|ew"])


def explained(before: dict[str, str], roll: Roll = ROLL, **added: str) -> Board | Refusal:
    return explain_turn(RULES, given(read_cells(before)), roll, read_cells({**before, **added}))


def sources(answer: Board | Refusal) -> dict[str, str]:
    assert isinstance(answer, Board), answer
    return {drawing.cell: drawing.source for drawing in answer.drawings if drawing.source != "given"}


def code(answer: Board | Refusal) -> str:
    assert isinstance(answer, Refusal)
    return answer.code


def test_an_order_is_found() -> None:
    answer = explained({}, b3="Ns*", b2="NS|ew", b1="NS")
    assert list(sources(answer)) == ["b1", "b2", "b3"]


def test_routes_are_dice_as_far_as_dice_go() -> None:
    answer = explained({"a2": "nw"}, a1="ns", b1="NS", f1="NS", g2="NS|ew", b7="nS*", f7="NESW")
    assert sorted(sources(answer).items()) == [
        ("a1", "die"), ("b1", "die"), ("b7", "die"), ("f1", "factory"), ("f7", "special"), ("g2", "die")
    ]  # fmt: skip


def test_the_die_is_the_one_that_opens_the_factory() -> None:
    """Both are straight railways; the one on the Factory must be the die."""
    answer = explained({"a2": "nw"}, d1="ns", a1="ns")
    assert sources(answer) == {"a1": "die", "d1": "factory"}


def test_the_free_special_route_of_the_third_university() -> None:
    before = {"a4": "NW", "b7": "NS", "b6": "NS", "a3": "NS", "b5": "NS", "g4": "EW", "f4": "EW", "e4": "EW"}
    answer = explained(before, d4="NESW", d1="nesw")
    assert sources(answer) == {"d4": "special", "d1": "university"}


def test_a_single_special_route_with_the_third_university_is_the_free_one() -> None:
    """The free one costs none of the match's three, so it is booked whenever an order allows it."""
    before = {"a4": "EW", "b4": "EW", "c4": "EW", "d4": "EW", "b7": "NS", "b6": "NS", "b5": "NS", "a2": "ws"}
    answer = explained(before, rolled(1, ["ns", "nes", "Ns*", "NS|ew"]), a3="nes", d1="nesw")
    assert sources(answer)["d1"] == "university"


def test_the_official_demonstration_of_a_first_round() -> None:
    """Sky rulebook, figure 1a: four dice, the T duplicated by the Factory at a1, and a special route."""
    roll = rolled(1, ["N*", "NES", "ns", "NE|SW"])
    answer = explained({}, roll, a1="E*", b1="NSW", c2="ESW", a2="ew", b3="NW|ES", b2="NESw*")
    found = sources(answer)
    assert sorted(found.values()) == ["die", "die", "die", "die", "factory", "special"]
    assert (found["b2"], {found["b1"], found["c2"]}) == ("special", {"die", "factory"})
    assert isinstance(answer, Board)
    assert try_done(RULES, answer, roll) == Done()


def test_nothing_added_is_a_turn_without_routes() -> None:
    assert explained({"b1": "NS"}) == given(read_cells({"b1": "NS"}))


def test_vanished_ink_is_named() -> None:
    answer = explain_turn(RULES, given(read_cells({"b1": "NS", "d1": "ns"})), ROLL, read_cells({"d1": "ns"}))
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.message) == ("vanished", "drawn earlier and gone now: b1")
    assert answer.detail == {"vanished": ["b1"], "changed": []}


def test_changed_ink_is_named() -> None:
    before = given(read_cells({"b1": "NS", "d1": "ns", "f1": "NS"}))
    answer = explain_turn(RULES, before, ROLL, read_cells({"b1": "NE", "d1": "nw"}))
    assert isinstance(answer, Refusal)
    assert answer.message == "drawn earlier and gone now: f1; drawn differently than before: b1 and d1"
    assert answer.detail == {"vanished": ["f1"], "changed": ["b1", "d1"]}


@pytest.mark.parametrize(
    ("added", "expected", "says"),
    [
        ({"b1": "NE"}, "not-rolled", "b1: no die of round 1 shows the highway curve"),
        ({"b1": "NS", "f1": "NS"}, "die-used", "f1: the straight highway of this round is already drawn"),
        (
            {"b1": "NESW", "d1": "nesw"},
            "special-this-round",
            "d1: a special route was already used in round 1",
        ),
        (
            {"b1": "NS", "d4": "ns"},
            "not-connected",
            "the straight railway (top, bottom) at d4 would join nothing",
        ),
        ({"b1": "ns"}, "types-meet", "the railway of b1 would meet the highway exit on its top"),
    ],
)
def test_what_no_rule_explains_is_said(added: dict[str, str], expected: str, says: str) -> None:
    answer = explained({}, ROLL, **added)
    assert isinstance(answer, Refusal)
    assert answer.code == expected
    assert answer.message.startswith(says)


def test_what_no_rule_explains_is_said_in_every_language() -> None:
    answer = explained({}, ROLL, b1="NS", f1="NS")
    assert isinstance(answer, Refusal)
    assert said(answer.message, "de") == "f1: gerade Straße dieser Runde ist schon gezeichnet"


def test_more_routes_than_a_round_can_have() -> None:
    routes = dict.fromkeys(["a1", "b1", "c1", "d1", "e1", "f1", "g1", "a3", "b3", "c3"], "NS")
    assert code(explained({}, ROLL, **routes)) == "too-many-routes"


def test_without_faces_the_dice_of_the_edition_explain() -> None:
    assert sources(explained({}, Roll(1, None), b1="NS", f1="NS")) == {"b1": "die", "f1": "die"}
    assert code(explained({}, Roll(1, None), b1="NS", f1="NS", b7="NS")) == "impossible-roll"


def random_turn(seed: int) -> tuple[Rules, Board, Roll, Board]:
    """A board, a roll, and the board after a turn in which every die that could be drawn was."""
    random = Random(seed)
    rules = Rules(EDITION[random.choice(["challenge", "classic"])])
    board = before = Board()
    for number in range(1, random.randint(2, 8)):
        before = board
        roll = rolled(number, [random.choice(DICE[die]) for die in rules.edition.dice])
        while True:
            offered = open_draws(rules, board, roll)
            dice = [draw for draw in offered if draw.source == "die"]
            wanted = offered if random.random() < 0.3 else dice
            if not wanted:
                break
            after = try_draw(rules, board, roll, random.choice(wanted))
            assert isinstance(after, Board)
            board = after
        assert isinstance(try_done(rules, board, roll), Done)
    return rules, before, roll, board


@settings(max_examples=40, deadline=None)
@each(st.integers(0, 2**32))
def test_every_turn_that_can_be_played_is_explained(seed: int) -> None:
    rules, before, roll, after = random_turn(seed)
    answer = explain_turn(rules, before, roll, after.cells())
    assert isinstance(answer, Board)
    assert answer.cells() == after.cells()
    assert isinstance(try_done(rules, answer, roll), Done)
    replayed = before
    for drawing in answer.drawings[len(before.drawings) :]:
        step = try_draw(rules, replayed, roll, drawing)
        assert isinstance(step, Board)
        replayed = step
    assert replayed == answer


@settings(max_examples=40, deadline=None)
@each(st.integers(0, 2**32))
def test_explaining_changes_nothing(seed: int) -> None:
    rules, before, roll, after = random_turn(seed)
    cells = after.cells()
    drawings: tuple[Drawing, ...] = before.drawings
    explain_turn(rules, before, roll, cells)
    assert before.drawings == drawings
    assert cells == after.cells()
