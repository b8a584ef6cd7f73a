"""The moments of a match: what was told to everybody when it happened, in its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.messages import m
from companion.table.match import Match
from web.ui import presenter_of
from web.ui.parts import Presenter
from web.ui.progress import PlayedRound, Step
from web.ui.signs import Feat, celebrated, reached, won

_MOST = 60  # of a long match the latest


@dataclass(frozen=True)
class Moment:
    """Something that happened in a round: whose it was, and what was said of it."""

    round: str
    seat: int
    says: str
    more: str = ""


def moments(match: Match, played: Sequence[PlayedRound], steps: Sequence[Step]) -> list[Moment]:
    """What was celebrated in a match that is over: feats, goals, who took the lead, the best round of all.

    ``played`` are its rounds, ``steps`` the totals after each.
    """
    presenter = presenter_of(match.game)
    told: set[str] = set()
    found: list[Moment] = []
    for number, one in enumerate(played, start=1):
        for feat in _feats(presenter, match, one):
            if feat.seat and feat.key not in told:
                told.add(feat.key)
                found.append(Moment(one.label, feat.seat, feat.says, feat.more))
        if presenter.overtaking and len(match.players) > 1:
            found += _lead(match, steps[:number])
    return sorted([*found, *_best_round(match, steps)], key=lambda one: int(one.round))[-_MOST:]


def _feats(presenter: Presenter[Any], match: Match, played: PlayedRound) -> Iterator[Feat]:
    yield from celebrated(presenter, match, played.facts)
    view = match.game.view(played.state, None)
    yield from reached(presenter, match, view)
    yield from won(presenter.asides(view), match)


def _lead(match: Match, steps: Sequence[Step]) -> list[Moment]:
    """Whoever leads alone after the last of these rounds, and did not after the one before."""
    now, before = (_leader(step) for step in (steps[-1], steps[-2] if len(steps) > 1 else Step("", {})))
    if not now or now == before:
        return []
    return [Moment(steps[-1].label, now, m("{name} takes the lead", name=match.players[now].name))]


def _leader(step: Step) -> int:
    most = max(step.totals.values(), default=0)
    first = [seat for seat, total in step.totals.items() if total == most]
    return first[0] if most > 0 and len(first) == 1 else 0


def _best_round(match: Match, steps: Sequence[Step]) -> list[Moment]:
    """The round that brought somebody more than any round brought anybody; the first one counts from zero."""
    before = [Step("", dict.fromkeys(match.players, 0)), *steps]
    gains = [
        (step.totals[seat] - before[n].totals[seat], step.label, seat)
        for n, step in enumerate(steps)
        for seat in match.players
    ]
    if len(steps) < 2 or not gains:
        return []
    most, label, seat = max(gains, key=lambda one: one[0])
    if most <= 0:
        return []
    points = presenter_of(match.game).amount(most)
    name = match.players[seat].name
    return [Moment(label, seat, m("{name} makes {points}: the most in one round", name=name, points=points))]
