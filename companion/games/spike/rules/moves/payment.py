"""Paying for tracks with rail cards, and trading in wild sets.

Hands, needs and payments are six counts, in the board's order of suits. A track needs a card of its suit.
*n* cards of one suit, two or more, may stand for *n* - 1 cards of one other suit; several such sets may be
traded in for one build. Trading is judged without waste: cards of the wanted suit are played as themselves,
and from one suit to another there is one set.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import add, sub
from typing import TypeAlias

from companion.games.spike.rules.rulebook import BOOK

Counts: TypeAlias = tuple[int, ...]
NONE: Counts = (0,) * BOOK.suits


def payable(hand: Counts, need: Counts) -> bool:
    """Return True if this hand can pay what is needed.

    >>> payable((2, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0)), payable((1, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0))
    (True, False)
    """
    left = list(map(sub, hand, need))
    return min(left) >= 0 or coverable(left)


def coverable(left: Sequence[int]) -> bool:
    """True if wild sets can replace the missing cards: the counts below 0 in ``left``, after paying."""
    lacking = tuple(sorted([-count for count in left if count < 0]))
    return _coverable(lacking, tuple(sorted([count for count in left if count > 1])))


@lru_cache(maxsize=100_000)
def _coverable(lacking: Counts, spare: Counts) -> bool:
    """Backtracking over sets of spare cards; counts are sorted, as it does not matter which suit is which."""
    if not lacking:
        return True
    if sum(spare) - 1 < sum(lacking):
        return False
    wanted, others = lacking[-1], lacking[:-1]
    for place, cards in enumerate(spare):
        rest = spare[:place] + spare[place + 1 :]
        for taken in range(min(wanted, cards - 1), 0, -1):
            left = tuple(sorted((*others, wanted - taken))) if taken < wanted else others
            spared = tuple(sorted((*rest, cards - taken - 1))) if cards - taken - 1 > 1 else rest
            if _coverable(left, spared):
                return True
    return False


def payments(hand: Counts, need: Counts) -> tuple[Counts, ...]:
    """Every way to pay, the cheapest first; among equals the one that leaves more different suits.

    >>> payments((2, 0, 3, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    ((0, 0, 2, 0, 0, 0), (2, 0, 0, 0, 0, 0))
    """
    left = list(map(sub, hand, need))
    if min(left) >= 0:
        return (need,)
    # A single card that is left over cannot be traded in, so it might as well not be there.
    if 1 in left:
        left = [0 if count == 1 else count for count in left]
    trades = _trades(tuple(left))
    return tuple([tuple(map(add, need, trade)) for trade in trades])


@lru_cache(maxsize=20_000)
def _trades(left: Counts) -> tuple[Counts, ...]:
    """Every trade as a difference to the cards needed: below 0 for missing cards, above 0 for wild sets."""
    # Which suit is which matters only here, so that hands which are alike share the search.
    suits = sorted((suit for suit, count in enumerate(left) if count > 1), key=left.__getitem__)
    lacking = sorted(-count for count in left if count < 0)
    found = _sets_for(tuple(lacking), tuple(left[suit] for suit in suits))
    short = [min(count, 0) for count in left]
    ways = sorted((cards, emptied, _with_sets(short, suits, sets)) for cards, emptied, sets in found)
    return tuple(way for _, _, way in ways)


def _with_sets(short: list[int], suits: list[int], sets: Counts) -> Counts:
    played = short.copy()
    for suit, cards in zip(suits, sets, strict=True):
        played[suit] += cards
    return tuple(played)


@lru_cache(maxsize=20_000)
def _sets_for(lacking: Counts, spare: Counts) -> tuple[tuple[int, int, Counts], ...]:
    """Every choice of wild sets that replaces the missing cards: (cards, suits it empties, cards by suit)."""
    if sum(spare) <= sum(lacking):
        return ()
    found = _traded(lacking, spare)
    return tuple(
        [
            (sum(sets), sum(0 < used == have for used, have in zip(sets, spare, strict=True)), sets)
            for sets in found
        ]
    )


@lru_cache(maxsize=20_000)
def _traded(lacking: Counts, spare: Counts) -> frozenset[Counts]:
    """The cards by suit of every such choice, once, whichever set replaces whichever suit."""
    if not lacking:
        return frozenset({(0,) * len(spare)})
    return frozenset(
        tuple(map(add, sets, rest))
        for sets in _sets(lacking[0], spare)
        for rest in _traded(lacking[1:], tuple(map(sub, spare, sets)))
    )


@lru_cache(maxsize=50_000)
def _sets(wanted: int, spare: Counts) -> tuple[Counts, ...]:
    """Every choice of sets that replaces so many cards of one suit, at most one set of each spare suit."""
    if not wanted:
        return ((0,) * len(spare),)
    if not spare:
        return ()
    with_others = [(0, *rest) for rest in _sets(wanted, spare[1:])]
    for taken in range(1, min(wanted, spare[0] - 1) + 1):
        with_others += [(taken + 1, *rest) for rest in _sets(wanted - taken, spare[1:])]
    return tuple(with_others)


def pays_exactly(paid: Counts, need: Counts) -> bool:
    """True if these cards pay for the need with none to spare.

    >>> pays_exactly((3, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 0))
    True
    >>> pays_exactly((3, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    False
    """
    return paid in payments(paid, need)
