"""Rules on photographs without a match, by what the caller knows besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.games.spike.reader.readings import BoardReading
from companion.games.spike.reader.ruling_turn import rule_turn
from companion.games.spike.reader.ruling_whole import rule_whole
from companion.games.spike.reader.seats import known_players
from companion.games.spike.reader.verdict import BoardRuling
from companion.games.spike.rules.boards.position import read_position
from companion.games.spike.rules.match.state import State
from companion.reading.base import Context
from companion.reading.report import EarlierLine


class _EarlierSlot(msgspec.Struct, frozen=True):
    mark: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    tracks: dict[str, list[str]]


class _EarlierBoard(msgspec.Struct, frozen=True):
    """The fields used of a board in an earlier line of ``read``."""

    slots: dict[str, _EarlierSlot]
    ruling: _EarlierRuling | None = None


@dataclass(frozen=True)
class BoardContext(Context[BoardReading, BoardRuling]):
    """The earlier position, if given (with its turn, if it names one), and the owners of colours."""

    players: Mapping[str, int] = field(default_factory=dict)
    before: State | None = None
    turn_known: bool = False

    def after(self, before: JsonObject) -> BoardContext:
        """The caller's knowledge with an earlier position, in notation or as a line of ``read --json``."""
        position = (
            self._position(shaped(before, EarlierLine[_EarlierBoard])) if "sheets" in before else before
        )
        return replace(self, before=read_position(position), turn_known=bool(position.get("turn")))

    def _position(self, line: EarlierLine[_EarlierBoard]) -> JsonObject:
        """The position in an earlier line of ``read``: as ruled on, or else as read."""
        sheet = line.only("no-board")
        if sheet.ruling is not None:
            return {"tracks": sheet.ruling.tracks}
        tracks: dict[str, list[str]] = {str(seat): [] for seat in self.players.values()}
        for name, slot in sheet.slots.items():
            for part in (slot.mark or "").split("+") if ":" not in name else ():
                if part and part not in self.players and not part.isdecimal():
                    raise NotationError("no-players", f"say whose colour {part} is: --players {part}=1")
                if part:
                    tracks.setdefault(str(self.players.get(part, part)), []).append(name)
        return {"tracks": tracks}

    def rule(self, sheet: BoardReading) -> tuple[BoardReading, BoardRuling | None]:
        """Rule on the board if its earlier position is known: as a turn if it names one, else as a whole."""
        if self.before is None:
            return sheet, None
        builder = self.before.turn if self.turn_known else None
        players, looks = known_players(sheet, self.before, self.players, builder)
        if self.turn_known:
            return sheet, rule_turn(looks, self.before, players.seats)
        return sheet, rule_whole(looks, self.before, players.seats, strict=True)
