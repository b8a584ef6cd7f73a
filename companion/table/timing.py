"""How long a match took: the time people played, without the nights between."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

from companion.table.match import Match, in_effect

_PAUSE = timedelta(hours=1)  # nobody thinks so long: the match was laid aside


def playing_time(match: Match) -> timedelta:
    """The time from a match's beginning to its last event that counts, without pauses over an hour."""
    last = max(in_effect(match.events), default=1)
    times = [datetime.fromisoformat(event.at) for event in match.events[:last]]
    gaps = (after - before for before, after in pairwise(times))
    return sum((gap for gap in gaps if timedelta() < gap < _PAUSE), timedelta())


def minutes(match: Match) -> int:
    """The playing time in whole minutes, as other programs want it; at least one."""
    return max(1, round(playing_time(match) / timedelta(minutes=1)))


def length_words(match: Match) -> str:
    """The playing time as people say it in every language: ``48 min``, ``1 h 05 min``."""
    hours, rest = divmod(minutes(match), 60)
    return f"{hours} h {rest:02} min" if hours else f"{rest} min"
