"""What a board means that has come to rest under a camera which watches the table by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from companion.game.base import Action
from companion.reading.evidence import Options

# idle: there is nothing to do; unfinished: all that is drawn is legal, and something is still to be drawn;
# complete: it can be entered; unclear: somebody has to say what is there; against: the rules do not allow it.
Meaning: TypeAlias = Literal["idle", "unfinished", "complete", "unclear", "against"]


@dataclass(frozen=True)
class WatchedBoard:
    """What a board at rest means for one seat.

    ``action``: what it would be entered as; ``says``: sentences about it, the one that matters most first;
    ``questions``: what may be in the slots that are in doubt.
    """

    meaning: Meaning
    action: Action | None = None
    says: tuple[str, ...] = ()
    questions: Mapping[str, Options] = field(default_factory=dict)
