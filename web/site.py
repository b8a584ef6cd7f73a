"""What the requests of one application share."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import cast

from flask import Flask, current_app

from companion.core.messages import m
from companion.table.match import Match
from web.exc import WebError
from web.history import HistoryBook
from web.house import House
from web.joining import Joining
from web.knocking import Door
from web.limits import Limiter
from web.live import Live
from web.replays import Replays
from web.room import Room
from web.scene import Photos, PieceBook, Pieces
from web.setup import Setup
from web.speaking import speak_of


@dataclass(frozen=True)
class Site:
    """The house behind the pages, and what is kept for them."""

    house: House
    live: Live
    joining: Joining
    room: Room
    setup: Setup
    demonstration: bool = False  # nothing is kept, and everybody may know the code and sit down
    door: Door = field(default_factory=Door)
    limiter: Limiter = field(default_factory=Limiter)
    pieces: PieceBook = field(default_factory=PieceBook)
    replays: Replays = field(default_factory=Replays)
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
    house = site().house
    return Photos(house.reads_photos(match), house.has_camera)


def known_match(match_id: str | None) -> Match | None:
    """A match by its id, if there is one; the current one when it is not named."""
    table = site().house.table
    match = table.match(match_id) if match_id and match_id != "current" else table.current
    if match is not None:
        speak_of(player.name for player in match.players.values())
    return match


def playing() -> Match | None:
    """The match that is being played just now, if one is."""
    match = site().house.table.current
    return match if match is not None and not match.finished else None


def find_match(match_id: str | None) -> Match:
    """The same where there has to be one."""
    match = known_match(match_id)
    if match is None:
        raise WebError(404, "no-match", m("there is no such match: the host begins one"))
    return match
