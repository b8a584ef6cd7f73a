"""What a game's faces promise to whoever hosts them, beside the rules (:mod:`companion.games.contract`).

The page's face is a :class:`web.show.parts.Show`; paper, eye and studio are here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from companion.games.contract import Plain
from companion.games.kit.drawing import Drawing, Point, Quad
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import PhotoReading, SheetReading, SlotReading
from companion.games.kit.grid import quoted
from companion.games.kit.printing.paper import Leaf, PaperName
from companion.games.kit.sheet import Sheet
from companion.games.packages import find_package, loaded, packages
from companion.games.sight import Corners, FoundPosition, Overlay, Scope, SeatAnswer, View, Wish

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]  # pixels, blue first

S_contra = TypeVar("S_contra", contravariant=True)  # the state of the game's rules
DECK_ENDING = ".deck.json"  # of the file of a taught deck; boards end in .json alone
DECK_ORDER = "deck-order"  # the part of a game's sheets that shows how cards are laid to teach a deck
T = TypeVar("T", bound=SheetReading[SlotReading])  # a sheet as the game's reader has read it
T_contra = TypeVar("T_contra", bound=SheetReading[SlotReading], contravariant=True)


class GameSheets(Protocol):
    """The printable things of one game. The first part is the one that gets photographed."""

    title: str
    parts: Sequence[str]
    editions: Sequence[str]

    def leaves(self, part: str, edition: str, paper: PaperName) -> list[Leaf]:
        """A part laid out on paper, each page with what is printed behind it."""

    def sheet(self, seat: int, edition: str) -> Drawing:
        """One blank sheet to be photographed."""

    def layout(self, seat: int, edition: str, dpi: float) -> Plain:
        """Where everything is on that sheet, in millimetres and in pixels."""

    def photographed(self) -> Sequence[Sheet]:
        """Every sheet of this game that may lie in a photograph: what readers look for by its tags."""


@runtime_checkable
class DeckOrdered(GameSheets, Protocol):
    """Sheets that print (the part :data:`DECK_ORDER`) how a deck's cards are laid to be taught."""

    def deck_photographs(self, edition: str) -> int:
        """How many photographs the order of an edition has."""


@runtime_checkable
class OwnParts(Protocol):
    """Sheets that print what an owner describes in the part's name, besides the parts that are listed."""

    def own_part(self, part: str) -> bool:
        """Is this such a part? One that is badly described is a :class:`NotationError`."""


@runtime_checkable
class Segmented(Protocol):
    """Sheets of a game whose reader finds an owner's genuine board once it is taught: where track lies on it.

    ``described_by`` is the option with which an owner describes a board of another print.
    """

    described_by: str

    def segments(self, text: str) -> tuple[Point, Mapping[str, Quad]]:
        """The size of the printed plane in mm, and every segment's corners on it.

        ``text`` is the owner's description, empty for a print like ours.
        """


class Studio(Protocol[S_contra]):
    """Photographs that nobody took, with the truth beside them: for tests, training and demonstrations."""

    def write(
        self, out: Path, count: int, seed: int, level: str, tell: Callable[[Path], None]
    ) -> Sequence[Path]:
        """What ``stationmaster studio`` does: so many photographs, each with its truth as JSON beside it."""

    def picture(self, state: S_contra, number: int) -> bytes:
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


class Known(Protocol[T_contra]):
    """What is known beside a photograph without a match: the dice of the round, the position before."""

    def after(self, before: Plain) -> Known[T_contra]:
        """The same with the position before: in notation, or an earlier line of ``read --json``."""

    def told(self, reading: PhotoReading[T_contra]) -> Told:
        """A photograph with the rules' answer, as far as anything is known that they may use."""


class Reader(Protocol[S_contra, T]):
    """A game's eye: from a photograph to what its rules make of it.

    Reading knows no rules and is done once a photograph, for every sheet in it; ruling is asked for a seat,
    again and again if need be. What cannot be read raises :class:`~vision.errors.VisionError`, what makes no
    sense to the game :class:`~companion.games.kit.errors.GameError`, each with one sentence for people.
    """

    def read(self, photo: bytes | Image, wish: Wish) -> PhotoReading[T]:
        """Find and read every sheet of the game in a photograph: packed bytes, or pixels (blue first)."""

    def view(self, reading: PhotoReading[T]) -> View:
        """Which sheets are in the picture and how it could be better."""

    # in a match

    def seats(self, state: S_contra) -> Sequence[int]:
        """The seats for which a picture of the whole table is read."""

    def wish(
        self, state: S_contra, seat: int | None, corners: Corners | None, taught: Sequence[Path]
    ) -> Wish:
        """What the match tells about a photograph of a seat's sheet, or (no seat) of the whole table.

        Of ``taught`` files only those that serve this match are wished for: other games' may be among them.
        """

    def answer(
        self, reading: PhotoReading[T], state: S_contra, seat: int, answers: Mapping[str, str], photo: str
    ) -> SeatAnswer[T]:
        """Rule on a seat's sheet; ``answers`` settle doubtful slots, ``photo`` is named in the action."""

    def above(self, image: Image, sheet: T) -> Image:
        """The sheet cut out of the photograph and seen from above, as the page lays it under its drawing."""

    def drawn(self, above: Image, sheet: T, ruling: Plain | None) -> Image:
        """That picture with what was ruled drawn on it, for pages that do not draw it themselves."""

    # without a match

    def known(self, wish: Wish, rolled: str | None) -> Known[T]:
        """What was told beside the photographs; what makes no sense for this game is a NotationError."""


@runtime_checkable
class Narrowing(Protocol):
    """A :class:`Known` that makes reading itself easier: the position before tells what may be there."""

    def narrowed(self, wish: Wish) -> Wish:
        """The wish with what is known."""


@runtime_checkable
class Expanding(Protocol):
    """A reader of a game with expansions: ``Wish.expansion`` is one of these, or empty."""

    expansions: Sequence[str]


@runtime_checkable
class Scoring(Protocol[T]):
    """A reader that finds whole positions, which can be scored without any match."""

    def positions(self, reading: PhotoReading[T]) -> Sequence[FoundPosition[T]]:
        """Every finished board in a photograph."""


@runtime_checkable
class Scoped(Protocol[S_contra, T]):
    """A reader of a board of all: it can be asked about one turn, or about everything that lies there."""

    def answer_about(
        self,
        scope: Scope,
        reading: PhotoReading[T],
        state: S_contra,
        seat: int,
        answers: Mapping[str, str],
        photo: str,
    ) -> SeatAnswer[T]:
        """As :meth:`Reader.answer`, which asks about what is usual in the match."""


@runtime_checkable
class Overlaid(Protocol[T_contra]):
    """A reader of a sheet with thousands of slots: a page is told of those that matter, and draws them."""

    def overlay(self, sheet: T_contra, ruling: Plain) -> Overlay:
        """The slots that are new, in doubt or gone."""


@runtime_checkable
class Joining(Protocol[T]):
    """A reader whose sheets need not fit into one photograph: see :mod:`companion.games.kit.joining`."""

    def joined(self, readings: Sequence[PhotoReading[T]]) -> PhotoReading[T]:
        """Several photographs of one table as one reading."""


@runtime_checkable
class Lending(Protocol[S_contra, T_contra]):
    """A reader that knows again in a match what earlier photographs of it showed.

    How it keeps that is its own business; it comes back as :attr:`Wish.lent`.
    """

    def shown(self, image: Image, sheet: T_contra, ruling: Plain, settled: Collection[str]) -> object:
        """What a photograph shows whose ruling was accepted; somebody ``settled`` these slots."""

    def lent(self, before: Any, shown: Any, state: S_contra) -> object | None:
        """What was lent before, with what was shown and the match has kept since."""


@runtime_checkable
class Teachable(Protocol):
    """A reader that can learn how an empty board of the owner's own looks."""

    def teach(self, path: Path, image: Image, wish: Wish) -> str:
        """Learn the empty board at the corners of the wish; the file is then for :attr:`Wish.taught`.

        What comes back is a sentence for its owner, such as that it will hardly be found again; or nothing.
        """


@runtime_checkable
class DeckTeachable(Protocol):
    """A reader that can learn a deck of the owner's own, photograph by photograph.

    The cards are laid in an order that the game prints (the part :data:`DECK_ORDER` of its sheets).
    """

    def teach_deck(self, path: Path, number: int, image: Image, wish: Wish) -> str:
        """Learn the cards of the photograph with this ``number``, from 1, into a file of :data:`DECK_ENDING`.

        What comes back is a sentence for its owner, or nothing.
        """


def serving(reader: object, taught: Sequence[Path]) -> tuple[Path, ...]:
    """Of the files of what was taught those that this reader may use: decks, or boards."""
    decks = isinstance(reader, DeckTeachable)
    return tuple(path for path in taught if path.name.endswith(DECK_ENDING) == decks)


def segmented_sheets() -> dict[str, Segmented]:
    """The paper faces of the games whose genuine boards are taught with segments, by the game's name."""
    faces = {package.name: loaded(package.paper) for package in packages().values() if package.paper}
    return {name: face for name, face in faces.items() if isinstance(face, Segmented)}


def games_with_decks() -> dict[str, DeckOrdered]:
    """The paper faces of the games whose decks can be taught, by the game's name."""
    faces = {package.name: loaded(package.paper) for package in packages().values() if package.paper}
    return {name: face for name, face in faces.items() if isinstance(face, DeckOrdered)}


def games_with_eyes() -> list[str]:
    """The games whose boards can be read from photographs, by name."""
    return [package.name for package in packages().values() if package.eye]


def find_reader(name: str) -> Reader[Any, Any]:
    """The eye of a game; only processes that read photographs ask for one, because it loads networks."""
    package = packages().get(name)
    if package is None or not package.eye:
        message = f"photographs of {quoted(name)} cannot be read: choose {' or '.join(games_with_eyes())}"
        raise NotationError("not-readable", message)
    reader: Reader[Any, Any] = loaded(package.eye)
    return reader


def check_is_empty_board(photo: Image, teacher: object) -> None:
    """Refuse a photograph that is to teach a board and shows the sheets or cards of another game.

    What is taught from it would never be found again, and nobody would know why.
    """
    for name in games_with_eyes():
        reader = find_reader(name)
        if type(reader) is not type(teacher) and reader.read(photo, Wish()).sheets:
            title = find_package(name).title
            message = f"the photograph shows a table of {quoted(title)}: teach from one of the empty board"
            if isinstance(reader, DeckTeachable):
                message = (
                    f"the photograph shows cards of {quoted(title)}, and no empty board: a deck of your own"
                    " is taught with teach-deck"
                )
            raise NotationError("not-a-board", message)


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
