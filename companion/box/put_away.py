"""Matches that the host has taken out of the history. Nothing is lost: they are only not shown.

A match that was put away stays in the database and in ``journal/``, in every backup, with its photographs;
lists, exports and the players' records leave it out until it is brought back.
"""

from __future__ import annotations

import msgspec

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.table.exc import TableError
from companion.table.records import StoredMatch
from companion.table.store import Store

SETTING = "put-away"


class PutAway:
    """Which ones, kept beside the matches."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def ids(self) -> list[str]:
        """Their names, the one put away last comes last."""
        text = self._store.setting(SETTING)
        return msgspec.json.decode(text, type=list[str]) if text else []

    @property
    def matches(self) -> list[StoredMatch]:
        """The same as they are stored."""
        return [one for name in self.ids if (one := self._store.match(name)) is not None]

    def put(self, match: str) -> None:
        """Take a match that is over out of the history."""
        stored = self._store.match(match)
        if stored is not None and stored.finished is None:
            raise TableError("still-playing", m("a match that is not over cannot be put away: end it first"))
        self._keep([*(one for one in self.ids if one != match), match])

    def bring_back(self, match: str) -> None:
        """Show it again."""
        self._keep([one for one in self.ids if one != match])

    def _keep(self, ids: list[str]) -> None:
        self._store.put_setting(SETTING, json_of(ids).decode())
