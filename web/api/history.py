"""Finished matches: notes, hiding them from the history, and data for other programs."""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.core.messages import m
from companion.service.export.elsewhere import LARGEST, SETTING, kept_text, numbered
from companion.table.match import Match
from web.access.people import host_only, person
from web.api.operations import operation
from web.api.photos import PICTURES, check_size, slowly
from web.api.shapes import Empty, Said
from web.exc import WebError
from web.pages.history import note_setting
from web.site import find_match, site

LONGEST_NOTE = 500


def _who_played(match_id: str, message: str) -> Match:
    """The match, for somebody who sits in it, or the host."""
    found = find_match(match_id)
    if person().seat_in(found) is None and not person().host:
        raise WebError(403, "no-seat", message)
    return found


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to remember of a match; empty: nothing."""

    note: Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)]


class ElsewhereEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where people play; numbers of games at BoardGameGeek by ``game`` or ``game/edition``; 0: as usual."""

    place: Annotated[str, msgspec.Meta(max_length=80)] = ""
    numbers: dict[str, Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]] = {}


@operation(
    "POST",
    "/matches/<match>/note",
    "Keep a note about a match (a seat of it, or the host)",
    Said,
    body=Note,
    problems=(403, 404),
)
def note(match: str, body: Note) -> Said:
    """Keep a note on a match, which is shown in the history and in the report."""
    found = _who_played(match, m("only those who played, or the host, can write a note"))
    site().service.store.put_setting(note_setting(found.id), body.note.strip())
    return Said(m("kept"))


_NO_PHOTOGRAPH = m("only those who played, or the host, can keep a photograph of the table")


@operation(
    "POST",
    "/matches/<match>/photograph",
    "Keep a photograph of the table with a match (a seat of it, or the host)",
    Said,
    sent=PICTURES,
    problems=(403, 404, 409, 429, 503),
)
def keep_photograph(match: str, content: bytes) -> Said:
    """Keep a photograph to remember a match by: beside the finale, in the report and in the history.

    It is cleaned of everything but what it shows; the next one takes its place.
    """
    found = _who_played(match, _NO_PHOTOGRAPH)
    check_size(content)
    slowly()
    site().service.photos.remember(found, content)
    site().room.touch()
    return Said(m("kept"))


@operation(
    "DELETE",
    "/matches/<match>/photograph",
    "Delete the photograph of the table (a seat of the match, or the host)",
    Said,
    problems=(403, 404),
)
def delete_photograph(match: str) -> Said:
    """Delete the photograph that somebody took; those that were read stay with their boards."""
    site().service.photos.forget_memory(_who_played(match, _NO_PHOTOGRAPH))
    site().room.touch()
    return Said(m("deleted"))


@operation(
    "DELETE",
    "/matches/<match>",
    "Remove a match from the history (host)",
    Said,
    problems=(403, 404, 409),
    allowed=host_only,
)
def put_away(match: str) -> Said:
    """Hide a match from the history; it stays in database, journals and backups and can be restored."""
    found = find_match(match)
    site().service.history.hide(found.id)
    site().service.recording.forget(found.id)
    return Said(m("taken out of the history: it can be brought back there"))


@operation(
    "POST",
    "/matches/<match>/back",
    "Restore a match to the history (host)",
    Said,
    body=Empty,
    problems=(403, 404),
    allowed=host_only,
)
def bring_back(match: str) -> Said:
    """Show a hidden match in the history again."""
    site().service.history.bring_back(find_match(match).id)
    return Said(m("it is in the history again"))


@operation(
    "POST",
    "/host/elsewhere",
    "What other apps receive (host)",
    Said,
    body=ElsewhereEntry,
    problems=(403, 404),
    allowed=host_only,
)
def elsewhere(body: ElsewhereEntry) -> Said:
    """Set the place of play and BoardGameGeek numbers that the games do not bring themselves."""
    known = {name for name, _, _ in numbered(site().service.games)}
    if strange := sorted(set(body.numbers) - known):
        raise WebError(
            404,
            "no-game",
            m("there is no such game or edition here: {strange}", strange=", ".join(strange)[:80]),
        )
    site().service.store.put_setting(SETTING, kept_text(body.place.strip(), body.numbers))
    return Said(m("saved: links and files made from now on contain it"))
