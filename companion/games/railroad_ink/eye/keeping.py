"""How far players keep to marking what the rules have them mark, and what a mark or none then proves."""

from __future__ import annotations

from collections.abc import Collection
from math import log

_KEEPING, _FORGETTING = 1.5, 0.5  # marks taken as seen before any: made as they should be, and not


def keeping_of(known: Collection[float]) -> float:
    """How surely this player marks what has to be marked.

    ``known``: for each place that had to be, the probability that it is.
    """
    return (_KEEPING + sum(known)) / (_KEEPING + _FORGETTING + len(known))


def costs_of(marked: float, keeping: float, by_mistake: float) -> tuple[float, float]:
    """The cost, in nats, of a place that is marked so probably: if no mark is due there, and if one is.

    ``by_mistake``: how often something stands there without a reason.
    """
    undue, due = _chance(marked, by_mistake), _chance(marked, keeping)
    best = max(undue, due)
    return log(best / undue), log(best / due)


def _chance(marked: float, chance: float) -> float:
    """How probable a place is, marked with probability ``marked``, if it is to be by ``chance``."""
    return marked * chance + (1 - marked) * (1 - chance)
