"""The box's club: pairing with its hub, what counts there, calling the organiser (host)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import request

from companion.club.desk import ClubNews
from companion.club.hub_client import HubError
from companion.core.messages import m
from companion.table.exc import TableError
from web.access.limits import WORK
from web.access.people import host_only, person
from web.api.operations import operation
from web.api.shapes import Said
from web.exc import WebError
from web.site import find_match, playing, site


class ClubRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hub's address, and the code on its organiser's page."""

    hub: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    code: Annotated[str, msgspec.Meta(min_length=1, max_length=20)]


class Counting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether matches count for the club."""

    counts: bool


class HelpRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What help is needed for; an empty text cancels the call."""

    words: Annotated[str, msgspec.Meta(max_length=120)] = ""


class ClubView(msgspec.Struct, frozen=True):
    """The club of this box, if it has one."""

    club: ClubNews | None


@operation("GET", "/host/club", "The club of this box (host)", ClubView, problems=(403,), allowed=host_only)
def club() -> ClubView:
    """Return the club of this box, and how far its hub has received the matches."""
    match = playing()
    return ClubView(site().service.club.news(match.id if match else ""))


@operation(
    "POST",
    "/host/club",
    "Join a club (host)",
    Said,
    body=ClubRequest,
    problems=(403, 409, 429, 502),
    allowed=host_only,
)
def join_club(body: ClubRequest) -> Said:
    """Join a club with the code that the organiser's page of its hub shows."""
    site().limiter.take("work", request.remote_addr or "", WORK)
    service = site().service
    try:
        joined = service.club.pair(body.hub, body.code, service.settings.now.box.name)
    except HubError as problem:
        raise WebError(502, problem.code, problem.message) from None
    except TableError as problem:
        raise WebError(409, problem.code, problem.message) from None
    return Said(m("this box is table {table} of {name} now", table=joined.table, name=joined.name))


@operation("DELETE", "/host/club", "Leave the club (host)", Said, problems=(403,), allowed=host_only)
def leave_club() -> Said:
    """Leave the club: nothing more is sent, and the hub keeps what it has received."""
    site().service.club.leave()
    return Said(m("this box no longer belongs to a club"))


@operation(
    "POST",
    "/host/club/every",
    "Count all matches that begin for the club (host)",
    Said,
    body=Counting,
    problems=(403, 409),
    allowed=host_only,
)
def count_every(body: Counting) -> Said:
    """Count all matches from now on, or only those that the host selects."""
    site().service.club.count_every(body.counts)
    return Said(m("kept"))


@operation(
    "POST",
    "/matches/<match>/club",
    "Count a match for the club (host)",
    Said,
    body=Counting,
    problems=(403, 404, 409),
    allowed=host_only,
)
def count_match(match: str, body: Counting) -> Said:
    """Count this match for the club, or stop sending it."""
    found = find_match(match)
    site().service.club.count(found.id, body.counts)
    return Said(
        m("this match counts for the club") if body.counts else m("this match does not count for the club")
    )


@operation(
    "POST",
    "/room/help",
    "Call the club's organiser to this table (a seat, or the host)",
    Said,
    body=HelpRequest,
    problems=(403, 409),
)
def call_for_help(body: HelpRequest) -> Said:
    """Call the organiser to this table, or cancel the call."""
    if person().seat is None and not person().host:
        raise WebError(403, "no-seat", m("only those who play, or the host, can call for help"))
    site().service.club.call_for_help(body.words.strip())
    return Said(
        m("the organiser is called") if body.words.strip() else m("the organiser knows that all is well")
    )
