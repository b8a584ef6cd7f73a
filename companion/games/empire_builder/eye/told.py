"""Photographs of the map by themselves, without a match: what is known beside them, and how they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec

from companion.games.contract import Plain
from companion.games.empire_builder.eye.overlay import MapMarks, marks_of, overlaid, standing_on, unseen_of
from companion.games.empire_builder.eye.owners import looks_by_owner, owners
from companion.games.empire_builder.eye.posts import KINDS
from companion.games.empire_builder.eye.reading import MapPhoto, MapReading
from companion.games.empire_builder.eye.ruling import Known, MapRuling, likeliest_turn, rule_turn
from companion.games.empire_builder.eye.wholes import Limits
from companion.games.empire_builder.rules.board import Board, board
from companion.games.empire_builder.rules.position import Track, read_position
from companion.games.empire_builder.rules.rulebook import RULES
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import PhotoReading, photo_json
from companion.games.kit.jsontext import shaped
from companion.games.parts import Context
from vision.rectify import Image

_WHOSE_TURN = ("turn", "seat")  # either word says whose turn it was


class _EarlierSlot(msgspec.Struct, frozen=True):
    mark: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    cells: dict[str, str]


class _EarlierSheet(msgspec.Struct, frozen=True):
    """What is used of a map in an earlier line of ``read``."""

    slots: dict[str, _EarlierSlot] = {}
    ruling: _EarlierRuling | None = None


class _EarlierLine(msgspec.Struct, frozen=True):
    sheets: list[_EarlierSheet]


@dataclass(frozen=True)
class KnownMap(Context[MapReading]):
    """Who draws in which colour; the position before, whose turn it was, and the cash they had.

    ``colours`` are those of a position before that is told by colours alone: each stands for a seat.
    """

    players: Mapping[str, int]
    before: Track | None = None
    seat: int | None = None
    cash: Mapping[int, int] | None = None
    colours: Mapping[str, int] | None = None
    on: Board | None = None

    def after(self, before: Plain) -> KnownMap:
        """With the position before: in notation, with whose ``turn`` it was if known, or an earlier line."""
        if "sheets" in before:
            return self._after_line(shaped(before, _EarlierLine))
        told = {key: value for key, value in before.items() if key not in _WHOSE_TURN}
        position = read_position(told)
        seat = next((before[key] for key in _WHOSE_TURN if key in before), None)
        if seat is not None and (not isinstance(seat, int) or not 1 <= seat <= RULES.match.players[1]):
            raise NotationError("bad-seat", f"a turn is that of a seat from 1 to {RULES.match.players[1]}")
        return replace(
            self, before=position.track, seat=seat, cash=position.cash, on=position.board, colours=None
        )

    def _after_line(self, line: _EarlierLine) -> KnownMap:
        if len(line.sheets) != 1:
            raise NotationError("no-map", f"{len(line.sheets)} maps are in it: one is needed")
        sheet, on = line.sheets[0], board()
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

    def told(self, reading: MapPhoto) -> ToldMaps:
        """The photograph, ruled on when the position before is known."""
        if self.before is None:
            return ToldMaps(reading, {})
        ruled = [self._ruled(sheet) for sheet in reading.sheets]
        sheets = tuple(sheet for sheet, _ in ruled)
        named = PhotoReading(reading.width, reading.height, sheets, reading.notes)
        return ToldMaps(named, {n: ruling for n, (_, ruling) in enumerate(ruled)})

    def _ruled(self, sheet: MapReading) -> tuple[MapReading, MapRuling]:
        on, before = self.on or board(), self.before or {}
        told = {**sheet.seats, **(self.colours or {})}
        seats = dict(owners(sheet, on, before, told, self.seat).seats)
        for colour in sheet.crayons:  # a colour that nobody had before is somebody's first
            if colour not in seats:
                free = next(
                    n for n in range(1, len(seats) + 9) if n not in {*seats.values(), *before.values()}
                )
                seats[colour] = free
        known = Known(on, before, {} if self.colours is None else {n: name for name, n in seats.items()})
        looks = looks_by_owner(sheet, on, seats)
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


@dataclass(frozen=True)
class ToldMaps:
    """A photograph as it was read and ruled; the rulings by the map's place in the reading."""

    reading: MapPhoto
    rulings: Mapping[int, MapRuling]

    @property
    def refused(self) -> bool:
        """Is something on the map against the rules?"""
        return any(ruling.outcome == "refused" for ruling in self.rulings.values())

    def as_json(self, photo: str) -> Plain:
        """The line of ``read --json``."""
        return photo_json(photo, self.reading, self.rulings)

    def lines(self, photo: str) -> Iterator[str]:
        """What a person wants to know."""
        yield f"{photo}: {len(self.reading.sheets)} map(s)"
        for n, sheet in enumerate(self.reading.sheets):
            yield from _map_lines(sheet, self.rulings.get(n))
        yield from self.reading.notes

    def overlay(self, image: Image) -> Image:
        """The photograph with what was read on it."""
        for n, sheet in enumerate(self.reading.sheets):
            image = overlaid(image, sheet, ruled_marks(sheet, self.rulings.get(n)))
        return image


def ruled_marks(sheet: MapReading, ruling: MapRuling | None) -> MapMarks:
    """What to draw on a picture of a map."""
    if ruling is None:
        return marks_of(sheet)
    return MapMarks(ruling.cells, ruling.changed, ruling.doubtful, unseen_of(sheet))


def _map_lines(sheet: MapReading, ruling: MapRuling | None) -> Iterator[str]:
    yield f"the map, found by {sheet.quality.found_by}"
    marks = ruling.cells if ruling is not None else marks_of(sheet).cells
    for mark in sorted({*marks.values()}):
        owner = f" (seat {sheet.seats[mark]})" if mark in sheet.seats else ""
        count = sum(one == mark for one in marks.values())
        yield f"  {mark}{owner}: {count} segments"
    standing = standing_on(sheet)
    pawns, chips = (" ".join(name for name, one in standing.items() if one == kind) for kind in KINDS[1:])
    if pawns:
        yield f"  pawns on {pawns}"
    if chips:
        yield f"  chips on {chips}"
    if ruling is not None:
        lines = "; ".join(" ".join(line) for line in ruling.builds) or "nothing"
        yield f"  ruling: {ruling.outcome}; new: {lines}" + (f", for {ruling.price}" if ruling.price else "")
        yield from (f"  against the rules: {sentence}" for sentence in ruling.against)
        if ruling.vanished:
            yield f"  no longer to be seen: {' '.join(ruling.vanished)}"
    doubtful = (
        ruling.doubtful
        if ruling is not None
        else [name for name in sheet.doubtful if sheet.slots[name].cannot_see is None]
    )
    if doubtful:
        yield f"  please check: {' '.join(doubtful)}"
    unseen = len(unseen_of(sheet))
    if unseen:
        yield f"  cannot be seen: {unseen} places"
