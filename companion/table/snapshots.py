"""Snapshots: a cache of folded states; one that does not fit exactly is ignored."""

from __future__ import annotations

from typing import Any

import msgspec

from companion import __version__
from companion.core.jsontext import json_of
from companion.game.base import Game
from companion.table.events import Event, data_stored, stored_of
from companion.table.match import Match, folded
from companion.table.store import Snapshot

EVERY = 25  # events


class _Kept(msgspec.Struct, frozen=True):
    rules: str
    state: Any


def snapshot_due(match: Match) -> bool:
    """True if it is time for the next snapshot."""
    return match.version % EVERY == 0


def snapshot_of(match: Match) -> Snapshot:
    """The match's state, tied to its last event and to this version of the rules."""
    state = json_of(stored_of(_Kept(__version__, match.state))).decode()
    return Snapshot(match.id, match.version, match.events[-1].hash, state)


def restored(events: list[Event], game: Game[Any], snapshot: Snapshot | None) -> Match:
    """The match these events make, by way of a snapshot when it fits them."""
    state = fitting_state(events, game, snapshot) if snapshot else None
    return folded(events, game, (snapshot.seq, state) if snapshot and state is not None else None)


def fitting_state(events: list[Event], game: Game[Any], snapshot: Snapshot) -> Any | None:
    """The snapshot's state, if it belongs to these very events and to this version of the rules."""
    if snapshot.seq > len(events) or events[snapshot.seq - 1].hash != snapshot.hash:
        return None
    try:
        kept = msgspec.json.decode(snapshot.state, type=_Kept)
        state = data_stored(kept.state, snapshot.state)
        return msgspec.convert(state, game.state_type, str_keys=True) if kept.rules == __version__ else None
    except msgspec.MsgspecError:
        return None
