"""What the page says of a score: reasons, cells to light up, sums and ties."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, MatchRequest, NoChance
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.results import with_goals
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.ui.art import stock
from companion.games.railroad_ink.ui.presenter import RailroadInkPresenter
from companion.service.service import Service
from companion.table.chance import SeededChance
from tests.web.people import the_host
from web.ui.parts import ScoreRow

GAME, PRESENTER = RailroadInk(), RailroadInkPresenter()


def match(*boards: dict[str, str], goals: list[str] | str = "none", round: int = 7) -> State:
    """A match whose boards were drawn in that round, and which is over."""
    setup = GAME.setup(MatchRequest(len(boards), "umpire", {"goals": goals}), NoChance())
    assert isinstance(setup, dict)
    drawn = {
        seat: Board(tuple(Drawing(cell, route, "given", round) for cell, route in cells.items()))
        for seat, cells in enumerate(boards, 1)
    }
    state = replaced(GAME.start(setup), boards=drawn, finished=True)
    return with_goals(state, state.boards)


def rows(state: State, seat: int) -> dict[str, ScoreRow]:
    row = next(one for one in GAME.score(state) if one["seat"] == seat)
    return {one.name: one for one in PRESENTER.score_rows(row)}


def test_a_goal_says_why_it_is_worth_that_and_lights_up_its_cells() -> None:
    state = match({"a1": "N*", "g1": "N*", "a7": "S*"}, {}, goals=["D"], round=3)
    (line,) = rows(state, 1)["Goals"].lines
    assert line.says.endswith("(a1, g1, a7), in round 3, the first round in which anybody did")
    assert (line.points, line.cells) == (4, ("a1", "g1", "a7"))


def test_a_tie_says_what_decided() -> None:
    joined = {"b1": "NS"}  # a highway of one, and an error
    state = match({}, joined, {"b1": "N*"})
    assert {row["seat"]: row["tie"] for row in GAME.score(state)} == {
        1: "tie at 0: fewer errors decide (0 to 1)",
        2: "tie at 0: fewer errors decide (0 to 1)",
        3: "",
    }
    assert rows(state, 2)["Errors"].lines[-1].says == "Tie at 0: fewer errors decide (0 to 1)"


def test_the_final_headline_says_what_decided_the_win() -> None:
    shared: JsonObject = GAME.view(match({}, {}), None)
    assert PRESENTER.headline(shared) == "Final score: tie at 0, and 0 errors each: the place is shared"
    clear: JsonObject = GAME.view(match({}, {"b1": "N*"}), None)
    assert PRESENTER.headline(clear) == "Final score"


def test_an_end_at_a_wall_is_no_end_that_leads_to_nothing() -> None:
    position = {"cells": {"b1": "NS", "b2": "NS"}, "blueprint": ["b1-b2"]}
    errors = next(row for row in PRESENTER.position_rows(position) if row.name == "Errors")
    assert errors.lines[0].says == "b1: the highway to the bottom stops at the wall to b2"


# The railway curve in d1 first leaves a place for the terminal; the terminal in d1 none for the curve.
CLOSED = {
    "b1": "N*",
    "f1": "N*",
    "g2": "e*",
    "g4": "E*",
    "g6": "e*",
    "b7": "S*",
    "d7": "s*",
    "f7": "S*",
    "a2": "w*",
    "a4": "W*",
    "a6": "w*",
}


def test_the_better_line_is_shown_until_the_next_round_is_over() -> None:
    state = match(CLOSED, {}, round=1)
    state = replaced(state, finished=False, round=2, dice=("ne", "n*", "NS", "NE|SW"))
    state = GAME.apply(state, Action("draw", 1, {"cell": "d1", "route": "n*", "from": "die"}))
    done = GAME.decide(state, Action("done", 1, {}), NoChance())
    assert isinstance(done, Action), done
    state = GAME.apply(state, done)
    says = "Round 2: 2 of the dice could have been drawn this round instead of 1: "
    assert PRESENTER.controls(state, 1).told["better"].startswith(says)
    assert dict(PRESENTER.board_words(GAME.view(state, None), 1))["More dice"].startswith(says)
    assert PRESENTER.controls(state, 2).told["better"] == ""
    state = GAME.apply(state, Action("done", 2, {}))
    assert state.round == 3
    assert PRESENTER.controls(state, 1).told["better"].startswith(says)
    later = GAME.apply(replaced(state, dice=("NS", "NS", "NS", "NS")), Action("done", 1, {}))
    assert later.better == {}


@pytest.mark.parametrize(
    ("before", "again"), [("AFK", "draw"), ("ABF", "green"), ("GHL", "yellow"), ("", "none")]
)
def test_a_rematch_draws_from_the_same_box(before: str, again: str) -> None:
    assert PRESENTER.rematch_options({"options": {"goals": list(before)}}, [])["goals"] == again


def test_solo_goals_show_their_deadlines_and_others_have_none() -> None:
    alone = PRESENTER.asides(GAME.view(match({}, goals=["D", "A", "C"]), None))
    ends = [f" (4 points until round {number}, then 1)" for number in (3, 4, 5)]
    assert [aside.says[-len(end) :] for aside, end in zip(alone, ends, strict=True)] == ends
    together = PRESENTER.asides(GAME.view(match({}, {}, goals=["D"]), None))
    assert together[0].says == "Fill 3 of the four corners"


def test_a_factory_copies_no_die_when_the_match_is_over() -> None:
    view = GAME.view(match({}), None)
    view = {**view, "boards": {"1": {**view["boards"]["1"], "duplicates": 1}}}
    assert "copies a die now" in stock({**view, "finished": False}, 1)
    assert "copies a die now" not in stock({**view, "finished": True}, 1)


def test_a_wall_is_tapped_between_its_two_cells(app: Flask, house: Service) -> None:
    """Each border has a diamond around its middle, as long as it is wide."""
    page = the_host(app, house).get("/host/walls/railroad-ink").get_data(as_text=True)
    borders = re.findall(r'data-wall="[^"]+".*?points="([^"]+)"/><path d="M(\S+) (\S+?)L(\S+) (\S+?)"', page)
    assert len(borders) == 2 * 7 * 6
    for points, *line in borders:
        first, one, last, other = (complex(*map(float, point.split(","))) for point in points.split())
        begin, end = complex(*map(float, line[:2])), complex(*map(float, line[2:]))
        assert (first, last) == (begin, end)
        assert one + other == begin + end
        assert abs(one - other) == abs(begin - end)


def test_columns_have_letters_and_rows_numbers_as_cells_are_named(app: Flask, house: Service) -> None:
    page = the_host(app, house).get("/host/walls/railroad-ink").get_data(as_text=True)
    around = re.findall(r'<text class="at" x="(\S+?)" y="(\S+?)">(\w)</text>', page)
    columns = {text: int(x) for x, y, text in around if int(y) < 0}
    rows = {text: int(y) for x, y, text in around if int(x) < 0}
    assert sorted(columns, key=columns.__getitem__) == list("abcdefg")
    assert sorted(rows, key=rows.__getitem__) == list("1234567")


@pytest.mark.parametrize(("edition", "has"), [("challenge", True), ("classic", False)])
def test_only_challenge_is_called_so_and_has_villages_and_goals(edition: str, has: bool) -> None:
    setup = GAME.setup(MatchRequest(1, "umpire", {"edition": edition}), SeededChance(1))
    assert isinstance(setup, dict)
    state = GAME.start(setup)
    assert PRESENTER.title(GAME, GAME.view(state, 1)) == ("Railroad Ink Challenge" if has else "Railroad Ink")
    names = set(rows(state, 1))
    assert {"Exits", "Centre"} <= names
    assert {"Villages", "Goals"} & names == ({"Villages", "Goals"} if has else set())
    position = {"edition": edition, "cells": {}}
    assert ("Goals" in {one.name for one in PRESENTER.position_rows(position)}) is has
