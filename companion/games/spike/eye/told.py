"""Photographs by themselves, without a match: what is known beside them, how they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import msgspec

from companion.games.contract import Plain
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import photo_json
from companion.games.kit.jsontext import shaped
from companion.games.parts import Context
from companion.games.spike.eye.overlay import MarkedBoard, overlaid
from companion.games.spike.eye.readings import BoardPhoto, BoardReading
from companion.games.spike.eye.ruling_turn import rule_turn
from companion.games.spike.eye.ruling_whole import rule_whole
from companion.games.spike.eye.seats import known_players
from companion.games.spike.eye.verdict import BoardRuling, seats_of
from companion.games.spike.rules.position import read_position
from companion.games.spike.rules.state import State
from vision.rectify import Image


class _EarlierSlot(msgspec.Struct, frozen=True):
    mark: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    tracks: dict[str, list[str]]


class _EarlierBoard(msgspec.Struct, frozen=True):
    """What is used of a board in an earlier line of ``read``."""

    slots: dict[str, _EarlierSlot]
    ruling: _EarlierRuling | None = None


class _EarlierLine(msgspec.Struct, frozen=True):
    sheets: list[_EarlierBoard]


@dataclass(frozen=True)
class KnownBoard(Context[BoardReading]):
    """The position before, if somebody told it (and if it says whose turn it is); whose colour is whose."""

    players: Mapping[str, int] = field(default_factory=dict)
    before: State | None = None
    turn_known: bool = False

    def after(self, before: Plain) -> KnownBoard:
        """The same with the position before: in notation, or an earlier line of ``read --json``."""
        position = self._position(shaped(before, _EarlierLine)) if "sheets" in before else before
        return replace(self, before=read_position(position), turn_known=bool(position.get("turn")))

    def _position(self, line: _EarlierLine) -> Plain:
        """The position of an earlier reading: as it was ruled, else as it was read."""
        if len(line.sheets) != 1:
            raise NotationError("no-board", f"{len(line.sheets)} boards are in it: one is needed")
        (sheet,) = line.sheets
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

    def told(self, reading: BoardPhoto) -> ToldBoards:
        """The photograph, ruled on when the position before is known."""
        rulings = {} if self.before is None else {n: self._ruled(one) for n, one in enumerate(reading.sheets)}
        return ToldBoards(reading, rulings, dict(self.players))

    def _ruled(self, sheet: BoardReading) -> BoardRuling:
        assert self.before is not None
        builder = self.before.turn if self.turn_known else None
        players, looks = known_players(sheet, self.before, self.players, builder)
        if self.turn_known:
            return rule_turn(looks, self.before, players.seats)
        return rule_whole(looks, self.before, players.seats, strict=True)


@dataclass(frozen=True)
class ToldBoards:
    """A photograph as it was read and ruled; the rulings by the board's place in the reading."""

    reading: BoardPhoto
    rulings: Mapping[int, BoardRuling]
    players: Mapping[str, int]

    @property
    def refused(self) -> bool:
        """Is something on a board against the rules?"""
        return any(ruling.outcome == "refused" for ruling in self.rulings.values())

    def as_json(self, photo: str) -> Plain:
        """The line of ``read --json``."""
        line = photo_json(photo, self.reading, self.rulings)
        if self.players:
            for sheet in line["sheets"]:
                for slot in sheet["slots"].values():
                    if slot.get("mark") is not None:
                        slot["mark"] = self._seat(slot["mark"])
        return line

    def _seat(self, mark: str) -> str:
        """A colour as the seat that plays it."""
        return "+".join(sorted(str(self.players.get(part, part)) for part in mark.split("+")))

    def lines(self, photo: str) -> Iterator[str]:
        """What a person wants to know."""
        yield f"{photo}: {len(self.reading.sheets)} board(s)"
        for n, sheet in enumerate(self.reading.sheets):
            yield from _board_lines(sheet, self.rulings.get(n))
        yield from self.reading.notes

    def overlay(self, image: Image) -> Image:
        """The photograph with what was read on it."""
        return overlaid(
            image, [_marked(one, self.rulings.get(n)) for n, one in enumerate(self.reading.sheets)]
        )


def _board_lines(sheet: BoardReading, ruling: BoardRuling | None) -> Iterator[str]:
    colours: dict[str, list[str]] = {}
    for name, slot in sheet.slots.items():
        if slot.best and slot.cannot_see is None:
            colours.setdefault(slot.best, []).append(name)
    yield f"{sheet.edition or 'a board'}, found by {sheet.quality.found_by}"
    for colour, names in sorted(colours.items()):
        yield f"  {colour}: {' '.join(sorted(names))}"
    unseen = [name for name, slot in sheet.slots.items() if slot.cannot_see is not None]
    if unseen:
        yield f"  cannot be seen: {' '.join(unseen)}"
    if ruling is not None:
        yield f"  ruling: {ruling.outcome}; new: {' '.join(ruling.changed) or 'nothing'}"
        yield from (f"  gone: {name}" for name in ruling.gone)
        yield from (f"  against the rules: {sentence}" for sentence in ruling.against)
    doubtful = (
        ruling.doubtful if ruling is not None else [name for name in sheet.doubtful if name not in unseen]
    )
    if doubtful:
        yield f"  please check: {' '.join(doubtful)}"


def _marked(sheet: BoardReading, ruling: BoardRuling | None) -> MarkedBoard:
    if ruling is None:
        marks = {
            name: slot.best for name, slot in sheet.slots.items() if slot.best and slot.cannot_see is None
        }
        return MarkedBoard(sheet, marks, sheet.doubtful)
    colours = {seat: colour for colour, seat in ruling.players.items()}
    marks = {
        name: "+".join(colours.get(seat, str(seat)) for seat in seats_of(mark))
        for name, mark in ruling.cells.items()
    }
    marks |= {
        name: slot.best
        for name, slot in sheet.slots.items()
        if ":" in name and slot.best and slot.cannot_see is None
    }
    return MarkedBoard(sheet, marks, ruling.doubtful, ruling.changed, ruling.outcome == "refused")
