"""What a game's faces promise to whoever hosts them, beside the rules (:mod:`companion.games.contract`).

The page's face is a :class:`web.show.parts.Show`; paper, eye and studio are here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from companion.games.contract import Plain
from companion.games.kit.drawing import Drawing
from companion.games.kit.errors import NotationError
from companion.games.kit.grid import quoted
from companion.games.kit.printing.paper import PaperName
from companion.games.kit.sheet import Sheet
from companion.games.packages import find_package, loaded, packages

S_contra = TypeVar("S_contra", contravariant=True)  # the state of the game's rules


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

    def photographed(self) -> Sequence[Sheet]:
        """Every sheet of this game that may lie in a photograph: what readers look for by its tags."""


class Studio(Protocol[S_contra]):
    """Photographs that nobody took, with the truth beside them: for tests, training and demonstrations."""

    def write(
        self, out: Path, count: int, seed: int, level: str, tell: Callable[[Path], None]
    ) -> Sequence[Path]:
        """What ``stationmaster studio`` does: so many photographs, each with its truth as JSON beside it."""

    def picture(self, state: S_contra, number: int) -> bytes:
        """What the demonstration's camera sees of a match, as JPEG; ``number`` makes pictures differ."""


def find_studio(name: str) -> Studio[Any]:
    """The studio of the game called ``name``: part of the project's sources, not of an installation."""
    face = find_package(name).studio
    if not face:
        having = " or ".join(package.name for package in packages().values() if package.studio)
        raise NotationError("no-studio", f"the studio has no sheets of {quoted(name)}: choose {having}")
    try:
        studio: Studio[Any] = loaded(face)
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != "lab":
            raise
        message = "the studio is not installed: take the project's sources and start them there with make run"
        raise NotationError("no-studio", message) from problem
    return studio
