"""A match: the fold of its events.

The table adds events of its own to those of the game: ``start`` (the first, with everything drawn at
setup), ``sit`` (who has a seat), ``hold`` (whether a person, a bot or nobody plays it), ``admit`` (a seat for
a late guest), ``undo`` and ``correct`` (both name the event they take back or change), ``end``, those about
corrections that everybody agrees to (:mod:`companion.table.consent`) and those about the dice themselves
(:mod:`companion.table.fairplay`). Undo and correction do not touch the past: they change which facts are in
effect, and the state is folded anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from companion.core.errors import GameError
from companion.core.jsontext import JsonObject
from companion.core.messages import EventRef, m
from companion.game.base import Fact, Game, NoChance, Refusal
from companion.table import consent
from companion.table.events import SEAT_KINDS, Event, is_move
from companion.table.seats import BY_PERSON, Holder, Player, player_at

DICE_KINDS = ("first", "commit", "word", "mix", "reveal")
TABLE_KINDS = ("start", "sit", "undo", "correct", *SEAT_KINDS, *consent.KINDS, *DICE_KINDS)
NO_CHANCE = NoChance()


@dataclass(frozen=True)
class Match:
    """One play of one game. ``state`` is the game's own; everything here follows from ``events``."""

    id: str
    game: Game[Any]
    events: tuple[Event, ...]
    players: dict[int, Player]
    state: Any
    ended: bool = False
    holders: dict[int, Holder] = field(default_factory=dict)  # of the seats that no person plays

    def holder(self, seat: int) -> Holder:
        """Return who plays a seat: by default a person."""
        return self.holders.get(seat, BY_PERSON)

    @property
    def version(self) -> int:
        """A number that rises with every event."""
        return len(self.events)

    @property
    def opening(self) -> JsonObject:
        """What the first event says: game, mode, options, everything drawn at setup."""
        return self.events[0].data

    @property
    def finished(self) -> bool:
        """True if the match is over by the rules or was ended by the host."""
        return self.ended or self.game.finished(self.state)


def opened(event: Event, game: Game[Any]) -> Match:
    """The match that a ``start`` event begins."""
    return Match(event.match, game, (event,), _players((event,)), game.start(event.data["setup"]))


def advanced(match: Match, event: Event) -> Match:
    """The match after one more accepted event."""
    longer = replace(match, events=(*match.events, event))
    if event.kind == "sit" or event.kind in DICE_KINDS:
        return replace(longer, players=_players(longer.events))
    if event.kind in ("propose", "object") or _agreed_only(event):
        return longer
    if event.kind in _REWRITING:
        facts = in_effect(longer.events)
        return replace(longer, state=_applied(match.game, match.game.start(match.opening["setup"]), facts))
    longer = replace(longer, state=with_fact(match.game, match.state, fact_of(event)))
    if event.kind not in SEAT_KINDS:
        return longer
    events = longer.events
    return replace(longer, players=_players(events), ended=_ended(events), holders=_holders(events))


_REWRITING = ("undo", "correct", "agree")  # events after which other facts count


def _agreed_only(event: Event) -> bool:
    """True if somebody agreed to a correction and others are still to be asked."""
    return event.kind == "agree" and "correct" not in event.data


def folded(events: Sequence[Event], game: Game[Any], head_start: tuple[int, Any] | None = None) -> Match:
    """The match that all these events make. ``head_start`` is the known state after so many events."""
    if head_start and any(event.kind in _REWRITING for event in events[head_start[0] :]):
        head_start = None  # something before it may have changed
    known, state = head_start or (1, game.start(events[0].data["setup"]))
    facts = {seq: fact for seq, fact in in_effect(events).items() if seq > known}
    state = _applied(game, state, facts)
    return Match(
        events[0].match, game, tuple(events), _players(events), state, _ended(events), _holders(events)
    )


def _players(events: Sequence[Event]) -> dict[int, Player]:
    players = {seat: player_at(seat, told) for seat, told in enumerate(events[0].data["players"], start=1)}
    for event in events:
        if event.kind in ("sit", "admit") and event.seat is not None:
            players[event.seat] = player_at(event.seat, event.data)
    return players


def _holders(events: Sequence[Event]) -> dict[int, Holder]:
    """Return the holders of the seats that no person plays."""
    held = {
        event.seat: msgspec.convert(event.data, Holder)
        for event in events
        if event.kind == "hold" and event.seat is not None
    }
    return {seat: holder for seat, holder in held.items() if holder.by != "person"}


def _ended(events: Sequence[Event]) -> bool:
    return any(event.kind == "end" for event in events)


def fact_of(event: Event) -> Fact:
    """Return the fact that an event is for the game."""
    return Fact(event.kind, event.seat, event.data)


def in_effect(events: Sequence[Event]) -> dict[int, Fact]:
    """Return the facts in effect by event number: without undone ones, and as corrected."""
    facts: dict[int, Fact] = {}
    for event in events:
        if event.kind == "undo":
            del facts[event.data["seq"]]
        elif event.kind == "correct" or (event.kind == "agree" and "correct" in event.data):
            says = event.data if event.kind == "correct" else event.data["correct"]
            corrected = facts[says["seq"]]
            facts[says["seq"]] = Fact(corrected.kind, corrected.seat, says["data"])
        elif event.kind in SEAT_KINDS or event.kind not in TABLE_KINDS:
            facts[event.seq] = fact_of(event)
    return facts


def with_fact(game: Game[Any], state: Any, fact: Fact) -> Any:
    """The state after a fact: the game's own, or one of the table's about a seat or the end."""
    match fact.kind:
        case "hold":
            seat = fact.seat or 0
            return game.leave(state, seat) if fact.data["by"] == "nobody" else game.come_back(state, seat)
        case "admit":
            return game.admit(state, fact.seat or 0)
        case "end":
            return game.close(state) if fact.data.get("judged") else state
        case _:
            return game.apply(state, fact)


def _applied(game: Game[Any], state: Any, facts: dict[int, Fact]) -> Any:
    for fact in facts.values():
        state = with_fact(game, state, fact)
    return state


def refold_fault(match: Match, facts: dict[int, Fact]) -> Refusal | None:
    """The first of these facts that the rules would not accept in this order; None when they all stand."""
    state = match.game.start(match.opening["setup"])
    for seq, fact in facts.items():
        fault = fact_fault(match.game, state, fact) if is_move(fact) else None
        if fault is not None:
            return Refusal(
                fault.code,
                m(
                    "{event} would no longer be possible: {message}. Take that back or change it first",
                    event=EventRef(seq),
                    message=fault.message,
                ),
                {"seq": seq},
            )
        state = with_fact(match.game, state, fact)
    return None


def _without_remarks(fact: Fact) -> tuple[str, int | None, dict[str, Any]]:
    return fact.kind, fact.seat, {name: value for name, value in fact.data.items() if name != "remarks"}


def fact_fault(game: Game[Any], state: Any, fact: Fact) -> Refusal | None:
    """Why the rules would not make this very fact out of this state.

    ``remarks`` are not compared: they are sentences about the fact, which another version may word otherwise.
    """
    try:
        again = game.decide(state, fact, NO_CHANCE)
    except GameError as problem:
        return Refusal(problem.code, problem.message)
    except LookupError as problem:
        return Refusal("incomplete", m("the event lacks its random outcome: {problem}", problem=problem))
    if isinstance(again, Refusal):
        return again
    if _without_remarks(again) != _without_remarks(fact):
        return Refusal("not-the-same", m("by the rules this event has another result than the one stored"))
    return None
