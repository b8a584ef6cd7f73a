"""The second referee agrees with the engine over whole matches, and notices what is wrong."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from companion.core.chance import SeededChance
from companion.game.base import Fact
from companion.games.spike.rules.boards.board import shipped_text
from companion.games.spike.rules.match.dealing import setup, start
from companion.games.spike.rules.match.state import State
from lab.spike.referee import differences, main, refereed
from lab.spike.referee_rules import Referee
from lab.spike.rules_bench import wishes


@pytest.mark.parametrize(("seed", "planned"), [(0, False), (5, True)])
def test_engine_and_referee_agree_after_every_event(seed: int, planned: bool) -> None:
    kinds = set()
    for fact, wrong in refereed(seed, planned=planned):
        assert wrong == [], fact
        kinds.add(fact.kind)
    assert {"give", "place", "draw", "build", "motion"} <= kinds
    assert planned == ("deliver" in kinds)


def started() -> tuple[State, Referee]:
    dealt = setup(wishes(0), SeededChance(7))
    assert isinstance(dealt, dict)
    return start(dealt), Referee(dealt)


def test_a_fact_that_claims_too_much_is_noticed() -> None:
    _, referee = started()
    first = referee.order[0]
    referee.seats[first].hand = Counter({"white": 4})
    assert referee.follow(Fact("give", first, {"card": "white"})) == []
    for seat in referee.order:
        assert referee.follow(Fact("place", seat, {"city": "topeka"})) == []
    path = {"path": ["topeka-i2"], "cards": {"white": 1}}
    assert {"build: no such build"} <= set(referee.follow(Fact("build", first, path)))
    assert any("too far" in what for what in referee.follow(Fact("motion", referee.turn, {"to": "boston"})))


def test_wild_sets_are_one_card_dearer_than_what_they_stand_for() -> None:
    _, referee = started()
    white, blue = (
        next(track for track, suit in referee.land.suit.items() if suit == one) for one in ("white", "blue")
    )
    assert referee.payments(Counter(white=3), [white]) == [Counter(white=1)]
    assert referee.payments(Counter(white=3), [blue]) == [Counter(white=2)]
    assert referee.payments(Counter(white=2), [white, blue]) == []


def test_a_state_that_is_another_one_is_noticed() -> None:
    state, referee = started()
    referee.seats[1].money, referee.round = 3, 2
    assert {what.split(":")[0] for what in differences(referee, state)} >= {"money of seat 1", "round"}


def test_the_bench_fails_where_something_differs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Referee, "in_city", lambda *_: False)
    assert main(["--matches", "1"]) == 1
    assert "2 matches refereed, " in capsys.readouterr().out


def test_engine_and_referee_agree_where_two_tracks_join_the_same_places() -> None:
    """Every third track of our board a second time, in another suit, some of them said from the other end."""
    lines = shipped_text("eastern-states", "board").splitlines()
    suits = [json.loads(line)["suit"] for line in lines if line.startswith('{"suit"')]
    tracks = [json.loads(line) for line in lines if line.startswith('{"track"')][::3]
    beside = [
        {
            "track": track["track"][:: 1 - 2 * (number % 2)],
            "suit": suits[suits.index(track["suit"]) - 1],
            "number": 2,
        }
        for number, track in enumerate(tracks)
    ]
    board = "\n".join([*lines, *map(json.dumps, beside)])
    built = set()
    for fact, wrong in refereed(5, planned=True, board=board):
        assert wrong == [], fact
        built |= {name for name in fact.data.get("path", ()) if name.endswith(":2")}
    assert built, "nobody built on a second track"
