"""The rules' answer to a line that was read: so few wholes are legal that all of them are weighed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import exp

from companion.core.errors import NotationError
from companion.reading.evidence import (
    EMPTY,
    MAX_NLL,
    SURE,
    Doubt,
    Ruling,
    SheetProbabilities,
    changed_slots,
    costs_of,
    ranked,
    stray_share,
    with_answers,
)

from ..printing.prints import stop_name
from ..rules.line import STOPS
from .reading import SERVED

LineRuling = Ruling[str, str]
NAMES = tuple(stop_name(stop) for stop in range(1, STOPS + 1))
_MARKS = (EMPTY, SERVED)


def settled(probabilities: SheetProbabilities, answers: Mapping[str, str]) -> SheetProbabilities:
    """The looks with some stops settled by people."""
    return with_answers(probabilities, answers, _slot_name, _mark_name)


def _slot_name(name: str) -> str:
    if name not in NAMES:
        raise NotationError("no-stop", f"there is no stop called {name}: they are {NAMES[0]} to {NAMES[-1]}")
    return name


def _mark_name(mark: str) -> str:
    if mark not in _MARKS:
        raise NotationError("no-mark", f"a stop is served ({SERVED}) or empty, not {mark}")
    return mark


def rule_any(probabilities: SheetProbabilities) -> LineRuling:
    """Every line is legal by itself: each stop is what it most probably is."""
    cells, doubts, p = {}, [], 1.0
    for name in NAMES:
        marks = probabilities.get(name)
        options = ranked(marks or dict.fromkeys(_MARKS, 1 / len(_MARKS)))
        best, chance = options[0]
        p *= chance
        if chance < SURE:
            doubts.append(Doubt(name, options))
        if best == SERVED:
            cells[name] = SERVED
    return LineRuling.ruled(cells, p, {}, doubts)


def rule_turn(
    probabilities: SheetProbabilities, before: Collection[str], offered: Sequence[str]
) -> LineRuling:
    """The line before with one of the offered stops served: exhaustive search over all of them."""
    costs = {name: costs_of(marks, len(_MARKS)) for name, marks in probabilities.items() if marks}
    wholes = [frozenset({*before, name}) for name in offered]
    if not wholes:
        return LineRuling.refused_outright("no stop fits these dice: pass", _cells(before))
    weighed = sorted((_cost(whole, costs), sorted(whole)) for whole in wholes)
    best, names = weighed[0]
    seen = [name for name, own in costs.items() if own.get(SERVED, MAX_NLL) == 0]
    if best > MAX_NLL:
        stops = ", ".join(offered)
        sentence = (
            f"the dice offer {stops}, and one of these has to be new; seen as served: {', '.join(seen)}"
        )
        return LineRuling.refused(_cells(seen), _cells(before), [sentence])
    weights = [exp(best - cost) for cost, _ in weighed]
    p = weights[0] / sum(weights) * (1 - stray_share(best))
    doubts = []
    if p < SURE:
        doubtful = changed_slots(_cells(names), _cells(weighed[1][1] if len(weighed) > 1 else before))
        doubts = [Doubt(name, ((SERVED, p), (EMPTY, 1 - p))) for name in doubtful]
    return LineRuling.ruled(_cells(names), p, _cells(before), doubts)


def _cells(names: Collection[str]) -> dict[str, str]:
    return {name: SERVED for name in NAMES if name in names}


def _cost(whole: Collection[str], costs: Mapping[str, Mapping[str, float]]) -> float:
    return sum(own.get(SERVED if name in whole else EMPTY, MAX_NLL) for name, own in costs.items())
