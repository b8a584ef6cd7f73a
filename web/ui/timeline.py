"""The events of a match as a given seat may see them, with descriptions."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m, vocabulary
from companion.table.consent import Proposal, open_proposals
from companion.table.events import Event
from companion.table.match import Match
from companion.table.telling import seen_event
from web.ui import presenter_of
from web.ui.naming import told_by_name
from web.ui.parts import Presenter

_ROLES = vocabulary("role", "watcher", "player", "host", "device", "service")


class EventLine(msgspec.Struct, frozen=True):
    """An event of a match as shown in the timeline."""

    seq: int
    at: str
    kind: str
    seat: int | None
    by: str
    data: JsonObject

    @property
    def by_words(self) -> str:
        """Who did it, where it was nobody at a seat."""
        return _ROLES[self.by]


def event_line(match: Match, event: Event, seat: int | None) -> EventLine:
    """An event as that seat, or a watcher, may see it."""
    fact = seen_event(match, event, seat)
    data = told_by_name(fact.data, match.players) if "remarks" in fact.data else fact.data
    return EventLine(event.seq, event.at, fact.kind, fact.seat, event.actor.role, data)


def asked_changes(match: Match, seat: int | None) -> list[tuple[Proposal, EventLine]]:
    """The changes of what is settled that somebody asks for, as they may be seen."""
    asked = open_proposals(match.events).values()
    return [(one, event_line(match, match.events[one.seq - 1], seat)) for one in asked]


def event_words(presenter: Presenter[Any], event: EventLine) -> str:
    """Describe an event in words that follow a player's name."""
    if event.kind == "sit":
        named = m("is called {data} now", data=event.data["name"])
        return m("sat down") if event.by == "player" else named
    if event.kind == "hold":
        return _HOLD_WORDS[event.data["by"]]
    if "was" in event.data:
        return joined(" ", [_CHANGING[event.kind], change_words(presenter, event)])
    if "undone" in event.data:
        return m("took back: {data}", data=presenter.event_words(event.data["what"], event.data["undone"]))
    if event.kind in _ABOUT_AN_EVENT:
        return _ABOUT_AN_EVENT[event.kind]
    return _WORDS.get(event.kind) or presenter.event_words(event.kind, event.data)


def spoken_change(match: Match, event: Event) -> str:
    """What everybody is told aloud: who came and went, dice taken back or changed; else nothing."""
    if event.kind in ("hold", "admit"):
        who = match.players[event.seat].name if event.seat in match.players else ""
        return joined(" ", [who, event_words(presenter_of(match.game), event_line(match, event, None))])
    about = match.events[event.data["seq"] - 1]
    if about.kind != "roll":
        return ""
    asker = match.players[event.actor.seat].name if event.actor.seat in match.players else m("the host")
    return joined(" ", [asker, m("took the dice back") if event.kind == "undo" else m("corrected the dice")])


def change_words(presenter: Presenter[Any], event: EventLine) -> str:
    """From what to what an event is changed; what it is about where both read alike."""
    was, now = (presenter.event_words(event.data["what"], event.data[key]) for key in ("was", "now"))
    return (
        m('what was entered as "{was}"', was=was) if was == now else m('"{was}" to "{now}"', was=was, now=now)
    )


_CHANGING = {
    "correct": m("corrected"),
    "propose": m("asks everybody to change"),
    "agree": m("agreed, as everybody has, to change"),
}
_ABOUT_AN_EVENT = {
    "undo": m("took something back"),
    "agree": m("agrees to the change that was asked for"),
    "object": m("does not want the change that was asked for"),
}
_HOLD_WORDS = {
    "person": m("plays on"),
    "bot": m("is played by a bot now"),
    "nobody": m("is out: nobody waits for this seat"),
}
_WORDS = {
    "start": m("began the match"),
    "admit": m("joined the match"),
    "end": m("ended the match early"),
    "commit": m("committed to a secret seed for the dice"),
    "mix": m("mixed everybody's word into the seed"),
    "reveal": m("opened the seed, so that every roll can be recomputed"),
}
