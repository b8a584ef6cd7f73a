"""Every complete turn of a roll: legal, complete, scored, and none left out."""

from __future__ import annotations

import json
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.cli.judging import turns_of
from companion.core.errors import GameError
from companion.game.registry import GAMES
from companion.games.railroad_ink.rules.boards.board import rolled
from companion.games.railroad_ink.rules.boards.position import read_cells, read_position
from companion.games.railroad_ink.rules.match.check import check_moves
from companion.games.railroad_ink.rules.rulebook import DICE as DICE_FACES
from companion.games.railroad_ink.rules.rulebook import EDITION
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.games.railroad_ink.rules.turns import search as turns
from companion.games.railroad_ink.rules.turns.dice_search import complete_lines
from companion.games.railroad_ink.rules.turns.dice_search import complete_turns as every_set
from tests.companion.cli.running import Run

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


OPENINGS: list[dict[str, Any]] = [  # with far more complete turns than are compared
    {"cells": {}, "dice": ["NES", "nes", "NE|SW", "NeS*"]},
    {"cells": {}, "dice": ["NES", "nes", "Ns*", "NES"], "edition": "classic"},
    {"cells": {}, "dice": ["NES", "nes", "NES", "nes", "NE|SW", "NeS*"], "size": "epic"},
]


def answered(asked: dict[str, Any]) -> dict[str, Any]:
    return turns_of(GAMES["railroad-ink"], {})(asked)


def checked(asked: dict[str, Any], turn: dict[str, Any]) -> None:
    """A turn is legal, complete, and has the points of its board."""
    board: dict[str, Any] = {name: asked[name] for name in ("edition", "size") if name in asked}
    moves = [{**move, "round": 1, "from": "die"} for move in turn["moves"]]
    if "size" not in board:
        told = {
            "cells": asked["cells"],
            **board,
            "moves": moves,
            "dice": {"1": asked["dice"]},
            "finished": True,
        }
        assert check_moves(told) == {"valid": True}
    cells = {**asked["cells"], **{move["cell"]: move["route"] for move in turn["moves"]}}
    assert turn["total"] == score(read_position({"cells": cells, **board})).total


@pytest.mark.parametrize("by", ["score", "worth"])
@pytest.mark.parametrize("opening", OPENINGS)
def test_the_best_turns_of_an_opening_are_found(opening: dict[str, Any], by: str) -> None:
    asked = {**opening, "best": 3, "by": by}
    found = answered(asked)
    assert found["searched"]
    assert len(found["turns"]) == 3
    for turn in found["turns"]:
        checked(asked, turn)
    order = [turn["total" if by == "score" else "worth"] for turn in found["turns"]]
    assert order == sorted(order, reverse=True)


def test_a_list_that_would_be_too_long_says_what_to_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_MOST_LINES", 1000)
    with pytest.raises(GameError, match="more than 1,000 complete turns of these dice: ask for the best"):
        answered(OPENINGS[0])


def random_board(rng: Random, rounds: int) -> dict[str, Any]:
    """A board after so many rounds of turns taken at random, and a roll."""
    cells: dict[str, str] = {}
    dice: list[str] = []
    for left in range(rounds, -1, -1):
        dice = [rng.choice(DICE_FACES[die]) for die in EDITION["challenge"].dice]
        if left:
            lines = list(islice(complete_lines(read_cells(cells), rolled(0, dice).faces or ()), 3000))
            cells |= {move["cell"]: move["route"] for move in turns.moves_json(rng.choice(lines))}
    return {"cells": cells, "dice": dice}


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 1, 2))])
def test_the_search_comes_to_the_best_scores_of_all_turns(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    asked = random_board(Random(seed), 2 + seed % 4)
    every = turns.complete_turns(asked)["turns"]
    monkeypatch.setattr(turns, "_MOST_COMPARED", 20)
    found = turns.complete_turns({**asked, "best": 4})
    assert found["searched"] == (len(every) > 20)
    assert [turn["total"] for turn in found["turns"]] == [turn["total"] for turn in every[:4]]
    legal = {frozenset((move["cell"], move["route"]) for move in turn["moves"]) for turn in every}
    by_worth = answered({**asked, "best": 1000, "by": "worth"})["turns"]
    for turn in found["turns"] + by_worth:
        assert frozenset((move["cell"], move["route"]) for move in turn["moves"]) in legal
    most = turns.complete_turns({**asked, "best": 1000, "must_draw": "most"})["turns"]
    assert {len(turn["moves"]) for turn in most} == {max(len(turn["moves"]) for turn in every)}


def test_worth_looks_further_than_the_points_of_today() -> None:
    """Spread over the exits; what scores at once is drawn in one corner."""
    asked = {**OPENINGS[0], "best": 1}
    now, later = (answered({**asked, "by": by})["turns"][0] for by in ("score", "worth"))
    assert now["total"] > later["total"]
    last = answered({**asked, "by": "worth", "round": 7})["turns"][0]
    assert last["worth"] == last["total"] > later["total"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"by": "luck"}, "say by score, or by worth"),
        ({"by": "worth"}, "how many of the best"),
        ({"by": "worth", "best": 1, "round": 9}, "rounds are 1 to 7"),
        ({"by": "worth", "best": 0}, "1 or more"),
    ],
)
def test_a_question_that_is_none_is_told_what_to_say(more: dict[str, Any], said: str) -> None:
    with pytest.raises(GameError, match=said):
        answered({**OPENINGS[0], **more})


@pytest.mark.parametrize(
    "extra",
    [
        {"expansion": {"name": "forest", "marks": {"c3": "trees"}}},
        {"goals": ["A", {"goal": "B", "points": 4}]},
    ],
)
def test_expansions_and_goals_have_a_worth_too(extra: dict[str, Any]) -> None:
    asked = {"cells": {"b1": "N*"}, "dice": ["NES", "nes", "NE|SW", "NeS*"], **extra}
    found = answered({**asked, "best": 2, "by": "worth"})
    for turn in found["turns"]:
        cells = {**asked["cells"], **{move["cell"]: move["route"] for move in turn["moves"]}}
        assert turn["total"] == score(read_position({"cells": cells, **extra})).total
        assert "c3" not in cells or "goals" in extra


def test_the_command_takes_how_many_and_by_what(run: Run) -> None:
    code, out, _ = run("turn", "railroad-ink", "--best", "1", "--by", "worth", fed=json.dumps(OPENINGS[0]))
    assert code == 0
    assert [len(turn["moves"]) for turn in json.loads(out)["turns"]] == [4]


def test_a_roll_of_too_few_dice_is_counted() -> None:
    for dice in ([], ["NS"]):
        with pytest.raises(GameError, match=f"has 4 dice .A, A, C, D., not {len(dice)}"):
            listed(dice=dice)


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
