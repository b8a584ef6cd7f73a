"""The matches of this table, and those that the host has taken out of its history.

Nothing is lost: a hidden match stays in the database and in ``journal/``, in every backup, with its
photographs; lists, exports and the players' records leave it out until it is brought back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.game.base import Game
from companion.table.exc import TableError
from companion.table.records import StoredMatch
from companion.table.store import Store
from companion.table.table import senseless_matches

SETTING = "put-away"


class History:
    """The matches played here; which of them are hidden is stored beside them."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]]) -> None:
        self._store = store
        self._games = games

    def matches(self) -> list[StoredMatch]:
        """Return all matches shown in the history, oldest first."""
        out = {*senseless_matches(self._store), *self._hidden()}
        return [one for one in self._store.matches() if one.game in self._games and one.id not in out]

    def hidden(self) -> list[StoredMatch]:
        """Return the matches that the host has hidden, the latest last."""
        return [one for name in self._hidden() if (one := self._store.match(name)) is not None]

    def hide(self, match: str) -> None:
        """Take a match that is over out of the history."""
        stored = self._store.match(match)
        if stored is not None and stored.finished is None:
            raise TableError("still-playing", m("a match that is not over cannot be put away: end it first"))
        self._keep([*(one for one in self._hidden() if one != match), match])

    def bring_back(self, match: str) -> None:
        """Show a hidden match again."""
        self._keep([one for one in self._hidden() if one != match])

    def _hidden(self) -> list[str]:
        text = self._store.setting(SETTING)
        return msgspec.json.decode(text, type=list[str]) if text else []

    def _keep(self, ids: list[str]) -> None:
        self._store.put_setting(SETTING, json_of(ids).decode())
