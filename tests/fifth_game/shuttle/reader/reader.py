"""How Shuttle reads photographs: see :class:`companion.reading.base.Reader`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.game.base import Action
from companion.reading.answer import SeatQuery, SeatRuling
from companion.reading.base import Context, Reader
from companion.reading.evidence import PhotoReading, SheetProbabilities
from companion.reading.types import FoundPosition, ReadHints
from companion.sheets.sheet import Sheet
from vision.register.rectify import Image

from ..printing.prints import seat_sheet, stop_name
from ..rules.game import Position, State
from ..rules.line import FACES, STOPS, offered
from .reading import SERVED, LineReading, read_lines
from .ruling import LineRuling, rule_any, rule_turn, settled


class ShuttleReader(Reader[State, LineReading, LineRuling]):
    """Reads the stops of a seat's line."""

    finds_positions = True

    def read(self, photo: bytes | Image, hints: ReadHints) -> PhotoReading[LineReading]:
        """Find and read every sheet; they all have tags, so no wish makes that easier."""
        return read_lines(photo)

    def printed(self, sheet: LineReading) -> Sheet:
        """Everybody has one of their own."""
        return seat_sheet(sheet.seat)

    def seats(self, state: State) -> Sequence[int]:
        """All of them: everybody has a sheet."""
        return tuple(state.served)

    def rule_seat(
        self, query: SeatQuery[State, LineReading], sheet: LineReading
    ) -> SeatRuling[LineReading, LineRuling]:
        """Any line where people keep the score, one more stop where the box does."""
        state, seat, probabilities = query.state, query.seat, settled(sheet.probabilities, query.answers)
        if state.mode == "scorekeeper":
            ruling = rule_any(probabilities)
            action = Action("report", seat, {"stops": _stops(ruling), "picture": query.picture})
        else:
            ruling = _ruled_turn(probabilities, state, seat)
            new = [stop for stop in _stops(ruling) if stop not in state.served[seat]]
            action = Action("serve", seat, {"stop": new[0] if new else 0, "picture": query.picture})
        return SeatRuling(sheet, ruling, action)

    def context(self, hints: ReadHints, rolled: str | None) -> KnownLine:
        """The dice of the round, as ``3,6``."""
        return KnownLine(_dice(rolled) if rolled else ())

    def positions(
        self, reading: PhotoReading[LineReading]
    ) -> Sequence[FoundPosition[LineReading, LineRuling]]:
        """Every line as it was read."""
        rulings = [(sheet, rule_any(sheet.probabilities)) for sheet in reading.sheets]
        return [
            FoundPosition(sheet.seat, {"stops": _stops(ruling)}, ruling, sheet) for sheet, ruling in rulings
        ]


@dataclass(frozen=True)
class KnownLine(Context[LineReading, LineRuling]):
    """What is known beside a photograph: the dice, the stops served before."""

    dice: tuple[int, ...] = ()
    served: tuple[int, ...] | None = None

    def after(self, before: JsonObject) -> KnownLine:
        return KnownLine(self.dice, shaped(before, Position).stops)

    def rule(self, sheet: LineReading) -> tuple[LineReading, LineRuling]:
        """As a turn where dice and line before are known, else as a line by itself."""
        if not self.dice or self.served is None:
            return sheet, rule_any(sheet.probabilities)
        return sheet, rule_turn(
            sheet.probabilities, _names(self.served), _names(offered(self.dice, self.served))
        )


def _ruled_turn(probabilities: SheetProbabilities, state: State, seat: int) -> LineRuling:
    served = state.served[seat]
    if not state.dice or seat in state.done:
        sentence = "first the dice are thrown" if not state.dice else "this line is served already"
        return LineRuling.refused_outright(sentence)
    return rule_turn(probabilities, _names(served), _names(offered(state.dice, served)))


def _names(stops: Sequence[int]) -> list[str]:
    return [stop_name(stop) for stop in stops]


def _stops(ruling: LineRuling) -> list[int]:
    return [stop for stop in range(1, STOPS + 1) if ruling.cells.get(stop_name(stop)) == SERVED]


def _dice(text: str) -> tuple[int, ...]:
    faces = text.replace(",", " ").split()
    if len(faces) != 2 or not set(faces) <= set(FACES):
        raise NotationError("bad-roll", "a throw is two dice from 1 to 6, such as 3,6")
    return tuple(map(int, faces))
