"""What is asked about photographs on the way from the pages to the reader's process, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.sight import Corners, Scope


@dataclass(frozen=True)
class PhotoQuery:
    """What is said beside a photograph of a seat's board.

    ``answers`` settle doubtful slots; ``corners`` are those of its area in pixels, where somebody marked
    them; ``parts`` are kept photographs of other parts of the same table, read with it as one; ``scope`` is
    what it is about.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    corners: Corners | None = None
    parts: tuple[str, ...] = ()
    scope: Scope = ""


NO_QUERY = PhotoQuery()
