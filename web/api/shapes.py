"""What goes in and comes out under ``/api/v1``; the OpenAPI document is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.box.parts import Part
from companion.box.storage import Storage
from companion.games.contract import Mode, Plain
from companion.games.kit.drawing import Quad
from companion.games.sight import LaidSlot, SeenSheet, Shown
from companion.table.requests import Timer
from companion.table.seats import COLOURS, LONGEST_NAME, SHAPES, Player

Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Code = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=12)]
GuestNumber = Annotated[int, msgspec.Meta(ge=1, le=10**6)]
Device = Annotated[str, msgspec.Meta(max_length=64)]


_SlotName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
_Mark = Annotated[str, msgspec.Meta(max_length=40)]
Place = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]
FourCorners = tuple[tuple[Place, Place], tuple[Place, Place], tuple[Place, Place], tuple[Place, Place]]


class _In(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent to the box: an unknown field is an error."""


class _Out(msgspec.Struct, frozen=True):
    """What the box answers."""


# --- sent to the box ---


class ActionWish(_In, frozen=True):
    """Something somebody wants to do. ``as_host`` makes a host who also plays act as the host.

    ``seen`` goes with a roll: see :class:`RollWish`.
    """

    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    seat: SeatNumber | None = None
    data: Plain = {}
    as_host: bool = False
    seen: Annotated[int, msgspec.Meta(ge=0)] | None = None


class RollWish(_In, frozen=True):
    """The version of the match that whoever presses Roll looks at: what was rolled since is the answer."""

    seen: Annotated[int, msgspec.Meta(ge=0)] | None = None


class NewMatch(_In, frozen=True):
    """A match to begin: with guests by their numbers, then with names, then with bots.

    An empty name is a seat for whoever sits down; another one may be a player without a phone.
    """

    game: Annotated[str, msgspec.Meta(max_length=40)]
    players: Annotated[list[Name], msgspec.Meta(max_length=12)] = []
    guests: Annotated[list[GuestNumber], msgspec.Meta(max_length=12)] = []
    bots: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    mode: Mode = "umpire"
    options: Plain = {}
    fair: bool | None = None  # seeds committed to beforehand; unsaid: as the box was started
    timer: Timer = 0  # seconds that a turn should take: the pages tell


class SitDown(_In, frozen=True):
    """A free seat, with the code on the table's screen; no seat: one more, if the rules allow it.

    Guests need neither code nor name. ``device`` is a number that a phone made up and keeps.
    """

    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    seat: SeatNumber | None = None
    name: Name = ""
    colour: Annotated[str, msgspec.Meta(max_length=20)] = ""
    shape: Annotated[str, msgspec.Meta(max_length=20)] = ""
    device: Device = ""


class JoinRoom(_In, frozen=True):
    """Come in, with the code on the table's screen."""

    name: Name
    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    colour: Annotated[str, msgspec.Meta(max_length=20)] = COLOURS[0]
    shape: Annotated[str, msgspec.Meta(max_length=20)] = SHAPES[0]
    device: Device = ""


class SeatEntry(_In, frozen=True):
    """One of the seats."""

    seat: SeatNumber


class GetUp(_In, frozen=True):
    """Who goes on with the seat."""

    then: Literal["nobody", "bot"] = "nobody"


class KnockWish(_In, frozen=True):
    """What one asks for: to have that ``seat`` again takes the code; ``name`` is what people are shown."""

    what: Literal["screen", "seat", "join"]
    seat: SeatNumber | None = None
    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    name: Name = ""


class KnockAnswer(_In, frozen=True):
    """Yes or no to who waits under this number."""

    number: Annotated[int, msgspec.Meta(ge=1, le=9999)]
    yes: bool = True


class CodeEntry(_In, frozen=True):
    """A code that somebody was shown elsewhere."""

    code: Code


class PinEntry(_In, frozen=True):
    """The host's PIN; ``role`` says what this browser becomes."""

    pin: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    role: Literal["host", "screen"] = "host"


class SeatChange(_In, frozen=True):
    """What the host does with a seat: another name, or free again."""

    name: Name | None = None
    free: bool = False


class PositionWish(_In, frozen=True):
    """A board to score without any match."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    position: Plain


class Photographing(_In, frozen=True):
    """What is said beside a photograph of a board.

    ``scope``: of a board of all, one's own last ``turn`` or the ``whole`` of it; empty is what is usual in
    the match. ``propose``: answer with what would be entered instead of entering it, ``always`` or
    (``parts``) when a part of the board is not in the picture. ``parts``: earlier photographs of other parts
    of the same table, their hashes separated by commas; they are read with this one as one.
    """

    scope: Literal["", "turn", "whole"] = ""
    propose: Literal["never", "parts", "always"] = "never"
    parts: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64}(,[0-9a-f]{64}){0,7})?$")] = ""


class Answers(Photographing, frozen=True):
    """What stands in doubtful slots: a mark in the game's notation, or an empty text for nothing.

    With a ``seat`` it is that seat's board: of one that this browser looks after, or that has no phone.
    """

    seat: SeatNumber | None = None
    answers: Annotated[dict[_SlotName, _Mark], msgspec.Meta(max_length=10_000)] = {}
    corners: FourCorners | None = None


class CornersEntry(_In, frozen=True):
    """The corners of a board's area (its grid, its map) in pixels, clockwise from its own top left."""

    corners: FourCorners


class TeachEntry(_In, frozen=True):
    """An empty board of segments: a kept photograph, the corners of its plane, and where pieces lie on it.

    That is a ``game``'s own board (``own``: as the owner describes it), or ``slots`` as in a file for
    ``teach --slots``.
    """

    name: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$")]
    photo: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    corners: FourCorners
    game: Annotated[str, msgspec.Meta(max_length=40)] = ""
    own: bool = False
    slots: Plain | None = None


class PlacesWish(_In, frozen=True):
    """Of which game's board the places are asked for: ours, or the owner's ``own``."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    own: bool = False


class DiceSource(_In, frozen=True):
    """Where rolls come from: the dice roller (the box without one), the box, or people's hands."""

    source: Literal["roller", "virtual", "hand"]


class Keeping(_In, frozen=True):
    """Where everything is kept from now on, while the disk takes nothing: in memory, or on the disk again."""

    where: Literal["memory", "disk"]


class ScreenLanguage(_In, frozen=True):
    """A language, or nothing: as the screen's browser asks."""

    language: Literal["", "en", "de", "fr", "es", "it"] = ""


class Light(_In, frozen=True):
    """Which of the panel's lamps light the table until told otherwise."""

    lit: Literal["off", "left", "right", "both"]


class OptionText(_In, frozen=True):
    """A whole file of the owner's for a game's option; an empty one forgets what was kept."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    option: Annotated[str, msgspec.Meta(max_length=40)]
    text: Annotated[str, msgspec.Meta(max_length=400_000)]


class Empty(_In, frozen=True):
    """Nothing has to be said."""


# --- what is asked for in the address ---


class Since(_In, frozen=True):
    """Only what comes after event ``after``."""

    after: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0


class Question(_In, frozen=True):
    """What the rules are asked ``about``, and what has to be known for it as a JSON object."""

    about: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    data: Annotated[str, msgspec.Meta(max_length=2000)] = "{}"


class PageWish(_In, frozen=True):
    """Which page's pieces, of which match (the current one when empty)."""

    page: Literal["watch", "play", "tv", "lobby", "guest", "host"] = "watch"
    match: Annotated[str, msgspec.Meta(max_length=80)] = ""


class ScoreWish(_In, frozen=True):
    """As boards of which game a photograph is read; without one of the first that can be scored so."""

    game: Annotated[str, msgspec.Meta(max_length=40)] = ""


class ExportWish(_In, frozen=True):
    """In which form."""

    form: Literal["csv", "rows", "json", "bgg", "journal"] = "csv"


# --- answered ---


class Told(_Out, frozen=True):
    """An error: a code for programs, a sentence for people, and places to point at."""

    code: str
    message: str
    detail: Plain = {}


class Problem(_Out, frozen=True):
    """The one shape of every error."""

    error: Told


class Done(_Out, frozen=True):
    """It happened: the event as you may see it, the match's new version. ``again``: a repeated request."""

    match: str
    seq: int
    kind: str
    seat: int | None
    data: Plain
    version: int
    again: bool


class Foreseen(_Out, frozen=True):
    """What a step would bring: the board afterwards as part of a page, and sentences. Nothing was done."""

    match: str
    version: int
    board: str
    says: list[str]


class GuestLine(_Out, frozen=True):
    """Somebody who is there; ``seat`` in the match being played."""

    number: int
    name: str
    colour: str
    shape: str
    you: bool
    seat: int | None


class KnockLine(_Out, frozen=True):
    """Somebody who asks to be let in, and whom you may let in."""

    number: int
    what: str
    name: str
    seat: int | None


class RoomView(_Out, frozen=True):
    """Who is there, and with which code one joins (if you may know it)."""

    code: str | None
    link: str | None
    match: str | None
    guests: list[GuestLine]
    knocks: list[KnockLine]


class Joined(_Out, frozen=True):
    """You are in; the secret is in a cookie."""

    number: int
    name: str
    colour: str
    shape: str


class Knocked(_Out, frozen=True):
    """Wait with this word, and show this number."""

    knock: str
    number: int


class KnockState(_Out, frozen=True):
    """``waiting``, ``granted`` or ``refused``."""

    state: str
    number: int


class Entered(_Out, frozen=True):
    """You are in: go to this page."""

    page: str


class Begun(_Out, frozen=True):
    """The new match and the code that lets people sit down."""

    match: str
    join_code: str


class Seated(_Out, frozen=True):
    """Your seat; the secret is in a cookie."""

    match: str
    seat: int
    player: Player


class MoveCode(_Out, frozen=True):
    """A code that moves your seat to another browser."""

    code: str
    seconds: int


class Me(_Out, frozen=True):
    """Who you are to the box."""

    host: bool
    match: str | None
    seat: int | None
    current: str | None
    version: str


class GameInfo(_Out, frozen=True):
    """A game that can be played here."""

    game: str
    title: str
    players: tuple[int, int]
    options: list[Plain]


class MatchLine(_Out, frozen=True):
    """A match in the list."""

    match: str
    game: str
    mode: str
    began: str
    finished: str | None


class State(_Out, frozen=True):
    """A match as you may see it. ``dice`` are those to be rolled now."""

    match: str
    version: int
    game: str
    title: str
    mode: str
    began: str
    finished: bool
    ended: bool
    you: int | None
    players: dict[str, Player]
    dice: tuple[str, ...]
    view: Plain


class RulesAnswer(_Out, frozen=True):
    """What the rules say to a question; nothing happened by it."""

    about: str
    answer: Plain


class OpenAction(_Out, frozen=True):
    """Something you may do now."""

    kind: str
    seat: int | None
    data: Plain


class PieceAnswer(_Out, frozen=True):
    """The changing parts of a page as HTML, in which language; ``current``: the match played by now."""

    match: str
    current: str
    version: int
    pieces: dict[str, str]
    language: str = "en"


class Scored(_Out, frozen=True):
    """A board's score: numbers, lines for people, and the same as a part of a page."""

    score: Plain
    lines: list[str]
    html: str


class OtherBoard(_Out, frozen=True):
    """Somebody else's board in a photograph, which may be entered for that seat."""

    seat: int
    name: str


class MarkWords(_Out, frozen=True):
    """A mark that stands for seats: what people call it, and the colours of their seats."""

    says: str
    colours: list[str]


class LaidOver(_Out, frozen=True):
    """What a page lays over the picture from above: slots, placed in its pixels, and marks in words."""

    size: tuple[int, int]
    slots: dict[str, LaidSlot]
    marks: dict[str, MarkWords]


class Proposal(_Out, frozen=True):
    """An action that would be accepted now; whoever agrees sends it to ``actions``."""

    kind: str
    data: Plain


class PhotoTold(_Out, frozen=True):
    """What became of a photograph: the rules' answer, the board seen from above, what was done with it.

    ``others``: when one's own board is not in the picture, those that are and may be entered. ``proposed``:
    what would be entered, where that was asked for. ``shown``: how much of the board the photographs show.
    """

    photo: str
    outcome: str
    ruling: Plain | None
    says: list[str]
    picture: str
    done: Done | None
    others: list[OtherBoard] = []
    proposed: Proposal | None = None
    overlay: LaidOver | None = None
    shown: Shown = Shown()


class KeptPhoto(_Out, frozen=True):
    """A photograph that is kept, by its hash, and its size in pixels."""

    photo: str
    size: tuple[int, int]


class Places(_Out, frozen=True):
    """Where segments lie on a board: the size of its plane, and the corners of each."""

    size: tuple[float, float]
    slots: dict[str, Quad]


class TaughtTold(_Out, frozen=True):
    """What lies on a taught board: colours by segment, what is doubtful, and the picture with its places."""

    cells: dict[str, str]
    doubtful: list[str]
    says: list[str]
    picture: str
    overlay: LaidOver | None


class ViewTold(_Out, frozen=True):
    """What the box's camera sees."""

    picture: str
    boards: list[SeenSheet]
    notes: list[str]


class PhotoBoard(_Out, frozen=True):
    """A board found in a photograph, with its score; ``marks``: what is on it, by the names of its slots."""

    seat: int
    position: Plain
    marks: dict[str, str]
    outcome: str
    doubtful: list[str]
    says: list[str]
    picture: str
    score: Plain | None
    html: str


class PhotoScores(_Out, frozen=True):
    """Every board in a photograph."""

    boards: list[PhotoBoard]
    notes: list[str]


class SeatLine(_Out, frozen=True):
    """A seat as the host sees it."""

    seat: int
    player: Player
    taken: bool


class HostView(_Out, frozen=True):
    """Everything the host's page shows of the box."""

    links: list[str]
    match: str | None
    join_code: str | None
    seats: list[SeatLine]
    parts: list[Part]
    notes: list[str]
    storage: Storage
    backups: list[str]
    taught: list[str]
    dice: str
    lamps: list[str]
    lit: str
    streams: int


class BackupMade(_Out, frozen=True):
    """A backup, read back and checked."""

    name: str
    bytes: int


class Said(_Out, frozen=True):
    """It is done."""

    message: str


class Results(_Out, frozen=True):
    """How a match came out: scores round by round and a link for the Board Game Stats app."""

    match: str
    rows: list[Plain]
    rounds: list[dict[str, Any]]
    bgstats: str
