"""Every complete turn of a roll: legal, complete, scored, and none left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games.kit.errors import GameError
from companion.games.railroad_ink.rules import turns
from companion.games.railroad_ink.rules.check import check_moves
from companion.games.railroad_ink.rules.dice_search import complete_turns as every_set
from companion.games.railroad_ink.rules.position import read_cells, read_position
from companion.games.railroad_ink.rules.scoring import score
from tests.companion.commands.running import Run

CLOSED = {"b1": "N*", "f1": "N*", "g2": "e*", "g4": "E*", "g6": "e*", "b7": "S*", "d7": "s*", "f7": "S*"}
CLOSED |= {"a2": "w*", "a4": "W*", "a6": "w*"}
DICE = ["ne", "n*", "NS", "NE|SW"]


def listed(**more: Any) -> dict[str, Any]:
    return turns.complete_turns({"cells": CLOSED, "dice": DICE, **more})


def test_each_turn_is_legal_complete_and_has_the_score_of_its_board() -> None:
    found = listed()
    assert found["count"] == len(found["turns"]) == len(every_set(read_cells(CLOSED), DICE))
    for turn in found["turns"]:
        moves = [{**move, "round": 1, "from": "die"} for move in turn["moves"]]
        asked = {"cells": CLOSED, "moves": moves, "dice": {"1": DICE}, "finished": True}
        assert check_moves(asked) == {"valid": True}
        after = {**CLOSED, **{move["cell"]: move["route"] for move in turn["moves"]}}
        assert turn["total"] == score(read_position({"cells": after})).total
    totals = [turn["total"] for turn in found["turns"]]
    assert totals == sorted(totals, reverse=True)


def test_the_machine_code_and_the_explained_score_give_the_same_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fast = listed()
    monkeypatch.setattr(turns, "find_spec", lambda name: None)
    assert listed() == fast


def test_only_the_best_and_only_those_with_most_dice() -> None:
    assert listed(best=2)["turns"] == listed()["turns"][:2]
    assert {len(turn["moves"]) for turn in listed()["turns"]} == {1, 2}
    assert {len(turn["moves"]) for turn in listed(must_draw="most")["turns"]} == {2}


@pytest.mark.parametrize("more", [{"dice": ["NS"]}, {"best": 0}, {"must_draw": "all"}, {"other": 1}])
def test_what_cannot_be_asked_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(GameError):
        listed(**more)


def test_the_command_answers_a_line_for_each_position(run: Run) -> None:
    asked = "\n".join(json.dumps({"id": n, "cells": CLOSED, "dice": DICE, "best": n}) for n in (1, 2))
    code, out, _ = run("turn", "railroad-ink", fed=asked)
    assert code == 0
    assert [len(json.loads(line)["turns"]) for line in out.splitlines()] == [1, 2]


def test_a_game_that_lists_no_turns_says_so(run: Run) -> None:
    code, _, err = run("turn", "spike", fed="{}")
    assert (code, err) == (2, "stationmaster: SPIKE cannot list complete turns\n")
