"""What is asked about photographs on the way from the pages to the reader's process, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from companion.reading.types import BoardReading, Corners, Scope


@dataclass(frozen=True)
class Shot:
    """A picture to be taken with the box's camera; ``number`` makes those of a demonstration differ.

    ``lamps``: the panel has two, so that a picture can be lit from either side; ``sent``: the picture itself,
    of a camera that sends them.
    """

    camera: str
    number: int
    rotation: int = 0
    crop: tuple[float, ...] = ()
    focus: str = "auto"
    lamps: bool = False
    sent: bytes = b""

    @property
    def source(self) -> tuple[object, ...]:
        """Which camera it is, and how it is used: from the same one pictures can be compared."""
        return self.camera, self.rotation, self.crop, self.focus


# From a phone, still with everything in it that it had; to be taken now; or kept, named by its digest.
Photo: TypeAlias = bytes | Shot | Path


@dataclass(frozen=True)
class PhotoQuery:
    """What is said beside a photograph of a seat's board.

    ``answers`` settle doubtful slots; ``corners`` are those of its area in pixels, where somebody marked
    them; ``parts`` are kept photographs of other parts of the same table, read with it as one; ``scope`` is
    what it is about. ``pictures``: of the whole table every board is wanted as seen from above, too.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    corners: Corners | None = None
    parts: tuple[str, ...] = ()
    scope: Scope = ""
    pictures: bool = False


NO_QUERY = PhotoQuery()


@dataclass(frozen=True)
class MatchContext:
    """What a match tells its reader about every photograph of it.

    ``players``: the colours that people chose, with their seats; ``taught``: files of boards of the owner's
    own to look for; ``match``: which one it is, so that its photographs may help each other.
    """

    game: str
    state: Any
    players: tuple[tuple[str, int], ...] = ()
    taught: tuple[Path, ...] = ()
    match: str = ""


@dataclass(frozen=True)
class PhotoRead:
    """What was read by seat; ``cleaned``: the photograph to be kept under its digest, if it is not yet."""

    digest: str
    cleaned: bytes | None
    boards: Mapping[int, BoardReading]


@dataclass(frozen=True)
class CleanPhoto:
    """A photograph with nothing in it but what it shows, and its size in pixels."""

    digest: str
    cleaned: bytes
    size: tuple[int, int]
