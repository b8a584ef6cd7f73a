"""A rating with its uncertainty: the Plackett-Luce model of OpenSkill (the extra ``hub``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from hub.standings import Outcome


@dataclass(frozen=True)
class Rating:
    """How strong somebody is thought to be, and the standard deviation of that."""

    mean: float
    spread: float


def can_rate() -> bool:
    """Is OpenSkill installed?"""
    return find_spec("openskill") is not None


def ratings(outcomes: Sequence[Outcome]) -> dict[str, Rating]:
    """After these matches, in their order; empty where OpenSkill is not installed."""
    if not can_rate():
        return {}
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, object] = {}
    for outcome in outcomes:
        ranked = [(person, place) for person, _, place in outcome.seats if place is not None]
        if len({person for person, _ in ranked}) < 2:
            continue
        teams = [[known.get(person) or model.rating(name=person)] for person, _ in ranked]
        after = model.rate(teams, ranks=[place for _, place in ranked])
        known |= {person: team[0] for (person, _), team in zip(ranked, after, strict=True)}
    return {
        person: Rating(float(one.mu), float(one.sigma))  # type: ignore[attr-defined]
        for person, one in known.items()
    }
