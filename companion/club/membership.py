"""Which club the box belongs to, and which matches count there: kept beside the matches, as settings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import msgspec

from companion.core.jsontext import json_of

CLUB_SETTING = "club"
KEY_SETTING = "club-key"


class Membership(msgspec.Struct, frozen=True):
    """The membership of this box in one club, at one hub."""

    club: str
    name: str
    hub: str  # its address
    table: int
    every: bool = True  # matches that begin from now on count
    matches: tuple[str, ...] = ()  # those that count
    looked_at: str | None = None  # the last one that had begun when new ones were looked for; None: unknown


class Memberships:
    """``kept`` and ``keep`` are where settings are remembered beside the matches."""

    def __init__(self, kept: Callable[[str], str | None], keep: Callable[[str, str], None]) -> None:
        self._kept = kept
        self._keep = keep
        self._lock = threading.Lock()

    @property
    def now(self) -> Membership | None:
        """The membership of this box; None if it is in no club."""
        text = self._kept(CLUB_SETTING)
        return msgspec.json.decode(text, type=Membership) if text else None

    def set(self, membership: Membership | None) -> None:
        """Belong to that club from now on, or to none."""
        with self._lock:
            self._write(membership)

    def count(self, match: str, counts: bool) -> bool:
        """Count a match for the club, or no longer; False without a club."""
        with self._lock:
            now = self.now
            if now is None:
                return False
            others = tuple(one for one in now.matches if one != match)
            self._write(msgspec.structs.replace(now, matches=(*others, match) if counts else others))
            return True

    def count_begun(self, begun: Sequence[str]) -> None:
        """Count those that have begun since this was last asked; ``begun`` has all, in their order."""
        with self._lock:
            now, last = self.now, begun[-1] if begun else ""
            if now is None or now.looked_at == last:
                return
            known = now.looked_at == "" or now.looked_at in begun
            since = begun.index(now.looked_at) + 1 if now.looked_at in begun else 0
            new = [one for one in begun[since:] if known and now.every and one not in now.matches]
            self._write(msgspec.structs.replace(now, matches=(*now.matches, *new), looked_at=last))

    def change(self, **fields: object) -> None:
        """Change something of the membership, if there is one."""
        with self._lock:
            now = self.now
            if now is not None:
                self._write(msgspec.structs.replace(now, **fields))

    def _write(self, membership: Membership | None) -> None:
        self._keep(CLUB_SETTING, json_of(membership).decode() if membership else "")
