"""Placement verdicts and turn lists of other programs."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.railroad_ink.rules.boards.board import Rules, given, rolled
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.boards.routes import TYPE_NAMES, parse_route, shape_of
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS
from companion.games.railroad_ink.rules.match.check import check_moves
from companion.games.railroad_ink.rules.match.turn import open_draws
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, SPECIAL_SHAPES
from companion.games.railroad_ink.rules.turns.dice_search import complete_turns, most_dice
from tests.companion.games.railroad_ink.rules.neighbours import joined_by, may_stand_together
from tests.corpus import corpus_rows

Turn = frozenset[tuple[str, str]]


def rows_of(*kinds: str) -> list[dict[str, Any]]:
    rows = [row for row in corpus_rows("railroad-ink-placements.jsonl") if row["kind"] in kinds]
    assert rows
    return rows


@pytest.mark.parametrize(("kind", "order"), [("sequence", "given"), ("turns", "free")])
def test_every_verdict_on_moves(kind: str, order: str) -> None:
    wrong = []
    for row in rows_of(kind):
        verdict = check_moves({"edition": row["edition"], "moves": row["moves"], "order": order})
        if verdict["valid"] != row["valid"]:
            wrong.append((row["id"], row["why"], verdict))
    assert wrong == []


def test_every_legal_sequence_is_legal_in_free_order_too() -> None:
    for row in rows_of("sequence"):
        if row["valid"]:
            backwards = {"edition": row["edition"], "moves": row["moves"][::-1], "order": "free"}
            assert check_moves(backwards) == {"valid": True}, row["id"]


def test_every_verdict_on_neighbours() -> None:
    wrong = []
    for row in rows_of("neighbours", "neighbours-highway", "neighbours-railway"):
        first, second = (GRID.cell(move["cell"]) for move in row["moves"])
        joined = joined_by(two_cells(row), NO_WALLS, first, second)
        _, _, wanted = row["kind"].partition("-")
        found = joined is not None and (not wanted or TYPE_NAMES[joined] == wanted)
        if found != row["valid"]:
            wrong.append((row["id"], row["moves"]))
    assert wrong == []


def test_every_verdict_on_standing_side_by_side() -> None:
    for row in rows_of("side-by-side"):
        first, second = (GRID.cell(move["cell"]) for move in row["moves"])
        assert may_stand_together(two_cells(row), NO_WALLS, first, second) == row["valid"], row["id"]


def two_cells(row: dict[str, Any]) -> dict[int, Any]:
    return read_cells({move["cell"]: move["route"] for move in row["moves"]})


def turns_of(row: dict[str, Any]) -> set[Turn]:
    return {
        frozenset((move["cell"], parse_route(move["route"]).text) for move in turn) for turn in row["turns"]
    }


def special_turns(row: dict[str, Any]) -> set[Turn]:
    """The turns that use a special route, which no die shows."""
    return {
        turn for turn in turns_of(row) if any(shape_of(parse_route(r)) in SPECIAL_SHAPES for _, r in turn)
    }


def test_every_turn_list() -> None:
    rows = corpus_rows("railroad-ink-turns.jsonl")
    assert len(rows) == 8
    for row in rows:
        dice = [shape_of(parse_route(face)) for face in row["dice"]]
        cells = read_cells(row["cells"])
        found = {
            frozenset((GRID.names[cell], route.text) for cell, route in turn)
            for turn in complete_turns(cells, dice)
        }
        assert found == turns_of(row) - special_turns(row), row["id"]
        assert len(most_dice(cells, dice)) == max(map(len, found)), row["id"]


def test_the_turns_with_a_special_route_are_open_too() -> None:
    checked = 0
    for row in corpus_rows("railroad-ink-turns.jsonl"):
        for turn in special_turns(row):
            roll = rolled(7, row["dice"])
            for cell, route in turn:
                offered = open_draws(Rules(EDITION["classic"]), given(read_cells(row["cells"])), roll)
                assert (cell, route, "special") in {(d.cell, d.route, d.source) for d in offered}
                checked += 1
    assert checked == 1


def test_every_listed_turn_is_a_legal_round_and_may_end() -> None:
    """In some order, with its dice, through the check of move lists."""
    for row in corpus_rows("railroad-ink-turns.jsonl"):
        for turn in row["turns"]:
            moves = [{"round": 7, "from": source_of(move["route"]), **move} for move in turn]
            asked = {
                "edition": row["edition"],
                "cells": row["cells"],
                "moves": moves,
                "dice": {"7": row["dice"]},
                "order": "free",
                "finished": True,
            }
            assert check_moves(asked) == {"valid": True}, (row["id"], turn)


def source_of(route: str) -> str:
    return "special" if shape_of(parse_route(route)) in SPECIAL_SHAPES else "die"
