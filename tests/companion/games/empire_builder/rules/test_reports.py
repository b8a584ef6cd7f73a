"""A scorekeeper's match: genuine cards and money on the table, the position reported whole."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from companion.games.contract import Action, Fact, Refusal
from companion.games.empire_builder.rules.state import State
from companion.games.kit.errors import NotationError
from tests.companion.games.empire_builder.rules.tables import BOARD, GAME, NOTHING, begun, decided, way
from tests.companion.games.empire_builder.rules.test_position import SIX


def kept(seats: int = 2) -> State:
    return begun(seats, mode="scorekeeper")


def reported(state: State, **data: Any) -> tuple[Fact, State]:
    fact = decided(state, "report", 1, **data)
    assert not isinstance(fact, Refusal), fact
    stored = msgspec.json.decode(msgspec.json.encode(fact), type=Action)
    assert GAME.decide(state, stored, NOTHING) == fact
    return fact, GAME.apply(state, stored)


def test_track_cash_and_trains_are_reported_and_scored() -> None:
    fact, state = reported(
        kept(), track={"1": SIX}, cash={"1": 251, "2": 40}, trains={"2": {"kind": "fast", "at": "Chicago"}}
    )
    assert GAME.faults(state) == []
    rows = GAME.score(state)
    assert (rows[0]["seat"], rows[0]["total"], len(rows[0]["majors"])) == (1, 251, 6)
    assert state.players[2].train.kind == "fast"
    assert "has built" in fact.data["remarks"][0]


def test_what_is_not_mentioned_stays() -> None:
    _, state = reported(kept(), track={"1": SIX[:1], "2": SIX[1:2]}, cash={"1": 30})
    _, later = reported(state, track={"2": SIX[1:3]})
    assert set(later.track.values()) == {1, 2}
    assert (later.players[1].cash, later.players[2].cash) == (30, 50)


def test_the_remarks_say_the_price_and_what_is_gone() -> None:
    line = way("Chicago", "Des Moines")
    fact, state = reported(kept(), track={"1": [" ".join(line)]})
    price = sum(BOARD.price[BOARD.numbers[name]] for name in line[1:]) + sum(
        BOARD.surcharge[BOARD.edge_numbers[BOARD.numbers[a], BOARD.numbers[b]]] for a, b in pairwise(line)
    )
    assert fact.data["remarks"] == [f"seat 1 has built {len(line) - 1} segments for {price} million"]
    gone, _ = reported(state, track={"1": []})
    assert "gone now" in gone.data["remarks"][0]


def test_loose_track_is_accepted_with_a_remark() -> None:
    fact, _ = reported(kept(), track={"1": [" ".join(way("Denver", "Cheyenne"))]})
    assert any("joined to no major city" in remark for remark in fact.data["remarks"])


def test_turns_are_counted_and_the_win_is_found() -> None:
    _, state = reported(kept(), track={"1": SIX}, cash={"1": 250})
    state = GAME.apply(state, Action("done", 1))
    assert not GAME.finished(state)
    state = GAME.apply(state, Action("done", 2))
    assert state.winner == 1


@pytest.mark.parametrize(
    ("data", "code"),
    [({"cash": {"3": 5}}, "no-seat"), ({"cash": {"1": -5}}, "bad-cash"), ({"trains": {"9": {}}}, "no-seat")],
)
def test_what_cannot_be_is_refused(data: dict[str, Any], code: str) -> None:
    refusal = decided(kept(), "report", 1, **data)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_one_edge_cannot_have_two_owners() -> None:
    with pytest.raises(NotationError, match="only one line fits there"):
        decided(kept(), "report", 1, track={"1": SIX[:1], "2": SIX[:1]})


def test_each_mode_has_its_own_actions() -> None:
    build = decided(kept(), "build", 1, to="Omaha")
    assert isinstance(build, Refusal)
    assert build.code == "not-umpire"
    report = decided(begun(), "report", 1, cash={"1": 9})
    assert isinstance(report, Refusal)
    assert report.code == "not-scorekeeper"
    assert [action.kind for action in GAME.legal(kept(), 1)] == ["report", "done"]
    assert [action.kind for action in GAME.legal(kept(), 2)] == ["report"]
