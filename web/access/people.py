"""Who is asking: a watcher, a guest, somebody at one or several seats, the table's screen, or the host.

A seat's cookie is its match and its secret (several, where one browser looks after several seats: the one it
plays first); a guest's is a secret of its own; the host's and the screen's are random session names, of which
only digests are kept, so that they outlive a restart of the box. All of them are out of reach of scripts
and never sent along from other sites.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from dataclasses import dataclass
from itertools import pairwise

import msgspec
from flask import Response, g, request

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.store import Store
from web.access.keys import is_kept_key, key_digest, new_key
from web.access.room import Guest
from web.exc import WebError
from web.site import site

SEAT_COOKIE = "stationmaster_seat"
SESSION_COOKIE = "stationmaster_host"
GUEST_COOKIE = "stationmaster_guest"
PHONE_COOKIE = "stationmaster_phone"
PIN_SETTING = "host-pin"
KEY_SETTING = "host-key"
_SESSIONS = "host-sessions"
_PHONES = "host-phones"
_MOST_SESSIONS = 32
_MOST_PHONES = 16
_MOST_SEATS = 6
_MONTH = 30 * 24 * 3600
_YEAR = 365 * 24 * 3600
_PIN_COST = {"n": 2**14, "r": 8, "p": 1}  # about 50 ms on a Pi: nobody notices, and a guesser needs weeks
_JUDGING = threading.Lock()  # each digest takes 16 MB: one at a time


@dataclass(frozen=True)
class Person:
    """What a request may do. ``match`` and ``seat`` belong together."""

    host: bool = False
    screen: bool = False
    match: str | None = None
    seat: int | None = None  # the one this browser plays now
    seats: tuple[int, ...] = ()  # all that it looks after, this one among them
    guest: Guest | None = None

    def actor(self, match: Match, *, acting_as_host: bool = False) -> Actor:
        """Return the actor of an action; a host who also plays acts as a player unless asked otherwise."""
        if self.seat is not None and self.match == match.id and not acting_as_host:
            return Actor("player", self.seat)
        return Actor("host") if self.host else Actor("watcher")

    def seat_in(self, match: Match) -> int | None:
        """Return this person's seat in the match; None without one."""
        return self.seat if self.match == match.id else None


def person() -> Person:
    """Return who sends this request."""
    if "person" not in g:
        g.person = _person()
    found: Person = g.person
    return found


def _person() -> Person:
    kind = _session_kind(site().service.store, request.cookies.get(SESSION_COOKIE, ""))
    match, held = _held_seats()
    guest = site().room.guest(request.cookies.get(GUEST_COOKIE, ""))
    seats = tuple(held)
    return Person(
        kind == "host",
        kind in ("host", "screen"),
        match if seats else None,
        seats[0] if seats else None,
        tuple(sorted(seats)),
        guest,
    )


def _held_seats() -> tuple[str, dict[int, str]]:
    """The match of this browser's seats, and the secret of each, the one that is played now first."""
    match, *tokens = request.cookies.get(SEAT_COOKIE, "").split(".")
    found = {}
    for token in tokens[:_MOST_SEATS]:
        seat = site().service.table.seat_of_token(match, token) if match and token else None
        if seat is not None:
            found[seat] = token
    return match, found


def host_only() -> None:
    """Raise a 403 error unless the request comes from the host."""
    if not person().host:
        raise WebError(403, "host-only", m("only the host can do that: enter the host PIN first"))


def set_seat(answer: Response, match: str, token: str) -> None:
    """Remember a seat in this browser, and play it; seats of the same match that it has stay."""
    before, held = _held_seats()
    others = [one for one in held.values() if before == match and one != token]
    _set_cookie(answer, SEAT_COOKIE, ".".join([match, token, *others]))


def set_seats(answer: Response, match: str, tokens: list[str]) -> None:
    """Remember several seats, the one that is played first."""
    _set_cookie(answer, SEAT_COOKIE, ".".join([match, *tokens]))


def turn_to_seat(answer: Response, seat: int) -> bool:
    """Play another one of this browser's seats; False when it has no such seat."""
    match, held = _held_seats()
    if seat not in held:
        return False
    _set_cookie(answer, SEAT_COOKIE, ".".join([match, held.pop(seat), *held.values()]))
    return True


def forget_seat(answer: Response) -> None:
    """Leave all seats, as far as this browser is concerned."""
    answer.delete_cookie(SEAT_COOKIE, samesite="Strict", httponly=True)


def drop_seat(answer: Response, seat: int) -> None:
    """Leave one seat; the browser goes on with its others."""
    match, held = _held_seats()
    held.pop(seat, None)
    if held:
        _set_cookie(answer, SEAT_COOKIE, ".".join([match, *held.values()]))
    else:
        forget_seat(answer)


def set_guest(answer: Response, secret: str) -> None:
    """Remember in this browser who joined with it."""
    _set_cookie(answer, GUEST_COOKIE, secret)


def forget_guest(answer: Response) -> None:
    """Remove the guest from this browser."""
    answer.delete_cookie(GUEST_COOKIE, samesite="Strict", httponly=True)


def _set_cookie(answer: Response, name: str, value: str, seconds: int = _MONTH) -> None:
    answer.set_cookie(
        name, value, max_age=seconds, httponly=True, samesite="Strict", secure=request.is_secure
    )


# --- the host's PIN ---


def new_pin(store: Store) -> str:
    """A new host PIN, kept as a digest only; sessions opened with the old one end."""
    pin = random_pin()
    set_pin(store, pin)
    return pin


def set_pin(store: Store, pin: str) -> None:
    """Set the host PIN; a key that was made beside the one before ends."""
    store.put_setting(PIN_SETTING, kept_pin(pin))
    store.put_setting(KEY_SETTING, "")
    store.put_setting(_SESSIONS, "{}")


def random_pin() -> str:
    """Return a random PIN of six digits."""
    return f"{secrets.randbelow(10**6):06}"


def kept_pin(pin: str) -> str:
    """Return a PIN in stored form: a salt and a digest."""
    salt = secrets.token_hex(8)
    return f"{salt}:{_pin_digest(pin, salt)}"


def pin_fault(pin: str) -> str:
    """What is wrong with a PIN of somebody's choice; empty when it is fine.

    >>> pin_fault("12345"), pin_fault("481206")
    ('a PIN has six to twelve digits', '')
    """
    if not (pin.isascii() and pin.isdigit() and 6 <= len(pin) <= 12):
        return m("a PIN has six to twelve digits")
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    return m("that PIN is the first that others try: choose another one") if len(steps) == 1 else ""


def is_pin(store: Store, pin: str) -> bool:
    """Return True if this is the host's PIN."""
    return is_kept_pin(store.setting(PIN_SETTING) or "", pin)


def new_host_key(store: Store) -> str:
    """A new key for the host, kept as a digest only; the one before ends."""
    key = new_key()
    store.put_setting(KEY_SETTING, key_digest(key))
    return key


def is_host_key(store: Store, text: str) -> bool:
    """Return True if this is the host's key."""
    return is_kept_key(store.setting(KEY_SETTING) or "", text)


def is_kept_pin(kept: str, pin: str) -> bool:
    """Return True if ``pin`` matches the stored salt and digest."""
    salt, _, digest = kept.partition(":")
    return bool(digest) and secrets.compare_digest(_pin_digest(pin, salt), digest)


def _pin_digest(pin: str, salt: str) -> str:
    with _JUDGING:
        return hashlib.scrypt(pin.encode(), salt=salt.encode(), **_PIN_COST).hex()


def known_phone() -> str:
    """A name for this browser if the PIN was entered in it before, whatever became of that session; else "".

    It gives no rights: only a place of its own when tries are limited.
    """
    name = _digest(request.cookies.get(PHONE_COOKIE, ""))
    return f"phone {name}" if name in _phones(site().service.store) else ""


def _phones(store: Store) -> list[str]:
    return msgspec.json.decode(store.setting(_PHONES) or "[]", type=list[str])


def _know_phone(answer: Response) -> None:
    if known_phone():
        return
    name = secrets.token_urlsafe(16)
    phones = [*_phones(site().service.store), _digest(name)][-_MOST_PHONES:]
    site().service.store.put_setting(_PHONES, json_of(phones).decode())
    _set_cookie(answer, PHONE_COOKIE, name, _YEAR)


# --- sessions ---


def open_session(answer: Response, kind: str) -> None:
    """Make this browser the host's, or the table's screen."""
    name = secrets.token_urlsafe(16)
    sessions = {**_sessions(site().service.store), _digest(name): kind}
    newest = dict(list(sessions.items())[-_MOST_SESSIONS:])
    site().service.store.put_setting(_SESSIONS, json_of(newest).decode())
    _set_cookie(answer, SESSION_COOKIE, name)
    if kind == "host":
        _know_phone(answer)


def close_session(answer: Response) -> None:
    """End the session: this browser becomes a watcher's again."""
    left = _sessions(site().service.store)
    left.pop(_digest(request.cookies.get(SESSION_COOKIE, "")), None)
    site().service.store.put_setting(_SESSIONS, json_of(left).decode())
    answer.delete_cookie(SESSION_COOKIE, samesite="Strict", httponly=True)


def _session_kind(store: Store, name: str) -> str | None:
    return _sessions(store).get(_digest(name)) if name else None


def _sessions(store: Store) -> dict[str, str]:
    return msgspec.json.decode(store.setting(_SESSIONS) or "{}", type=dict[str, str])


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
