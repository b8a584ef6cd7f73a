"""Public information: the box, its games, its OpenAPI document."""

from __future__ import annotations

from flask import Response

from companion import __version__
from companion.core.jsontext import builtins_of, json_of
from web.access.people import person
from web.api.openapi import document
from web.api.operations import operation
from web.api.shapes import GameInfo, Me
from web.site import site


@operation("GET", "/me", "How the box knows you", Me)
def me() -> Me:
    """Identify the sender by the cookies of the request."""
    current = site().service.table.current
    who = person()
    return Me(who.host, who.match, who.seat, current.id if current else None, __version__)


@operation("GET", "/games", "The games, players and options", list[GameInfo])
def games() -> list[GameInfo]:
    """What can be played here, with how many people, and how a match can be set up."""
    return [
        GameInfo(game.name, game.title, game.seats, [builtins_of(option) for option in game.options])
        for game in site().service.games.values()
    ]


@operation("GET", "/openapi.json", "This document", None)
def openapi() -> Response:
    """Return this document, for programs and for tests."""
    return Response(json_of(document()), mimetype="application/json")
