"""Photographs of card tables by themselves, without a match: what is known beside them, how they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec

from companion.games.contract import Plain
from companion.games.derailed.eye.facing import ruled_facing
from companion.games.derailed.eye.overlay import Marks, cards_overlaid, marks_of
from companion.games.derailed.eye.readings import CardReading, CardsPhoto, notes_about
from companion.games.derailed.eye.ruling import AreaRuling, rule_area, rule_moves
from companion.games.derailed.eye.seats import known_area, known_ends
from companion.games.derailed.rules.network import lane_name
from companion.games.derailed.rules.position import read_position
from companion.games.derailed.rules.rulebook import ROWS
from companion.games.derailed.rules.state import State
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import photo_json
from companion.games.kit.jsontext import shaped
from companion.games.parts import Context
from companion.games.sight import Wish
from vision.rectify import Image

# --- what is known beside a photograph ---


class _EarlierCell(msgspec.Struct, frozen=True):
    card: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    cells: dict[str, str]


class _EarlierTable(msgspec.Struct, frozen=True):
    """What is used of a table in an earlier line of ``read``."""

    starts: list[str]
    destinations: list[str]
    cells: dict[str, _EarlierCell]
    ruling: _EarlierRuling | None = None


class _EarlierLine(msgspec.Struct, frozen=True):
    sheets: list[_EarlierTable]


@dataclass(frozen=True)
class KnownTable(Context[CardReading]):
    """The position before, if somebody told it."""

    before: State | None = None

    def after(self, before: Plain) -> KnownTable:
        """The same with the position before: in notation, or an earlier line of ``read --json``."""
        position = _position(shaped(before, _EarlierLine)) if "sheets" in before else before
        return KnownTable(read_position(position))

    def narrowed(self, wish: Wish) -> Wish:
        """As many lanes are looked for as companies play, and these companies."""
        if self.before is None:
            return wish
        players = tuple((company, seat) for seat, company in enumerate(sorted(self.before.starts), 1))
        return replace(wish, edition=wish.edition or f"lanes-{len(self.before.starts)}", players=players)

    def told(self, reading: CardsPhoto) -> ToldTables:
        """The photograph, ruled on when the position before is known."""
        if self.before is None:
            return ToldTables(reading, {})
        ruled = [ruled_cards(sheet, self.before) for sheet in reading.sheets]
        sheets = tuple(sheet for sheet, _ in ruled)
        clear = all(ruling.outcome == "accepted" for _, ruling in ruled)
        notes = notes_about(reading, sheets, minor=not clear)
        turned = CardsPhoto(reading.width, reading.height, sheets, notes)
        return ToldTables(turned, {n: ruling for n, (_, ruling) in enumerate(ruled)})


def _position(line: _EarlierLine) -> dict[str, object]:
    """The position of an earlier reading: as it was ruled, else as it was read."""
    if len(line.sheets) != 1:
        raise NotationError("no-table", f"{len(line.sheets)} card tables are in it: one is needed")
    sheet = line.sheets[0]
    as_read = {name: cell.card for name, cell in sheet.cells.items() if cell.card}
    grid = sheet.ruling.cells if sheet.ruling is not None else as_read
    return {"starts": sheet.starts, "destinations": sheet.destinations, "grid": grid, "tunnels": True}


def ruled_cards(sheet: CardReading, before: State | None) -> tuple[CardReading, AreaRuling]:
    """The rules' answer to one table; the position before also tells which end is the start."""
    if before is None:
        return ruled_facing(sheet, None, lambda way: rule_area(way.looks, way.lanes))
    if sheet.lanes != len(before.starts):
        lanes = f"{sheet.lanes} lanes are in the picture, {len(before.starts)} in the position before"
        return sheet, AreaRuling.refused_outright(lanes)
    return ruled_facing(sheet, known_ends(before), lambda way: rule_moves(way.looks, known_area(before)))


# --- how it is told ---


@dataclass(frozen=True)
class ToldTables:
    """A photograph as it was read and ruled; the rulings by the table's place in the reading."""

    reading: CardsPhoto
    rulings: Mapping[int, AreaRuling]

    @property
    def refused(self) -> bool:
        """Is something on a table against the rules?"""
        return any(ruling.outcome == "refused" for ruling in self.rulings.values())

    def as_json(self, photo: str) -> Plain:
        """The line of ``read --json``."""
        return photo_json(photo, self.reading, self.rulings)

    def lines(self, photo: str) -> Iterator[str]:
        """What a person wants to know."""
        yield f"{photo}: {len(self.reading.sheets)} card table(s)"
        for n, sheet in enumerate(self.reading.sheets):
            yield from _table_lines(sheet, self.rulings.get(n))
        yield from self.reading.notes

    def overlay(self, image: Image) -> Image:
        """The photograph with what was read on it."""
        marked = [(sheet, _marks(sheet, self.rulings.get(n))) for n, sheet in enumerate(self.reading.sheets)]
        return cards_overlaid(image, marked)


def _marks(sheet: CardReading, ruling: AreaRuling | None) -> Marks:
    if ruling is None:
        return marks_of(sheet)
    refused = ruling.outcome == "refused"
    return Marks(ruling.cells, ruling.doubtful, ruling.changed, ruling.outcome, refused)


def _table_lines(sheet: CardReading, ruling: AreaRuling | None) -> Iterator[str]:
    yield f"{sheet.lanes} lanes, found by {sheet.quality.found_by}"
    yield "  " + "".join(f"{letter:10}" for letter in sheet.columns[0]).rstrip()
    for row in range(1, ROWS + 1):
        names = [f"{lane_name(lane)}{row}" for lane in range(sheet.lanes)]
        yield "  " + "".join(f"{_shown(sheet, ruling, name):10}" for name in names).rstrip()
    yield "  " + "".join(f"{letter:10}" for letter in sheet.columns[1]).rstrip()
    if ruling is not None:
        yield f"  ruling: {ruling.outcome}; new: {' '.join(ruling.changed) or 'nothing'}"
        yield from (f"  against the rules: {sentence}" for sentence in ruling.against)
    doubtful = ruling.doubtful if ruling is not None else sheet.doubtful
    if doubtful:
        yield f"  please check: {' '.join(doubtful)}"


def _shown(sheet: CardReading, ruling: AreaRuling | None, name: str) -> str:
    if ruling is not None:
        return ruling.cells.get(name, ".")
    cell = sheet.cells[name]
    return "?" if cell.cannot_see else cell.best or "."
