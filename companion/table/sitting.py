"""Who sits at the table, as the events of a match tell it.

A seat is taken when its player has sat down. It is free again when the player gets up, when the host gives it
away, or gives it back its first name.
"""

from __future__ import annotations

from companion.table.events import Event
from companion.table.match import Match
from companion.table.seats import default_player


def taken_seats(match: Match) -> frozenset[int]:
    """The seats at which somebody sits. One that was got up from, or given away, is free."""
    taken: set[int] = set()
    for event in match.events:
        if event.seat is None:
            continue
        if event.actor.role == "player" and (event.kind == "sit" or event.data.get("by") == "person"):
            taken.add(event.seat)
        elif _frees(event):
            taken.discard(event.seat)
    return frozenset(taken)


def kept_seats(match: Match) -> dict[int, str]:
    """Who the seats wait for that were kept for somebody when the match was begun.

    Nobody sits there yet. Whoever sat down and got up again has had the seat: nobody is put back there.
    """
    given_up = {event.seat for event in match.events if event.actor.role == "player" and _frees(event)}
    gone = taken_seats(match) | given_up
    return {
        seat: player.person
        for seat, player in match.players.items()
        if player.person and seat not in gone and match.holder(seat).by == "person"
    }


def _frees(event: Event) -> bool:
    """Return True if the event gives up its seat, or is the host resetting its name."""
    if event.kind == "sit":
        return bool(event.data["name"] == default_player(event.seat or 0).name)
    return event.kind == "hold" and bool(event.data.get("free"))
