"""A scorekeeper's match: genuine cards and money on the table, the position reported whole."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from companion.core.errors import NotationError
from companion.core.jsontext import json_of
from companion.core.records import replaced
from companion.game.base import Action, Fact, Refusal
from companion.games.empire_builder.rules.match.state import State
from tests.companion.games.empire_builder.rules.tables import BOARD, GAME, NOTHING, begun, decided, way
from tests.companion.games.empire_builder.rules.test_position import SIX


def kept(seats: int = 2) -> State:
    return begun(seats, mode="scorekeeper")


def reported(state: State, **data: Any) -> tuple[Fact, State]:
    fact = decided(state, "report", 1, **data)
    assert not isinstance(fact, Refusal), fact
    stored = msgspec.json.decode(json_of(fact), type=Action)
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


# --- a turn over several reports ---


def four_out_of_chicago() -> list[str]:
    """Four single segments, each built out of Chicago."""
    found: dict[int, str] = {}
    for one in BOARD.cities["Chicago"].mileposts:
        for other, edge in BOARD.ways[one]:
            if not BOARD.red[edge] and BOARD.city_at[other] is None:
                found.setdefault(other, f"{BOARD.names[one]} {BOARD.names[other]}")
    return list(found.values())[:4]


def test_the_sum_of_a_turn_is_kept_over_several_reports() -> None:
    line = way("Chicago", "Denver")
    parts = [" ".join(line[:13]), " ".join(line)]
    one, state = reported(kept(), track={"1": parts[:1]})
    first, second = int(one.data["spent"]["1"]), 0
    two, later = reported(state, track={"1": parts[1:]})
    second = int(two.data["spent"]["1"])
    assert second > 20 > first
    (remark,) = two.data["remarks"]
    assert f"for {second} million in this turn: more than one turn allows (20 million)" in remark
    assert f"for {second - first} million" in remark
    assert later.turn.spent == 20, "what may still be built is told from it"
    following = GAME.apply(later, Action("done", later.seat))
    assert following.stood.track == later.track
    assert following.turn.spent == 0


def test_an_erased_line_does_not_count_in_the_turns_sum() -> None:
    line = " ".join(way("Chicago", "Des Moines"))
    _, state = reported(kept(), track={"1": [line]})
    _, state = reported(state, track={"1": []})
    fact, _ = reported(state, track={"1": [line]})
    assert "in this turn" not in fact.data["remarks"][0]


def test_too_many_segments_out_of_major_cities_are_named_as_the_reason() -> None:
    fact, _ = reported(kept(), track={"1": four_out_of_chicago()})
    (remark,) = fact.data["remarks"]
    assert remark.endswith("4 of them out of major cities, one turn allows 2")
    assert "20 million" not in remark


def test_cash_is_compared_with_the_price() -> None:
    line = " ".join(way("Chicago", "Des Moines"))
    fact, state = reported(kept(), track={"1": [line]})
    price = fact.data["spent"]["1"]
    more, _ = reported(state, cash={"1": 10}, spent={})
    assert more.data["remarks"] == [
        f"seat 1: the cash went from 50 to 10, but track of this turn cost {price}: "
        f"{40 - price} million more is gone (rent or tax, or a mistake)"
    ]
    less, _ = reported(state, cash={"1": 50}, spent={})
    assert less.data["remarks"][0].endswith(f"{price} million has not been paid")
    right, _ = reported(state, cash={"1": 50 - price}, spent={})
    assert right.data["remarks"] == []
    later = replaced(state, round=3)
    earned, _ = reported(later, cash={"1": 80}, spent={})
    assert earned.data["remarks"] == [], "deliveries bring money"
    bought, _ = reported(later, cash={"1": 50 - price - 20}, trains={"1": {"kind": "fast"}}, spent={})
    assert bought.data["remarks"] == []


def test_reports_of_before_are_read_as_they_stand() -> None:
    fact, _ = reported(kept(), track={"1": four_out_of_chicago()})
    count = fact.data["remarks"][0].partition(":")[0]
    old = {"track": fact.data["track"], "remarks": [f"{count}, more than one turn allows (20)"]}
    again = GAME.decide(kept(), Action("report", 1, old), NOTHING)
    assert isinstance(again, Fact)
    assert again.data == old
    money = GAME.decide(kept(), Action("report", 1, {"cash": {"1": 3}}), NOTHING)
    assert isinstance(money, Fact)
    assert money.data == {"cash": {"1": 3}}
