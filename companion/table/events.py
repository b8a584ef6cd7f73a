"""Events: what happened, for ever, in order, each bound to the one before by its hash.

The hash is SHA-256 over the event's other fields as compact JSON with sorted keys, so anybody can recompute
it with any language's standard library.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, builtins_of, json_of
from companion.core.messages import MESSAGE_ID, Message, data_of, with_messages
from companion.game.base import Fact

FIRST_HASH = "0" * 64  # what the first event of a match names as its predecessor

SEAT_KINDS = ("hold", "admit", "end")  # the table's own events that change a game's state, too

Role = Literal["watcher", "player", "host", "device", "service"]


class Actor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who does something: a role, and the seat or the device's name that goes with it."""

    role: Role
    seat: int | None = None
    name: str = ""


class Device(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Identifies one roll of one device for ever: its uid, its power-up and its count since then."""

    uid: str
    boot: str
    n: int


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One accepted action or device's fact. ``seq`` counts from 1 in each match."""

    match: str
    seq: int
    at: str
    kind: str
    data: JsonObject
    seat: int | None
    actor: Actor
    device: Device | None
    prev: str
    hash: str = ""


def is_move(fact: Fact) -> bool:
    """True if the event is the game's own, and not the table's word about a seat."""
    return fact.kind not in SEAT_KINDS


def canonical(value: Any) -> bytes:
    """Compact JSON with sorted keys.

    >>> canonical({"b": 1, "a": [True, None]})
    b'{"a":[true,null],"b":1}'
    """
    return json_of(value, order="sorted")


def content_hash(record: msgspec.Struct) -> str:
    """SHA-256 over all fields of a record but its own ``hash``."""
    return _hash_of(builtins_of(record))


def _hash_of(fields: JsonObject) -> str:
    del fields["hash"]
    return hashlib.sha256(canonical(fields)).hexdigest()


def stored_of(value: object) -> Any:
    """A part of an event as its JSON has it: messages as data, in no language."""
    return msgspec.to_builtins(value, enc_hook=_as_data)


def _as_data(value: object) -> Any:
    if isinstance(value, Message):
        return data_of(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be stored")


def check_holds_no_message_data(data: JsonObject, text: bytes) -> None:
    """Refuse data with an object in it that would be read as a message; ``text`` is what would be stored.

    Only messages themselves are stored as messages: what people send is none.
    """
    if MESSAGE_ID.encode() in text and _holds_message_data(data):
        raise NotationError("bad-shape", f"{quoted(MESSAGE_ID)} is not known here")


def _holds_message_data(value: object) -> bool:
    """
    >>> _holds_message_data({"settled": {"message_id": "x"}}), _holds_message_data([Message("x")])
    (True, False)
    """
    if isinstance(value, dict):
        return MESSAGE_ID in value or any(map(_holds_message_data, value.values()))
    return isinstance(value, list | tuple) and any(map(_holds_message_data, value))


def data_stored(data: JsonObject, text: str | bytes) -> JsonObject:
    """The data of an event with its messages as such, which were read from that text.

    What was stored before messages were data is English text, and stays it.
    """
    marked = MESSAGE_ID in text if isinstance(text, str) else MESSAGE_ID.encode() in text
    found: JsonObject = with_messages(data) if marked else data
    return found


def event_hash(event: Event) -> str:
    """What ``event.hash`` has to be."""
    return _hash_of(stored_of(event))


def sealed(event: Event) -> Event:
    """The event with its hash filled in."""
    return msgspec.structs.replace(event, hash=event_hash(event))


def chain_fault(events: list[Event]) -> str | None:
    """The first place where a match's chain is broken, as a sentence; None when it is whole."""
    before = FIRST_HASH
    for expected, event in enumerate(events, start=1):
        if event.seq != expected:
            return f"event {expected} is missing: the next one found is event {event.seq}"
        if event.prev != before:
            return f"event {event.seq} does not follow event {event.seq - 1}: one of them was changed"
        if event.hash != event_hash(event):
            return f"event {event.seq} was changed after it was stored: its hash does not fit its content"
        before = event.hash
    return None
