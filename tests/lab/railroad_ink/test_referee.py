"""The second referee agrees with the engine on boards, move lists and matches, and notices what is wrong."""

from __future__ import annotations

import pytest

from lab.railroad_ink import referee, referee_rules
from lab.railroad_ink.referee import Referee, checks_differ, main, match_differs, scores_differ

CHALLENGE = referee_rules.BOOK["editions"]["challenge"]


@pytest.mark.parametrize("seed", [*range(6), 215, 306, 352])  # the last come to one space by two curves
def test_both_score_a_board_alike(seed: int) -> None:
    assert scores_differ(seed) == []


@pytest.mark.parametrize("seed", range(12))
def test_both_check_move_lists_with_rounds_and_without_sources_alike(seed: int) -> None:
    assert checks_differ(seed) == []


@pytest.mark.parametrize("seed", [0, 2, 4])  # solo, three seats, classic with one
def test_both_see_a_match_alike_after_every_event(seed: int) -> None:
    assert [wrong for event in match_differs(seed) for wrong in event] == []


def test_the_example_of_the_findings_is_legal() -> None:
    assert referee_rules.moves_are_legal([{"cell": "b1", "route": "NESW", "round": 1}], CHALLENGE)


def test_the_referee_notices_what_the_rules_forbid() -> None:
    setup = {
        "seats": 1,
        "options": {
            "edition": "challenge",
            "blueprint": (),
            "free_special": "round",
            "goals": ["A"],
            "longest": "trail",
        },
    }
    one = Referee(setup)
    assert one.follow("roll", None, {"faces": ["NS", "NS", "NS", "NS"]}) == ["an impossible roll"]
    assert one.follow("roll", None, {"faces": ["NS", "ne", "Ns*", "NES"]}) == []
    assert one.follow("draw", 1, {"cell": "d4", "route": "NS", "from": "die"}) != []
    assert one.follow("done", 1, {}) == ["a die still fits"]


def test_the_bench_says_what_it_saw_and_fails_where_something_differs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ["--boards", "1", "--moves", "1", "--matches", "0"]
    assert main(few) == 0
    assert "1 boards refereed in every reading, with 12 goals each: 0 differ" in capsys.readouterr().out
    monkeypatch.setattr(referee, "score_of", lambda *_: {"exits": -1})
    assert main(few) == 1
