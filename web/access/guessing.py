"""Protection of PINs and codes against guessing, with room for a few mistypings.

Tries are limited for each address and for all of them together. A browser that has shown before that it
belongs here (the owner's phone, a guest's, a player's) has a place of its own: whatever others try, it is not
locked out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar

from flask import request

from web.access.limits import CODES_TOGETHER, GUESSES, PINS_TOGETHER, Limits
from web.access.people import known_phone, person
from web.site import site

Kind: TypeAlias = Literal["pin", "code"]
Found = TypeVar("Found")
_TOGETHER: dict[Kind, Limits] = {"pin": PINS_TOGETHER, "code": CODES_TOGETHER}


def guessed(kind: Kind, judge: Callable[[], Found | None]) -> Found | None:
    """Return what ``judge`` finds, counting a None as a wrong guess; too many are refused unjudged."""
    own = known_phone() or (_player() if kind == "code" else "")
    place = own or request.remote_addr or ""
    limiter = site().limiter
    limiter.take(kind, place, GUESSES, () if own else _TOGETHER[kind])
    found = judge()
    if found is not None:
        limiter.forgive(kind, place, together=not own)
    return found


def _player() -> str:
    """Return an identifier of a guest or player; empty for anybody else."""
    who = person()
    if who.guest is not None:
        return f"guest {who.guest.number}"
    return f"seat {who.seat} of {who.match}" if who.seat is not None else ""
