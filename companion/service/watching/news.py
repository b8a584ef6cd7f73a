"""What people are told of a table that a camera watches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from companion.reading.evidence import Options

# drawing: something is still to be drawn; covered: something lies on what has to be seen; proposed: to be
# confirmed; gone: the board is not in view.
SeatState: TypeAlias = Literal["drawing", "covered", "unclear", "against", "proposed", "done", "gone"]


@dataclass(frozen=True)
class SeatNews:
    """A seat's board; ``photo``: the photograph that questions and proposals are about."""

    seat: int
    state: SeatState
    says: tuple[str, ...] = ()
    photo: str = ""
    questions: Mapping[str, Options] = field(default_factory=dict)


@dataclass(frozen=True)
class TableNews:
    """The table of a match; ``trouble``: one sentence why the camera sees nothing.

    ``throws``: everybody is done, nothing moves on any board any more, and the next dice may be thrown.
    """

    match: str = ""
    trouble: str = ""
    seats: tuple[SeatNews, ...] = ()
    throws: bool = False

    def of(self, seat: int) -> SeatNews | None:
        """What is told of a seat's board, if it is watched."""
        return next((one for one in self.seats if one.seat == seat), None)


NO_NEWS = TableNews()
