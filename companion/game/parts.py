"""What the parts of a game promise to whoever hosts them: what it prints, and its studio.

The rules are in :mod:`companion.game.base`, the reader is a :class:`companion.reading.base.Reader`, the
page is a :class:`web.ui.parts.Presenter`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from companion.game.base import Action
from companion.sheets.drawing import Point, Quad
from companion.sheets.printing.paper import Leaf, PaperName
from companion.sheets.sheet import Sheet
from companion.sheets.tags import SEATS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]  # pixels, blue first

S = TypeVar("S")  # the state of the game's rules
DECK_ENDING = ".deck.json"  # of the file of a taught deck; boards end in .json alone
DECK_ORDER = "deck-order"  # the part of a game's sheets that shows how cards are laid to teach a deck


class Printables(ABC):
    """The printable things of one game. The first part is the one that gets photographed."""

    title: str
    parts: Sequence[str]
    editions: Sequence[str]

    @abstractmethod
    def leaves(self, part: str, edition: str, paper: PaperName) -> list[Leaf]:
        """A part laid out on paper, each page with what is printed behind it."""

    @abstractmethod
    def sheet(self, seat: int, edition: str) -> Sheet:
        """The sheet of a seat that gets photographed; where all share one, that with the seat's number."""

    def photographed(self) -> Sequence[Sheet]:
        """Every sheet of this game that may lie in a photograph: what readers look for by its tags."""
        return [self.sheet(seat, edition) for edition in self.editions for seat in range(1, SEATS + 1)]

    words: Mapping[str, str] = {}  # parts and editions, spaces for their hyphens, as people read them

    def part_words(self, part: str) -> str:
        """What people call a part; its own name where :attr:`words` has none."""
        name = part.replace("-", " ")
        return self.words.get(name, name)

    def edition_words(self, edition: str) -> str:
        """What people call an edition."""
        return self.part_words(edition)

    def own_part(self, part: str) -> bool:
        """Return True if this name is a part that an owner has described and that can be printed, too.

        Raises :class:`~companion.core.errors.NotationError` for a bad description.
        """
        return False

    def deck_photographs(self, edition: str) -> int:
        """How many photographs the order of an edition's deck has, where :data:`DECK_ORDER` is a part."""
        raise NotImplementedError

    # Where the reader finds an owner's genuine board once it is taught as segments, the option with which
    # boards of another print are described.
    described_by = ""

    def segments(self, text: str) -> tuple[Point, Mapping[str, Quad]]:
        """The size of the printed plane in mm, and the corners on it of every segment where track lies.

        ``text`` is the owner's description, empty for a print like ours.
        """
        raise NotImplementedError


class FilmPicture(Protocol):
    """One frame of a film."""

    def small(self) -> Image:
        """The frame as a table is followed, blue first."""

    def whole(self) -> Image:
        """The frame as the camera has it, blue first."""


class StudioFilm(ABC, Generic[S]):
    """A film of a match: people who draw, or lay, what they are told."""

    frame_rate: float  # a second

    @abstractmethod
    def play(self, state: S, turns: Mapping[int, Sequence[Action]]) -> None:
        """Everybody begins with a turn from this state, by seat."""

    @abstractmethod
    def next(self) -> FilmPicture:
        """Go on by one frame; it has to be looked at before the next one is asked for, if at all."""


class Studio(ABC, Generic[S]):
    """Photographs that nobody took, with the truth beside them: for tests, training and demonstrations."""

    @abstractmethod
    def write(
        self, out: Path, count: int, seed: int, level: str, tell: Callable[[Path], None]
    ) -> Sequence[Path]:
        """What ``stationmaster studio`` does: so many photographs, each with its truth as JSON beside it."""

    @abstractmethod
    def picture(self, state: S, number: int) -> bytes:
        """What the demonstration's camera sees of a match, as JPEG; ``number`` makes pictures differ."""

    def film(self, state: S) -> StudioFilm[S] | None:
        """What a camera that stands over the demonstration sees from here on; None where there is no film."""
        return None
