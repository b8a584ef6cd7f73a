"""A round from a picture is judged like one that is drawn route by route, and keeps its picture."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from lab.railroad_ink.random_play import played

from .test_game import after, begun, fact, refusal, rolled

PHOTO = "0f" * 32
MOVES = [{"cell": "b2", "route": "Nw*"}, {"cell": "b1", "route": "SN"}, {"cell": "a2", "route": "ew"}]


def ready(**options: Any) -> Any:
    return rolled(begun(seats=1, goals="none", **options), "NS", "ns", "Ne*", "NES")


def test_the_order_and_the_sources_are_found() -> None:
    decided = fact(ready(), "turn", 1, moves=MOVES)
    assert sorted(move["cell"] for move in decided.data["moves"]) == ["a2", "b1", "b2"]
    assert {move["from"] for move in decided.data["moves"]} == {"die"}
    assert {"cell": "b1", "route": "NS", "from": "die"} in decided.data["moves"]
    assert "picture" not in decided.data


def test_it_leads_to_the_same_board_as_drawing_does() -> None:
    state = ready()
    decided = fact(state, "turn", 1, moves=MOVES)
    one_by_one = state
    for move in decided.data["moves"]:
        one_by_one = after(one_by_one, "draw", 1, **move)
    assert after(state, "turn", 1, moves=MOVES) == one_by_one


def test_what_is_known_of_the_picture_is_kept() -> None:
    decided = fact(
        ready(), "turn", 1, moves=MOVES, picture={"photo": PHOTO, "settled": {"b1": "SN", "c1": ""}}
    )
    assert decided.data["picture"] == {"photo": PHOTO, "settled": {"b1": "NS", "c1": ""}}


def test_a_stored_turn_is_decided_the_same_again() -> None:
    decided = fact(ready(), "turn", 1, moves=MOVES, picture={"photo": PHOTO})
    assert fact(ready(), "turn", 1, **decided.data) == decided


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ([], "no-moves"),
        ([{"cell": "d4", "route": "NS"}], "not-connected"),
        ([{"cell": "b1", "route": "ns"}], "types-meet"),
        ([{"cell": "b1", "route": "NE"}], "not-rolled"),
        (
            [{"cell": "b1", "route": "NS", "from": "die"}, {"cell": "d1", "route": "ns", "from": "special"}],
            "not-special",
        ),
    ],
)
def test_a_turn_against_the_rules(moves: list[JsonObject], code: str) -> None:
    assert refusal(ready(), "turn", 1, moves=moves).code == code


def test_a_cell_that_is_drawn_already() -> None:
    state = after(ready(), "draw", 1, cell="b1", route="NS")
    assert refusal(state, "turn", 1, moves=[{"cell": "b1", "route": "NES"}]).code == "occupied"


def test_drawn_dice_do_not_count_again() -> None:
    state = after(ready(), "draw", 1, cell="b1", route="NS")
    assert refusal(state, "turn", 1, moves=[{"cell": "f1", "route": "NS"}]).code == "die-used"


def test_only_with_an_umpire_and_after_the_roll() -> None:
    assert refusal(begun(seats=1), "turn", 1, moves=MOVES).code == "not-rolled"
    assert refusal(begun(seats=1, mode="scorekeeper"), "turn", 1, moves=MOVES).code == "not-umpire"


@pytest.mark.parametrize(
    "data",
    [
        {"moves": [{"cell": "b1"}]},
        {"moves": MOVES, "picture": {"photo": "../../passwd"}},
        {"moves": MOVES, "picture": {"photo": PHOTO, "settled": {"z9": "NS"}}},
        {"moves": MOVES, "picture": {"photo": PHOTO, "settled": {"a1": "xx"}}},
        {"moves": [{"cell": "b1", "route": "NS", "from": "hat"}]},
    ],
)
def test_a_turn_that_makes_no_sense(data: JsonObject) -> None:
    with pytest.raises(NotationError):
        RailroadInk().decide(ready(), Action("turn", 1, data), SeededChance(1))


def test_a_report_keeps_its_picture_too() -> None:
    state = begun(seats=1, mode="scorekeeper")
    picture = {"photo": PHOTO, "settled": {"b1": "NS"}}
    decided = fact(state, "report", 1, cells={"b1": "NS"}, picture=picture)
    assert decided.data["picture"] == picture
    assert fact(state, "report", 1, **decided.data) == decided
    assert "picture" not in fact(state, "report", 1, cells={"b1": "NS"}).data


def test_through_the_table_with_undo_and_strict_replay(tmp_path: Path) -> None:
    random, host, player = Random(5), Actor("host"), Actor("player", seat=1)
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(3))
        table.submit(Action("start", data={"game": "railroad-ink", "players": ["East"]}), host)
        for number in range(3):
            assert isinstance(table.submit(Action("roll"), host), Accepted)
            match = table.current
            assert match is not None
            before, roll = match.state.boards[1], match.state.roll
            new = played(random, match.state.rules, before, roll).drawings[len(before.drawings) :]
            moves = [{"cell": one.cell, "route": one.route} for one in sorted(new, key=lambda one: one.cell)]
            turn = Action("turn", 1, {"moves": moves, "picture": {"photo": PHOTO}})
            assert isinstance(table.submit(turn, player), Accepted)
            if number == 1:
                assert isinstance(table.submit(Action("undo", 1), player), Accepted)
                assert table.current is not None
                assert table.current.state.boards[1] == before
                assert isinstance(table.submit(turn, player), Accepted)
            assert isinstance(table.submit(turn, player), Refused)
            assert isinstance(table.submit(Action("done", 1), player), Accepted)
        assert table.current is not None
        assert verified(list(table.current.events), GAMES).fault is None
        assert table.current.state.round == 4
