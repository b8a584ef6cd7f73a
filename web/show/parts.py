"""The pieces a game shows itself with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from flask import Blueprint
from markupsafe import Markup

from companion.games.contract import Plain
from companion.table.seats import Player
from web.speaking import spoken

S_contra = TypeVar("S_contra", contravariant=True)  # the state of the game's rules


@dataclass(frozen=True)
class Die:
    """One die as it lies: its face as a picture, and what a person would call it."""

    picture: Markup
    words: str


@dataclass(frozen=True)
class ScoreLine:
    """One thing that counts: why, how much (None: a remark), and the cells behind it."""

    says: str
    points: int | None
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScoreRow:
    """A line of the score sheet. The rows are always the same, so nothing jumps when numbers change.

    What ``counts`` not is a number to keep in mind, and not in the total.
    """

    name: str
    points: int
    lines: tuple[ScoreLine, ...] = ()
    short: str = ""  # its name on the table's screen, where there is little room
    counts: bool = True


@dataclass(frozen=True)
class Aside:
    """Something beside the boards that everybody may see: a goal, a card, an order."""

    title: str
    says: str
    points: tuple[tuple[int, int], ...] | None = ()  # (seat, points); None: nobody can win it


@dataclass(frozen=True)
class Controls:
    """What can be done now: a template of the game's own, as ``<game>/<name>.html``, and what it needs."""

    template: str
    told: Plain


Box: TypeAlias = tuple[float, float, float, float]  # left, top, width, height


@dataclass(frozen=True)
class PhotoSheet:
    """How a photographed sheet is shown, and what its slots and marks are called.

    Without a ``view`` the picture comes with what was read drawn on it, and doubts are asked in words alone.
    """

    view: Box | None = None  # what the picture from above shows, in the units of the slots
    slots: Mapping[str, Box] = field(default_factory=dict)
    sheet: str = "The sheet"
    entered: tuple[str, str] = ("Entered: {n} new mark", "Entered: {n} new marks")  # one of them, and more
    size: tuple[float, float] = (100, 100)  # of the symbol that draws a mark, found by its ``data-mark``
    look: str = "mark"  # the class of that drawing
    asks: str = "What is in"
    none: str = "Nothing new is there"
    corners: str = ""  # where four corners are dragged on a sheet without tags; empty: nowhere
    teachable: bool = False  # can an empty sheet of the owner's own be taught?


@dataclass(frozen=True)
class EditorLink:
    """A link beside one of the game's options on the host's page, to where that option is edited."""

    option: str
    says: str
    address: str


class Show(Protocol[S_contra]):
    """How one game is drawn and said: the page face of its package.

    Style sheets and scripts are named as ``<game>/<file>``: the files lie in ``static/`` beside the module.
    Further protocols below are what a show may be able to do besides; each is asked for with ``isinstance``.
    """

    @property
    def sprite(self) -> Markup:
        """Symbols that every drawing on the page refers to; once a page."""

    def headline(self, view: Plain) -> str:
        """Where the match stands, in a few words."""

    def status(self, view: Plain, names: Mapping[int, str]) -> str:
        """Who or what is awaited; ``names`` by seat."""

    def dice(self, view: Plain) -> list[Die]:
        """The dice on the table; empty before a roll."""

    def blank_dice(self, view: Plain) -> int:
        """How many dice will be rolled, to keep their places free."""

    def board(self, view: Plain, seat: int, name: str) -> Markup:
        """A seat's own board as a picture; empty where everybody plays on one."""

    def board_words(self, view: Plain, seat: int) -> list[tuple[str, str]]:
        """The same board in words: (heading, text) pairs."""

    def shared_board(self, view: Plain, players: Mapping[int, Player]) -> Markup:
        """The one board of all; empty where everybody has a board."""

    def shared_words(self, view: Plain, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """The one board in words: (heading, text) pairs."""

    def beside_board(self, view: Plain, seat: int) -> Markup:
        """What belongs under the board: special routes, hands, money."""

    def score_rows(self, row: Plain) -> list[ScoreRow]:
        """A seat's score, explained."""

    def position_rows(self, position: Plain) -> list[ScoreRow]:
        """The same for a board without a match, in the game's notation."""

    def controls(self, state: S_contra, seat: int) -> Controls:
        """What this seat may do now."""

    @property
    def style_sheet(self) -> str:
        """A style sheet for the pages of this game only; empty for none."""

    @property
    def board_script(self) -> str:
        """A script for every page with the board; empty for none."""

    @property
    def play_script(self) -> str:
        """The script of the game's own controls."""

    @property
    def play_sprite(self) -> Markup:
        """More symbols, for drawing on the page."""

    def rematch_options(self, setup: Plain, scores: Sequence[Plain]) -> Plain:
        """The options with which the same match begins anew, all drawn again.

        ``scores``: how it went for those who play again: ``seat`` is theirs in the new match, ``was`` in
        the old one.
        """

    def event_words(self, kind: str, data: Plain) -> str:
        """Something that happened, as it follows a name in the timeline."""

    @property
    def asides_title(self) -> str:
        """The heading over the asides."""

    def asides(self, view: Plain) -> list[Aside]:
        """Goals and the like."""


@runtime_checkable
class Grounded(Protocol[S_contra]):
    """A show whose one board is large: what never changes lies under it once a page, to be moved and zoomed.

    Its ``shared_board`` is only what lies on top and changes.
    """

    def ground(self, state: S_contra) -> Markup:
        """What lies under the one board of all in this match."""

    def beside_shared(self, view: Plain, players: Mapping[int, Player]) -> Markup:
        """What belongs beside the one board: who is who on it, how the match went so far."""


@runtime_checkable
class Photographed(Protocol):
    """A show of a game whose sheets are photographed, and drawn over their photographs."""

    @property
    def photo_sheet(self) -> PhotoSheet:
        """The sheet of a seat."""


def photo_sheet_of(show: object) -> PhotoSheet:
    """The show's own, or one that every game can have, in the reader's language."""
    sheet = show.photo_sheet if isinstance(show, Photographed) else PhotoSheet()
    return replace(
        sheet,
        sheet=spoken(sheet.sheet),
        entered=(spoken(sheet.entered[0]), spoken(sheet.entered[1])),
        asks=spoken(sheet.asks),
        none=spoken(sheet.none),
        corners=spoken(sheet.corners),
    )


@runtime_checkable
class Facing(Protocol):
    """A show that draws each face of the game's dice, for people who enter what their own dice show."""

    def face(self, face: str) -> Die:
        """A face as a picture, and what a person would call it."""


@runtime_checkable
class Throwing(Protocol[S_contra]):
    """A show whose dice are drawn from little: they are told to every phone the moment they lie."""

    def dice_view(self, state: S_contra) -> Plain:
        """What `dice` and `blank_dice` need of the view, without its boards and scores."""


@runtime_checkable
class Foreseeing(Protocol):
    """A show that says what follows from a step before it is confirmed."""

    def foreseen(self, before: Plain, after: Plain, seat: int, players: Mapping[int, Player]) -> list[str]:
        """Sentences for that seat: what is gained and lost, by whom."""


@runtime_checkable
class Editing(Protocol):
    """A show with pages for the owner, on which options of the game that are whole files are edited."""

    @property
    def editor(self) -> Blueprint:
        """The routes of these pages, with their whole addresses, below ``/host/``."""

    @property
    def editor_links(self) -> Sequence[EditorLink]:
        """How the host's page leads there."""


@runtime_checkable
class QuickScoring(Protocol):
    """A show of a game whose boards can be entered and counted without a match."""

    def quick(self) -> Controls:
        """An empty board to enter one on; the game's ``play_script`` finds ``data-page="quick"``."""


@runtime_checkable
class Plainspoken(Protocol[S_contra]):
    """A show of a game whose rules call places by names that only files use."""

    def plain(self, words: str, state: S_contra) -> str:
        """A sentence of the rules with such places in words."""


@runtime_checkable
class Awaiting(Protocol):
    """A show of a game in which others are awaited than just the seat called ``turn`` in the view."""

    def awaited(self, view: Plain) -> list[int]:
        """The seats for which the others wait now."""


@runtime_checkable
class Celebrating(Protocol):
    """A show of a game in which some of the things that happen are announced to everybody."""

    @property
    def feats(self) -> frozenset[str]:
        """The kinds of events that are; :meth:`Show.event_words` says them."""

    def event_words(self, kind: str, data: Plain) -> str:
        """As in :class:`Show`."""


class OnScreen(Protocol):
    """A show with a file for the table's screen only, which no phone has to fetch."""

    @property
    def screen_sheet(self) -> str:
        """A style sheet, after the one for every page."""


@runtime_checkable
class Counting(Protocol):
    """A show of a game that is not won by points."""

    @property
    def unit(self) -> str:
        """What the totals count, as a heading: Millions, say."""

    def amount(self, total: int) -> str:
        """A total in words: 1 million, say."""
