"""Decks of cards: shuffled by chance alone, dealt, drawn, reshuffled, hidden from the other seats.

A deck is a tuple of card names, the top card first; equal cards have equal names. Whatever chance decided
lies in an event under the key ``chance`` (the table takes that key from people's requests), and
:func:`concealed` is how such an event is shown to people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import msgspec

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Chance, Fact, Option, Refusal, drawn

Cards = tuple[str, ...]
Hands = dict[int, Cards]
Deal: TypeAlias = Literal["box", "table"]
DEAL = "deal"  # the name of the option who deals


def deal_option() -> Option:
    """The choice who deals, the same in every game with cards."""
    words = (m("on the phones: the box deals"), m("our own, on the table"))
    return Option(DEAL, "box", m("where the cards are"), get_args(Deal), words=words)


def shuffled(cards: Sequence[str], chance: Chance) -> list[str]:
    """The cards in a random order."""
    return drawn(cards, len(cards), chance)


def shuffle_fault(order: object, cards: Iterable[str], what: str) -> Refusal | None:
    """Why ``order`` is no shuffle of exactly these cards.

    >>> shuffle_fault(["b", "a"], ["a", "b"], "the deck")
    >>> shuffle_fault(["b", "b"], ["a", "b"], "the deck").message
    'the deck is not a shuffle of its cards: too many b; missing a'
    """
    if not isinstance(order, list | tuple) or not all(isinstance(card, str) for card in order):
        return Refusal("bad-shuffle", m("{what} is a list of cards", what=what))
    difference = _difference(Counter(cards), Counter(order))
    return (
        Refusal(
            "bad-shuffle",
            m("{what} is not a shuffle of its cards: {difference}", what=what, difference=difference),
        )
        if difference
        else None
    )


def dealt(deck: Sequence[str], seats: int, each: int) -> tuple[Hands, Cards]:
    """A hand of ``each`` for seats 1 to ``seats``, one card at a time in turn, and what is left of the deck.

    >>> dealt("abcdefg", 2, 3)
    ({1: ('a', 'c', 'e'), 2: ('b', 'd', 'f')}, ('g',))
    """
    count = seats * each
    return {seat: tuple(deck[seat - 1 : count : seats]) for seat in range(1, seats + 1)}, tuple(deck[count:])


def without(cards: Cards, card: str) -> Cards:
    """The cards less one of that name.

    >>> without(("a", "b", "a"), "a")
    ('b', 'a')
    """
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])


def holds(cards: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return True if the cards contain all wanted ones, each as often as it is wanted.

    >>> holds("aab", "ab"), holds("aab", "bb")
    (True, False)
    """
    return not Counter(wanted) - Counter(cards)


def shown_hands(hands: Mapping[int, Cards], seat: int | None) -> JsonObject:
    """The hands as a seat may see them: its own cards, and how many the others hold.

    >>> shown_hands({1: ("a", "b"), 2: ("c",)}, 2)
    {'hand': ['c'], 'held': {'1': 2, '2': 1}}
    """
    own = None if seat is None else list(hands[seat])
    return {"hand": own, "held": {str(holder): len(cards) for holder, cards in hands.items()}}


def concealed(fact: Fact, *setup_keys: str) -> Fact:
    """An event without what chance decided; of a ``start``, without these parts of its setup.

    >>> concealed(Fact("take", 1, {"chance": {"deck": ["a"]}, "source": {}})).data
    {'source': {}}
    """
    data = {key: value for key, value in fact.data.items() if key != "chance"}
    if fact.kind == "start" and isinstance(data.get("setup"), dict):
        data["setup"] = {key: value for key, value in data["setup"].items() if key not in setup_keys}
    return msgspec.structs.replace(fact, data=data)


def missing_cards(everything: Iterable[str], *piles: Iterable[str]) -> list[str]:
    """A sentence if the piles together are not exactly these cards: the invariant of every card game.

    >>> missing_cards("aabb", "ab", "ab"), missing_cards("aabb", "aa", "ab")
    ([], ['the cards do not add up: too many a; missing b'])
    """
    there = Counter(card for pile in piles for card in pile)
    difference = _difference(Counter(everything), there)
    return [m("the cards do not add up: {difference}", difference=difference)] if difference else []


def _difference(wanted: Counter[str], there: Counter[str]) -> str:
    parts = [(m("too many {wanted}", wanted=", ".join(sorted(there - wanted))))] if there - wanted else []
    parts += [m("missing {there}", there=", ".join(sorted(wanted - there)))] if wanted - there else []
    return "; ".join(parts)


def no_hands_for_bots(options: JsonObject) -> Refusal | None:
    """Refuse bots where the table deals real cards, which nobody can put into a bot's hand."""
    if options.get("deal") != "table":
        return None
    return Refusal("no-bot", m("with the table's own cards no bot can play: it has no hands to hold them"))
