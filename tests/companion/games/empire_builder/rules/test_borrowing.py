"""The house rule of borrowing: twice as much is owed, payouts go to it first, nobody wins while he owes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.chance import SeededChance
from companion.core.records import replaced
from companion.game.base import Action, MatchRequest, Refusal
from companion.games.empire_builder.bot.player import suggestion
from companion.games.empire_builder.rules.boards.board import City
from companion.games.empire_builder.rules.match.state import State, Turn, with_money
from companion.games.empire_builder.rules.match.turns import has_won
from lab.empire_builder.rules_bench import played, step_faults
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    after,
    begun,
    decided,
    ended,
    laid,
    refused,
    struck,
    train_at,
    way,
    with_cash,
)


def lending(seats: int = 2, **options: Any) -> State:
    """A match in its third round in which borrowing was agreed on."""
    return replaced(begun(seats, borrow="double", **options), round=3, turn=Turn())


def at_des_moines(state: State) -> State:
    """Seat 1 stands in Des Moines with a load that a card on the table asks for."""
    return train_at(laid(state, 1, way("Chicago", "Des Moines")), 1, "Des Moines", loads=("coal",))


def test_twice_as_much_is_owed_and_at_most_20_million_are_lent() -> None:
    state = after(lending(), "borrow", 1, amount=5)
    assert (state.players[1].cash, state.players[1].owed) == (55, 10)
    assert decided(state, "borrow", 1, amount=15).data == {"amount": 15, "owed": 40}  # type: ignore[union-attr]
    too_much = refused(state, "borrow", 1, amount=16)
    assert too_much.code == "too-much"
    assert too_much.message == "the bank lends 20 million at a time, and you still owe 10: 15 more at most"
    # A million that is half paid back is still owed in part: it is not lent again.
    paid = after(state, "repay", 1, amount=3)
    assert (paid.players[1].cash, paid.players[1].owed) == (52, 7)
    assert refused(paid, "borrow", 1, amount=17).detail == {"left": 16}
    assert refused(lending(), "borrow", 1, amount=21).message == "the bank lends 20 million at a time"


@pytest.mark.parametrize("amount", [0, -3])
def test_only_millions_are_borrowed_and_paid_back(amount: int) -> None:
    for kind in ("borrow", "repay"):
        assert refused(lending(), kind, 1, amount=amount).code == "bad-amount"


def test_money_is_borrowed_in_ones_own_turn_before_building() -> None:
    state = lending()
    assert refused(state, "borrow", 2, amount=5).code == "not-your-turn"
    built = after(after(state, "borrow", 1, amount=1), "build", 1, path=["ap39", "ap41"])
    assert refused(built, "borrow", 1, amount=5).code == "too-late"
    assert refused(after(state, "upgrade", 1, to="fast"), "borrow", 1, amount=5).code == "too-late"
    first = begun(borrow="double")
    assert after(first, "borrow", 1, amount=5).players[1].cash == 55, "track is built in the first turns"


def test_a_debt_is_paid_back_at_any_time_in_ones_own_turn() -> None:
    state = after(lending(), "borrow", 1, amount=10)
    built = after(state, "build", 1, path=["ap39", "ap41"])
    assert after(built, "repay", 1, amount=20).players[1].owed == 0
    derailed = replaced(built, turn=replaced(built.turn, phase="stopped"))
    assert after(derailed, "repay", 1, amount=1).players[1].owed == 19
    assert refused(derailed, "borrow", 1, amount=1).code == "stopped"
    assert refused(ended(state), "repay", 1, amount=1).code == "not-your-turn"
    assert (
        refused(state, "repay", 1, amount=21).message == "you owe the bank 20 million: 21 cannot be paid back"
    )
    assert refused(with_cash(state, 1, 4), "repay", 1, amount=5).code == "no-money"
    assert refused(lending(), "repay", 1, amount=1).message.startswith("you owe the bank nothing")


def test_a_payout_goes_to_the_debt_first() -> None:
    owing = after(at_des_moines(lending(deal="table", first=1)), "borrow", 1, amount=10)
    some = decided(owing, "deliver", 1, load="coal", payout=13)
    assert not isinstance(some, Refusal)
    assert some.data["repaid"] == 13
    state = after(owing, "deliver", 1, load="coal", payout=13)
    assert (state.players[1].cash, state.players[1].owed) == (60, 7)
    state = after(train_at(state, 1, "Des Moines", loads=("coal",)), "deliver", 1, load="coal", payout=13)
    assert (state.players[1].cash, state.players[1].owed) == (66, 0)
    assert state.players[1].ledger.payouts == 26


def test_a_tax_drawn_for_a_delivery_is_due_on_what_the_bank_has_left() -> None:
    state = lending()
    card = state.players[1].hand[0]
    demand = state.cards[card].demands[0]
    state = train_at(state, 1, demand.city, loads=(demand.load,))
    state = with_cash(after(state, "borrow", 1, amount=20), 1, 30)
    state = replaced(state, deck=("event-tax", *(one for one in state.deck if one != "event-tax")))
    paid = after(state, "deliver", 1, load=demand.load, card=card)
    back = min(demand.payout, 40)
    left = 30 + demand.payout - back
    assert paid.players[1].owed == 40 - back
    assert paid.players[1].cash == left - state.events["event-tax"].due(left)  # type: ignore[union-attr]


def test_nobody_wins_while_he_owes() -> None:
    majors: list[City] = list(BOARD.majors)
    lines = [way(one.name, other.name) for one, other in pairwise(majors)]
    rich = with_cash(laid(lending(), 1, *lines), 1, 300)
    assert has_won(rich, 1)
    owing = after(rich, "borrow", 1, amount=1)
    assert not has_won(owing, 1)
    assert ended(owing).qualified == ()
    free = after(owing, "repay", 1, amount=2)
    assert ended(free).qualified == (1,)
    assert ended(free, 2).winner == 1


def test_nothing_is_lent_where_it_was_not_agreed_on() -> None:
    state = replaced(begun(), round=3, turn=Turn())
    for kind in ("borrow", "repay"):
        assert refused(state, kind, 1, amount=1).code == "no-borrowing"
    kinds = {action.kind for action in GAME.legal(state, 1)}
    assert not kinds & {"borrow", "repay"}
    assert "owed" not in GAME.score(state)[0]
    assert GAME.faults(with_money(state, 1, borrowed=1)) == [
        "seat 1 has borrowed where that was not agreed on"
    ]
    told = GAME.setup(MatchRequest(2, "scorekeeper", {"borrow": "double"}), SeededChance(1))
    assert isinstance(told, Refusal)
    assert told.message == "borrow: as scorekeeper the box does not see what anybody borrows"


def test_what_may_be_borrowed_and_paid_back_is_what_is_not_refused() -> None:
    states = [
        state := lending(),
        state := after(state, "borrow", 1, amount=7),
        state := after(with_cash(state, 1, 9), "repay", 1, amount=2),
        after(state, "build", 1, path=["ap39", "ap41"]),
    ]
    for state in states:
        legal = [action for action in GAME.legal(state, 1) if action.kind in ("borrow", "repay")]
        tried = [Action(kind, 1, {"amount": amount}) for kind in ("borrow", "repay") for amount in range(50)]
        allowed = [one for one in tried if not isinstance(GAME.decide(state, one, SeededChance(1)), Refusal)]
        assert legal == allowed


def test_what_is_owed_counts_off_the_cash_and_is_explained() -> None:
    state = after(lending(), "borrow", 1, amount=10)
    row = next(row for row in GAME.score(state) if row["seat"] == 1)
    assert (row["total"], row["owed"], row["place"]) == (40, 20, 2)
    assert "10 borrowed, 0 paid back, 20 still owed" in row["lines"]
    assert row["lines"][-1] == "60 million less 20 owed to the bank"
    player = GAME.view(state, 2)["players"]["1"]
    assert (player["cash"], player["owed"], player["credit"]) == (60, 20, 10)


# --- money is conserved ---

_DEEDS = st.lists(
    st.tuples(st.sampled_from(["borrow", "repay", "deliver", "done"]), st.integers(1, 45)), max_size=25
)


@given(_DEEDS)
@settings(max_examples=60, deadline=None)
def test_cash_and_debt_are_those_of_a_ledger_kept_by_hand(deeds: list[tuple[str, int]]) -> None:
    state = at_des_moines(lending(deal="table", first=1))
    cash, debt = 50, 0
    for kind, amount in deeds:
        if kind == "done":
            state = ended(state, 2)
            continue
        state = train_at(state, 1, "Des Moines", loads=("coal",))
        data: dict[str, Any] = {"load": "coal", "payout": amount} if kind == "deliver" else {"amount": amount}
        allowed = {
            "borrow": 2 * amount + debt <= 40,
            "repay": amount <= min(cash, debt),
            "deliver": True,
        }[kind]
        fact = decided(state, kind, 1, **data)
        assert isinstance(fact, Refusal) == (not allowed)
        if not allowed:
            continue
        state = after(state, kind, 1, **data)
        if kind == "borrow":
            cash, debt = cash + amount, debt + 2 * amount
        else:
            back = amount if kind == "repay" else min(amount, debt)
            cash, debt = cash - back + (amount if kind == "deliver" else 0), debt - back
        assert (state.players[1].cash, state.players[1].owed) == (cash, debt)
        assert GAME.faults(state) == []


def test_a_match_with_borrowing_conserves_money_after_every_event() -> None:
    kinds = set()
    for before, fact, later in played(3, 45, odd=3, borrow="double"):
        assert step_faults(before, fact, later) == []
        kinds.add(fact.kind if not fact.data.get("repaid") else "deliver for the bank")
        if later.round > 20:
            break
    assert {"borrow", "repay", "deliver for the bank"} <= kinds


# --- who is stuck ---


def test_the_planning_player_borrows_when_no_plan_is_affordable() -> None:
    broke = with_cash(lending(), 1, 0)
    action = suggestion(broke, 1)
    assert action is not None
    assert action.kind == "borrow"
    richer = after(broke, "borrow", 1, **action.data)
    following = suggestion(richer, 1)
    assert following is not None
    assert following.kind == "build"


def test_a_tax_takes_nothing_from_the_debt() -> None:
    state = after(lending(), "borrow", 1, amount=10)
    taxed = struck(state, 1, "event-tax")
    assert taxed.players[1].owed == 20
    assert taxed.players[1].cash == 50
