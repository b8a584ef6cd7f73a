"""Changes of settled events: after the next roll, everybody else has to agree to a player's proposal.

What was drawn before the dice that lie now is settled, and so are dice that somebody typed in, as soon as
anybody has moved after them. The host may still correct it; a player proposes the correction (``propose``),
everybody else who plays a seat agrees (``agree``; the last one makes it happen) or objects (``object``, with
which the proposer also takes it back). Bots and empty seats are not asked; when the last one who was still to
be asked leaves, everybody has agreed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Action, Fact, Refusal
from companion.table.events import Actor, Event, is_move

if TYPE_CHECKING:
    from companion.table.match import Match

KINDS = ("propose", "agree", "object")


@dataclass(frozen=True)
class Proposal:
    """A correction that somebody asks for: of which event, to what, and who has agreed so far."""

    seq: int
    seat: int
    about: int
    data: JsonObject
    agreed: frozenset[int] = frozenset()

    @property
    def correction(self) -> JsonObject:
        """The data of the correction event that the proposal becomes."""
        return {"seq": self.about, "data": self.data}


def open_proposals(events: Sequence[Event]) -> dict[int, Proposal]:
    """What is still asked for, by the number of its event: for each seat the last only."""
    found: dict[int, Proposal] = {}
    for event in events:
        seat = event.seat or 0
        if event.kind == "propose":
            found = {seq: one for seq, one in found.items() if one.seat != seat}
            found[event.seq] = Proposal(event.seq, seat, event.data["seq"], event.data["data"])
        elif event.kind == "agree" and event.data["seq"] in found:
            one = found.pop(event.data["seq"])
            if "correct" not in event.data:
                found[one.seq] = Proposal(one.seq, one.seat, one.about, one.data, one.agreed | {seat})
        elif event.kind == "object":
            found.pop(event.data["seq"], None)
        elif event.kind in ("undo", "correct"):  # what it was about is another thing now
            found = {seq: one for seq, one in found.items() if one.about != event.data["seq"]}
    return found


def entered_by_hand(fact: Fact) -> bool:
    """True if people threw these dice themselves and somebody typed them in."""
    return fact.kind == "roll" and bool(fact.data.get("source", {}).get("kind") == "hand")


def owners(match: Match, seq: int, fact: Fact) -> tuple[int | None, ...]:
    """The seats that an event belongs to: who did it, and who entered a roll by hand."""
    return (fact.seat, match.events[seq - 1].actor.seat) if entered_by_hand(fact) else (fact.seat,)


def settled(match: Match, facts: dict[int, Fact], seq: int) -> int | None:
    """What settled an event: the first roll, or whatever else lasts, after it; for a roll, the first move.

    None while nothing of the kind has come.
    """
    settles = is_move if facts[seq].kind == "roll" else match.game.lasting
    return next((later for later, fact in facts.items() if later > seq and settles(fact)), None)


def asked_for(match: Match, seat: int | None) -> set[int]:
    """The seats that have to agree to what this seat asks for."""
    return {other for other in match.players if other != seat and other not in match.holders}


def unasked(match: Match) -> list[Proposal]:
    """The proposals for which nobody is left who has to be asked."""
    proposals = open_proposals(match.events).values()
    return [one for one in proposals if asked_for(match, one.seat) <= one.agreed]


def consent_fault(match: Match, facts: dict[int, Fact], action: Action, actor: Actor) -> Refusal | None:
    """Why a player may not correct alone. Asked of requests only: what was recorded earlier stands."""
    seq = action.data.get("seq")
    alone = actor.role != "player" or not asked_for(match, actor.seat)
    if alone or seq not in facts or actor.seat not in owners(match, seq, facts[seq]):
        return None
    barrier = settled(match, facts, seq)
    if barrier is None:
        return None
    message = (
        m("somebody has played with these dice already: the host can correct them, or everybody agrees to it")
        if facts[seq].kind == "roll"
        else m("that was settled before the last roll: the host can correct it, or everybody agrees to it")
    )
    return Refusal("everybody", message, {"seq": barrier})
