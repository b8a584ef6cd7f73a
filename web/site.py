"""The state shared by the requests of one application."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from flask import Flask, current_app

from companion.core.messages import m
from companion.table.match import Match
from web.access.joining import Joining
from web.access.knocking import Door
from web.access.limits import Limiter
from web.access.room import Room
from web.access.setup import Setup
from web.exc import WebError
from web.live.idempotency import IdempotencyCache
from web.live.streams import Live
from web.pages.history import HistoryBook
from web.ui import presenter_of
from web.ui.parts import Presenter
from web.ui.scene import FragmentCache, Photos, Pieces

if TYPE_CHECKING:
    from companion.service.service import Service


@dataclass(frozen=True)
class Site:
    """The service behind the pages, and what is kept for them."""

    service: Service
    live: Live
    joining: Joining
    room: Room
    setup: Setup
    demonstration: bool = False  # nothing is kept, and everybody may know the code and sit down
    door: Door = field(default_factory=Door)
    limiter: Limiter = field(default_factory=Limiter)
    pieces: FragmentCache = field(default_factory=FragmentCache)
    replays: IdempotencyCache = field(default_factory=IdempotencyCache)
    history: HistoryBook = field(default_factory=HistoryBook)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))  # another one after a restart


def site_of(app: Flask) -> Site:
    """The site of an application."""
    return cast(Site, app.extensions["stationmaster"])


def site() -> Site:
    """The site this request belongs to."""
    return site_of(current_app)


def pieces_of(match: Match, page: str, seat: int | None) -> Pieces:
    """The changing parts of a page."""
    return site().pieces.pieces(match, page, seat, photos_of(match))


def photos_of(match: Match) -> Photos:
    """What can be done with pictures here, for this match."""
    service, presenter = site().service, presenter_of(match.game)
    one_board = type(presenter).shared_board is not Presenter.shared_board
    of_table = service.photos.of_table(match, one_board=one_board) if match.finished else ""
    return Photos(service.photos.can_read(match), service.camera.is_there, of_table)


def known_match(match_id: str | None) -> Match | None:
    """A match by its id, if there is one; the current one when it is not named."""
    table = site().service.table
    return table.match(match_id) if match_id and match_id != "current" else table.current


def playing() -> Match | None:
    """The match that is being played just now, if one is."""
    match = site().service.table.current
    return match if match is not None and not match.finished else None


def find_match(match_id: str | None) -> Match:
    """Return the match with this id; raise a 404 error if there is none."""
    match = known_match(match_id)
    if match is None:
        raise WebError(404, "no-match", m("there is no such match: the host begins one"))
    return match
