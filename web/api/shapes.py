"""Request and response types of ``/api/v1``, from which the OpenAPI document is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.core.jsontext import JsonObject
from companion.game.base import Mode
from companion.languages import LANGUAGES
from companion.service.parts import Part
from companion.service.system.storage import Storage
from companion.table.requests import Timer
from companion.table.seats import COLOURS, LONGEST_NAME, SHAPES, Player

Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Code = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=12)]
GuestNumber = Annotated[int, msgspec.Meta(ge=1, le=10**6)]
Device = Annotated[str, msgspec.Meta(max_length=64)]


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of request bodies and queries; unknown fields are errors."""


class Answered(msgspec.Struct, frozen=True):
    """The base of the box's answers."""


# --- sent to the box ---


class ActionRequest(Sent, frozen=True):
    """Something somebody wants to do. ``as_host`` makes a host who also plays act as the host.

    ``seen`` goes with a roll: see :class:`RollRequest`.
    """

    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    seat: SeatNumber | None = None
    data: JsonObject = {}
    as_host: bool = False
    seen: Annotated[int, msgspec.Meta(ge=0)] | None = None


class RollRequest(Sent, frozen=True):
    """The version of the match that whoever presses Roll looks at: what was rolled since is the answer."""

    seen: Annotated[int, msgspec.Meta(ge=0)] | None = None


class NewMatch(Sent, frozen=True):
    """A match to begin: with guests by their numbers, then with names, then with bots.

    An empty name is a seat for whoever sits down; another one may be a player without a phone.
    """

    game: Annotated[str, msgspec.Meta(max_length=40)]
    players: Annotated[list[Name], msgspec.Meta(max_length=12)] = []
    guests: Annotated[list[GuestNumber], msgspec.Meta(max_length=12)] = []
    bots: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    mode: Mode = "umpire"
    options: JsonObject = {}
    fair: bool | None = None  # seeds committed to beforehand; unsaid: as the box was started
    timer: Timer = 0  # seconds that a turn should take: the pages tell
    round: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0  # of the club, whose dice it may have


class SitDown(Sent, frozen=True):
    """A free seat, with the code on the table's screen; no seat: one more, if the rules allow it.

    Guests need neither code nor name. ``device`` is a number that a phone made up and keeps.
    """

    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    seat: SeatNumber | None = None
    name: Name = ""
    colour: Annotated[str, msgspec.Meta(max_length=20)] = ""
    shape: Annotated[str, msgspec.Meta(max_length=20)] = ""
    device: Device = ""


class JoinRoom(Sent, frozen=True):
    """Come in, with the code on the table's screen."""

    name: Name
    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    colour: Annotated[str, msgspec.Meta(max_length=20)] = COLOURS[0]
    shape: Annotated[str, msgspec.Meta(max_length=20)] = SHAPES[0]
    device: Device = ""


class SeatEntry(Sent, frozen=True):
    """One of the seats."""

    seat: SeatNumber


class GetUp(Sent, frozen=True):
    """Who takes over the seat."""

    then: Literal["nobody", "bot"] = "nobody"


class KnockRequest(Sent, frozen=True):
    """What one asks for: to have that ``seat`` again takes the code; ``name`` is what people are shown."""

    what: Literal["screen", "seat", "join"]
    seat: SeatNumber | None = None
    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    name: Name = ""


class KnockAnswer(Sent, frozen=True):
    """Yes or no to who waits under this number."""

    number: Annotated[int, msgspec.Meta(ge=1, le=9999)]
    yes: bool = True


class CodeEntry(Sent, frozen=True):
    """A code that somebody was shown elsewhere."""

    code: Code


class PinEntry(Sent, frozen=True):
    """The host's PIN; ``role`` says what this browser becomes."""

    pin: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    role: Literal["host", "screen"] = "host"


class SeatChange(Sent, frozen=True):
    """What the host does with a seat: another name, or free again."""

    name: Name | None = None
    free: bool = False


class PositionQuery(Sent, frozen=True):
    """A board to score without any match."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    position: JsonObject


class DiceSource(Sent, frozen=True):
    """Where rolls come from: the dice roller (the box without one), the box, or people's hands."""

    source: Literal["roller", "virtual", "hand"]


class Keeping(Sent, frozen=True):
    """Where everything is kept from now on, while the disk takes nothing: in memory, or on the disk again."""

    where: Literal["memory", "disk"]


class ScreenLanguage(Sent, frozen=True):
    """A language, or nothing: as the screen's browser asks."""

    language: Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(LANGUAGES)})?(?!\n)$")] = ""


class Light(Sent, frozen=True):
    """Which of the panel's lamps light the table until told otherwise."""

    lit: Literal["off", "left", "right", "both"]


class OptionText(Sent, frozen=True):
    """A whole file of the owner's for a game's option; an empty one forgets what was kept."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    option: Annotated[str, msgspec.Meta(max_length=40)]
    text: Annotated[str, msgspec.Meta(max_length=400_000)]


class Empty(Sent, frozen=True):
    """An empty request body."""


# --- what is asked for in the address ---


class Since(Sent, frozen=True):
    """Only what comes after event ``after``."""

    after: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0


class Question(Sent, frozen=True):
    """What the rules are asked ``about``, and what has to be known for it as a JSON object."""

    about: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    data: Annotated[str, msgspec.Meta(max_length=2000)] = "{}"


class PageQuery(Sent, frozen=True):
    """Which page's pieces, of which match (the current one when empty)."""

    page: Literal["watch", "play", "tv", "lobby", "guest", "host", "box", "report"] = "watch"
    match: Annotated[str, msgspec.Meta(max_length=80)] = ""


class ScoreRequest(Sent, frozen=True):
    """Which game's boards to read; by default the first game that can be scored from photographs.

    ``expansion`` is what is played along: its marks are read and scored, too.
    """

    game: Annotated[str, msgspec.Meta(max_length=40)] = ""
    expansion: Annotated[str, msgspec.Meta(max_length=40)] = ""


class ExportQuery(Sent, frozen=True):
    """The format of an export."""

    form: Literal["csv", "rows", "json", "bgg", "journal"] = "csv"


# --- answered ---


class ErrorBody(Answered, frozen=True):
    """An error: a code for programs, a sentence for people, and places to point at."""

    code: str
    message: str
    detail: JsonObject = {}


class Problem(Answered, frozen=True):
    """The one shape of every error."""

    error: ErrorBody


class Done(Answered, frozen=True):
    """It happened: the event as you may see it, the match's new version. ``again``: a repeated request."""

    match: str
    seq: int
    kind: str
    seat: int | None
    data: JsonObject
    version: int
    again: bool


class Foreseen(Answered, frozen=True):
    """What a step would bring: the board afterwards as part of a page, and sentences. Nothing was done."""

    match: str
    version: int
    board: str
    says: list[str]


class GuestLine(Answered, frozen=True):
    """Somebody who is there; ``seat`` in the match being played."""

    number: int
    name: str
    colour: str
    shape: str
    you: bool
    seat: int | None


class KnockLine(Answered, frozen=True):
    """Somebody who asks to be let in, and whom you may let in."""

    number: int
    what: str
    name: str
    seat: int | None


class RoomView(Answered, frozen=True):
    """Who is there, and with which code one joins (if you may know it)."""

    code: str | None
    link: str | None
    match: str | None
    guests: list[GuestLine]
    knocks: list[KnockLine]


class Joined(Answered, frozen=True):
    """You are in; the secret is in a cookie."""

    number: int
    name: str
    colour: str
    shape: str


class Knocked(Answered, frozen=True):
    """Wait with this word, and show this number."""

    knock: str
    number: int


class KnockState(Answered, frozen=True):
    """``waiting``, ``granted`` or ``refused``."""

    state: str
    number: int


class Entered(Answered, frozen=True):
    """You are in: go to this page."""

    page: str


class Begun(Answered, frozen=True):
    """The new match and the code that lets people sit down."""

    match: str
    join_code: str


class Seated(Answered, frozen=True):
    """Your seat; the secret is in a cookie."""

    match: str
    seat: int
    player: Player


class MoveCode(Answered, frozen=True):
    """A code that moves your seat to another browser."""

    code: str
    seconds: int


class Me(Answered, frozen=True):
    """How the box knows you."""

    host: bool
    match: str | None
    seat: int | None
    current: str | None
    version: str


class GameInfo(Answered, frozen=True):
    """A game that can be played here."""

    game: str
    title: str
    players: tuple[int, int]
    options: list[JsonObject]


class MatchLine(Answered, frozen=True):
    """A match in the list."""

    match: str
    game: str
    mode: str
    began: str
    finished: str | None


class State(Answered, frozen=True):
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
    view: JsonObject


class RulesAnswer(Answered, frozen=True):
    """What the rules say to a question; nothing happened by it."""

    about: str
    answer: JsonObject


class OpenAction(Answered, frozen=True):
    """Something you may do now."""

    kind: str
    seat: int | None
    data: JsonObject


class PieceAnswer(Answered, frozen=True):
    """The changing parts of a page as HTML, in which language; ``current``: the match played by now."""

    match: str
    current: str
    version: int
    pieces: dict[str, str]
    language: str = "en"


class Scored(Answered, frozen=True):
    """A board's score: numbers, lines for people, and the same as a part of a page."""

    score: JsonObject
    lines: list[str]
    html: str


class Advised(Answered, frozen=True):
    """What the latest round of a board cost, and the same as a part of a page."""

    advice: JsonObject
    html: str


class SeatLine(Answered, frozen=True):
    """A seat as the host sees it."""

    seat: int
    player: Player
    taken: bool


class HostView(Answered, frozen=True):
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


class BackupMade(Answered, frozen=True):
    """A backup, read back and checked."""

    name: str
    bytes: int


class Said(Answered, frozen=True):
    """The operation succeeded; the message says so to people."""

    message: str


class Results(Answered, frozen=True):
    """How a match came out: scores round by round and a link for the Board Game Stats app."""

    match: str
    rows: list[JsonObject]
    rounds: list[dict[str, Any]]
    bgstats: str
