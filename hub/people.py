"""Who asks the hub for something: a watcher, a helper, or the organiser, proved by a PIN entered once.

Beside each PIN there is a *key*: sixteen letters, eighty random bits, which nobody guesses. Tries at PINs are
limited for all addresses together, so strangers can keep a new phone's PIN out; the key is never limited. A
browser that signed in before has limits of its own, as on a box.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from flask import Response, g, request

from companion.core.jsontext import json_of
from companion.core.messages import m
from hub.intake.api import house
from hub.storage.database import Transaction, put_setting, setting
from hub.storage.migrations import opened_database
from web.access.keys import is_kept_key, key_digest, new_key
from web.access.people import is_kept_pin, kept_pin, random_pin
from web.exc import WebError

Role: TypeAlias = Literal["organiser", "helper"]
PINS: dict[Role, str] = {"organiser": "organiser-pin", "helper": "helper-pin"}
KEYS: dict[Role, str] = {"organiser": "organiser-key", "helper": "helper-key"}
COOKIE = "stationmaster_organiser"
BROWSER_COOKIE = "stationmaster_organiser_browser"
_BROWSERS = "organiser-browsers"
_MOST_BROWSERS = 64
_YEAR = 365 * 24 * 3600
_SESSIONS = "sessions"
_MOST_SESSIONS = 64
_MONTH = 30 * 24 * 3600


@dataclass(frozen=True)
class Secrets:
    """What signs an organiser or helper in; told once, and stored as digests."""

    pin: str
    key: str


def made_secrets(change: Transaction, kind: Role) -> Secrets:
    """Make a new PIN and key for a role: the old ones stop working at once, on every hub of the club."""
    made = Secrets(random_pin(), new_key())
    put_setting(change, PINS[kind], kept_pin(made.pin))
    put_setting(change, KEYS[kind], key_digest(made.key))
    return made


def first_secrets(address: str, folder: Path, *, anew: bool) -> Secrets | None:
    """PIN and key for the organiser of a new hub, or ``anew``. None where there are some already."""
    database = opened_database(address, folder)
    try:
        with database.writing() as change:
            if setting(change, PINS["organiser"]) and not anew:
                return None
            put_setting(change, _SESSIONS, "{}")
            return made_secrets(change, "organiser")
    finally:
        database.close()


def role_of_key(text: str) -> Role | None:
    """The role that a key belongs to, however it was typed; None for anything else."""
    return next((role for role, name in KEYS.items() if is_kept_key(house().setting(name) or "", text)), None)


def role_of_pin(pin: str) -> Role | None:
    """The role that a PIN belongs to; None for a wrong one."""
    return next((role for role, name in PINS.items() if is_kept_pin(house().setting(name) or "", pin)), None)


def role() -> Role | None:
    """The role of whoever sends this request; None may only look."""
    if "role" not in g:
        name = request.cookies.get(COOKIE, "")
        g.role = _sessions().get(_digest(name)) if name else None
    found: Role | None = g.role
    return found


def need(least: Role) -> Role:
    """Return the sender's role; raise a 403 error if it ranks below ``least``."""
    found = role()
    if found is None or (least == "organiser" and found == "helper"):
        words = (
            m("only the organiser can do that")
            if least == "organiser"
            else m("only organisers and helpers can do that")
        )
        raise WebError(403, "organiser-only", m("{words}: enter the PIN first", words=words))
    return found


def open_session(answer: Response, kind: Role) -> None:
    """Sign a browser in as the organiser's or a helper's."""
    name = secrets.token_urlsafe(16)
    sessions = {**_sessions(), _digest(name): kind}
    newest = dict(list(sessions.items())[-_MOST_SESSIONS:])
    house().put_setting(_SESSIONS, json_of(newest).decode())
    _set_cookie(answer, COOKIE, name, _MONTH)
    if known_browser():
        return
    browser = secrets.token_urlsafe(16)
    known = [*_browsers(), _digest(browser)][-_MOST_BROWSERS:]
    house().put_setting(_BROWSERS, json_of(known).decode())
    _set_cookie(answer, BROWSER_COOKIE, browser, _YEAR)


def known_browser() -> str:
    """A name for this browser if it signed in before, whatever became of that session; else "".

    It gives no rights: only a place of its own when tries are limited.
    """
    name = _digest(request.cookies.get(BROWSER_COOKIE, ""))
    return f"browser {name}" if name in _browsers() else ""  # not said


def _browsers() -> list[str]:
    return msgspec.json.decode(house().setting(_BROWSERS) or "[]", type=list[str])


def _set_cookie(answer: Response, name: str, value: str, seconds: int) -> None:
    answer.set_cookie(
        name, value, max_age=seconds, httponly=True, samesite="Strict", secure=request.is_secure
    )


def end_sessions(kind: Role) -> None:
    """End all sessions that were opened with the old PIN."""
    left = {name: found for name, found in _sessions().items() if found != kind}
    house().put_setting(_SESSIONS, json_of(left).decode())


def close_session(answer: Response) -> None:
    """Sign a browser out."""
    left = _sessions()
    left.pop(_digest(request.cookies.get(COOKIE, "")), None)
    house().put_setting(_SESSIONS, json_of(left).decode())
    answer.delete_cookie(COOKIE, samesite="Strict", httponly=True)


def _sessions() -> dict[str, Role]:
    return msgspec.json.decode(house().setting(_SESSIONS) or "{}", type=dict[str, Role])


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
