"""``stationmaster coach``: what is said of a recorded match, and where nobody can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.coach import lines

GOLDEN = Path("tests/golden/railroad-ink/two-classic.jsonl")
OTHER = Path("tests/golden/spike/two.jsonl")


def test_its_text_has_the_price_the_best_drawing_and_why() -> None:
    best = [{"cell": "b1", "route": "NS", "from": "die"}]
    rounds = [
        {"seat": 1, "round": 1, "cost": 3.04, "error": 0.45, "best": best, "why": ["because"]},
        {"seat": 1, "round": 2, "cost": 0.3, "error": 0.4, "best": best, "why": []},
        {"seat": 2, "round": 1, "cost": 9, "error": 0.0, "best": best, "why": []},
    ]
    told = {"players": [{"seat": 1, "name": "Ann", "total": 40, "cost": 3.34}], "rounds": rounds}
    assert lines(told) == [
        "Ann: 40 points; drawings cost 3.3",
        "  round 1: 3.0 +- 0.5 points; best: b1 NS",
        "    because",
        "  round 2: as good as the best that was found",
    ]


def test_a_match_nobody_can_judge_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coach", str(OTHER)]) == 2
    assert "no bot here can tell" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_recorded_match_is_priced_round_by_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coach", str(GOLDEN), "--seat", "2"]) == 0
    out = capsys.readouterr().out
    assert [f"round {number}:" in out for number in range(1, 8)] == [True] * 7
