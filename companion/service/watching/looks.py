"""What the reader's process says of a watched table: plain data on its way to the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from companion.reading.watched import WatchedBoard

# A sheet's name, its edition, whose it is; below 0 where nothing on it tells that.
SheetName: TypeAlias = tuple[str, str, int]
BoardState: TypeAlias = Literal["resting", "busy", "gone"]
# seen: all is well; dark: no light; covered: something is before the lens; moved: none of the sheets is where
# it was; silent: the camera gives no pictures.
TableState: TypeAlias = Literal["seen", "dark", "covered", "moved", "silent"]
NEEDED_FRAMES = 2  # of a sheet at rest, before it is read


@dataclass(frozen=True)
class BoardLook:
    """One sheet in one frame: ``due`` to be read, with pictures ``ready``; its corners in shares."""

    key: SheetName
    state: BoardState
    due: bool
    ready: bool
    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class TableLook:
    """One frame: how the table is seen, and every sheet.

    ``shared``: there is one sheet for all; ``says``: why there is no frame; ``picture``: the frame as a small
    JPEG, of a demonstration.
    """

    table: TableState
    boards: tuple[BoardLook, ...] = ()
    shared: bool = False
    says: str = ""
    picture: bytes = b""


@dataclass(frozen=True)
class RestingPhoto:
    """A sheet as it lay there at a time; ``hidden``: its slots that something covered."""

    digest: str
    cleaned: bytes
    at: float
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class WatchedSeat:
    """In which state of the match a seat's sheet is read, and what people have answered about it."""

    state: Any
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WatchedQuery:
    """What is asked of a photograph: for which seats (0: whoever's turn it is), what was ``hidden``.

    ``small``: a small picture of the sheet is wanted, too.
    """

    seats: Mapping[int, WatchedSeat]
    hidden: tuple[str, ...] = ()
    small: bool = False


@dataclass(frozen=True)
class WatchedPhoto:
    """What a sheet means for each seat that was asked about.

    ``proposes``: what is new is only proposed; ``small``: the sheet from above, as a small JPEG, if wanted.
    """

    boards: Mapping[int, WatchedBoard]
    proposes: bool
    small: bytes = b""
