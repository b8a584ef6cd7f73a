"""A seat's question to a photograph, and the ruling that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.reading.evidence import PhotoReading, Ruling, SheetReading, SlotReading
from companion.reading.types import Scope

S_co = TypeVar("S_co", covariant=True)  # the state of the game's rules
# A sheet as the game's reader has read it.
T = TypeVar("T", bound=SheetReading[SlotReading])
T_co = TypeVar("T_co", bound=SheetReading[SlotReading], covariant=True)
R = TypeVar("R", bound=Ruling[Any, Any])  # what the game's rules make of it


@dataclass(frozen=True)
class SeatQuery(Generic[S_co, T_co]):
    """What a photograph is asked for a seat of a match that stands so.

    ``answers`` settle slots that were in doubt; ``photo`` is the digest by which the action names it;
    ``scope`` is for a board of all: one turn, or everything that lies there. ``own``: the photograph was sent
    for this seat, so that a sheet in it which does not tell whose it is may be taken for the seat's.
    """

    reading: PhotoReading[T_co]
    state: S_co
    seat: int
    answers: Mapping[str, str] = field(default_factory=dict)
    photo: str = ""
    scope: Scope = ""
    own: bool = False

    @property
    def picture(self) -> JsonObject:
        """How an action names what it was read from."""
        return {"photo": self.photo, "settled": dict(self.answers)}


@dataclass(frozen=True)
class SeatRuling(Generic[T, R]):
    """What a game's rules make of a seat's sheet.

    ``action`` is what the ruling would be submitted as, and counts only where that is accepted; ``says`` are
    sentences about it beside what is against the rules; ``notes`` those about the photograph, where they are
    others than the reading's. Without a ruling nobody can say what lies there.
    """

    sheet: T
    ruling: R | None
    action: Action | None = None
    says: tuple[str, ...] = ()
    notes: tuple[str, ...] | None = None
