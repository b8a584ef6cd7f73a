"""Request and response types about photographs and taught boards; see :mod:`web.api.shapes`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.core.jsontext import JsonObject
from companion.reading.types import LaidSlot, SeenSheet, Shown
from companion.sheets.drawing import Quad
from web.api.shapes import Answered, Done, SeatNumber, Sent

_SlotName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
_Mark = Annotated[str, msgspec.Meta(max_length=40)]
Place = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]
FourCorners = tuple[tuple[Place, Place], tuple[Place, Place], tuple[Place, Place], tuple[Place, Place]]


# --- sent to the box ---


class Photographing(Sent, frozen=True):
    """What is said beside a photograph of a board.

    ``scope``: of a board of all, one's own last ``turn`` or the ``whole`` of it; empty is what is usual in
    the match. ``propose``: answer with what would be entered instead of entering it, ``always`` or
    (``parts``) when a part of the board is not in the picture. ``parts``: earlier photographs of other parts
    of the same table, their hashes separated by commas; they are read with this one as one.
    """

    scope: Literal["", "turn", "whole"] = ""
    propose: Literal["never", "parts", "always"] = "never"
    parts: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64}(,[0-9a-f]{64}){0,7})?(?!\n)$")] = ""


class Answers(Photographing, frozen=True):
    """What stands in doubtful slots: a mark in the game's notation, or an empty text for nothing.

    With a ``seat`` it is that seat's board: of one that this browser looks after, or that has no phone; the
    host may answer for any.
    """

    seat: SeatNumber | None = None
    answers: Annotated[dict[_SlotName, _Mark], msgspec.Meta(max_length=10_000)] = msgspec.field(
        default_factory=dict
    )
    corners: FourCorners | None = None


class CornersEntry(Sent, frozen=True):
    """The corners of a board's area (its grid, its map) in pixels, clockwise from its own top left."""

    corners: FourCorners


class TeachEntry(Sent, frozen=True):
    """An empty board of segments: a kept photograph, the corners of its plane, and where pieces lie on it.

    That is a ``game``'s own board (``own``: as the owner describes it), or ``slots`` as in a file for
    ``teach --slots``. ``colours`` are those of the pieces; without any every colour is looked for.
    """

    name: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,59}(?!\n)$")]
    photo: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}(?!\n)$")]
    corners: FourCorners
    game: Annotated[str, msgspec.Meta(max_length=40)] = ""
    own: bool = False
    slots: JsonObject | None = None
    colours: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=20)], ...], msgspec.Meta(max_length=20)
    ] = ()


class DeckRequest(Sent, frozen=True):
    """Whose deck it is, and which photograph of the printed order this is, counted from 1."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    number: Annotated[int, msgspec.Meta(ge=1, le=60)]
    edition: Annotated[str, msgspec.Meta(max_length=40)] = ""


class DeckEntry(Sent, frozen=True):
    """A kept photograph of a deck's cards: which one of the printed order it is, counted from 1.

    ``corners``: of the field of cards, both columns of stations included, clockwise from beside the first
    lane's start, in pixels of the kept photograph; without them the box looks for the cards itself.
    """

    name: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,59}(?!\n)$")]
    photo: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}(?!\n)$")]
    game: Annotated[str, msgspec.Meta(max_length=40)]
    number: Annotated[int, msgspec.Meta(ge=1, le=60)]
    edition: Annotated[str, msgspec.Meta(max_length=40)] = ""
    corners: FourCorners | None = None


class PlacesRequest(Sent, frozen=True):
    """Of which game's board the places are asked for: ours, or the owner's ``own``."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    own: bool = False


# --- answered ---


class OtherBoard(Answered, frozen=True):
    """Somebody else's board in a photograph, which may be entered for that seat."""

    seat: int
    name: str


class MarkWords(Answered, frozen=True):
    """A mark that stands for seats: what people call it, and the colours of their seats."""

    says: str
    colours: list[str]


class LaidOver(Answered, frozen=True):
    """What a page lays over the picture from above: slots, placed in its pixels, and marks in words."""

    size: tuple[int, int]
    slots: dict[str, LaidSlot]
    marks: dict[str, MarkWords]


class Proposal(Answered, frozen=True):
    """An action that would be accepted now; whoever agrees sends it to ``actions``."""

    kind: str
    data: JsonObject


class PhotoAnswer(Answered, frozen=True):
    """What became of a photograph: the rules' answer, the board seen from above, what was done with it.

    ``others``: when one's own board is not in the picture, those that are and may be entered. ``proposed``:
    what would be entered, where that was asked for. ``shown``: how much of the board the photographs show.
    """

    photo: str
    outcome: str
    ruling: JsonObject | None
    says: list[str]
    picture: str
    done: Done | None
    others: list[OtherBoard] = msgspec.field(default_factory=list)
    proposed: Proposal | None = None
    overlay: LaidOver | None = None
    shown: Shown = Shown()


class TableBoard(Answered, frozen=True):
    """A seat's board in a picture of the whole table; its doubts are settled as those of any photograph."""

    seat: int
    name: str
    colour: str
    entered: bool
    photo: str
    outcome: str
    ruling: JsonObject | None
    says: list[str]
    picture: str
    overlay: LaidOver | None = None


class KeptPhoto(Answered, frozen=True):
    """A photograph that is kept, by its hash, and its size in pixels."""

    photo: str
    size: tuple[int, int]


class Places(Answered, frozen=True):
    """Where segments lie on a board: the size of its plane, and the corners of each."""

    size: tuple[float, float]
    slots: dict[str, Quad]


class TaughtAnswer(Answered, frozen=True):
    """What lies on a taught board: colours by segment, what is doubtful, and the picture with its places."""

    cells: dict[str, str]
    doubtful: list[str]
    says: list[str]
    picture: str
    overlay: LaidOver | None


class ViewAnswer(Answered, frozen=True):
    """What the box's camera sees."""

    picture: str
    boards: list[SeenSheet]
    notes: list[str]


class PhotoBoard(Answered, frozen=True):
    """A board found in a photograph, with its score; ``marks``: what is on it, by the names of its slots."""

    seat: int
    position: JsonObject
    marks: dict[str, str]
    outcome: str
    doubtful: list[str]
    says: list[str]
    picture: str
    score: JsonObject | None
    html: str


class PhotoScores(Answered, frozen=True):
    """Every board in a photograph."""

    boards: list[PhotoBoard]
    notes: list[str]
