"""The second referee agrees with the engine over whole matches, and notices what is wrong."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.chance import SeededChance
from companion.game.base import Fact, MatchRequest, Refusal
from lab.derailed.referee import GAME, Lanes, Referee, face_of, main, refereed


@pytest.mark.parametrize("seed", range(5))  # two to six companies, with every option now and then
def test_engine_and_referee_agree_after_every_event(seed: int) -> None:
    kinds = set()
    for fact, wrong in refereed(seed):
        assert wrong == [], fact
        kinds.add(fact.kind)
    assert {"place", "round"} <= kinds


def started() -> tuple[Any, Referee]:
    setup = GAME.setup(MatchRequest(2), SeededChance(Random(5)))
    assert not isinstance(setup, Refusal)
    return GAME.start(setup), Referee(setup)


def test_a_fact_that_claims_too_much_is_noticed() -> None:
    state, referee = started()
    assert list(referee.differences(state)) == []
    assert any("not this seat's turn" in what for what in referee.follow(Fact("pass", 2)))
    _, referee = started()
    assert any("can be laid" in what for what in referee.follow(Fact("pass", 1)))
    _, referee = started()
    held = referee.hands[1][0]
    assert any(
        "not joined" in what for what in referee.follow(Fact("place", 1, {"cell": "a4", "card": held}))
    )


def test_a_state_that_is_another_one_is_noticed() -> None:
    state, referee = started()
    referee.points[0][1] += 1
    referee.turn = 2
    assert {what.split(":")[0] for what in referee.differences(state)} >= {"points", "turn"}


def test_a_train_never_turns_round_on_points() -> None:
    points = {(0, 0): face_of("LB|RB|t"), (0, 1): face_of("TB")}
    assert Lanes(2, points).reached(0) == {((0, 0), "T")}
    joined = Lanes(2, {**points, (0, 0): face_of("LTB")})
    assert ((0, 1), "T") in joined.reached(0)


def test_the_bench_fails_where_something_differs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--matches", "1"]) == 0
    assert "1 matches refereed, 0 differ (" in capsys.readouterr().out
    monkeypatch.setattr(Lanes, "arrives", lambda *_: False)
    assert main(["--matches", "1"]) == 1
