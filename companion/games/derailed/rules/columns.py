"""The two columns of stations: no lane may have the same company at both ends."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.derailed.rules.network import lane_name


class Swap(msgspec.Struct, frozen=True):
    """Two destination cards that changed places, by lane, because of a conflict in the first lane."""

    lane: str
    company: str
    other_lane: str
    other: str


def settled(starts: Sequence[str], destinations: Sequence[str]) -> tuple[tuple[str, ...], tuple[Swap, ...]]:
    """The destinations after solving all conflicts, and the swaps that it took, in order.

    A destination card in conflict changes places with that of the next company in the alphabet, the first
    one after the last. A swap never makes a new conflict, so once through the lanes is enough.

    >>> settled("ABC", "ACB")[0]
    ('B', 'C', 'A')
    """
    cards = list(destinations)
    alphabet = sorted(starts)
    swaps = []
    for lane, company in enumerate(starts):
        if cards[lane] == company:
            other = alphabet[(alphabet.index(company) + 1) % len(alphabet)]
            place = cards.index(other)
            cards[lane], cards[place] = other, company
            swaps.append(Swap(lane_name(lane), company, lane_name(place), other))
    return tuple(cards), tuple(swaps)


def in_conflict(starts: Sequence[str], destinations: Sequence[str]) -> list[str]:
    """The lanes that lead a company to itself."""
    ends = zip(starts, destinations, strict=True)
    return [lane_name(lane) for lane, (start, end) in enumerate(ends) if start == end]
