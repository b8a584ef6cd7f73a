"""Paying for tracks with rail cards, and trading in wild sets.

Hands, needs and payments are six counts, in the board's order of suits. A track needs a card of its suit.
*n* cards of one suit, two or more, may stand for *n* - 1 cards of one other suit; several such sets may be
traded in for one build. Trading is judged without waste: cards of the wanted suit are played as themselves,
and from one suit to another there is one set.
"""

from __future__ import annotations

from functools import lru_cache
from operator import add, sub
from typing import TypeAlias

from companion.games.spike.rulebook import BOOK

Counts: TypeAlias = tuple[int, ...]
NONE: Counts = (0,) * BOOK.suits


class Purse:
    """A hand and what has been asked of it so far, card by card; it always knows whether it can pay."""

    def __init__(self, hand: Counts) -> None:
        self.need = [0] * len(hand)
        self._left = list(hand)  # below 0: so many are lacking
        self._lacking = 0  # cards
        self._kinds = 0  # suits that are lacking
        self._spare = sum(max(0, count - 1) for count in hand)  # what one set of each suit would bring

    def take(self, suit: int) -> None:
        """One card more of a suit is needed."""
        held = self._left[suit]
        if held > 1:
            self._spare -= 1
        elif held <= 0:
            self._lacking += 1
            self._kinds += held == 0
        self._left[suit] = held - 1
        self.need[suit] += 1

    def give_back(self, suit: int) -> None:
        """The last such card is not needed after all."""
        self._left[suit] += 1
        self.need[suit] -= 1
        held = self._left[suit]
        if held > 1:
            self._spare += 1
        elif held <= 0:
            self._lacking -= 1
            self._kinds -= held == 0

    def pays(self) -> bool:
        """Can the hand pay for all of it? Most often that is seen without trying out sets."""
        if not self._lacking:
            return True
        if self._spare < self._lacking:
            return False
        if self._kinds == 1:  # one set after the other will do
            return True
        lacking = tuple(sorted([-count for count in self._left if count < 0]))
        return _coverable(lacking, tuple(sorted([count for count in self._left if count > 1])))


def payable(hand: Counts, need: Counts) -> bool:
    """Can this hand pay for it at all?

    >>> payable((2, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0)), payable((1, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0))
    (True, False)
    """
    purse = Purse(hand)
    for suit, count in enumerate(need):
        for _ in range(count):
            purse.take(suit)
    return purse.pays()


@lru_cache(maxsize=100_000)
def _coverable(lacking: Counts, spare: Counts) -> bool:
    """Can sets of the spare cards make up for what is lacking? Which suit is which does not matter."""
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
    lacking = tuple(sorted([want - have for want, have in zip(need, hand, strict=True) if want > have]))
    if not lacking:
        return (need,)
    direct = tuple(map(min, need, hand))
    spare = tuple([have - want if have > want + 1 else 0 for want, have in zip(need, hand, strict=True)])
    if sum(spare) < sum(lacking) + 1:
        return ()
    return tuple([tuple(map(add, direct, sets)) for sets in _trades(lacking, spare)])


@lru_cache(maxsize=50_000)
def _trades(lacking: Counts, spare: Counts) -> tuple[Counts, ...]:
    """What may be traded in so that nothing is lacking; to which suit a set goes does not matter."""
    if not lacking:
        return (NONE,)
    found = {
        tuple(map(add, sets, rest))
        for sets in _sets(lacking[0], spare)
        for rest in _trades(lacking[1:], tuple(map(sub, spare, sets)))
    }

    def rank(sets: Counts) -> tuple[int, int, Counts]:
        emptied = sum(0 < used == have for used, have in zip(sets, spare, strict=True))
        return sum(sets), emptied, sets

    return tuple(sorted(found, key=rank))


@lru_cache(maxsize=50_000)
def _sets(wanted: int, spare: Counts) -> tuple[Counts, ...]:
    """Every way to get so many cards of one suit by one set, or by sets of several suits."""
    if not wanted:
        return ((0,) * len(spare),)
    if not spare:
        return ()
    with_others = [(0, *rest) for rest in _sets(wanted, spare[1:])]
    for taken in range(1, min(wanted, spare[0] - 1) + 1):
        with_others += [(taken + 1, *rest) for rest in _sets(wanted - taken, spare[1:])]
    return tuple(with_others)


def pays_exactly(paid: Counts, need: Counts) -> bool:
    """Do these cards, all of them, pay for just that?

    >>> pays_exactly((3, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 0))
    True
    >>> pays_exactly((3, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    False
    """
    return paid in payments(paid, need)
