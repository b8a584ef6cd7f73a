"""The second referee agrees with the engine over whole matches, and notices what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game.base import Fact
from lab.empire_builder.referee import Referee, main, refereed
from lab.empire_builder.rules_bench import played


@pytest.mark.parametrize(("seats", "seed", "odd"), [(3, 41, 8), (6, 43, 0)])
def test_engine_and_referee_agree_after_every_event(seats: int, seed: int, odd: int) -> None:
    kinds = set()
    for fact, wrong in refereed(seats, seed, odd, rounds=25):
        assert wrong == [], fact
        kinds.add(fact.kind)
    assert {"build", "place", "move", "pickup", "deliver", "done"} <= kinds


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        ("build", {"price": 1000}, "costs"),
        ("move", {"fees": {"2": 4, "3": 4, "1": 4}}, "fees are due"),
        ("deliver", {"payout": 999}, "no such demand"),
        ("deliver", {"drew": ["1"]}, "the deck gives"),
        ("pickup", {"load": "nothing"}, "not supplied"),
    ],
)
def test_a_fact_that_claims_too_much_is_noticed(kind: str, change: dict[str, Any], says: str) -> None:
    referee: Referee | None = None
    for before, fact, _ in played(3, 41, odd=0):
        referee = referee or Referee(before)
        if fact.kind == kind:
            referee.book["chips"]["nothing"] = 1
            assert any(
                says in what for what in referee.follow(Fact(kind, fact.seat, {**fact.data, **change}))
            )
            return
        referee.follow(fact)
    pytest.fail(f"no {kind} in this match")


def test_a_state_that_is_another_one_is_noticed() -> None:
    before, fact, after = next(played(2, 1))
    referee = Referee(before)
    assert referee.follow(fact) == []
    assert list(referee.differences(after)) == []
    assert any(what.startswith("cash of seat") for what in referee.differences(before))


def test_the_bench_counts_what_it_saw(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--matches", "1", "--rounds", "4"]) == 0
    assert "1 matches refereed, 0 differ (" in capsys.readouterr().out
    monkeypatch.setattr("lab.empire_builder.referee.Land.is_major", lambda _land, _at: False)
    assert main(["--matches", "1", "--rounds", "4"]) == 1
