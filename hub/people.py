"""Who asks the hub for something: a watcher, a helper, or the organiser, proved by a PIN entered once."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from flask import Response, g, request

from companion.core.jsontext import json_of
from companion.core.messages import m
from hub.api import house
from hub.database import put_setting, setting
from hub.migrations import opened_database
from web.access.people import is_kept_pin, kept_pin, random_pin
from web.exc import WebError

Role: TypeAlias = Literal["organiser", "helper"]
PINS: dict[Role, str] = {"organiser": "organiser-pin", "helper": "helper-pin"}
COOKIE = "stationmaster_organiser"
_SESSIONS = "sessions"
_MOST_SESSIONS = 64
_MONTH = 30 * 24 * 3600


def first_pin(address: str, folder: Path, *, anew: bool) -> str | None:
    """A PIN for the organiser of a new hub, or ``anew``: it is told once. None where there is one already."""
    database = opened_database(address, folder)
    try:
        with database.writing() as change:
            if setting(change, PINS["organiser"]) and not anew:
                return None
            pin = random_pin()
            put_setting(change, PINS["organiser"], kept_pin(pin))
            put_setting(change, _SESSIONS, "{}")
            return pin
    finally:
        database.close()


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
    answer.set_cookie(
        COOKIE, name, max_age=_MONTH, httponly=True, samesite="Strict", secure=request.is_secure
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
