"""What the photographs of a match have settled, for its next ones: see :meth:`.Reader.lent`.

It is kept in the reader's process only, for the matches that were photographed last. Nothing depends on it
but how surely the next photograph is read: what was read is a fact in the match's events.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from companion.reading.base import Reader

KEPT_MATCHES = 2


@dataclass
class _Remembered:
    """What a match lends its next photograph, and what its last accepted one showed."""

    references: object | None = None
    photo: str = ""
    shown: object | None = None


@dataclass
class MatchMemory:
    """What each of the last matches lends to its next photograph."""

    _matches: OrderedDict[str, _Remembered] = field(default_factory=OrderedDict)

    def references(self, reader: Reader[Any, Any, Any], match: str, photo: str, state: Any) -> object | None:
        """Return what the match lends this photograph, except what that photograph showed itself."""
        own = self._of(match)
        if own.shown is not None and own.photo != photo:
            own.references, own.shown = reader.references(own.references, own.shown, state), None
        return own.references

    def keep(self, match: str, photo: str, shown: object) -> None:
        """Remember what an accepted photograph showed until it is known what the match made of it."""
        own = self._of(match)
        own.photo, own.shown = photo, shown

    def _of(self, match: str) -> _Remembered:
        own = self._matches.setdefault(match, _Remembered())
        self._matches.move_to_end(match)
        while len(self._matches) > KEPT_MATCHES:
            self._matches.popitem(last=False)
        return own
