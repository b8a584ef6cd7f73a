"""Photographs that no event refers to: what is kept of them, and for how long.

A seat has one of them, or some of parts of one table that are read as one; the next takes their place. Those
that somebody is being asked about are remembered among the settings, so a question outlives a power cut. So
is the one by which people remember a match.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from pathlib import Path

import msgspec

from companion.core.messages import m
from companion.service.photos.queries import PhotoRead
from companion.service.photos.shelf import PhotoShelf
from companion.table.events import Event
from companion.table.exc import TableError
from companion.table.match import Match
from companion.table.store import Store

_WAITING = "photographs-asked-about"  # the setting that has them by match
_MEMORIES = "photographs-to-remember"  # the setting with one of a match each


class LoosePhotos:
    """The table's shelf of photographs, and which of them are loose."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._shelf = PhotoShelf(store.folder)
        self._pending: dict[tuple[str, Hashable], frozenset[str]] = {}  # by match and seat, or watched sheet
        self._for_teaching = ""  # of a board that is being taught

    def find(self, digest: str) -> Path | None:
        """Return the path of a stored photograph; None if there is none with this digest."""
        return self._shelf.find(digest)

    def kept(self, digest: str) -> Path:
        """Return the path of a stored photograph; raise a TableError if there is none with this digest."""
        path = self.find(digest)
        if path is None:
            raise TableError("no-photo", m("that photograph is not here any more: take another one"))
        return path

    def keep(self, match: Match, read: PhotoRead, parts: frozenset[str] = frozenset()) -> None:
        """Store a photograph that was read, and delete the one that it replaces."""
        if read.cleaned is not None:
            self._shelf.keep(read.digest, read.cleaned)
        here = frozenset({read.digest, *parts})
        for seat in read.boards:
            self._put_in_place(match, seat, here)
        self._remember_asked(match, read)

    def keep_watched(
        self, match: Match, sheet: Hashable, digest: str, cleaned: bytes, with_it: frozenset[str]
    ) -> None:
        """Store the photograph of a sheet that a camera watches, and delete the one that it replaces.

        Those ``with_it`` stay, too: from them something was proposed.
        """
        self._shelf.keep(digest, cleaned)
        self._put_in_place(match, sheet, with_it | {digest})

    def _put_in_place(self, match: Match, place: Hashable, here: frozenset[str]) -> None:
        used = {digest for event in match.events for digest in _digests_of(event)}
        used.update(self.memories().values())
        before = self._pending.pop((match.id, place), frozenset())
        for left in before - here - used - frozenset().union(*self._pending.values()):
            self._shelf.forget(left)
        self._pending[match.id, place] = here

    def keep_for_teaching(self, digest: str, cleaned: bytes) -> None:
        """Keep the picture of a board that is to be taught, in the place of the one before."""
        self._shelf.keep(digest, cleaned)
        before, self._for_teaching = self._for_teaching, digest
        if before not in {"", digest, *self.memories().values()} | self._store.named_digests():
            self._shelf.forget(before)

    def memories(self) -> dict[str, str]:
        """The photographs by which people remember matches: their digests by match."""
        return msgspec.json.decode(self._store.setting(_MEMORIES) or "{}", type=dict[str, str])

    def remember(self, match: str, digest: str, cleaned: bytes) -> None:
        """Keep a photograph to remember a match by, in the place of the one before."""
        self._shelf.keep(digest, cleaned)
        self._put_memories({**self.memories(), match: digest})

    def forget_memory(self, match: str) -> None:
        """Delete the photograph by which a match is remembered."""
        self._put_memories({one: digest for one, digest in self.memories().items() if one != match})

    def _put_memories(self, now: dict[str, str]) -> None:
        gone = set(self.memories().values()) - set(now.values())
        self._store.put_setting(_MEMORIES, json.dumps(now))
        for digest in gone - self._store.named_digests():
            self._shelf.forget(digest)

    def tidy(self, is_played: Callable[[str], bool]) -> int:
        """Delete photographs without a reference or an open question; return how many."""
        used = self._store.named_digests() | self._asked_about(is_played) | set(self.memories().values())
        left = [digest for digest in self._shelf.digests() if digest not in used]
        for digest in left:
            self._shelf.forget(digest)
        return len(left)

    def _asked_about(self, is_played: Callable[[str], bool]) -> set[str]:
        told = json.loads(self._store.setting(_WAITING) or "{}")
        return {photo for match, photos in told.items() if is_played(match) for photo in photos}

    def _remember_asked(self, match: Match, read: PhotoRead) -> None:
        """Store open questions and proposals, so that they survive a power cut."""
        asked = any(board.outcome != "refused" for board in read.boards.values())
        seats = (self._pending.get((match.id, seat), frozenset()) for seat in read.boards)
        waiting = sorted(frozenset().union(*seats)) if asked else []
        told = json.dumps({match.id: waiting} if waiting else {})
        if told != (self._store.setting(_WAITING) or "{}"):
            self._store.put_setting(_WAITING, told)


def _digests_of(event: Event) -> list[str]:
    """Return the digests of the photographs that an event refers to."""
    picture = event.data.get("picture", {})
    return [picture.get("photo"), *picture.get("parts", ())]
