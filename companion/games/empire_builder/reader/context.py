"""Rules on photographs of the map without a match, by what the caller knows besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.games.empire_builder.reader.owners import owners, probabilities_by_owner
from companion.games.empire_builder.reader.reading import MapReading
from companion.games.empire_builder.reader.ruling import MapRuling, RulingContext, likeliest_turn, rule_turn
from companion.games.empire_builder.reader.wholes import Limits
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.boards.position import Track, read_position
from companion.games.empire_builder.rules.rulebook import RULES
from companion.reading.base import Context
from companion.reading.report import EarlierLine

_WHOSE_TURN = ("turn", "seat")  # either word says whose turn it was


class _EarlierSlot(msgspec.Struct, frozen=True):
    mark: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    cells: dict[str, str]


class _EarlierSheet(msgspec.Struct, frozen=True):
    """The fields used of a map in an earlier line of ``read``."""

    slots: dict[str, _EarlierSlot] = {}
    ruling: _EarlierRuling | None = None


@dataclass(frozen=True)
class MapContext(Context[MapReading, MapRuling]):
    """The owners of colours; the earlier position, whose turn it was, and the player's cash.

    ``colours`` are those of a position before that is told by colours alone: each stands for a seat.
    """

    players: Mapping[str, int]
    before: Track | None = None
    seat: int | None = None
    cash: Mapping[int, int] | None = None
    colours: Mapping[str, int] | None = None
    on: Board | None = None
    map: str = ""  # the owner's, of a genuine map that was taught

    def after(self, before: JsonObject) -> MapContext:
        """The caller's knowledge with an earlier position, in notation (with its ``turn``) or as a line."""
        if "sheets" in before:
            line = shaped(before, EarlierLine[_EarlierSheet])
            sheet, on = line.only("no-map"), board(self.map)
            as_read = {name: slot.mark for name, slot in sheet.slots.items() if slot.mark}
            cells = sheet.ruling.cells if sheet.ruling is not None else as_read
            colours = dict(self.players)
            track: Track = {}
            for name, mark in cells.items():
                if name not in on.edges_called:
                    continue  # a pawn or a chip on a milepost
                if not mark.isdecimal():
                    free = next(n for n in range(1, len(cells) + 9) if n not in colours.values())
                    colours.setdefault(mark, free)
                track[on.edges_called[name]] = int(mark) if mark.isdecimal() else colours[mark]
            return replace(self, before=track, colours=colours, on=on)
        told = {"map": self.map} | {key: value for key, value in before.items() if key not in _WHOSE_TURN}
        position = read_position(told)
        seat = next((before[key] for key in _WHOSE_TURN if key in before), None)
        if seat is not None and (not isinstance(seat, int) or not 1 <= seat <= RULES.match.players[1]):
            raise NotationError("bad-seat", f"a turn is that of a seat from 1 to {RULES.match.players[1]}")
        return replace(
            self, before=position.track, seat=seat, cash=position.cash, on=position.board, colours=None
        )

    def rule(self, sheet: MapReading) -> tuple[MapReading, MapRuling | None]:
        """Rule on the map if its earlier position is known, with the seats of all colours on it."""
        if self.before is None:
            return sheet, None
        on, before = self.on or board(self.map), self.before
        told = {**sheet.seats, **(self.colours or {})}
        seats = dict(owners(sheet, on, before, told, self.seat).seats)
        for colour in sheet.crayons:  # a colour that nobody had before is somebody's first
            if colour not in seats:
                free = next(
                    n for n in range(1, len(seats) + 9) if n not in {*seats.values(), *before.values()}
                )
                seats[colour] = free
        known = RulingContext(
            on, before, {} if self.colours is None else {n: name for name, n in seats.items()}
        )
        looks = probabilities_by_owner(sheet, on, seats)
        sheet = replace(sheet, seats=seats)
        if self.seat is not None:
            return sheet, rule_turn(looks, known, self.seat, self._limits(self.seat))
        turns = sorted({*seats.values(), *before.values()})
        return sheet, likeliest_turn(looks, known, turns or [1], self._limits(None))

    def _limits(self, seat: int | None) -> Limits:
        money = RULES.building.a_turn
        if seat is not None and seat in (self.cash or {}):
            money = min(money, (self.cash or {})[seat])
        return Limits(money, RULES.building.out_of_majors)
