"""Records of the store, and the conversion between events and database rows."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import msgspec

from companion.core.jsontext import JsonObject, json_of
from companion.table.events import Actor, Device, Event, canonical, data_stored, stored_of

Row: TypeAlias = tuple[Any, ...]

COLUMNS = "match, seq, at, kind, data, seat, actor, device_uid, device_boot, device_n, prev, hash"
_MATCH_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class StoredMatch(msgspec.Struct, frozen=True):
    """One line in the list of matches."""

    id: str
    game: str
    mode: str
    began: str
    finished: str | None


class Answer(msgspec.Struct, frozen=True):
    """What ``actor`` was told about the action sent with ``key``: it became event ``seq`` of ``match``."""

    actor: str
    key: str
    digest: str
    match: str
    seq: int


class Snapshot(msgspec.Struct, frozen=True):
    """A game's state after event ``seq`` with this hash, as JSON."""

    match: str
    seq: int
    hash: str
    state: str


def good_match_name(match: str) -> bool:
    """True if a match may have this name, which becomes a file's name.

    >>> good_match_name("2026-05-01-k3f9"), good_match_name("../secrets")
    (True, False)
    """
    return _MATCH_NAME.fullmatch(match) is not None


def row_of(event: Event) -> Row:
    """An event in the order of :data:`COLUMNS`."""
    device = event.device
    return (
        event.match,
        event.seq,
        event.at,
        event.kind,
        canonical(stored_of(event.data)).decode(),
        event.seat,
        canonical(event.actor).decode(),
        device.uid if device else None,
        device.boot if device else None,
        device.n if device else None,
        event.prev,
        event.hash,
    )


def line_of_row(row: Row) -> bytes:
    """The line of a journal that tells the event in this row; its JSON is taken as it is stored."""
    match, seq, at, kind, data, seat, actor, uid, boot, n, prev, hash_ = row
    device = None if uid is None else Device(uid, boot, n)
    parts = [
        f'{{"actor":{actor},"at":'.encode(),
        json_of(at),
        f',"data":{data},"device":'.encode(),
        canonical(device),
        b',"hash":',
        json_of(hash_),
        b',"kind":',
        json_of(kind),
        b',"match":',
        json_of(match),
        b',"prev":',
        json_of(prev),
        f',"seat":{"null" if seat is None else seat},"seq":{seq}}}\n'.encode(),
    ]
    return b"".join(parts)


def event_of(row: Row) -> Event:
    """The event a row tells; :class:`msgspec.DecodeError` when it tells none."""
    match, seq, at, kind, data, seat, actor, uid, boot, n, prev, hash_ = row
    return Event(
        match=match,
        seq=seq,
        at=at,
        kind=kind,
        data=data_stored(msgspec.json.decode(data, type=JsonObject), data),
        seat=seat,
        actor=msgspec.json.decode(actor, type=Actor),
        device=None if uid is None else Device(uid, boot, n),
        prev=prev,
        hash=hash_,
    )
