"""What the rules make of pictures: settled by the dice, asked about, refused with a reason."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest

from companion.games.railroad_ink.reader.ruling.answer import UNCLEAR, BoardRuling
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import board_of
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Rules, rolled
from companion.games.railroad_ink.rules.boards.position import Position, print_cells, read_cells
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, parse_walls
from companion.games.railroad_ink.rules.match.check import check_moves
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import Look, Looks
from lab.railroad_ink.random_play import random_board, random_turns

from ..unclear import count_rulings, looks_of
from .rulings import rule_board, rule_turn

RULES = Rules()
ROLL = rolled(2, ["NS", "ne", "Ns*", "NES"])
BEFORE = Board((Drawing("b1", "NS", "die", 1), Drawing("a2", "ew", "die", 1), Drawing("d1", "ns", "die", 1)))
# b2 is where the highway of b1 and the railway of a2 arrive.
TURN = {"b2": "NS", "d2": "ne", "f1": "NS"}


def clear(cells: dict[str, str], sure: float = 0.999) -> dict[str, Look]:
    return {name: {cells.get(name, ""): sure, "NESw*": 1 - sure} for name in GRID.names}


def after_turn(**more: str) -> dict[str, str]:
    """A complete legal turn on BEFORE."""
    drawn = {"b2": "Nw*", "f1": "NS", "a4": "NSW", "d2": "ne"} | more
    return {name: text for name, text in (print_cells(BEFORE.cells()) | drawn).items() if text}


def names(ruling: BoardRuling) -> list[str]:
    return [GRID.names[cell] for cell in ruling.doubtful]


# --- one round more ---


def rule(looks: Looks, faces: list[str] | None = None) -> BoardRuling:
    return rule_turn(looks, RULES, BEFORE, ROLL if faces is None else rolled(2, faces))


def faces_of_turn() -> list[str]:
    return ["NS", "ne", "Ne*", "NES"]


def test_a_clear_picture_is_accepted_with_its_moves() -> None:
    ruling = rule(clear(after_turn()), faces_of_turn())
    assert ruling.outcome == "accepted"
    assert not ruling.doubts
    assert sorted(GRID.names[cell] for cell in ruling.changed) == ["a4", "b2", "d2", "f1"]
    verdict = check_moves(
        {
            "cells": print_cells(BEFORE.cells()),
            "moves": list(ruling.moves),
            "dice": {"2": faces_of_turn()},
            "finished": True,
        }
    )
    assert verdict == {"valid": True}


def test_the_dice_settle_an_unclear_stroke() -> None:
    looks = clear(after_turn()) | {"d2": {"nes": 0.7, "ne": 0.3}}
    ruling = rule(looks, faces_of_turn())
    assert ruling.cells == read_cells(after_turn())
    assert ruling.outcome == "accepted"


def test_what_the_dice_cannot_settle_is_asked() -> None:
    looks = clear(after_turn()) | {"d2": {"nw": 0.5, "ne": 0.4, "ns": 0.1}}
    ruling = rule(looks, faces_of_turn())
    assert ruling.outcome == "ask"
    assert names(ruling) == ["d2"]
    (doubt,) = ruling.doubts
    assert [route.text for route, _ in doubt.options if route] == ["nw", "ne"]
    settled = rule(SlotProbabilities(looks).settled({"d2": "ne"}).routes, faces_of_turn())
    assert (settled.outcome, settled.cells) == ("accepted", read_cells(after_turn()))


def test_a_die_under_a_hand_is_looked_for_there() -> None:
    looks = clear(after_turn()) | {"a4": None}
    ruling = rule(looks, faces_of_turn())
    assert names(ruling) == ["a4"]
    assert "NSW" in {route.text for route, _ in ruling.doubts[0].options if route}


def test_what_is_left_to_see_of_a_hidden_cell_helps_where_the_dice_agree() -> None:
    looks = clear(after_turn()) | {"e2": None}
    glimpses: dict[str, Look] = {"e2": {"": 0.9, "NESW": 0.002, "nesw": 0.002}}
    alone = rule(looks, faces_of_turn())
    helped = rule_turn(looks, RULES, BEFORE, rolled(2, faces_of_turn()), route_guesses=glimpses)
    assert alone.outcome == "ask"
    assert helped.outcome == "accepted"
    assert helped.cells == alone.cells == read_cells(after_turn())


def test_a_guess_at_a_hidden_cell_that_no_legal_turn_fits_is_forgotten() -> None:
    looks = clear(after_turn()) | {"c5": None, "e5": None}
    misled: dict[str, Look] = {name: {"NESW": 0.99995, "": 0.00005} for name in ("c5", "e5")}
    with_guess = rule_turn(looks, RULES, BEFORE, rolled(2, faces_of_turn()), route_guesses=misled)
    assert with_guess == rule(looks, faces_of_turn())


def test_a_guess_says_nothing_about_earlier_ink_and_what_is_seen() -> None:
    looks = clear(after_turn()) | {"b1": None}
    misled: dict[str, Look] = {"b1": {"ns": 1.0}, "a4": {"": 1.0}}
    ruling = rule_turn(looks, RULES, BEFORE, rolled(2, faces_of_turn()), route_guesses=misled)
    assert ruling == rule(looks, faces_of_turn())


def test_a_turn_that_is_sure_as_a_whole_is_not_asked_about() -> None:
    looks = clear(after_turn()) | {"d2": {"ne": 0.977, "nw": 0.023}}
    less = clear(after_turn()) | {"d2": {"ne": 0.96, "nw": 0.04}}
    assert rule(looks, faces_of_turn()).outcome == "accepted"
    assert names(rule(less, faces_of_turn())) == ["d2"]


def test_earlier_ink_under_a_hand_stays_as_it_was() -> None:
    ruling = rule(clear(after_turn()) | {"b1": None, "a2": None}, faces_of_turn())
    assert ruling.outcome == "accepted"
    assert ruling.cells == read_cells(after_turn())


def test_earlier_ink_that_seems_gone_under_a_veil_of_light_is_asked_about() -> None:
    looks, veil = clear(after_turn(b1=""), 1.0), frozenset({"b1", "c5"})
    roll = rolled(2, faces_of_turn())
    ruling = rule_turn(looks, RULES, BEFORE, roll, veiled=veil)
    assert (ruling.outcome, names(ruling)) == ("ask", ["b1"])
    assert {mark and mark.text for mark, _ in ruling.doubts[0].options} >= {"NS", None}
    drawn = rule_turn(SlotProbabilities(looks).settled({"b1": "NS"}).routes, RULES, BEFORE, roll, veiled=veil)
    assert drawn.outcome == "accepted"
    wiped = rule_turn(SlotProbabilities(looks).settled({"b1": ""}).routes, RULES, BEFORE, roll, veiled=veil)
    assert (wiped.outcome, wiped.against) == ("refused", ("drawn earlier and gone now: b1",))


@pytest.mark.parametrize(("hazy", "outcome"), [(5, "ask"), (16, "ask"), (17, "refused"), (21, "refused")])
def test_nobody_is_asked_about_half_a_board(hazy: int, outcome: str) -> None:
    columns = {"b": ("NS", "NS|ew"), "d": ("ns", "EW|ns"), "f": ("NS", "NS|ew")}
    drawn = {name: columns[name[0]] for name in GRID.names if name[0] in columns}
    looks: dict[str, Look] = {
        name: {drawn[name][0]: 1.0} if name in drawn else {"": 1.0} for name in GRID.names
    }
    looks |= {name: {drawn[name][0]: 0.7, drawn[name][1]: 0.3} for name in [*drawn][:hazy]}
    ruling = rule_board(looks)
    assert (ruling.outcome, len(ruling.doubts)) == (outcome, hazy)
    assert ruling.against == ((UNCLEAR,) if outcome == "refused" else ())


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ({"b1": ""}, "drawn earlier and gone now: b1"),
        ({"b1": "NE"}, "drawn differently than before: b1"),
        ({"d2": "nes"}, "no die of round 2 shows the railway T"),
        ({"a4": "", "a6": "NSW"}, "would meet the railway exit on its left"),
        ({"d5": "NS", "f1": ""}, "would join nothing"),
        ({"a4": ""}, "is not drawn yet and fits"),
    ],
)
def test_what_no_rule_allows_is_shown_as_it_is(drawn: dict[str, str], said: str) -> None:
    ruling = rule(clear(after_turn(**drawn), 0.9999), faces_of_turn())
    assert ruling.outcome == "refused"
    assert any(said in sentence for sentence in ruling.against), ruling.against
    assert ruling.cells == read_cells(after_turn(**drawn))


def test_earlier_ink_that_looks_a_little_different_is_asked_about() -> None:
    ruling = rule(clear(after_turn()) | {"b1": {"NE": 0.999, "NS": 0.001}}, faces_of_turn())
    assert ruling.outcome == "ask"
    assert names(ruling) == ["b1"]
    assert ruling.cells == read_cells(after_turn())


def test_a_hand_over_everything_is_no_reading() -> None:
    ruling = rule_turn({}, RULES, Board(), rolled(1, ["NS", "ns", "Ns*", "NES"]))
    assert ruling.outcome == "refused"
    assert "49 of 49 cells cannot be seen" in ruling.against[0]


def test_a_hand_over_the_free_half_is_asked_about_cell_by_cell() -> None:
    hidden = [name for name in GRID.names if name[1] in "67"]
    ruling = rule(clear(after_turn()) | dict.fromkeys(hidden), faces_of_turn())
    assert ruling.outcome == "ask"
    assert ruling.cells == read_cells(after_turn())
    assert set(names(ruling)) <= set(hidden)


def test_in_the_middle_of_a_round_dice_may_be_left() -> None:
    looks = clear(after_turn(a4=""))
    assert rule_turn(looks, RULES, BEFORE, rolled(2, faces_of_turn()), finished=False).outcome == "accepted"


# --- a board by itself ---


def test_a_clear_board_is_accepted() -> None:
    cells = random_board(Random(3)).cells
    ruling = rule_board(clear(print_cells(cells), 0.99999))
    assert (ruling.outcome, ruling.cells) == ("accepted", cells)


def test_neighbours_settle_an_unclear_stroke() -> None:
    texts = {"b1": "NS", "b2": "NS", "b3": "NE", "c3": "EW"}
    ruling = rule_board(clear(texts) | {"b2": {"ns": 0.8, "NS": 0.2}})
    assert ruling.cells == read_cells(texts)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"b1": "NS", "b2": "ns"}, "the highway of b1 meets the railway of b2"),
        ({"d4": "NS"}, "joined to no exit, so it could not have been drawn: d4"),
        ({"b1": "ns"}, "the railway of b1 meets the highway exit on its top"),
        ({"b1": "NESW", "f1": "NESW"}, "each special route is there once"),
        (
            {"b1": "NESW", "a2": "nesw", "a4": "NEsW*", "f7": "NeSw*"},
            "4 special routes are drawn: a match has 3",
        ),
    ],
)
def test_a_board_that_cannot_be_is_refused(texts: dict[str, str], said: str) -> None:
    looks: dict[str, Look] = {name: {texts.get(name, ""): 1.0} for name in GRID.names}
    ruling = rule_board(looks)
    assert ruling.outcome == "refused"
    assert any(said in sentence for sentence in ruling.against), ruling.against
    assert ruling.cells == read_cells(texts)


def test_one_special_route_too_many_is_another_one_misread() -> None:
    texts = {"b1": "NESW", "a2": "nesw", "a4": "NEsW*", "f7": "NeSw*"}
    looks = clear(texts) | {"f7": {"NeSw*": 0.6, "NS|ew": 0.4}}
    assert rule_board(looks).cells == read_cells(texts | {"f7": "NS|ew"})


def test_a_fourth_special_route_is_that_of_the_university() -> None:
    texts = {"a3": "NS", "d4": "NS", "b5": "ns", "a2": "NESW", "a4": "NEsW*", "f7": "NeSw*", "d1": "nesw"}
    position = Position(read_cells(texts), rounds={GRID.cell(name): 3 for name in texts})
    board = board_of(position)
    assert board.cells() == position.cells
    assert sorted(one.source for one in board.drawings) == ["given"] * 3 + ["special"] * 3 + ["university"]


def test_walls_keep_apart_what_may_not_meet() -> None:
    texts = {"b1": "NS", "b2": "ew", "a2": "ew"}
    looks: dict[str, Look] = {name: {texts.get(name, ""): 1.0} for name in GRID.names}
    assert rule_board(looks | {"b2": {"new": 1.0}}).outcome == "refused"
    assert rule_board(looks | {"b2": {"new": 1.0}}, walls=parse_walls(["b1-b2"])).outcome == "accepted"


def test_as_json_it_says_everything() -> None:
    looks = clear(after_turn()) | {"d2": {"nw": 0.5, "ne": 0.4, "ns": 0.1}}
    answer = rule(looks, faces_of_turn()).as_json()
    assert answer["outcome"] == "ask"
    assert answer["cells"]["d2"] == "nw"
    assert answer["doubtful"] == ["d2"]
    assert answer["questions"]["d2"][0][0] == "nw"
    assert answer["alternatives"][0]["cells"] == {"d2": "ne"}
    assert answer["against_the_rules"] == []
    assert {move["from"] for move in answer["moves"]} == {"die"}


# --- thousands of them ---


def test_rules_settle_what_noise_has_hidden() -> None:
    """At 98.4 % of the cells right, half of the boards are; with dice and history nearly all of them."""
    counts = count_rulings(0.3, 420, with_dice=True)
    assert counts["boards right alone"] < 0.6 * counts["boards"]
    assert counts["boards right"] > 0.975 * counts["boards"]
    assert counts["wrong and not flagged"] < 0.005 * counts["boards"]


def test_edges_settle_some_of_it_without_dice() -> None:
    counts = count_rulings(0.27, 140, with_dice=False)
    assert counts["boards right"] > counts["boards right alone"] + 15
    assert counts["wrong and not flagged"] <= 1


def test_it_is_quick() -> None:
    random = Random(13)
    took = []
    for board, roll, after in random_turns(random, RULES):
        looks = looks_of(after.cells(), random, 0.27)
        start = process_time()
        rule_turn(looks, RULES, board, roll)
        rule_board(looks)
        took.append(process_time() - start)
    assert sorted(took)[len(took) // 2] < 0.1, "usually some ten milliseconds"


@pytest.mark.parametrize("marks", [["", "NS", "NESW", "nesw", "NEsw*", "NeSw*", "NESw*", "Nesw*"], None])
def test_a_picture_unclear_everywhere_is_told_so_and_every_cell_is_asked_about(
    marks: list[str] | None,
) -> None:
    texts = marks or ["", *(route.text for route in VOCABULARY)]
    ruling = rule_board({name: {text: 1 / len(texts) for text in texts} for name in GRID.names})
    assert ruling.outcome == "refused"
    assert "too much of the picture is unclear" in ruling.against[0]
    assert len(ruling.doubtful) == GRID.size


def test_walls_of_a_blueprint_are_respected_in_play() -> None:
    random = Random(14)
    rules = Rules(walls=parse_walls(["b1-b2", "c3-d3", "d3-d4", "f2-g2"]))
    for board, roll, after in random_turns(random, rules):
        ruling = rule_turn(looks_of(after.cells(), random, 0.2), rules, board, roll)
        assert ruling.cells == after.cells()
    assert rules.walls != NO_WALLS
