"""The guests: people who have joined with the code, before, between and during matches.

A guest is a phone with a name, a colour and a shape; what proves it is a secret in a cookie, of which the
digest is kept. ``person`` tells the same person from evening to evening: it is the digest of a number that
the phone made up once and keeps, so that knowing it gives nobody anything.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.sheets.seat_marks import SEAT_MARKS
from companion.table.match import Match
from companion.table.seats import Player, player_fault
from web.access.codes import new_code, same_code
from web.exc import WebError

MOST_GUESTS = 16
_MOST_GONE = 64  # persons remembered
EVENING = 12 * 3600.0  # seconds; whoever has not been heard of for so long went home
_SETTING = "room"


class Guest(msgspec.Struct, frozen=True):
    """Somebody who has joined with the code."""

    number: int
    name: str
    colour: str
    shape: str
    person: str
    secret: str  # the digest of what the cookie holds
    joined: float

    @property
    def player(self) -> Player:
        """Return the guest as the player who takes a seat."""
        return Player(self.name, self.colour, self.shape, self.person)


class _Kept(msgspec.Struct, frozen=True):
    code: str
    guests: tuple[Guest, ...] = ()
    last: int = 0  # the highest number given out
    gone: tuple[str, ...] = ()  # the persons who went home, or were sent, and have not come back


@dataclass
class Room:
    """The room around the table. ``kept`` and ``keep`` are its store, so that it outlives a restart."""

    kept: Callable[[str], str | None]
    keep: Callable[[str, str], None]
    changed: Callable[[], None] = lambda: None
    clock: Callable[[], float] = time.time
    version: int = 0  # rises whenever somebody comes, goes, knocks or is let in
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def touch(self) -> None:
        """Notify all open pages that the room has changed."""
        with self._lock:
            self.version += 1
        self.changed()

    @property
    def code(self) -> str:
        """The code that admits people; it changes from one evening to the next."""
        return self._now().code

    def is_code(self, code: str) -> bool:
        """Return True if ``code``, as somebody typed it, is the room's code."""
        return same_code(code, self.code)

    @property
    def guests(self) -> tuple[Guest, ...]:
        """All guests, in the order in which they joined."""
        return self._now().guests

    @property
    def gone(self) -> frozenset[str]:
        """The people who were here this evening and have left or been sent away."""
        return frozenset(self._now().gone)

    def guest(self, secret: str) -> Guest | None:
        """Return the guest whose cookie this is."""
        if not secret:
            return None
        wanted = digest_of(secret)
        return next((one for one in self.guests if one.secret == wanted), None)

    def join(
        self, request: Player, *, device: str = "", secret: str = "", match: Match | None = None
    ) -> tuple[Guest, str]:
        """Come in, or change one's name; the guest, and the secret for the cookie.

        A colour or a shape that somebody has already is exchanged for one that is free. ``device`` is the
        number the phone keeps for ever; a phone that lost its cookie is the same guest by it.
        """
        with self._lock:
            now = self._now()
            person = person_of(device or secrets.token_urlsafe(16))
            known = self.guest(secret) or (device and _by_person(now.guests, person)) or None
            others = [one for one in now.guests if known is None or one.number != known.number]
            if known is None and len(others) >= MOST_GUESTS:
                message = m(
                    "{most_guests} are here already: the host can send one away", most_guests=MOST_GUESTS
                )
                raise WebError(409, "room-full", message)
            secret = secret if known is not None and self.guest(secret) else secrets.token_urlsafe(16)
            player = _fitting(request, [*(one.player for one in others), *_seated(match, person)])
            number = known.number if known else now.last + 1
            guest = Guest(
                number,
                player.name,
                player.colour,
                player.shape,
                person if device or known is None else known.person,
                digest_of(secret),
                self.clock(),
            )
            guests = (*now.guests, guest) if known is None else _instead(now.guests, guest)
            gone = tuple(one for one in now.gone if one != guest.person)
            self._put(_Kept(now.code, guests, max(now.last, number), gone))
        self.touch()
        return guest, secret

    def again(self, person: str) -> str | None:
        """Issue a new secret for a guest who has changed phones; the previous one becomes invalid."""
        with self._lock:
            now = self._now()
            known = _by_person(now.guests, person) if person else None
            if known is None:
                return None
            secret = secrets.token_urlsafe(16)
            guest = msgspec.structs.replace(known, secret=digest_of(secret))
            self._put(_Kept(now.code, _instead(now.guests, guest), now.last, now.gone))
            return secret

    def leave(self, number: int) -> bool:
        """Remove a guest who leaves or whom the host sends away."""
        with self._lock:
            now = self._now()
            leaver = next((one for one in now.guests if one.number == number), None)
            if leaver is None:
                return False
            left = tuple(one for one in now.guests if one is not leaver)
            gone = (*now.gone, leaver.person)[-_MOST_GONE:]
            self._put(_Kept(now.code, left, now.last, gone))
        self.touch()
        return True

    def _now(self) -> _Kept:
        """Return the stored room after dropping guests from an earlier evening.

        A room that is left empty gets a new code.
        """
        with self._lock:
            text = self.kept(_SETTING)
            stored = msgspec.json.decode(text, type=_Kept) if text else None
            if stored is None:
                stored = _Kept(new_code())
                self._put(stored)
            oldest = self.clock() - EVENING
            staying = tuple(one for one in stored.guests if one.joined > oldest)
            if len(staying) == len(stored.guests):
                return stored
            gone = stored.gone if staying else ()
            left = _Kept(stored.code if staying else new_code(), staying, stored.last, gone)
            self._put(left)
            return left

    def _put(self, kept: _Kept) -> None:
        self.keep(_SETTING, json_of(kept).decode())


def digest_of(secret: str) -> str:
    """Return the digest under which a secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def person_of(device: str) -> str:
    """Who has this phone, for everybody to see: from this nobody gets the phone's own number back."""
    return hashlib.sha256(f"person {device}".encode()).hexdigest()[:20]


def _by_person(guests: Iterable[Guest], person: str) -> Guest | None:
    return next((one for one in guests if one.person == person), None)


def _instead(guests: tuple[Guest, ...], guest: Guest) -> tuple[Guest, ...]:
    return tuple(guest if one.number == guest.number else one for one in guests)


def _seated(match: Match | None, person: str) -> list[Player]:
    """Those at the table whose colour a guest cannot have: a match is being played, and they are others."""
    if match is None or match.finished:
        return []
    return [player for player in match.players.values() if player.person != person]


def _fitting(request: Player, others: list[Player]) -> Player:
    """The player with a colour and a shape that nobody else has; a name that somebody has is refused."""
    fault = player_fault(request, {})
    if fault is not None:
        raise WebError(409, fault.code, fault.message)
    name = request.name.strip()
    if any(other.name.strip().casefold() == name.casefold() for other in others):
        raise WebError(409, "taken", m("{name} is here already: take another name", name=name))
    return with_free_mark(Player(name, request.colour, request.shape), others)


def with_free_mark(player: Player, others: Iterable[Player]) -> Player:
    """Return the player with a free colour and shape if theirs is taken; unchanged if no mark is free."""
    taken = list(others)
    colours, shapes = {one.colour for one in taken}, {one.shape for one in taken}
    if player.colour not in colours and player.shape not in shapes:
        return player
    free = next(
        (mark for mark in SEAT_MARKS if mark.colour not in colours and mark.shape not in shapes), None
    )
    if free is None:
        return player
    return Player(player.name, free.colour, free.shape, player.person)
