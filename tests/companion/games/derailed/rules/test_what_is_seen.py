"""What others see, how a scorekeeper's match is kept, and what the table is promised."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.core.jsontext import json_of
from companion.core.records import replaced
from companion.game.base import Action, MatchRequest, Refusal
from companion.games.derailed.rules.rounds import totals
from companion.games.derailed.rules.state import State
from companion.table.chance import SeededChance
from tests.companion.games.derailed.rules.tables import (
    GAME,
    STRAIGHT,
    after,
    begun,
    fact,
    grid,
    laid_out,
    refusal,
)

# --- what others see ---


@given(seed=st.integers(0, 10**6), seat=st.sampled_from([None, 1, 2, 3]))
def test_nobody_sees_the_deck_or_another_hand(seed: int, seat: int | None) -> None:
    """Whatever the hidden cards are, what a seat is shown is the same."""
    state = begun(3, seed=seed)
    hidden = [card for other, hand in state.hands.items() if other != seat for card in hand] + list(
        state.deck
    )
    turned = hidden[::-1]
    hands = dict(state.hands)
    for other in state.seats:
        if other != seat:
            hands[other], turned = tuple(turned[:4]), turned[4:]
    another = replaced(state, hands=hands, deck=tuple(turned))
    assert GAME.faults(another) == []
    assert GAME.view(state, seat) == GAME.view(another, seat)
    assert GAME.score(state) == GAME.score(another)


def test_the_start_is_shown_without_the_decks_order() -> None:
    setup = GAME.setup(MatchRequest(2, "umpire", {}), SeededChance(1))
    start = Action("start", None, {"game": "derailed", "setup": setup})
    for seat in (None, 1, 2):
        shown = GAME.seen(begun(2), start, seat)
        assert "deck" not in shown.data["setup"]
        assert shown.data["setup"]["starts"]


def test_a_reshuffle_is_shown_without_its_order_but_new_destinations_are_open() -> None:
    state = begun(2)
    take = Action("take", 1, {"chance": {"deck": ["TB"]}, "source": {"kind": "virtual"}})
    assert GAME.seen(state, take, 1).data == {"source": {"kind": "virtual"}}
    turned = Action("round", None, {"chance": {"destinations": ["A", "B"]}, "source": {}})
    assert GAME.seen(state, turned, 2) == turned


def test_the_view_has_what_a_page_needs() -> None:
    state = grid(laid_out("AB", "BA"), a1="TR", b1="LTB")
    view = GAME.view(state, 1)
    assert view["lanes"][0] == {"lane": "a", "start": "A", "destination": "B"}
    assert (
        view["reach"] == {"1": ["a1:TR", "b1:TL", "b1:LB"], "2": ["b1:LT", "b1:TB", "a1:TR"]} or view["reach"]
    )
    assert set(view["open"]) == {"a1", "b1", "b2"}
    assert view["open"]["b2"] == sorted(view["open"]["b2"], key=view["open"]["b2"].index)
    assert GAME.view(state, None)["open"] == {}
    json_of(view)


# --- the scorekeeper ---


def test_the_area_is_reported_as_it_lies() -> None:
    state = begun(2, mode="scorekeeper")
    report = {"starts": ["A", "B"], "destinations": ["B", "A"]}
    state = after(state, "report", None, grid={"a1": "TR"}, **report)
    state = after(state, "report", None, grid={**STRAIGHT, "b4": "TB"})
    assert [arrival.seat for arrival in state.arrived] == [1]
    assert totals(state) == {1: 2, 2: 0}
    assert refusal(state, "turns", 1, count=2).code == "round-over"
    assert refusal(state, "turns", 2, count=1).code == "not-arrived"
    assert refusal(state, "turns", 1, count=-1).code == "bad-count"
    for _ in range(3):
        state = after(state, "round")
    assert GAME.finished(state)
    assert state.endings == ("called", "called", "called")


FIRST = {"a1": "TR", "b1": "LTB", "b2": "TB|r", "b3": "TB|l", "b4": "TB"}  # company A has arrived
LATE = {**FIRST, "b4": "LTB", "a4": "TRB"}  # and now there is a path for company B, too


def keeping(seats: int = 2, **options: Any) -> State:
    return begun(seats, mode="scorekeeper", **options)


def test_no_arrival_counts_after_the_round_is_over() -> None:
    ends = {"starts": ["A", "B"], "destinations": ["B", "A"]}
    state = after(keeping(), "report", 2, grid=FIRST, **ends)
    assert totals(state) == {1: 2, 2: 0}
    late = fact(state, "report", 2, grid=LATE)
    assert (
        late.data["remarks"][-1]
        == "a path that comes after the end of the round brings nothing: Baskerville Meows"
    )
    state = after(state, "report", 2, grid=LATE)
    assert totals(state) == {1: 2, 2: 0}
    assert fact(state, "report", 2, grid=LATE).data["remarks"] == []


def test_turns_after_an_arrival_are_told_while_the_round_goes_on() -> None:
    ends = {"starts": ["A", "B", "C"], "destinations": ["B", "A", "C"]}
    state = after(keeping(3), "report", 2, grid=FIRST, **ends)
    assert totals(after(state, "turns", 1, count=2)) == {1: 4, 2: 0, 3: 0}


def test_who_laid_the_card_counts_not_who_reported_it() -> None:
    ends = {"starts": ["A", "B"], "destinations": ["B", "A"]}
    state = keeping(first_together="placer")
    unsaid = fact(state, "report", 2, grid=LATE, **ends)
    assert unsaid.data["remarks"][-1].endswith("all count as the first: say who laid the card")
    assert totals(GAME.apply(state, unsaid)) == {1: 2, 2: 2}
    assert totals(after(state, "report", 2, grid=LATE, by=1, **ends)) == {1: 2, 2: 1}
    assert refusal(state, "report", 2, grid=LATE, by=3, **ends).code == "no-seat"


def test_a_match_kept_before_comes_to_the_same_scores() -> None:
    """Its setup says nothing of how arrivals count."""
    request = MatchRequest(2, "scorekeeper", {})
    data = GAME.setup(request, SeededChance(1))
    assert not isinstance(data, Refusal)
    del data["revision"]
    assert GAME.setup_fault(data, request) is None
    state = after(GAME.start(data), "report", 2, grid=FIRST, starts=["A", "B"], destinations=["B", "A"])
    state = after(state, "turns", 1, count=2)
    state = after(state, "report", 2, grid=LATE)
    assert totals(state) == {1: 4, 2: 1}


def test_what_looks_wrong_is_remarked() -> None:
    state = begun(2, mode="scorekeeper")
    columns = {"starts": ["A", "B"], "destinations": ["A", "B"]}
    said = fact(state, "report", None, grid={"a1": "TB", "b3": "LR"}, **columns)
    assert said.data["remarks"] == [
        "more than one card is new since the last report: a1, b3",
        "joined to no company's station: b3",
        "the same company at both ends of lane a, b",
    ]
    state = after(state, "report", None, grid={"a1": "TB"})
    assert fact(state, "report", None, grid={}).data["remarks"] == ["laid earlier and gone now: a1"]


def test_what_cannot_lie_on_a_table_is_refused() -> None:
    state = begun(2, mode="scorekeeper")
    cells = dict.fromkeys(("a1", "a2", "a3", "b1", "b2"), "LTRB")
    assert refusal(state, "report", None, grid=cells).code == "too-many"
    assert refusal(state, "report", None, grid={}, starts=["A", "C"]).code == "bad-shuffle"
    with pytest.raises(NotationError, match="is not in the lanes"):
        fact(state, "report", None, grid={"c1": "TB"})


def test_each_way_to_play_has_its_own_actions() -> None:
    umpire, keeper = begun(2), begun(2, mode="scorekeeper")
    assert refusal(umpire, "report", 1, grid={}).code == "not-scorekeeper"
    assert refusal(umpire, "turns", 1, count=1).code == "not-scorekeeper"
    assert refusal(keeper, "place", 1, cell="a1", card="TB").code == "not-umpire"
    assert {action.kind for action in GAME.legal(keeper, 1)} == {"report", "round"}
    assert refusal(umpire, "fly", 1).code == "unknown-action"
    assert refusal(umpire, "place", None, cell="a1", card="TB").code == "no-seat"


# --- the table's promises ---


def test_undo_never_crosses_a_card_that_was_seen() -> None:
    assert not GAME.lasting(Action("place", 1))
    assert not GAME.lasting(Action("pass", 1))
    for kind in ("take", "discard", "round"):
        assert GAME.lasting(Action(kind, 1))


def test_a_setup_that_cannot_have_been_is_found() -> None:
    request = MatchRequest(2, "umpire", {})
    data = GAME.setup(request, SeededChance(1))
    assert not isinstance(data, Refusal)
    assert GAME.setup_fault(data, request) is None
    for change in (
        {"deck": [*data["deck"][1:], "LTRB"]},
        {"starts": ["A", "A"]},
        {"destinations": ["A", "C"]},
        {"seats": 3},
        {"options": {**data["options"], "companies": "ABC"}},
        {"options": {**data["options"], "first": 0}},
    ):
        assert GAME.setup_fault({**data, **change}, request) is not None, change
