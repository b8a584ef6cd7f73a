"""A rating with its uncertainty: the Plackett-Luce model of OpenSkill."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from hub.standings import Outcome

_KEPT_EVERY = 64  # matches


@dataclass(frozen=True)
class Rating:
    """An estimate of somebody's strength and its standard deviation."""

    mean: float
    spread: float


def can_rate() -> bool:
    """True if OpenSkill is installed."""
    return find_spec("openskill") is not None


class RatingBook:
    """Ratings of ever more matches: what was rated before is not rated again.

    Matches come in the order in which they began, and one that began early may be over late; so what was
    known is kept every so many matches, and from the last place before the new one it is rated anew.
    """

    def __init__(self) -> None:
        self._rated: list[Outcome] = []
        self._known: dict[int, dict[str, Any]] = {0: {}}  # after so many matches
        self._lock = threading.Lock()

    def after(self, outcomes: Sequence[Outcome]) -> dict[str, Rating]:
        """The ratings after these matches, in their order; empty where OpenSkill is not installed."""
        if not can_rate():
            return {}
        with self._lock:
            known = self._rate(list(outcomes))
        return {person: Rating(float(one.mu), float(one.sigma)) for person, one in known.items()}

    def _rate(self, outcomes: list[Outcome]) -> dict[str, Any]:
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        pairs = enumerate(zip(outcomes, self._rated, strict=False))
        same = next((at for at, (new, old) in pairs if new != old), min(len(outcomes), len(self._rated)))
        start = max(at for at in self._known if at <= same)
        self._known = {at: known for at, known in self._known.items() if at <= start}
        known = dict(self._known[start])
        for at in range(start, len(outcomes)):
            _rate_match(model, known, outcomes[at])
            if (at + 1) % _KEPT_EVERY == 0:
                self._known[at + 1] = dict(known)
        self._rated = outcomes
        return known


def _rate_match(model: Any, known: dict[str, Any], outcome: Outcome) -> None:
    ranked = [(person, place) for person, _, place in outcome.seats if place is not None]
    if len({person for person, _ in ranked}) < 2:
        return
    teams = [[known.get(person) or model.rating(name=person)] for person, _ in ranked]
    after = model.rate(teams, ranks=[place for _, place in ranked])
    known |= {person: team[0] for (person, _), team in zip(ranked, after, strict=True)}
