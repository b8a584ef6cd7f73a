"""What every game promises about its printed sheets, so that one command prints them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.games.contract import Plain
from companion.games.kit.drawing import Drawing
from companion.games.kit.printing.paper import PaperName


class GameSheets(Protocol):
    """The printable things of one game. The first part is the one that gets photographed."""

    title: str
    parts: Sequence[str]
    editions: Sequence[str]

    def pages(self, part: str, edition: str, paper: PaperName) -> list[Drawing]:
        """A part laid out on paper."""

    def sheet(self, seat: int, edition: str) -> Drawing:
        """One blank sheet to be photographed."""

    def layout(self, seat: int, edition: str, dpi: float) -> Plain:
        """Where everything is on that sheet, in millimetres and in pixels."""
