"""Boards and decks of the owner's own: boards are photographed empty, decks laid in a printed order."""

from __future__ import annotations

import re

from companion.core.errors import GameError
from companion.core.jsontext import json_of
from companion.core.messages import joined, m
from companion.game.teaching import games_with_decks, segmented_printables
from companion.reading.types import TaughtBoardAnswer
from companion.sheets.drawing import Quad
from web.access.people import host_only
from web.api.operations import operation
from web.api.photo_shapes import (
    DeckEntry,
    DeckRequest,
    KeptPhoto,
    LaidOver,
    MarkWords,
    Places,
    PlacesRequest,
    TaughtAnswer,
    TeachEntry,
)
from web.api.photos import PICTURES, check_size, data_address, slowly
from web.api.shapes import Said
from web.exc import WebError
from web.pages.owners import kept_options
from web.site import site

_NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,59}")


@operation(
    "POST",
    "/host/photos",
    "A photograph of an empty board, to be taught (host)",
    KeptPhoto,
    sent=PICTURES,
    problems=(403, 409, 429, 503),
    allowed=host_only,
)
def keep_picture(content: bytes) -> KeptPhoto:
    """Keep a picture for teaching; the next one replaces it."""
    check_size(content)
    slowly()
    return KeptPhoto(*site().service.taught.keep_picture(content))


@operation(
    "GET",
    "/host/places",
    "The segments of a game's board (host)",
    Places,
    query=PlacesRequest,
    problems=(403, 404, 409),
    allowed=host_only,
)
def places(query: PlacesRequest) -> Places:
    """Return the places on our own board, or on the owner's as described."""
    return _places(query.game, own=query.own)


def _places(game: str, *, own: bool) -> Places:
    printables = segmented_printables().get(game)
    if printables is None or game not in site().service.games:
        raise WebError(404, "no-places", m("no game here has a board of that name"))
    service = site().service
    kept = kept_options(service.store, service.games[game]) if own else {}
    text = kept.get(printables.described_by, "")
    if own and not text:
        raise WebError(404, "no-places", m("you have not described a board of your own yet"))
    try:
        size, slots = printables.segments(text)
    except GameError as problem:
        raise WebError(409, problem.code, problem.message) from None
    return Places(size, dict(slots))


@operation(
    "POST",
    "/host/taught",
    "Learn an empty board with segments (host)",
    Said,
    body=TeachEntry,
    problems=(403, 404, 409, 429, 503),
    allowed=host_only,
)
def learn(body: TeachEntry) -> Said:
    """Teach a board; later photographs are located by its print, in any light and from any side."""
    slowly()
    if (body.slots is None) == (not body.game):
        raise WebError(422, "bad-places", m("say where pieces lie: a game's board, or a file of your own"))
    described = body.slots if body.slots is not None else _described(_places(body.game, own=body.own))
    segments = json_of({**described, "colours": body.colours} if body.colours else described)
    return _said(site().service.taught.teach_segments(body.name, body.photo, body.corners, segments))


def _described(found: Places) -> dict[str, tuple[float, float] | dict[str, Quad]]:
    return {"size": found.size, "slots": found.slots}


@operation(
    "POST",
    "/host/decks/<name>/photos",
    "A photograph of a deck's cards in the printed order, to be learnt (host)",
    Said,
    sent=PICTURES,
    query=DeckRequest,
    problems=(403, 404, 409, 422, 429, 503),
    allowed=host_only,
)
def learn_deck(name: str, content: bytes, query: DeckRequest) -> Said:
    """Teach cards of a deck, in addition to earlier photographs; the photograph is not kept."""
    check_size(content)
    slowly()
    if not _NAME.fullmatch(name):
        raise WebError(422, "bad-name", "a deck's name has letters, digits, - and _, at most 60")
    _check_deck(query.game, query.edition)
    return _said(site().service.taught.teach_deck(query.game, name, query.number, content, query.edition))


@operation(
    "POST",
    "/host/decks",
    "Learn a deck's cards from a kept photograph, with marked corners where needed (host)",
    Said,
    body=DeckEntry,
    problems=(403, 404, 409, 422, 429, 503),
    allowed=host_only,
)
def learn_kept_deck(body: DeckEntry) -> Said:
    """What other photographs of the same deck taught stays; this one may be tried again with its corners."""
    slowly()
    _check_deck(body.game, body.edition)
    taught = site().service.taught.teach_deck(
        body.game, body.name, body.number, body.photo, body.edition, body.corners
    )
    return _said(taught)


def _check_deck(game: str, edition: str) -> None:
    printables = games_with_decks().get(game) if game in site().service.games else None
    if printables is None:
        raise WebError(404, "no-decks", m("no game here has decks of that name"))
    if edition and edition not in printables.editions:
        raise WebError(
            404,
            "unknown-edition",
            m("there is no such edition: choose {editions}", editions=", ".join(printables.editions)),
        )


def _said(taught: TaughtBoardAnswer) -> Said:
    return Said(joined(". ", [m("{name} is remembered", name=taught.name), *filter(None, [taught.says])]))


@operation(
    "DELETE",
    "/host/decks/<name>",
    "Forget a taught deck (host)",
    Said,
    problems=(403, 404),
    allowed=host_only,
)
def forget_deck(name: str) -> Said:
    """Forget a taught deck: its cards are read without it again."""
    if not site().service.taught.forget_deck(name):
        raise WebError(404, "no-deck", m("there is no such taught deck"))
    return Said(m("{name} is forgotten", name=name))


@operation(
    "POST",
    "/host/taught/<name>/photos",
    "Read what lies on a taught board with segments (host)",
    TaughtAnswer,
    sent=PICTURES,
    problems=(403, 409, 429, 503),
    allowed=host_only,
)
def read_taught(name: str, content: bytes) -> TaughtAnswer:
    """Read a photograph of a taught board as a trial; nothing is kept."""
    check_size(content)
    slowly()
    read = site().service.taught.read_board(name, content)
    cells = dict(read.ruling.labels) if read.ruling else {}
    uncertain = list(read.ruling.uncertain) if read.ruling else []
    marks = {colour: MarkWords(colour, [colour]) for colour in cells.values()}
    overlay = LaidOver(read.size, dict(read.overlay.slots), marks) if read.overlay else None
    return TaughtAnswer(cells, uncertain, list(read.says), data_address(read.picture), overlay)
