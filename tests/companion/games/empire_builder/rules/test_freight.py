"""Loads: supply, shortage, delivery one by one, the card drawn for it."""

from __future__ import annotations

import pytest

from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.empire_builder.rules.match.state import State, is_event, supply, with_train
from companion.games.empire_builder.rules.moves.freight import deliverable
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    NOTHING,
    after,
    begun,
    card_for,
    decided,
    holding,
    laid,
    refused,
    running,
    train_at,
    way,
)

ASKED = next(
    (demand, card.card)
    for card in begun().cards.values()
    for demand in card.demands
    if demand.city == "Chicago"
)
DEMAND, CARD = ASKED


def loaded(*loads: str) -> State:
    state = laid(running(), 1, way("Chicago", "Des Moines"))
    others = [card for card in state.cards if card != CARD][:2]
    state = holding(state, 1, CARD, *others)
    state = holding(state, 2, *[card for card in state.cards if card not in (CARD, *others)][:3])
    return train_at(state, 1, "Chicago", loads=tuple(sorted(loads)))


# --- picking up ---


def test_pick_up_goods_in_cities_where_symbols_appear() -> None:
    state = train_at(running(), 1, "Cincinnati")
    assert after(state, "pickup", 1, load="coal").players[1].train.loads == ("coal",)
    refusal = refused(state, "pickup", 1, load="oil")
    assert refusal.code == "not-here"
    assert "coal, machinery" in refusal.message


def test_loads_are_picked_up_and_dropped_in_cities_only() -> None:
    line = way("Chicago", "Denver")
    state = train_at(laid(running(), 1, line), 1, line[3], loads=("coal",))
    for kind in ("pickup", "drop", "deliver"):
        assert refused(state, kind, 1, load="coal").code == "no-city"
    assert refused(with_train(state, 1, at=None), "pickup", 1, load="coal").code == "no-city"


@pytest.mark.parametrize(("kind", "count"), [("freight", 2), ("fast", 2), ("heavy", 3), ("super", 3)])
def test_a_train_carries_as_many_loads_as_its_card_says(kind: str, count: int) -> None:
    state = train_at(running(), 1, "Cincinnati", kind=kind)
    for _ in range(count):
        state = after(state, "pickup", 1, load="coal")
    assert refused(state, "pickup", 1, load="coal").code == "full"


def test_limited_load_chips_and_what_happens_when_a_load_runs_out() -> None:
    """Cannot pick up that good until someone delivers or drops it."""
    state = train_at(running(3), 1, "Oklahoma City")
    state = with_train(with_train(state, 2, loads=("wheat", "wheat")), 3, loads=("wheat",))
    assert supply(state)["wheat"] == 0
    refusal = refused(state, "pickup", 1, load="wheat")
    assert (refusal.code, refusal.detail["carriers"]) == ("shortage", [2, 3])
    assert "wheat" not in [action.data.get("load") for action in GAME.legal(state, 1)]
    dropped = with_train(state, 3, loads=())
    assert after(dropped, "pickup", 1, load="wheat").players[1].train.loads == ("wheat",)


def test_a_dropped_load_returns_to_the_supply() -> None:
    state = train_at(running(), 1, "Miami", loads=("oil", "wood"))
    state = after(state, "drop", 1, load="oil")
    assert state.players[1].train.loads == ("wood",)
    assert supply(state)["oil"] == 4
    assert refused(state, "drop", 1, load="oil").code == "not-carried"


# --- delivering ---


def test_deliver_one_load_per_demand_card_for_the_listed_cash_reward() -> None:
    before = loaded(DEMAND.load)
    state = after(before, "deliver", 1, load=DEMAND.load, card=CARD)
    assert state.players[1].cash == 50 + DEMAND.payout  # collect cash from the bank
    assert state.players[1].train.loads == ()
    assert supply(state)[DEMAND.load] == supply(loaded())[DEMAND.load]  # return the chip
    assert CARD in state.discards  # discard the demand card
    assert len(state.players[1].hand) == 3  # draw a new one
    assert refused(state, "deliver", 1, load=DEMAND.load).code == "not-carried"


def test_a_load_is_delivered_only_where_a_card_asks_for_it() -> None:
    other = next(load for load in ("oil", "coal", "wood", "fish") if load != DEMAND.load)
    state = loaded(other)
    assert deliverable(state, 1) == []
    assert refused(state, "deliver", 1, load=other).code == "no-demand"
    assert refused(loaded(DEMAND.load), "deliver", 1, load=DEMAND.load, card="136").code == "no-card"


def test_multiple_loads_in_one_turn_each_delivery_completed_before_the_next() -> None:
    state = loaded(DEMAND.load, DEMAND.load)
    deck = tuple(card for card in state.deck if not is_event(card))
    events = tuple(card for card in state.deck if is_event(card))
    again = card_for("Chicago", DEMAND.load)
    assert again == CARD
    state = replaced(state, deck=(*deck, *events))
    first = after(state, "deliver", 1, load=DEMAND.load)
    assert first.players[1].train.loads == (DEMAND.load,)
    assert first.players[1].hand[-1] == deck[0]
    assert refused(first, "deliver", 1, load=DEMAND.load).code == "no-demand"


def test_the_better_paid_demand_is_chosen_when_two_cards_ask() -> None:
    cards = [card for card in begun().cards.values() for demand in card.demands if demand.load == DEMAND.load]
    fact = decided(loaded(DEMAND.load), "deliver", 1, load=DEMAND.load)
    assert not isinstance(fact, Refusal)
    assert cards
    assert fact.data["payout"] == DEMAND.payout


def test_event_cards_drawn_are_resolved_immediately_until_a_demand_card_comes() -> None:
    state = loaded(DEMAND.load)
    rest = tuple(card for card in state.deck if not is_event(card))
    events = tuple(card for card in state.deck if is_event(card))
    order = (
        "event-tax",
        "event-flood-ohio",
        *rest,
        *(card for card in events if card not in ("event-tax", "event-flood-ohio")),
    )
    fact = decided(replaced(state, deck=order), "deliver", 1, load=DEMAND.load)
    assert not isinstance(fact, Refusal)
    assert fact.data["drew"] == ["event-tax", "event-flood-ohio", rest[0]]
    after_it = GAME.apply(replaced(state, deck=order), fact)
    assert after_it.players[1].ledger.tax > 0
    assert [event.card for event in after_it.in_force] == ["event-flood-ohio"]
    assert "event-tax" in after_it.discards


def test_when_the_deck_runs_out_the_discards_are_shuffled_into_a_new_one() -> None:
    state = loaded(DEMAND.load)
    gone = tuple(card for card in state.deck if card != "event-tax")
    state = replaced(state, deck=("event-tax",), discards=gone)
    fact = decided(state, "deliver", 1, load=DEMAND.load)
    assert not isinstance(fact, Refusal)
    assert sorted(fact.data["chance"]["deck"]) == sorted([*gone, CARD])
    assert fact.data["drew"][0] == "event-tax"
    assert fact.data["source"]["kind"] == "seeded"
    done = GAME.apply(state, fact)
    assert GAME.faults(done) == []
    assert GAME.decide(state, fact, NOTHING) == fact
    assert "chance" not in GAME.seen(done, fact, 1).data


def test_a_reshuffle_that_is_none_is_found_out() -> None:
    state = loaded(DEMAND.load)
    state = replaced(state, deck=(), discards=state.deck)
    better = {"deck": [*state.discards]}
    found = decided(state, "deliver", 1, load=DEMAND.load, chance=better)
    assert isinstance(found, Refusal)
    assert found.code == "bad-shuffle"


def test_a_delivery_is_never_undone() -> None:
    fact = decided(loaded(DEMAND.load), "deliver", 1, load=DEMAND.load)
    assert not isinstance(fact, Refusal)
    assert GAME.lasting(fact)
    build = decided(running(), "build", 1, path=way("Chicago", "Des Moines")[:2])
    assert not isinstance(build, Refusal)
    assert not GAME.lasting(build)


def test_everything_is_conserved_through_a_delivery() -> None:
    state = loaded(DEMAND.load)
    assert GAME.faults(state) == []
    assert GAME.faults(after(state, "deliver", 1, load=DEMAND.load)) == []
    assert BOARD.cities["Chicago"].size == "major"
