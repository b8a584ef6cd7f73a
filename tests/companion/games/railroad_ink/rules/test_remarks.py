"""What cannot be on a board is said beside its score."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from companion.games.railroad_ink.rules.boards.placement import may_draw, unreached
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.remarks import position_remarks
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.rulebook import NAMES

from .boards import any_positions, legal_positions


def remarks(cells: dict[str, str], **more: Any) -> list[str]:
    """Beside the score, which is what it would be without them."""
    found = RailroadInk().score_position({"cells": cells, **more})
    told: list[str] = found.get("remarks", [])
    return told


def with_marks(name: str, marks: dict[str, str], cells: dict[str, str] | None = None) -> list[str]:
    return remarks(cells or {}, expansion={"name": name, "marks": marks})


def test_special_routes_and_loose_routes() -> None:
    four = dict.fromkeys(("b1", "b2", "b3", "b4"), "NESW")
    assert remarks(four) == [
        "the highway crossroads is drawn 4 times: each special route is there once",
        "4 special routes are drawn: a match has 3",
    ]
    assert remarks({"d4": "NS"}) == ["joined to no exit, so it could not have been drawn: d4"]
    assert remarks({"b1": "NS", "b2": "NESW"}) == []


def test_a_wall_parts_what_it_stands_between() -> None:
    assert remarks({"b1": "NS", "b2": "NS"}, blueprint=["b1-b2"]) == [
        "joined to no exit, so it could not have been drawn: b2"
    ]


@pytest.mark.parametrize(
    ("name", "marks", "cells", "said"),
    [
        ("city-builder", {"c3": "tower:9"}, {}, "tower:9 at c3: the dice show 1, 2, 3"),
        ("city-builder", {"b1": "tower:2"}, {"b1": "NS"}, "tower at b1: never in one space with a straight"),
        ("canyon", {"c3-d3": "canyon"}, {}, "a canyon begins at the edge of the board: c3-d3"),
        (
            "canyon",
            {"c1-d1": "canyon", "c2-d2": "canyon", "c2-c3": "canyon", "d2-d3": "canyon"},
            {},
            "a canyon has no branches",
        ),
        ("forest", {"b1": "trees"}, {"b1": "NES"}, "trees at b1: never in one space with a highway T"),
        ("weather", {"c3": "cloud"}, {}, "cloud at c3: nothing is drawn there"),
        ("forest", {}, {"b1": "NESW", "f1": "NESW"}, "the highway crossroads is drawn 2 times"),
        ("forest+river", {"b1": "trees"}, {"b1": "NES"}, "trees at b1: never in one space with a highway T"),
    ],
)
def test_marks_that_cannot_stand_there(
    name: str, marks: dict[str, str], cells: dict[str, str], said: str
) -> None:
    size = {"size": "giant"} if "+" in name else {}
    found = remarks(cells, expansion={"name": name, "marks": marks}, **size)
    assert any(one.startswith(said) for one in found), found


def test_marks_that_may_stand_there() -> None:
    assert with_marks("city-builder", {"c3": "tower:3", "b2": "tower"}) == []
    assert with_marks("canyon", {"c1-d1": "canyon", "c2-d2": "canyon", "c2-c3": "canyon"}) == []
    assert with_marks("forest", {"b1": "trees", "c3": "trees"}, {"b1": "NS"}) == []
    assert with_marks("tentacle", {"a1": "tentacle:ES"}, {"a1": "ns"}) == []
    assert with_marks("special", {}, {"b1": "NESW", "f1": "NESW"}) == [], "its die shows them"


@settings(deadline=None, max_examples=100)
@given(legal_positions())
def test_a_board_that_was_drawn_legally_has_none(position: Position) -> None:
    assert position_remarks(position) == []


@settings(deadline=None, max_examples=100)
@given(any_positions())
def test_loose_is_what_no_order_of_drawing_reaches(position: Position) -> None:
    left, drawn = dict(position.cells), Position({}).cells
    while fitting := [cell for cell in left if may_draw(drawn, position.walls, cell, left[cell])]:
        drawn |= {cell: left.pop(cell) for cell in fitting}
    assert [NAMES[cell] for cell in unreached(position.cells, position.walls)] == [
        NAMES[cell] for cell in left
    ]
    assert unreached({}, NO_WALLS) == []
