"""What happened in a match, as somebody may know it, and as a sentence."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.contract import Fact, Plain
from companion.table.consent import Proposal, open_proposals
from companion.table.events import Event
from companion.table.match import TABLE_KINDS, Match, fact_of, in_effect
from web.naming import told_by_name
from web.show import show_of
from web.show.parts import Show
from web.speaking import spoken


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
    """The start holds every shuffled deck, a correction may show what was hidden: neither is told whole."""
    if event.kind == "start":
        told = {key: event.data[key] for key in ("game", "mode", "players")}
        return Fact("start", None, told)
    if event.kind in ("correct", "propose"):
        return Fact(event.kind, event.seat, _change(match, event.seq, event.data, seat))
    if event.kind == "agree" and "correct" in event.data:
        return Fact("agree", event.seat, _change(match, event.seq, event.data["correct"], seat))
    if event.kind == "undo":
        undone = in_effect(match.events[: event.seq - 1]).get(event.data["seq"])
        if undone is not None:
            seen = match.game.seen(match.state, undone, seat)
            return Fact("undo", event.seat, {**event.data, "what": seen.kind, "undone": seen.data})
    if event.kind in TABLE_KINDS:
        return fact_of(event)
    return match.game.seen(match.state, fact_of(event), seat)


def _change(match: Match, before: int, correction: Plain, seat: int | None) -> Plain:
    """What a correction changes: what its event said until then and says from then on, as it may be seen."""
    fact = in_effect(match.events[: before - 1])[correction["seq"]]
    was, now = (
        match.game.seen(match.state, Fact(fact.kind, fact.seat, data), seat)
        for data in (fact.data, correction["data"])
    )
    return {"seq": correction["seq"], "what": fact.kind, "was": was.data, "now": now.data}


def asked_changes(match: Match, seat: int | None) -> list[tuple[Proposal, EventLine]]:
    """The changes of what is settled that somebody asks for, as they may be seen."""
    asked = open_proposals(match.events).values()
    return [(one, event_line(match, match.events[one.seq - 1], seat)) for one in asked]


def event_words(show: Show[Any], event: EventLine) -> str:
    """What happened, as it follows a name."""
    if event.kind == "sit":
        return "sat down" if event.by == "player" else f"is called {event.data['name']} now"
    if event.kind == "hold":
        return _HOLD_WORDS[event.data["by"]]
    if "was" in event.data:
        return f"{_CHANGING[event.kind]} {change_words(show, event)}"
    if "undone" in event.data:
        return f"took back: {show.event_words(event.data['what'], event.data['undone'])}"
    if event.kind in _ABOUT_AN_EVENT:
        return _ABOUT_AN_EVENT[event.kind]
    return _WORDS.get(event.kind) or show.event_words(event.kind, event.data)


def spoken_change(match: Match, event: Event) -> str:
    """What everybody is told aloud: who came and went, dice taken back or changed; else nothing."""
    who = match.players[event.seat].name if event.seat in match.players else ""
    if event.kind in ("hold", "admit"):
        return f"{who} {spoken(event_words(show_of(match.game), event_line(match, event, None)))}"
    about = match.events[event.data["seq"] - 1]
    if about.kind != "roll":
        return ""
    asker = match.players[event.actor.seat].name if event.actor.seat in match.players else spoken("the host")
    done = "took the dice back" if event.kind == "undo" else "corrected the dice"
    return f"{asker} {spoken(done)}"


def change_words(show: Show[Any], event: EventLine) -> str:
    """From what to what an event is changed; what it is about where both read alike."""
    was, now = (show.event_words(event.data["what"], event.data[key]) for key in ("was", "now"))
    return f'what was entered as "{was}"' if was == now else f'"{was}" to "{now}"'


_CHANGING = {
    "correct": "corrected",
    "propose": "asks everybody to change",
    "agree": "agreed, as everybody has, to change",
}
_ABOUT_AN_EVENT = {
    "undo": "took something back",
    "agree": "agrees to the change that was asked for",
    "object": "does not want the change that was asked for",
}
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
