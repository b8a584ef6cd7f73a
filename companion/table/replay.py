"""Replaying a recorded match: quickly, or strictly with everything recomputed.

Strictly means: the hash chain; every event decided again by the rules with nothing left to chance; the game's
invariants after every event. A fold that needed anything but the events would be found out here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.errors import GameError, quoted
from companion.game.base import Game, Refusal
from companion.table.events import Event, chain_fault
from companion.table.exc import JournalError
from companion.table.match import Match, advanced, folded, opened
from companion.table.requests import start_fault, stored_fault


@dataclass(frozen=True)
class Verdict:
    """What a strict replay found: nothing, or the first event that does not stand and why."""

    events: int
    fault: str | None = None
    at: int | None = None


def game_of(events: Sequence[Event], games: Mapping[str, Game[Any]]) -> Game[Any]:
    """The game a recorded match was played by."""
    first = events[0]
    name = first.data.get("game") if first.kind == "start" else None
    if not isinstance(name, str):
        raise JournalError("no-start", "a recorded match begins with its start event")
    if name not in games:
        raise JournalError("unknown-game", f"this is a match of {quoted(name)}, which is not known here")
    return games[name]


def replayed(events: Sequence[Event], games: Mapping[str, Game[Any]]) -> Match:
    """The match as recorded; an error says why one cannot be followed any more."""
    game = game_of(events, games)
    try:
        return folded(events, game)
    except (KeyError, TypeError, ValueError, AttributeError, GameError) as problem:
        message = f"the recorded events make no sense together ({problem}): try --verify to find the place"
        raise JournalError("senseless", message) from problem


def verified(events: Sequence[Event], games: Mapping[str, Game[Any]]) -> Verdict:
    """Recompute a recorded match and compare everything with what was recorded."""
    broken = chain_fault(list(events))
    if broken is not None:
        return Verdict(len(events), broken)
    game = game_of(events, games)
    match: Match | None = None
    for event in events:
        fault, match = _step(match, event, game)
        if fault is not None:
            return Verdict(len(events), fault, event.seq)
    return Verdict(len(events))


def _step(match: Match | None, event: Event, game: Game[Any]) -> tuple[str | None, Match | None]:
    try:
        refusal: Refusal | None = stored_fault(match, event) if match else start_fault(event, game)
        if refusal is not None:
            return f"event {event.seq}: {refusal.message}", match
        after = advanced(match, event) if match else opened(event, game)
    except (GameError, KeyError, TypeError, ValueError) as problem:
        return f"event {event.seq} cannot be understood: {problem}", match
    impossible = game.faults(after.state)
    return (f"after event {event.seq}: {impossible[0]}" if impossible else None), after
