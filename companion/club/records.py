"""A match as sent to the club: records of what watchers may see, without pictures and phones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from companion.club.messages import Head, Record, Standing, record_hash
from companion.core.jsontext import JsonObject
from companion.game.base import Game
from companion.table.events import Event
from companion.table.match import Match, advanced, opened
from companion.table.standings import standings
from companion.table.telling import seen_event

LEFT_OUT = ("picture", "source")  # photographs by their hashes; devices by their serial numbers


class RecordBuilder:
    """Makes the records of one match, from the first event on; the same events always make the same."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._match: Match | None = None
        self.head = Head()

    def records(self, events: Sequence[Event]) -> Iterator[Record]:
        """Those of the match's events behind :attr:`head`, which moves on with each."""
        for event in events[self.head.seq :]:
            if self._match is None:
                self._match = opened(event, self._game)
            else:
                self._match = advanced(self._match, event)
            record = _record(self._match, event, self.head)
            self.head = Head(record.seq, record.hash)
            yield record


def untold(events: Sequence[Event], game: Game[Any]) -> dict[str, JsonObject]:
    """The data of those events of a match that is over whose records do not tell all of it, by number."""
    records = RecordBuilder(game).records(events)
    whole = {event.seq: _without_traces(event.data) for event in events}
    return {str(record.seq): whole[record.seq] for record in records if whole[record.seq] != record.data}


def _without_traces(data: JsonObject) -> JsonObject:
    """The data of an event without pictures and devices, also those of an event that it corrects."""
    return {
        key: _without_traces(value) if isinstance(value, dict) else value
        for key, value in data.items()
        if key not in LEFT_OUT
    }


def _record(match: Match, event: Event, before: Head) -> Record:
    fact = seen_event(match, event, None)
    data = {key: value for key, value in fact.data.items() if key not in LEFT_OUT}
    over = match.finished
    record = Record(
        event.match,
        event.seq,
        event.at,
        fact.kind,
        fact.seat,
        event.actor.role,
        data,
        results_of(match) if over else [],
        event.hash if over else "",
        before.hash,
    )
    return msgspec.structs.replace(record, hash=record_hash(record))


def results_of(match: Match) -> list[Standing]:
    """Every seat's result, best first."""
    return [standing_of(match, row) for row in standings(match)]


def standing_of(match: Match, row: JsonObject) -> Standing:
    """A line of the scores with the player's name."""
    player = match.players[row["seat"]]
    return Standing(row["seat"], player.name, int(row["total"]), row["place"], player.colour, player.shape)
