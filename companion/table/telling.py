"""What a seat may see of an event: starts contain shuffled decks, corrections hidden values."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.game.base import Fact
from companion.table.events import Event
from companion.table.match import TABLE_KINDS, Match, fact_of, in_effect


def seen_event(match: Match, event: Event, seat: int | None) -> Fact:
    """An event of the match as that seat (None: a watcher) may see it."""
    if event.kind == "start":
        told: JsonObject = {
            key: event.data[key] for key in ("game", "mode", "players", "duplicate") if key in event.data
        }
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


def _change(match: Match, before: int, correction: JsonObject, seat: int | None) -> JsonObject:
    """What a correction changes: what its event said until then and says from then on, as it may be seen."""
    fact = in_effect(match.events[: before - 1])[correction["seq"]]
    was, now = (
        match.game.seen(match.state, Fact(fact.kind, fact.seat, data), seat)
        for data in (fact.data, correction["data"])
    )
    return {"seq": correction["seq"], "what": fact.kind, "was": was.data, "now": now.data}
