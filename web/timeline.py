"""What happened in a match, as somebody may know it, and as a sentence."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.contract import Fact, Plain
from companion.table.events import Event
from companion.table.match import TABLE_KINDS, Match, fact_of
from web.naming import told_by_name
from web.show.parts import Show


class EventLine(msgspec.Struct, frozen=True):
    """Something that happened."""

    seq: int
    at: str
    kind: str
    seat: int | None
    by: str
    data: Plain


def event_line(match: Match, event: Event, seat: int | None) -> EventLine:
    """An event as that seat, or a watcher, may see it."""
    fact = _seen(match, event, seat)
    data = told_by_name(fact.data, match.players) if "remarks" in fact.data else fact.data
    return EventLine(event.seq, event.at, fact.kind, fact.seat, event.actor.role, data)


def _seen(match: Match, event: Event, seat: int | None) -> Fact:
    """The start holds every shuffled deck, and a correction may show what was hidden: neither is told."""
    if event.kind == "start":
        told = {key: event.data[key] for key in ("game", "mode", "players")}
        return Fact("start", None, told)
    if event.kind == "correct":
        return Fact("correct", event.seat, {"seq": event.data["seq"]})
    if event.kind in TABLE_KINDS:
        return fact_of(event)
    return match.game.seen(match.state, fact_of(event), seat)


def event_words(show: Show[Any], event: EventLine) -> str:
    """What happened, as it follows a name."""
    if event.kind == "sit":
        return f"sat down as {event.data['name']}"
    if event.kind == "hold":
        return _HOLD_WORDS[event.data["by"]]
    if event.kind in _ABOUT_AN_EVENT:
        return _ABOUT_AN_EVENT[event.kind].format(event.data["seq"])
    return _WORDS.get(event.kind) or show.event_words(event.kind, event.data)


_ABOUT_AN_EVENT = {"undo": "took event {} back", "correct": "corrected event {}"}
_HOLD_WORDS = {
    "person": "plays on",
    "bot": "is played by a bot now",
    "nobody": "is out: nobody waits for this seat",
}
_WORDS = {
    "start": "began the match",
    "admit": "joined the match",
    "end": "ended the match early",
    "commit": "committed to a secret seed for the dice",
    "mix": "mixed everybody's word into the seed",
    "reveal": "opened the seed, so that every roll can be recomputed",
}
