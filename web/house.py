"""What the pages may ask of the house: the one seam between the web and everything else.

``companion.service`` is the real house; tests build a small one. A part that this box does not have is
reported as missing in :meth:`House.parts`, never pretended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from companion.games.contract import Game
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.records import StoredMatch
from companion.table.table import Accepted, Refused, Table

PartState: TypeAlias = Literal["ok", "missing", "bad"]
ExportForm: TypeAlias = Literal["csv", "json", "journal"]


@dataclass(frozen=True)
class Part:
    """One part of the box: how it is, and what to do about it when something is wrong."""

    name: str
    state: PartState
    says: str
    do: str = ""


class House(Protocol):
    """A table with its games and devices."""

    @property
    def table(self) -> Table:
        """The one way in."""

    @property
    def games(self) -> Mapping[str, Game[Any]]:
        """The games that can be played here, by name."""

    @property
    def notes(self) -> Sequence[str]:
        """What the owner should know about the last start: repairs, restored backups."""

    @property
    def links(self) -> Sequence[str]:
        """The addresses of the pages, the one for the QR code first."""

    def matches(self) -> list[StoredMatch]:
        """Every match of this table, oldest first."""

    def setting(self, key: str) -> str | None:
        """Something kept beside the matches."""

    def put_setting(self, key: str, value: str) -> None:
        """Keep something beside the matches."""

    def roll(self, match: Match, actor: Actor, key: str | None) -> Accepted | Refused:
        """Throw the dice that are due, with the dice roller when there is one."""

    def parts(self) -> list[Part]:
        """Every part of the box, found or missing."""

    def export(self, matches: Sequence[Match], form: ExportForm) -> str:
        """Results, or whole matches, for other programs."""

    def bgstats_link(self, match: Match) -> str:
        """A link that opens the Board Game Stats app with this play filled in."""

    def backups(self) -> list[Path]:
        """The box's own backups, newest first."""

    def backup(self) -> Path:
        """Make one more."""

    def shut_down(self) -> str | None:
        """Stop everything safely; a sentence when this box cannot do that from a page."""
