"""Decks: nothing is lost, nobody sees another's cards."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from companion.game.base import Fact
from companion.sheets.decks import (
    concealed,
    dealt,
    holds,
    missing_cards,
    shown_hands,
    shuffle_fault,
    shuffled,
    without,
)
from companion.table.chance import SeededChance

CARDS = st.lists(st.sampled_from("abcdef"), max_size=30)


@given(cards=CARDS, seed=st.integers(0, 1000))
def test_a_shuffle_keeps_every_card(cards: list[str], seed: int) -> None:
    order = shuffled(cards, SeededChance(seed))
    assert Counter(order) == Counter(cards)
    assert shuffle_fault(order, cards, "the deck") is None


@given(cards=CARDS)
def test_another_deck_is_no_shuffle(cards: list[str]) -> None:
    for order in ([*cards, "g"], [*cards[1:], "g"], "abc", [1], None):
        fault = shuffle_fault(order, cards, "the deck")
        assert fault is not None
        assert fault.message.startswith("the deck")


@given(cards=CARDS, seats=st.integers(1, 6), each=st.integers(0, 5))
def test_dealing_keeps_every_card_and_gives_everybody_the_same(
    cards: list[str], seats: int, each: int
) -> None:
    hands, deck = dealt(cards, seats, each)
    assert missing_cards(cards, deck, *hands.values()) == []
    if len(cards) >= seats * each:
        assert {len(hand) for hand in hands.values()} == {each}


def test_one_copy_is_taken_away() -> None:
    assert without(("a", "a", "b"), "a") == ("a", "b")
    assert holds("aab", ["a", "a"])
    assert not holds("aab", ["a", "a", "a"])


def test_a_watcher_sees_no_hand_and_a_seat_only_its_own() -> None:
    hands = {1: ("a", "b"), 2: ("c",)}
    assert shown_hands(hands, None) == {"hand": None, "held": {"1": 2, "2": 1}}
    assert shown_hands(hands, 1)["hand"] == ["a", "b"]


def test_what_chance_decided_is_concealed() -> None:
    fact = Fact(
        "start", None, {"game": "x", "setup": {"deck": ["a"], "options": {}}, "chance": {"deck": ["b"]}}
    )
    assert concealed(fact, "deck").data == {"game": "x", "setup": {"options": {}}}
    assert fact.data["setup"]["deck"] == ["a"]
