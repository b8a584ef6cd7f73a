"""Move lists and their verdicts."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.railroad_ink.rules.boards.board import Board, Rules, rolled
from companion.games.railroad_ink.rules.match.check import check_moves
from companion.games.railroad_ink.rules.match.turn import open_draws, try_done, try_draw
from companion.games.railroad_ink.rules.rulebook import DICE, EDITION
from lab.railroad_ink.random_play import random_turns

FACES = ["NS", "ns", "Ns*", "NS|ew"]


def move(cell: str, route: str, round: int | None = None, source: str | None = None) -> dict[str, Any]:
    given: dict[str, Any] = {"cell": cell, "route": route, "round": round, "from": source}
    return {key: value for key, value in given.items() if value is not None}


ROUND_1 = [move("b1", "NS", 1), move("d1", "ns", 1), move("f1", "Ns*", 1), move("g2", "NS|ew", 1)]


def fault(moves: list[dict[str, Any]], **more: Any) -> tuple[int, str] | None:
    verdict = check_moves({"moves": moves, **more})
    return None if verdict == {"valid": True} else (verdict["at"], verdict["code"])


def test_no_moves_are_legal() -> None:
    assert check_moves({"moves": []}) == {"valid": True}


def test_without_rounds_and_dice_only_placement_is_judged() -> None:
    specials = [move(cell, route) for cell, route in (("b1", "NESW"), ("f1", "NESW"), ("b7", "NESW"))]
    assert fault(specials) is None
    assert fault([*specials, move("d1", "NS")]) == (3, "types-meet")


def test_a_verdict_names_the_move_the_code_and_the_reason() -> None:
    assert check_moves({"moves": [move("b1", "NS"), move("b1", "NE")]}) == {
        "valid": False,
        "at": 1,
        "code": "occupied",
        "message": "b1 is taken: the straight highway (top, bottom) is drawn there",
    }


def test_moves_start_from_the_cells_given() -> None:
    assert fault([move("d4", "NS")], cells={"d3": "NS"}) is None
    assert fault([move("d4", "NS")]) == (0, "not-connected")


def test_a_blueprint_is_respected() -> None:
    assert fault([move("b1", "NS"), move("b2", "NS")], blueprint=["b1-b2"]) == (1, "not-connected")


def test_in_free_order_any_order_will_do() -> None:
    backwards = [move("b3", "NS"), move("b2", "NS"), move("b1", "NS")]
    assert fault(backwards) == (0, "not-connected")
    assert fault(backwards, order="free") is None
    assert fault([*backwards, move("e5", "NS")], order="free") == (3, "not-connected")
    assert fault([*backwards, move("b3", "NS")], order="free") == (3, "occupied")


# --- with rounds ---


def test_round_numbers_never_go_back() -> None:
    assert fault([move("b1", "NS", 2), move("f1", "NS", 1)]) == (1, "round-back")


@pytest.mark.parametrize("number", [0, -1, 8, 10**30])
def test_a_match_has_seven_rounds(number: int) -> None:
    assert fault([move("b1", "NS", number)]) == (0, "no-such-round")


def test_limits_of_special_routes_are_judged() -> None:
    moves = [
        move("b1", "NESW", 1, "special"),
        move("d1", "nesw", 2, "special"),
        move("f1", "NEsW*", 3, "special"),
    ]
    assert fault(moves) is None
    assert fault([*moves, move("b7", "nESw*", 4, "special")]) == (3, "specials-used-up")
    assert fault([moves[0], move("d1", "nesw", 1, "special")]) == (1, "special-this-round")
    assert fault([moves[0], move("f1", "NESW", 2, "special")]) == (1, "special-crossed-off")
    assert fault([move("b1", "NS", 1, "special")]) == (0, "not-special")


def test_a_special_route_is_no_die() -> None:
    assert fault([move("b1", "NESW", 1, "die")]) == (0, "impossible-roll")
    assert fault([move("b1", "NESW", 1)]) is None


def test_without_dice_the_dice_of_the_edition_are_the_limit() -> None:
    stations = [move("b1", "Ns*", 1, "die"), move("f1", "Ns*", 1, "die")]
    assert fault(stations) == (1, "impossible-roll")
    assert fault([move("b1", "NE|SW", 1, "die")], edition="classic") == (0, "impossible-roll")
    straights = [move(cell, "NS", 1, "die") for cell in ("b1", "f1", "b7")]
    assert fault(straights, edition="classic") is None
    assert fault(straights) == (2, "impossible-roll")
    five = [{**one, "from": "die"} for one in (*ROUND_1, move("f7", "NS", 1))]
    assert fault(five) == (4, "too-many-dice")


# --- with dice ---


def test_a_whole_round() -> None:
    assert fault(ROUND_1, dice={"1": FACES}) is None
    assert fault(ROUND_1, dice=[FACES], finished=True) is None


def test_without_dice_and_sources_special_routes_and_dice_are_counted() -> None:
    assert fault([move("b1", "Ns*", 1), move("f1", "Ns*", 2)]) is None
    assert fault([move("b1", "Ns*", 1), move("f1", "Ns*", 1)]) == (1, "impossible-roll")
    assert fault([move("b1", "NESW", 1), move("f1", "NESw*", 1)]) == (1, "special-this-round")
    assert fault([move("b1", "NESW", 1), move("f1", "NESW", 2)]) == (1, "special-crossed-off")
    three = [move("b1", "NESW", 1), move("d1", "nesw", 2), move("f1", "NESw*", 3)]
    assert fault(three) is None
    assert fault([*three, move("b7", "NeSw*", 4)]) == (3, "specials-used-up")


def test_the_free_special_route_is_found_wherever_it_makes_room() -> None:
    """The third University's route comes on top, in its round or, as an option, later."""
    cells = {"a4": "EW", "b4": "EW", "c4": "EW", "d4": "EW", "b5": "NS", "b6": "NS", "b7": "NS", "a2": "ws"}
    rounds = [move("b1", "NESW", 1), move("a3", "nes", 2), move("f1", "NESw*", 2), move("d1", "nesw", 2)]
    assert fault(rounds, cells=cells) is None
    assert fault(rounds[:1] + rounds[2:], cells=cells) == (2, "special-this-round")
    later = [*rounds[:3], move("d1", "nesw", 3), move("g4", "NEsw*", 3)]
    assert fault(later, cells=cells) == (4, "specials-used-up")
    assert fault(later, cells=cells, free_special="match") is None


def test_random_legal_boards_are_legal_without_sources() -> None:
    """In the order of drawing, and in any order inside a round; with the dice, and without."""
    random = Random(11)
    for _ in range(40):
        boards = list(random_turns(random, Rules(EDITION["challenge"])))
        moves = [move(one.cell, one.route, one.round) for one in boards[-1][2].drawings]
        dice = {str(roll.round): list(roll.faces or ()) for _, roll, _ in boards}
        assert fault(moves) is None
        assert fault(moves, dice=dice, finished=True) is None
        random.shuffle(moves)
        assert fault(sorted(moves, key=lambda one: one["round"]), dice=dice, order="free") is None


def test_a_route_must_have_been_rolled() -> None:
    assert fault([move("b1", "NE", 1)], dice=[FACES]) == (0, "not-rolled")
    assert fault([move("b1", "NS", 1), move("f1", "NS", 1)], dice=[FACES]) == (1, "die-used")


def test_a_skipped_die_is_found_at_the_next_round() -> None:
    moves = [*ROUND_1[:3], move("g2", "NS|ew", 2)]
    assert fault(moves, dice=[FACES, FACES]) == (3, "die-fits")


def test_a_round_without_moves_is_a_round_of_skipped_dice() -> None:
    assert fault([move("b1", "NS", 2)], dice=[FACES, FACES]) == (0, "die-fits")


def test_a_skipped_die_of_the_last_round_is_found_when_it_is_finished() -> None:
    assert fault(ROUND_1[:3], dice=[FACES]) is None
    assert fault(ROUND_1[:3], dice=[FACES], finished=True) == (3, "die-fits")
    assert fault(ROUND_1[:3], dice=[FACES, FACES]) == (3, "die-fits")


CLOSED = {
    "b1": "N*", "f1": "N*", "a2": "w*", "g2": "e*", "a4": "W*", "g4": "E*", "a6": "w*", "g6": "e*",
    "b7": "S*", "f7": "S*", "d7": "s*",
}  # fmt: skip


def test_must_draw_most_refuses_a_worse_choice_of_places() -> None:
    asked = {"cells": CLOSED, "dice": {"3": ["ne", "n*", "NS", "NE|SW"]}, "finished": True}
    assert fault([move("d1", "n*", 3)], **asked) is None
    assert fault([move("d1", "n*", 3)], must_draw="most", **asked) == (1, "more-dice")
    assert fault([move("d1", "ne", 3), move("e1", "w*", 3)], must_draw="most", **asked) is None


def test_dice_the_edition_does_not_have() -> None:
    assert fault(ROUND_1, dice=[FACES]) is None
    assert fault(ROUND_1, dice=[FACES], edition="classic") == (0, "impossible-roll")
    assert fault(ROUND_1, dice=[["NS", "ns", "NE|SW", "Ns*"]], edition="classic") == (0, "impossible-roll")


def test_a_factory_duplicates_a_die() -> None:
    moves = [move("a1", "ns", 1), *[one for one in ROUND_1 if one["cell"] != "d1"]]
    extra = move("f7", "NS", 1, "factory")
    assert fault([*moves, extra], cells={"a2": "nw"}, dice=[FACES], finished=True) is None
    assert fault([extra, *moves], cells={"a2": "nw"}, dice=[FACES]) == (0, "no-factory")
    assert fault([extra, *moves], cells={"a2": "nw"}, dice=[FACES], order="free") is None
    assert fault([*ROUND_1, extra], dice=[FACES]) == (4, "no-factory")


def test_a_duplicate_waits_for_another_that_leads_to_a_second_factory() -> None:
    """Only one duplicate is to be had until g5 is drawn on, and only g4 leads there."""
    spent, leading = move("b1", "NS", 1, "factory"), move("g4", "EW|ns", 1, "factory")
    first, second = move("a1", "ns", 1), move("g5", "nS*", 1)
    asked = {"cells": {"a2": "nw"}, "dice": [FACES]}
    assert fault([spent, leading, second, first], order="free", **asked) is None
    assert fault([first, leading, second, spent], **asked) is None
    assert fault([first, spent, leading, second], **asked) == (2, "no-factory")
    assert fault([leading, spent, first], order="free", **asked) == (1, "no-factory")


def test_the_free_special_of_the_third_university() -> None:
    cells = {"a4": "NW", "b7": "NS", "b6": "NS", "a3": "NS", "b5": "NS", "g4": "EW", "f4": "EW", "e4": "EW"}
    moves = [move("d4", "EW", 4), move("f1", "NESW", 4, "university"), move("d1", "nesw", 4, "special")]
    assert fault(moves, cells=cells) is None
    assert fault(moves[1:], cells=cells) == (0, "no-free-special")
    late = [moves[0], move("f1", "NESW", 5, "university")]
    assert fault(late, cells=cells) == (1, "free-special-lost")
    assert fault(late, cells=cells, free_special="match") is None


# --- what cannot be read ---


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({}, "bad-shape"),
        ({"moves": {}}, "bad-shape"),
        ({"moves": [1]}, "bad-shape"),
        ({"moves": [{"cell": "b1"}]}, "bad-shape"),
        ({"moves": [{"cell": "b1", "route": "NS", "colour": "red"}]}, "bad-shape"),
        ({"moves": [{"cell": "b1", "route": "NS", "from": "given"}]}, "bad-shape"),
        ({"moves": [{"cell": "b1", "route": "NS", "round": "1"}]}, "bad-shape"),
        ({"moves": [{"cell": "h1", "route": "NS"}]}, "unknown-cell"),
        ({"moves": [{"cell": "b1", "route": "NX"}]}, "unknown-route"),
        ({"moves": [], "colour": "red"}, "bad-shape"),
        ({"moves": [], "edition": "giant"}, "bad-shape"),
        ({"moves": [], "must_draw": "some"}, "bad-shape"),
        ({"moves": [], "order": "any"}, "bad-shape"),
        ({"moves": [], "blueprint": "nowhere"}, "unknown-blueprint"),
        ({"moves": [], "cells": {"b1": "ns", "b2": "NS"}}, "types-meet"),
        ({"moves": [], "dice": {"0": FACES}}, "bad-dice"),
        ({"moves": [], "dice": {"one": FACES}}, "bad-dice"),
        ({"moves": [], "dice": [FACES] * 8}, "bad-dice"),
        ({"moves": [], "dice": {"1": ["NX"]}}, "unknown-route"),
        ({"moves": [{"cell": "b1", "route": "NS"}], "dice": [FACES]}, "no-round"),
        ({"moves": [move("b1", "NS", 1), move("f1", "NS")]}, "no-round"),
        ({"moves": [move("b1", "NS", 2)], "dice": [FACES]}, "no-dice"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(value: dict[str, Any], code: str) -> None:
    with pytest.raises(NotationError) as problem:
        check_moves(value)
    assert problem.value.code == code
    assert "\n" not in problem.value.message


# --- properties ---


def recorded(seed: int) -> dict[str, Any]:
    """A random match of one seat, as a move list with all its dice."""
    random = Random(seed)
    rules = Rules(EDITION[random.choice(["challenge", "classic"])])
    board, dice = Board(), []
    for number in range(1, random.randint(2, 8)):
        faces = [random.choice(DICE[die]) for die in rules.edition.dice]
        dice.append(faces)
        roll = rolled(number, faces)
        while offered := [
            draw
            for draw in open_draws(rules, board, roll)
            if draw.source in {"die", "factory"} or random.random() < 0.02
        ]:
            after = try_draw(rules, board, roll, random.choice(offered))
            assert isinstance(after, Board)
            board = after
        assert not hasattr(try_done(rules, board, roll), "code")
    moves = [move(d.cell, d.route, d.round, d.source) for d in board.drawings]
    return {"edition": rules.edition.name, "moves": moves, "dice": dice, "finished": True}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_every_match_played_by_the_list_of_open_drawings_is_valid(seed: int) -> None:
    match = recorded(seed)
    before = deepcopy(match)
    assert check_moves(match) == {"valid": True}
    assert match == before


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_in_free_order_a_round_may_be_shuffled(seed: int, random: Random) -> None:
    match = recorded(seed)
    random.shuffle(match["moves"])
    match["moves"].sort(key=lambda played: played["round"])
    assert check_moves({**match, "order": "free"}) == {"valid": True}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_a_die_left_out_is_noticed(seed: int) -> None:
    """Without its first die, something of round 1 no longer fits, or the die is missed."""
    match = recorded(seed)
    first = next(at for at, played in enumerate(match["moves"]) if played["from"] == "die")
    left = match["moves"][:first] + match["moves"][first + 1 :]
    assert check_moves({**match, "moves": left})["valid"] is False


COLUMN = [move(f"b{row}", "NS", 1) for row in range(1, 8)]


def test_without_dice_what_no_roll_can_show_is_a_fault() -> None:
    """Two dice of the challenge edition show a straight highway, three of the classic one."""
    assert fault(COLUMN) == (2, "impossible-roll")
    assert fault(COLUMN[:5], edition="classic") == (3, "impossible-roll")
    assert fault(COLUMN[:2]) is None
    assert fault([{**one, "round": number} for number, one in enumerate(COLUMN, 1)]) is None
    assert fault(COLUMN, order="free") == (0, "impossible-roll")
    assert fault([*COLUMN, *(move(f"f{row}", "NS", 1) for row in (1, 2, 3))], order="free") == (
        0,
        "too-many-routes",
    )


def test_in_free_order_rounds_may_be_in_any_order() -> None:
    rounds = [move("b2", "NS", 2), move("b1", "NS", 1), move("f1", "NS", 1)]
    assert fault(rounds) == (1, "round-back")
    assert fault(rounds, order="free") is None
    wrong = [move("b2", "NS", 2), move("f1", "NS", 1), move("c4", "NE|SW", 1), move("b1", "NS", 1)]
    assert fault(wrong, order="free") == (2, "not-connected")
    dice = {"1": FACES, "2": FACES}
    left_over = [move("b2", "NS", 2), *reversed(ROUND_1)]
    assert fault(left_over, order="free", dice=dice) is None
    assert fault(left_over, order="free", dice=dice, finished=True) == (1, "die-fits")


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_in_free_order_a_whole_match_may_be_shuffled(seed: int, random: Random) -> None:
    match = recorded(seed)
    random.shuffle(match["moves"])
    assert check_moves({**match, "order": "free"}) == {"valid": True}
