"""What the parts of a game promise to whoever hosts them: what it prints, its reader and its studio.

The rules are in :mod:`companion.games.contract`, the page is a :class:`web.ui.parts.Presenter`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from companion.games.contract import Plain
from companion.games.kit.drawing import Point, Quad
from companion.games.kit.evidence import PhotoReading, SheetReading, SlotReading
from companion.games.kit.printing.paper import Leaf, PaperName
from companion.games.kit.sheet import Sheet
from companion.games.kit.tags import SEATS
from companion.games.sight import Corners, FoundPosition, Overlay, Scope, SeatAnswer, View, Wish

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]  # pixels, blue first

S = TypeVar("S")  # the state of the game's rules
DECK_ENDING = ".deck.json"  # of the file of a taught deck; boards end in .json alone
DECK_ORDER = "deck-order"  # the part of a game's sheets that shows how cards are laid to teach a deck
T = TypeVar("T", bound=SheetReading[SlotReading])  # a sheet as the game's reader has read it


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

    def own_part(self, part: str) -> bool:
        """Does an owner describe something in this name that can be printed, too?

        What is badly described is a :class:`~companion.games.kit.errors.NotationError`.
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


class Told(Protocol):
    """One photograph as ``stationmaster read`` tells it, with the rules' answer where they were asked."""

    @property
    def refused(self) -> bool:
        """Is something on a sheet against the rules?"""

    def as_json(self, photo: str) -> Plain:
        """The line of ``--json`` for the photograph called so."""

    def lines(self, photo: str) -> Iterator[str]:
        """The same for people."""

    def overlay(self, image: Image) -> Image:
        """The photograph with everything that was read drawn on it."""


class Context(ABC, Generic[T]):
    """What is known beside a photograph without a match: the dice of the round, the position before."""

    @abstractmethod
    def after(self, before: Plain) -> Context[T]:
        """The same with the position before: in notation, or an earlier line of ``read --json``."""

    @abstractmethod
    def told(self, reading: PhotoReading[T]) -> Told:
        """A photograph with the rules' answer, as far as anything is known that they may use."""

    def narrowed(self, wish: Wish) -> Wish:
        """The wish with what makes reading itself easier: the position before tells what may be there."""
        return wish


class Reader(ABC, Generic[S, T]):
    """A game's eye: from a photograph to what its rules make of it.

    Reading knows no rules and is done once a photograph, for every sheet in it; ruling is asked for a seat,
    again and again if need be. What cannot be read raises :class:`~vision.errors.VisionError`, what makes no
    sense to the game :class:`~companion.games.kit.errors.GameError`, each with one sentence for people.

    What is abstract every reader says; what it may leave out has a default, and an attribute beside it where
    the house has to know beforehand. ``S`` is the state of the game's rules, ``T`` a sheet as it was read.
    """

    @abstractmethod
    def read(self, photo: bytes | Image, wish: Wish) -> PhotoReading[T]:
        """Find and read every sheet of the game in a photograph: packed bytes, or pixels (blue first)."""

    @abstractmethod
    def view(self, reading: PhotoReading[T]) -> View:
        """Which sheets are in the picture and how it could be better."""

    @abstractmethod
    def above(self, image: Image, sheet: T, /) -> Image:
        """The sheet cut out of the photograph and seen from above, as the page lays it under its drawing."""

    def drawn(self, above: Image, sheet: T, ruling: Plain | None, /) -> Image:
        """That picture with what was ruled drawn on it, for pages that do not draw it themselves."""
        return above

    def overlay(self, sheet: T, ruling: Plain, /) -> Overlay | None:
        """Of a sheet with thousands of slots what is new, in doubt or gone: the page draws it itself."""
        return None

    joins_photos = False  # need sheets not fit into one photograph? See companion.games.kit.joining

    def joined(self, readings: Sequence[PhotoReading[T]]) -> PhotoReading[T]:
        """Several photographs of one table as one reading."""
        raise NotImplementedError

    # in a match

    @abstractmethod
    def seats(self, state: S) -> Sequence[int]:
        """The seats for which a picture of the whole table is read."""

    def wish(self, state: S, seat: int | None, corners: Corners | None, taught: Sequence[Path]) -> Wish:
        """What the match tells about a photograph of a seat's sheet, or (no seat) of the whole table.

        Of ``taught`` files only those that serve this match are wished for: other games' may be among them.
        """
        return Wish(corners=corners)

    @abstractmethod
    def answer(
        self,
        reading: PhotoReading[T],
        state: S,
        seat: int,
        answers: Mapping[str, str],
        photo: str,
        scope: Scope = "",
        /,
    ) -> SeatAnswer[T]:
        """Rule on a seat's sheet; ``answers`` settle doubtful slots, ``photo`` is named in the action.

        ``scope`` is for a board of all: one turn, or everything that lies there.
        """

    remembers = False  # does it know again in a match what earlier photographs of it showed?

    def shown(self, image: Image, sheet: T, ruling: Plain, settled: Collection[str], /) -> object:
        """What a photograph shows whose ruling was accepted, as the reader keeps it.

        Somebody ``settled`` these slots.
        """
        raise NotImplementedError

    def lent(self, before: Any, shown: Any, state: S) -> object | None:
        """What comes back as :attr:`Wish.lent`: that of ``before``, and what was shown and the match kept."""
        raise NotImplementedError

    # without a match

    expansions: Sequence[str] = ()  # Wish.expansion is one of these, or empty

    @abstractmethod
    def known(self, wish: Wish, rolled: str | None) -> Context[T]:
        """What was told beside the photographs; what makes no sense for this game is a NotationError."""

    finds_positions = False  # whole ones, which can be scored without any match

    def positions(self, reading: PhotoReading[T]) -> Sequence[FoundPosition[T]]:
        """Every finished board in a photograph."""
        raise NotImplementedError

    # boards and decks of the owner's own; what is learnt goes into a file for :attr:`Wish.taught`

    learns_boards = False

    def teach(self, path: Path, image: Image, wish: Wish) -> str:
        """Learn the empty board at the corners of the wish.

        What comes back is a sentence for its owner, such as that it will hardly be found again; or nothing.
        """
        raise NotImplementedError

    learns_decks = False

    def teach_deck(self, path: Path, number: int, image: Image, wish: Wish) -> str:
        """Learn the cards of the photograph with this ``number``, from 1, into a file of :data:`DECK_ENDING`.

        They are laid in an order that the game prints (the part :data:`DECK_ORDER` of its sheets). What comes
        back is a sentence for its owner, or nothing.
        """
        raise NotImplementedError
