"""How long a match took."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from companion.table.match import Match
from companion.table.timing import length_words, playing_time
from tests.web.houses import begin, play_rounds, small_house

MONDAY = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)


def timed(match: Match, step: timedelta, *, night_after: int = 0) -> Match:
    """The same match with so much time before each event, and a night after one of them."""
    at, events = MONDAY, []
    for event in match.events:
        events.append(msgspec.structs.replace(event, at=at.isoformat()))
        at += step + (timedelta(hours=14) if event.seq == night_after else timedelta())
    return replace(match, events=tuple(events))


@pytest.fixture
def match(tmp_path: Path) -> Match:
    with small_house(tmp_path) as house:
        begin(house, "East", "North")
        play_rounds(house, 2)
        found = house.table.current
        assert found is not None
        return found


def test_it_is_the_time_between_the_first_and_the_last_event(match: Match) -> None:
    found = timed(match, timedelta(minutes=2))
    assert playing_time(found) == timedelta(minutes=2) * (match.version - 1)


def test_a_night_between_two_evenings_is_left_out(match: Match) -> None:
    step = timedelta(minutes=2)
    assert playing_time(timed(match, step, night_after=5)) == step * (match.version - 2)


def test_it_is_said_in_hours_and_minutes(match: Match) -> None:
    events = match.version - 1
    assert length_words(timed(match, timedelta(minutes=48) / events)) == "48 min"
    assert length_words(timed(match, timedelta(minutes=125) / events)) == "2 h 05 min"
