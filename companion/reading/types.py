"""What is asked of a game's eye and what it answers: one set of types from the reader to the pages.

Nothing here needs a picture library, so that the service and the pages may hold these without loading one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.reading.evidence import Outcome, RulingSummary

Corners: TypeAlias = tuple[tuple[float, float], ...]
# What is asked of a photograph of a board of all: one seat's turn, everything that lies there, or (empty)
# what is usual in the match.
Scope: TypeAlias = Literal["", "turn", "whole"]
T_co = TypeVar("T_co", covariant=True)  # a sheet as the game's reader has read it
R_co = TypeVar("R_co", covariant=True)  # a ruling of the game's rules on one


@dataclass(frozen=True)
class ReadHints:
    """What is known about a photograph before it is read.

    ``corners``: of a sheet's area (its grid, its map) in pixels, clockwise from the sheet's own top left, if
    somebody marked them; ``taught``: files of boards of the owner's own that may be in the picture. Both are
    for sheets without corner tags, and such a sheet is taken to be of ``edition`` and ``seat``. ``players``
    says which seat plays which colour of pieces or pens, where somebody said so; in a match those are the
    colours that people chose, who may still play in others. ``references`` is what earlier photographs
    of the match showed, as its reader keeps it (:meth:`companion.reading.base.Reader.references`).
    """

    edition: str = ""  # empty: the game's usual one
    seat: int | None = None
    corners: Corners | None = None
    taught: tuple[Path, ...] = ()
    players: tuple[tuple[str, int], ...] = ()
    expansion: str = ""  # what is played along with the game, if somebody said so
    quick: bool = False  # only what is needed to place a camera
    references: object | None = None
    described: str = ""  # what is printed on a board that is to be taught, as its owner wrote it for the game


NO_HINTS = ReadHints()


class Measured(msgspec.Struct, frozen=True):
    """How well a sheet is seen: pixels for a millimetre as it was read; how much of its detail is finest
    detail, how light its paper is, how far print and ink stand out from it, each 0 to 1.
    """

    pixels_per_mm: float
    sharpness: float
    light: float
    contrast: float


class SeenSheet(msgspec.Struct, frozen=True):
    """A sheet in view, its corners in shares of the picture; ``says`` is advice, empty when all is well."""

    seat: int
    name: str  # what people call it
    corners: Corners
    says: tuple[str, ...]
    measured: Measured | None = None


@dataclass(frozen=True)
class View:
    """What is to be seen in a picture, and how well: help for placing the camera."""

    sheets: tuple[SeenSheet, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class SeatAnswer(Generic[T_co, R_co]):
    """What a photograph means for one seat of a match.

    ``ruling`` is the rules' answer, if they were asked; ``action`` what to submit once nothing is in doubt;
    ``says`` sentences for people: why there is no action, or what to do for a better picture; ``sheet`` what
    was ruled on, None when none was found.
    """

    ruling: R_co | None
    action: Action | None
    says: tuple[str, ...] = ()
    sheet: T_co | None = None


@dataclass(frozen=True)
class FoundPosition(Generic[T_co, R_co]):
    """A finished board in a photograph without any match, written as the game writes positions."""

    seat: int
    position: JsonObject
    ruling: R_co
    sheet: T_co


class LaidSlot(msgspec.Struct, frozen=True):
    """A slot as a page draws it over the picture from above.

    ``line``: its ends in pixels of that picture; empty where a question is about no place. ``look``: ``new``,
    ``gone`` (it was there before and is no longer seen), ``wrong`` (new, and against the rules) or nothing.
    """

    line: tuple[tuple[float, float], ...]
    look: str = ""
    says: str = ""  # what people call it


@dataclass(frozen=True)
class Overlay:
    """What a page lays over the picture from above of a sheet with more slots than it could know.

    ``owners``: the seats that a mark stands for; marks that are left out speak for themselves.
    """

    slots: Mapping[str, LaidSlot]
    owners: Mapping[str, tuple[int, ...]]


class Shown(msgspec.Struct, frozen=True):
    """How much of the sheet the photographs show together.

    ``parts``: for each photograph, in their order, where it shows what none before it did; ``missing``: where
    nothing is seen yet. Both in words such as "the left half", or empty.
    """

    parts: tuple[str, ...] = ()
    missing: str = ""


# --- what the reader's process answers ---


@dataclass(frozen=True)
class BoardReading:
    """What became of a photograph of a seat's board; ``picture``: the board seen from above, JPEG."""

    photo: str  # the digest under which the photograph is kept
    ruling: RulingSummary | None
    action: Action | None
    says: tuple[str, ...]
    picture: bytes | None = None
    size: tuple[int, int] = (0, 0)  # of that picture, in pixels
    overlay: Overlay | None = None
    shown: Shown = field(default_factory=Shown)

    @property
    def outcome(self) -> Outcome:
        """The ruling's; without one nothing was accepted."""
        return self.ruling.outcome if self.ruling else "refused"


@dataclass(frozen=True)
class FoundBoard:
    """A board in a photograph without any match; ``marks``: what is on it, by the names of its slots."""

    seat: int
    position: JsonObject
    marks: Mapping[str, str]
    outcome: Outcome
    doubtful: tuple[str, ...]
    says: tuple[str, ...]
    picture: bytes


@dataclass(frozen=True)
class ScoredPhoto:
    """Every board in a photograph without any match, and which game they were read as."""

    game: str
    boards: tuple[FoundBoard, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class TaughtBoardAnswer:
    """A board that was learnt: the name it got, and a sentence for its owner, or nothing."""

    name: str
    says: str = ""


@dataclass(frozen=True)
class CameraView:
    """What the box's camera sees."""

    picture: bytes
    view: View


@dataclass(frozen=True)
class SeatPhoto:
    """What one picture of the whole table meant for one seat: what was read, and what came of it."""

    seat: int
    reading: BoardReading
    entered: bool
    says: tuple[str, ...]
