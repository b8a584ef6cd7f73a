"""The presenter interface: the parts of which a game's page consists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from flask import Blueprint

from companion.core.jsontext import JsonObject
from companion.core.messages import m, nm, sentence
from companion.game.base import Action, Game
from companion.sheets.drawing import Drawing
from companion.table.seats import Player
from web.ui.lessons import Lesson
from web.ui.speaking import Markup, spoken

S = TypeVar("S")  # the state of the game's rules


@dataclass(frozen=True)
class Die:
    """One die as it lies: its face as a picture, and what a person would call it."""

    picture: Markup
    words: str


_PIPS = {  # where the pips of an ordinary die are, in thirds
    "1": ((1, 1),),
    "2": ((0, 0), (2, 2)),
    "3": ((0, 0), (1, 1), (2, 2)),
    "4": ((0, 0), (2, 0), (0, 2), (2, 2)),
    "5": ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    "6": ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}


def plain_face(face: str) -> Die:
    """A face of any die: pips where they are numbers up to six, else what is printed on it."""
    if face not in _PIPS:
        return _lettered(face)
    pips = Markup("").join(
        Markup('<circle cx="{}" cy="{}" r="9"/>').format(24 + 26 * x, 24 + 26 * y) for x, y in _PIPS[face]
    )
    drawn = Markup('<svg class="die pips" viewBox="0 0 100 100" aria-hidden="true">{}</svg>').format(pips)
    return Die(drawn, face)


def _lettered(face: str) -> Die:
    return Die(Markup('<b class="die face">{}</b>').format(face), face)


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
    cells: Mapping[int, tuple[str, ...]] = field(
        default_factory=dict
    )  # what won it, on the board of each seat


@dataclass(frozen=True)
class Milestone:
    """Something that has been reached and that everybody should notice, once: by its ``key``."""

    key: str
    seat: int  # 0: nobody's in particular
    says: str  # as it follows the seat's name, if it has one
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Controls:
    """What can be done now: a template of the game's own, as ``<game>/<name>.html``, and what it needs."""

    template: str
    told: JsonObject


Box: TypeAlias = tuple[float, float, float, float]  # left, top, width, height


@dataclass(frozen=True)
class PhotoSheet:
    """How a photographed sheet is shown, and what its slots and marks are called.

    Without a ``view`` the picture comes with what was read drawn on it, and doubts are asked in words alone.
    """

    view: Box | None = None  # what the picture from above shows, in the units of the slots
    slots: Mapping[str, Box] = field(default_factory=dict)
    sheet: str = m("The sheet")
    entered: tuple[str, str] = (m("Entered: {n} new mark"), m("Entered: {n} new marks"))  # one, and more
    size: tuple[float, float] = (100, 100)  # of the symbol that draws a mark, found by its ``data-mark``
    look: str = "mark"  # the class of that drawing
    asks: str = m("What is in")
    none: str = m("Nothing new is there")
    corners: str = ""  # where four corners are dragged on a sheet without tags; empty: nowhere
    teachable: bool = False  # can an empty sheet of the owner's own be taught?


@dataclass(frozen=True)
class EditorLink:
    """A link beside one of the game's options on the host's page, to where that option is edited."""

    option: str
    says: str
    address: str


_NOT_SCORES = ("seat", "place", "total")


def action_words(action: Action) -> str:
    """What is done, and what goes with it."""
    told = ", ".join(f"{key} {value}" for key, value in action.data.items())
    return f"{action.kind} {told}".strip()


class Presenter(ABC, Generic[S]):
    """How one game is drawn and said: the page of its package.

    It turns what ``game.view`` and ``game.score`` say into markup and sentences, and decides nothing. What is
    not abstract has a default that does for many games. Style sheets and scripts are named as
    ``<game>/<file>``: the files lie in ``static/`` beside the module. ``S`` is the state of the game's rules.
    """

    style_sheet = ""  # for the pages of this game only
    screen_sheet = ""  # for the table's screen only, after the one for every page: no phone has to fetch it
    board_script = ""  # for every page with the board
    play_script = "actions.js"  # of the game's own controls
    cover = ""  # a picture of the game, for whoever chooses one: 320 by 180, drawn by us
    minutes: tuple[int, int] | None = None  # how long a match usually takes

    @property
    def sprite(self) -> Markup:
        """Symbols that every drawing on the page refers to; once a page."""
        return Markup("")

    @property
    def play_sprite(self) -> Markup:
        """More symbols, for drawing on the page."""
        return Markup("")

    # how it stands

    def title(self, game: Game[S], view: JsonObject) -> str:
        """What is played, above a match."""
        return game.title

    def headline(self, view: JsonObject) -> str:
        """Summarise the state of the match in a few words."""
        return m("Round {view}", view=view["round"]) if "round" in view else m("Match under way")

    def status(self, view: JsonObject, names: Mapping[int, str]) -> str:
        """Say who or what is awaited; ``names`` by seat."""
        turn = view.get("turn")
        return m("{turn}'s turn", turn=names[turn]) if isinstance(turn, int) and turn in names else ""

    def awaited(self, view: JsonObject) -> list[int]:
        """The seats for which the others wait now."""
        turn = view.get("turn")
        return [turn] if isinstance(turn, int) else []

    # dice

    def dice(self, view: JsonObject) -> list[Die]:
        """The dice on the table; empty before a roll."""
        return [_lettered(str(face)) for face in view.get("dice", [])]

    def blank_dice(self, view: JsonObject) -> int:
        """How many dice will be rolled, to keep their places free."""
        return 0

    def dice_view(self, state: S) -> JsonObject | None:
        """What `dice` and `blank_dice` need of the view, without its boards and scores; None: all of it.

        With it a roll is told to every phone the moment it lies.
        """
        return None

    die_names: Mapping[str, str] = {}  # of the game's kinds of dice, as people read them

    def face(self, face: str) -> Die:
        """A face as a picture, and what a person would call it: for people who enter what their dice show."""
        return plain_face(face)

    # boards

    def board(self, view: JsonObject, seat: int, name: str) -> Markup:
        """A seat's own board as a picture; empty where everybody plays on one."""
        return Markup("")

    def board_words(self, view: JsonObject, seat: int) -> list[tuple[str, str]]:
        """Describe a seat's own board in words, as (heading, text) pairs."""
        return []

    def beside_board(self, view: JsonObject, seat: int) -> Markup:
        """Return what is shown under the board: special routes, hands, money."""
        return Markup("")

    def ground(self, state: S) -> Markup:
        """What never changes of a large board of all: it lies under it once a page, to be moved and zoomed.

        `shared_board` then is only what lies on top and changes.
        """
        return Markup("")

    def shared_board(self, view: JsonObject, players: Mapping[int, Player]) -> Markup:
        """The one board of all; empty where everybody has a board."""
        return Markup("")

    def shared_words(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """The one board in words: (heading, text) pairs."""
        return []

    def beside_shared(self, view: JsonObject, players: Mapping[int, Player]) -> Markup:
        """What belongs beside a board with a `ground`: who is who on it, how the match went so far."""
        return Markup("")

    def drawn_boards(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[int, Drawing]]:
        """Every seat's board, or with seat 0 the one of all, for the picture of a finished match."""
        return []

    def on_turn(self, view: JsonObject, seat: int) -> Markup:
        """What everybody may see of whoever's turn it is, for the table's screen: open cards, orders."""
        return Markup("")

    asides_title: str = m("On the table")

    def asides(self, view: JsonObject) -> list[Aside]:
        """Return what is shown beside the boards, such as goals."""
        return []

    @property
    def photo_sheet(self) -> PhotoSheet:
        """How the sheet of a seat is drawn over its photograph."""
        return PhotoSheet()

    def mark_words(self, mark: str) -> str:
        """What people call a mark in a slot, where somebody is asked about one."""
        return mark or m("nothing")

    def mark_picture(self, mark: str) -> Markup:
        """The mark as it is drawn, beside those words; empty where words do."""
        return Markup("")

    def milestone(self, view: JsonObject) -> str:
        """What everybody should hear of how far the match is, such as that the last round begins."""
        return ""

    # score

    unit: str = m("Points")

    def amount(self, total: int) -> str:
        """Return a total with its unit, in words."""
        return nm("{n} point", "{n} points", total)

    row_names: Mapping[str, str] = {}  # of the numbers in a seat's score, as people read them

    def score_rows(self, row: JsonObject) -> list[ScoreRow]:
        """A seat's score, explained: every number of it, and its lines under the total."""
        numbers = [
            ScoreRow(sentence(self.row_names.get(key, key.replace("_", " "))), value)
            for key, value in row.items()
            if isinstance(value, int) and not isinstance(value, bool) and key not in _NOT_SCORES
        ]
        lines = tuple(ScoreLine(line, None) for line in row.get("lines", ()))
        return [*numbers, ScoreRow(m("Why"), row["total"], lines)]

    @abstractmethod
    def position_rows(self, position: JsonObject) -> list[ScoreRow]:
        """Explain the score of a board outside a match, given as a position in the game's notation."""

    def position_board(self, position: JsonObject, label: str) -> Markup:
        """A board outside a match as a picture, given as a position."""
        return Markup("")

    def quick(self) -> Controls | None:
        """An empty board to enter one on without a match; the ``play_script`` finds ``data-page="quick"``."""
        return None

    # what is done, and was

    @abstractmethod
    def controls(self, state: S, seat: int) -> Controls:
        """Return the controls for what this seat may do now."""

    def foreseen(self, before: S, after: S, seat: int, players: Mapping[int, Player]) -> list[str]:
        """Sentences for a seat before it confirms a step: what is gained and lost by it, by whom."""
        return []

    def event_words(self, kind: str, data: JsonObject) -> str:
        """Something that happened, as it follows a name in the timeline."""
        if kind == "roll":
            return m("rolled {data}", data=", ".join(data["faces"]))
        # What people could have said themselves.
        return action_words(
            Action(kind, None, {key: one for key, one in data.items() if isinstance(one, str | int)})
        )

    feats: frozenset[str] = frozenset()  # the kinds of events that are announced to everybody
    overtaking = True  # does it mean something who leads before the end?

    def feat_cells(self, kind: str, data: JsonObject, seat: int) -> tuple[str, ...]:
        """What of the board an announced event is about, by its ``data-cell`` or ``data-spot``."""
        return ()

    def milestones(self, view: JsonObject) -> list[Milestone]:
        """What has been reached and is announced to everybody, beside asides that were won and events."""
        last = not view["finished"] and view.get("round") == view.get("rounds") and "rounds" in view
        return [Milestone("last round", 0, m("The last round"))] if last else []

    def plain(self, words: str, state: S) -> str:
        """Rewrite a sentence of the rules without place names that occur only in files."""
        return words

    def rematch_options(self, setup: JsonObject, scores: Sequence[JsonObject]) -> JsonObject:
        """The options with which the same match begins anew, all drawn again.

        ``scores``: how it went for those who play again: ``seat`` is theirs in the new match, ``was`` in
        the old one.
        """
        options: JsonObject = setup.get("options", {})
        return options

    # more pages

    lesson: Lesson[S] | None = None  # the guided first round
    editor: Blueprint | None = None  # pages of the owner's for options that are files, below /host/
    editor_links: Sequence[EditorLink] = ()  # how the host's page leads there


def photo_sheet_of(presenter: Presenter[Any]) -> PhotoSheet:
    """Return the presenter's own photo sheet, or a default one, in the reader's language."""
    sheet = presenter.photo_sheet
    return replace(
        sheet,
        sheet=spoken(sheet.sheet),
        entered=(spoken(sheet.entered[0]), spoken(sheet.entered[1])),
        asks=spoken(sheet.asks),
        none=spoken(sheet.none),
        corners=spoken(sheet.corners),
    )
