"""What the pages may ask of the house: the one seam between the web and everything else.

``companion.service`` is the real house; tests build a small one. A part that this box does not have is
reported as missing in :meth:`House.parts`, never pretended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.games.contract import Game
from companion.table.table import Table


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
